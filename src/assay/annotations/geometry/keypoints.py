"""Object keypoint similarity: how near the student's named points are to those of the truth, for the object's size.

OKS = mean over the points labelled in the truth of  exp(-d^2 / (2 s^2 (2 sigma)^2))

d is the distance in pixels, s^2 the area of the object (as the file states it, else of its bounding box), sigma how far
people who mark this point differ. A point the student has not marked counts 0; one the truth has not labelled does not
count. Undefined, and no match, when the truth labels no point (COCO then measures how far the student's points lie
outside the doubled box). Source: https://cocodataset.org/#keypoints-eval and COCOeval.computeOks. Our departures:
points are compared by name, not by position, and an unmarked point is not taken to lie at (0, 0).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, portions
from assay.annotations.shapes.columns import SkeletonTable

COCO_SIGMAS: Mapping[str, float] = {
    "nose": 0.026,
    "left_eye": 0.025,
    "right_eye": 0.025,
    "left_ear": 0.035,
    "right_ear": 0.035,
    "left_shoulder": 0.079,
    "right_shoulder": 0.079,
    "left_elbow": 0.072,
    "right_elbow": 0.072,
    "left_wrist": 0.062,
    "right_wrist": 0.062,
    "left_hip": 0.107,
    "right_hip": 0.107,
    "left_knee": 0.087,
    "right_knee": 0.087,
    "left_ankle": 0.089,
    "right_ankle": 0.089,
}
"""Measured by COCO on 5,000 people marked several times."""
DEFAULT_SIGMA = 0.09
"""For points without a sigma of their own, as in CVAT's quality control."""
PAIRS_AT_ONCE = 2_000
"""Keeps the intermediate tables within the processor's cache."""


def point_key(name: str) -> str:
    """The name as it is compared: `Left Eye`, `left-eye` and `left_eye` are one point."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def sigmas_of(names: Sequence[str], own: Mapping[str, float]) -> NDArray[np.float64]:
    """The sigma of each point: our own by name, else COCO's, else the default."""
    known = {**COCO_SIGMAS, **{point_key(name): sigma for name, sigma in own.items()}}
    return np.array([known.get(point_key(name), DEFAULT_SIGMA) for name in names], np.float64)


def oks(
    truth: SkeletonTable,
    student: SkeletonTable,
    a: Positions,
    b: Positions,
    *,
    scale: NDArray[np.float64],
    sigmas: Mapping[str, float],
) -> NDArray[np.float64]:
    """OKS of skeleton a[p] of the truth and b[p] of the student, NaN if undefined; `scale` is the area s^2 per pair."""
    result = np.zeros(len(a))
    for i, names in enumerate(truth.names):
        sigma, labelled = sigmas_of(names, sigmas), truth.visibility[i] > 0
        for j, other in enumerate(student.names):
            pairs = np.flatnonzero((truth.layout[a] == i) & (student.layout[b] == j))
            points, marked = _reordered(student, j, _positions(names, other))
            for part in portions(np.ones(len(pairs), np.int64), PAIRS_AT_ONCE):
                p = pairs[part]
                t, s = truth.row[a[p]], student.row[b[p]]
                result[p] = _formula(truth.points[i][t], labelled[t], points[s], marked[s], scale[p], sigma)
    return result


def _positions(names: Sequence[str], other: Sequence[str]) -> Positions:
    """Where each name stands among the others, -1 if nowhere; used twice, it stands for the first, then the second."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(other):
        places.setdefault(point_key(name), []).append(place)
    queues = [places.get(point_key(name), []) for name in names]
    return np.array([queue.pop(0) if queue else -1 for queue in queues], np.int64)


def _reordered(table: SkeletonTable, layout: int, position: Positions) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The points of a layout and whether they are marked, in the order of the truth's names."""
    points, labelled = table.points[layout], table.visibility[layout] > 0
    if not points.shape[1]:
        return np.zeros((len(points), len(position), 2)), np.zeros((len(points), len(position)), np.bool_)
    if np.array_equal(position, np.arange(points.shape[1])):  # the same points in the same order, as a rule
        return points, labelled
    return points[:, position], labelled[:, position] & (position >= 0)


def _formula(
    target: NDArray[np.float64],
    labelled: NDArray[np.bool_],
    points: NDArray[np.float64],
    marked: NDArray[np.bool_],
    scale: NDArray[np.float64],
    sigma: NDArray[np.float64],
) -> NDArray[np.float64]:
    # (pairs, points); the smallest float keeps an object without area defined, as in pycocotools
    spread = 2 * (scale[:, None] + np.spacing(1)) * (2 * sigma) ** 2
    away = target - points
    near = np.exp(-(away[:, :, 0] ** 2 + away[:, :, 1] ** 2) / spread)
    counted = labelled.sum(axis=1)
    credit = np.where(labelled & marked, near, 0.0).sum(axis=1)
    mean: NDArray[np.float64] = np.full(len(credit), np.nan)
    np.divide(credit, counted, out=mean, where=counted > 0)
    return mean
