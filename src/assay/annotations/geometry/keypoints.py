"""How near the student's points are to those of the truth: skeletons, lines, and points without names.

Object keypoint similarity is for named points:

OKS = mean over the points labelled in the truth of  exp(-d^2 / (2 s^2 (2 sigma)^2))

d is the distance in pixels, s^2 the area of the object (as the file states it, else of its bounding box), sigma how far
people who mark this point differ. A point the student has not marked counts 0; one the truth has not labelled does not
count. Undefined, and no match, when the truth labels no point (COCO then measures how far the student's points lie
outside the doubled box). Source: https://cocodataset.org/#keypoints-eval and COCOeval.computeOks. Our departures:
points are compared by name, not by position, and an unmarked point is not taken to lie at (0, 0).

Lines and points without names measure distance likewise, with sigma and scale s of CVAT's quality control
(cvat/apps/quality_control/comparison_report.py).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import best_pairs
from assay.annotations.shapes.arrays import Positions, portions
from assay.annotations.shapes.columns import SkeletonTable
from assay.annotations.shapes.shapes import Coordinates
from assay.kernel import Kernel, kernel

Floats = NDArray[np.float64]
_OF_BOTH_SIDES = {"eye": 0.025, "ear": 0.035, "shoulder": 0.079, "elbow": 0.072, "wrist": 0.062, "hip": 0.107}
_OF_BOTH_SIDES |= {"knee": 0.087, "ankle": 0.089}
COCO_SIGMAS: Mapping[str, float] = {
    "nose": 0.026,
    **{f"{side}_{part}": sigma for part, sigma in _OF_BOTH_SIDES.items() for side in ("left", "right")},
}
"""Measured by COCO on 5,000 people marked several times."""
DEFAULT_SIGMA = 0.09
"""For points without a sigma of their own, as in CVAT's quality control."""
PAIRS_AT_ONCE = 2_000
"""Keeps the intermediate tables within the processor's cache."""


def point_key(name: str) -> str:
    """The name as it is compared: `Left Eye`, `left-eye` and `left_eye` are one point."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def sigmas_of(names: Sequence[str], own: Mapping[str, float]) -> Floats:
    """The sigma of each point: our own by name, else COCO's, else the default."""
    known = {**COCO_SIGMAS, **{point_key(name): sigma for name, sigma in own.items()}}
    return np.array([known.get(point_key(name), DEFAULT_SIGMA) for name in names], np.float64)


def oks(
    truth: SkeletonTable,
    student: SkeletonTable,
    a: Positions,
    b: Positions,
    *,
    scale: Floats,
    sigmas: Mapping[str, float],
) -> Floats:
    """OKS of skeleton a[p] of the truth and b[p] of the student, NaN if undefined; `scale` is the area s^2 per pair."""
    result, compiled = np.zeros(len(a)), kernel()
    for i, names in enumerate(truth.names):
        sigma, labelled = sigmas_of(names, sigmas), truth.visibility[i] > 0
        for j in range(len(student.names)):
            pairs = np.flatnonzero((truth.layout[a] == i) & (student.layout[b] == j))
            points, marked = _reordered(student, j, names)
            if compiled and len(names):
                t, s, own = truth.row[a[pairs]], student.row[b[pairs]], (truth.points[i], labelled, points, marked)
                result[pairs] = _by_kernel(compiled, own, sigma, t, s, scale[pairs])
                continue
            for part in portions(np.ones(len(pairs), np.int64), PAIRS_AT_ONCE):
                p = pairs[part]
                t, s = truth.row[a[p]], student.row[b[p]]
                away, counted = truth.points[i][t] - points[s], labelled[t].sum(axis=1)
                near = _gaussian(away[:, :, 0] ** 2 + away[:, :, 1] ** 2, scale[p, None], sigma)  # (pairs, points)
                credit = np.where(labelled[t] & marked[s], near, 0.0).sum(axis=1)
                result[p] = np.divide(credit, counted, out=np.full(len(p), np.nan), where=counted > 0)
    return result


def near_pairs(
    truth: SkeletonTable,
    student: SkeletonTable,
    a: Positions,
    b: Positions,
    ranges: tuple[Positions, Positions],
    *,
    scale: Floats,
    sigmas: Mapping[str, float],
    least: float,
) -> tuple[Positions, Positions] | None:
    """Places (in a, in b) of the pairs whose OKS may reach `least`, of each a[i] with b[low[i]] to b[high[i] - 1].

    None where they are not looked for: without the kernel, or where skeletons have other points than others.
    """
    compiled = kernel()
    if not compiled or least <= 0 or len(truth.names) != 1 or len(student.names) != 1 or not truth.names[0]:
        return None
    points, marked = _reordered(student, 0, truth.names[0])
    rows, others = truth.row[a], student.row[b]
    ours = _in_order(truth.points[0], rows), _in_order(truth.visibility[0] > 0, rows)
    theirs = _in_order(points, others), _in_order(marked, others)
    widths = (2 * sigmas_of(truth.names[0], sigmas)) ** 2
    columns = compiled.near_skeletons(*ours, *theirs, widths, scale + np.spacing(1), *ranges, least)
    return np.frombuffer(columns[0], np.int64), np.frombuffer(columns[1], np.int64)


def _in_order(stack: NDArray[Any], rows: Positions) -> NDArray[Any]:
    """The rows of a stack in an order; as a rule it is theirs."""
    same = len(rows) == len(stack) and bool((rows == np.arange(len(rows))).all())
    return np.ascontiguousarray(stack if same else stack[rows])


def _by_kernel(
    compiled: Kernel, skeletons: tuple[NDArray[Any], ...], sigma: Floats, t: Positions, s: Positions, scale: Floats
) -> Floats:
    """The same with exponents by the compiled kernel."""
    truth, labelled, student, marked = (np.ascontiguousarray(one) for one in skeletons)
    credit, counted, widths = np.zeros(len(t)), np.zeros(len(t), np.int64), (2 * sigma) ** 2
    scratch = np.empty((2, min(len(t), PAIRS_AT_ONCE), len(sigma)))  # once: fresh memory takes longer than the sums
    for begin in range(0, len(t), PAIRS_AT_ONCE):
        part = slice(begin, min(begin + PAIRS_AT_ONCE, len(t)))
        near, weight = scratch[:, : part.stop - begin]
        ours = (truth, labelled, student, marked, widths, t[part], s[part], scale[part] + np.spacing(1))
        compiled.keypoint_exponents(*ours, near, weight, counted[part])
        np.exp(near, out=near)
        credit[part] = np.multiply(near, weight, out=near).sum(axis=1)
    return np.asarray(np.divide(credit, counted, out=np.full(len(t), np.nan), where=counted > 0))


def _reordered(table: SkeletonTable, layout: int, names: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """The points of a layout and whether they are marked, in the order of the truth's names.

    A name used twice stands for the first, then the second; what is not there is not marked.
    """
    points, marked = table.points[layout], table.visibility[layout] > 0
    places: dict[str, list[int]] = {}
    for place, name in enumerate(table.names[layout]):
        places.setdefault(point_key(name), []).append(place)
    queues = [places.get(point_key(name), []) for name in names]
    position = np.array([queue.pop(0) if queue else -1 for queue in queues], np.int64)
    if not points.shape[1]:
        return np.zeros((len(points), len(position), 2)), np.zeros((len(points), len(position)), np.bool_)
    if np.array_equal(position, np.arange(points.shape[1])):  # the same points in the same order, as a rule
        return points, marked
    return points[:, position], marked[:, position] & (position >= 0)


LINE_SIGMA = 0.01
"""A line is 1 % of the image's size thick."""
POINT_SIGMA = 0.09
NEGLIGIBLE = 1e-9
SAMPLES = 64
"""Points along a line at which the distance is taken."""

Samples = Floats
"""(lines, SAMPLES, 2)"""


def resampled(lines: Sequence[Coordinates]) -> Samples:
    """Each line as points at equal steps along it, ends included; NaN for a line without points."""
    samples = np.full((len(lines), SAMPLES, 2), np.nan)
    for number, line in enumerate(lines):
        if len(line):
            along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
            steps = np.linspace(0.0, along[-1], SAMPLES)
            samples[number] = np.stack([np.interp(steps, along, line[:, 0]), np.interp(steps, along, line[:, 1])], 1)
    return samples


def lengths(samples: Samples) -> Floats:
    """How long each line is, as far as its samples tell."""
    steps = np.diff(samples, axis=1)
    return np.asarray(np.hypot(steps[:, :, 0], steps[:, :, 1]).sum(axis=1))


def line_similarity(truth: Samples, student: Samples, *, scale: Floats, directed: bool = False) -> Floats:
    """The mean over both lines, walked at the same pace, of how near they are; 1 for the same line, 0 far away.

    `scale` is s^2: the area of the image, or the square of the line's length where that is not known. Unless directed,
    a line drawn from its other end is the same line. Departs from CVAT: it takes the mean over the corners of both
    lines, so that one drawn with more clicks weighs differently; we take it at equal steps. NaN without points.
    """
    forwards = _nearness(truth, student, scale)
    return forwards if directed else np.maximum(forwards, _nearness(truth, student[:, ::-1], scale))


def may_be_near(gap: Floats, scale: Floats) -> NDArray[np.bool_]:
    """Whether lines whose bounds lie `gap` apart can have a similarity that is worth working out.

    No point of the one is nearer to the other than that, so none of the terms is larger than that of the gap.
    """
    return _gaussian(gap**2, scale, LINE_SIGMA) > NEGLIGIBLE


def _nearness(truth: Samples, student: Samples, scale: Floats) -> Floats:
    return np.asarray(_gaussian(((truth - student) ** 2).sum(axis=2), scale[:, None], LINE_SIGMA).mean(axis=1))


def _gaussian(squared: Floats, scale: Floats | float, sigma: Floats | float) -> Floats:
    # the smallest float keeps an object without size defined, as in pycocotools: 1 where the points coincide, else 0
    return np.asarray(np.exp(-squared / (2 * (scale + np.spacing(1)) * (2 * sigma) ** 2)))


def point_similarity(truth: Coordinates, student: Coordinates, *, scale: Floats) -> Floats:
    """How near point i of the one is to point i of the other; `scale` is s^2 per pair."""
    return _gaussian(((truth - student) ** 2).sum(axis=1), scale, POINT_SIGMA)


def points_similarity(truth: Coordinates, student: Coordinates, *, scale: float) -> float:
    """How near the points are once each is paired with at most one of the other side, at the best.

    sum over pairs of exp(-d^2 / (2 s^2 (2 sigma)^2)) / the larger number of points: a point too few or too many counts
    0. `scale` is s^2: the area of the truth's bounding box for several points, of the image for a single one.

    >>> one, two = np.array([[5.0, 5.0]]), np.array([[5.0, 5.0], [900.0, 5.0]])
    >>> points_similarity(one, two, scale=10_000.0)
    0.5
    """
    if not len(truth) or not len(student):
        return 0.0
    squared = ((truth[:, None] - student[None]) ** 2).sum(axis=2)  # (truth points, student points)
    near = _gaussian(squared, scale, POINT_SIGMA)
    return float(sum(near[pair] for pair in best_pairs(near)) / max(near.shape))
