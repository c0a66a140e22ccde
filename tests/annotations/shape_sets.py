"""Annotation sets from bare shapes, for tests of geometry and matching."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Polyline, Shape, Skeleton
from assay.io.annotations.columns import KIND_OF


def ring(*corners: tuple[float, float]) -> NDArray[np.float64]:
    return np.array(corners, np.float64).reshape(-1, 2)


def square(left: float, top: float, side: float) -> NDArray[np.float64]:
    return ring((left, top), (left + side, top), (left + side, top + side), (left, top + side))


def set_of(
    *shapes: Shape,
    images: Sequence[int] | None = None,
    size: tuple[int, int] = (100, 80),
    crowd: Sequence[bool] | None = None,
    area: Sequence[float] | None = None,
) -> AnnotationSet:
    """The shapes as a set, all on image 0 unless `images` says otherwise; images are `size` = (width, height)."""
    n = len(shapes)
    image = np.zeros(n, np.int32) if images is None else np.array(images, np.int32)
    return AnnotationSet(
        images=tuple(Image(f"{i}.jpg", *size) for i in range(int(image.max(initial=0)) + 1)),
        labels=("thing",),
        image=image,
        label=np.zeros(n, np.int32),
        kind=np.array([KIND_OF[type(shape)] for shape in shapes], np.uint8),
        bounds=np.array([bounds_of(shape) for shape in shapes], np.float64).reshape(n, 4),
        rotation=np.array([shape.rotation if isinstance(shape, Box) else 0.0 for shape in shapes], np.float64),
        shape_of=lambda i: shapes[i],
        ids=[str(i + 1) for i in range(n)],
        crowd=None if crowd is None else np.array(crowd, np.bool_),
        area=None if area is None else np.array(area, np.float64),
    )


def bounds_of(shape: Shape) -> tuple[float, float, float, float]:
    """As a reader would state them."""
    match shape:
        case Box():
            return shape.left, shape.top, shape.right, shape.bottom
        case Mask():
            return shape.left, shape.top, shape.left + shape.width, shape.top + shape.height
        case Ellipse():
            reach = max(shape.radius_x, shape.radius_y)
            return shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach
        case _:
            return _around(_points(shape))


def _points(shape: Shape) -> NDArray[np.float64]:
    match shape:
        case Polygon():
            return np.concatenate([*shape.rings, np.empty((0, 2))])
        case Skeleton():
            return shape.points[shape.visibility > 0]
        case Cuboid():
            return shape.corners
        case Polyline() | Points():
            return shape.points
        case _:
            return np.empty((0, 2))


def _around(points: NDArray[np.float64]) -> tuple[float, float, float, float]:
    if not len(points):
        return 0, 0, 0, 0
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)
