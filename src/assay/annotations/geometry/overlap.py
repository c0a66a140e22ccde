"""Intersection over union: how much of what two shapes cover they cover both.

IoU(A, B) = area(A and B) / area(A or B), in 0..1: 1 for the same shape, 0 for shapes apart, and 0 when a shape has no
area (fewer than three corners, a box without width): such a shape marks nothing.
"""

import numpy as np
from numpy.typing import NDArray

Areas = NDArray[np.float64]


def box_areas(bounds: NDArray[np.float64]) -> Areas:
    """Areas of upright boxes (n, 4), 0 for one whose ends are swapped."""
    area: Areas = np.maximum(bounds[:, 2] - bounds[:, 0], 0) * np.maximum(bounds[:, 3] - bounds[:, 1], 0)
    return area


def common_box_areas(first: NDArray[np.float64], second: NDArray[np.float64]) -> Areas:
    """What box i of the one and box i of the other both cover."""
    width = np.minimum(first[:, 2], second[:, 2]) - np.maximum(first[:, 0], second[:, 0])
    height = np.minimum(first[:, 3], second[:, 3]) - np.maximum(first[:, 1], second[:, 1])
    area: Areas = np.maximum(width, 0) * np.maximum(height, 0)
    return area


def intersection_over_union(common: Areas, first: Areas, second: Areas) -> Areas:
    """IoU from the three areas; rounding cannot carry it out of 0..1."""
    union = first + second - common
    share = np.divide(common, union, out=np.zeros_like(union), where=union > 0)
    return np.clip(share, 0.0, 1.0)


def box_iou(first: NDArray[np.float64], second: NDArray[np.float64]) -> Areas:
    """IoU of upright boxes, pair by pair: (n, 4) and (n, 4) of left, top, right, bottom.

    >>> box_iou(np.array([[0.0, 0, 10, 10]]), np.array([[5.0, 0, 15, 10]])).round(4).tolist()
    [0.3333]
    """
    return intersection_over_union(common_box_areas(first, second), box_areas(first), box_areas(second))


def highest_iou(bounds_in_common: Areas, first: Areas, second: Areas) -> Areas:
    """The most the IoU of two shapes can be, knowing their areas and what their bounding boxes have in common."""
    return intersection_over_union(np.minimum(np.minimum(first, second), bounds_in_common), first, second)
