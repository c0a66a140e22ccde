"""How alike two lines are, and two sets of points without names.

Both measure distance as keypoint similarity does, exp(-d^2 / (2 s^2 (2 sigma)^2)), with sigma and scale s of CVAT's
quality control (cvat/apps/quality_control/comparison_report.py).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.assignment import best_pairs
from assay.annotations.shapes.shapes import Coordinates

LINE_SIGMA = 0.01
"""A line is 1 % of the image's size thick."""
POINT_SIGMA = 0.09
NEGLIGIBLE = 1e-9
SAMPLES = 64
"""Points along a line at which the distance is taken."""

Samples = NDArray[np.float64]
"""(lines, SAMPLES, 2)"""


def resampled(lines: Sequence[Coordinates]) -> Samples:
    """Each line as points at equal steps along it, ends included; NaN for a line without points."""
    return np.stack([_resampled(line) for line in lines]) if lines else np.empty((0, SAMPLES, 2))


def _resampled(line: Coordinates) -> NDArray[np.float64]:
    if not len(line):
        return np.full((SAMPLES, 2), np.nan)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    steps = np.linspace(0.0, along[-1], SAMPLES)
    return np.stack([np.interp(steps, along, line[:, 0]), np.interp(steps, along, line[:, 1])], axis=1)


def lengths(samples: Samples) -> NDArray[np.float64]:
    """How long each line is, as far as its samples tell."""
    steps = np.diff(samples, axis=1)
    return np.asarray(np.hypot(steps[:, :, 0], steps[:, :, 1]).sum(axis=1))


def line_similarity(
    truth: Samples, student: Samples, *, scale: NDArray[np.float64], directed: bool = False
) -> NDArray[np.float64]:
    """The mean over both lines, walked at the same pace, of how near they are; 1 for the same line, 0 far away.

    `scale` is s^2: the area of the image, or the square of the line's length where that is not known. Unless directed,
    a line drawn from its other end is the same line. Departs from CVAT: it takes the mean over the corners of both
    lines, so that one drawn with more clicks weighs differently; we take it at equal steps. NaN without points.
    """
    forwards = _nearness(truth, student, scale)
    return forwards if directed else np.maximum(forwards, _nearness(truth, student[:, ::-1], scale))


def may_be_near(gap: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether lines whose bounds lie `gap` apart can have a similarity that is worth working out.

    No point of the one is nearer to the other than that, so none of the terms is larger than that of the gap.
    """
    return _gaussian(gap**2, scale, LINE_SIGMA) > NEGLIGIBLE


def _nearness(truth: Samples, student: Samples, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(_gaussian(((truth - student) ** 2).sum(axis=2), scale[:, None], LINE_SIGMA).mean(axis=1))


def _gaussian(squared: NDArray[np.float64], scale: NDArray[np.float64] | float, sigma: float) -> NDArray[np.float64]:
    # the smallest float keeps a line without length defined: 1 where the points coincide, else 0
    nearness: NDArray[np.float64] = np.exp(-squared / (2 * (scale + np.spacing(1)) * (2 * sigma) ** 2))
    return nearness


def point_similarity(truth: Coordinates, student: Coordinates, *, scale: NDArray[np.float64]) -> NDArray[np.float64]:
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
