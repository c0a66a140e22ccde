"""Calibration from a few scored essays: a line through them, held by what is expected, and a correction of residuals.

1. y = a + b g for the rank score g of the pool (mean 0, spread 1), with priors a ~ N(m0, (.075 range)^2),
   b ~ N(.77 sd0, (.35 sd0)^2), and a residual variance (1 - .77^2) sd0^2 worth ten essays.
2. A Gaussian process on the residuals, over features and characters alike; .3 of the residual variance is signal. The
   line knows of it: residuals of essays that are alike go together, so that they count for less than two.
3. The sum is stretched to the spread sqrt(b^2 + s^2 + step^2 / 12) around its mean over the pool: regression pulls
   scores together, and agreement wants them as far apart as people have them, and a little more before rounding.

.77 is how well rank scores go with human scores on prompts never seen (ASAP). m0 and sd0 come from `placing`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.calibrated.scale_placement import Placement

Floats = NDArray[np.float64]

EXPECTED_R = 0.77
SLOPE_DOUBT = 0.35
MEAN_DOUBT = 0.075
PRIOR_ESSAYS = 10.0
SIGNAL = 0.3
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class FittedLine:
    """y = intercept + slope g, and the spread of human scores around it."""

    intercept: float
    slope: float
    residual: float

    @property
    def spread(self) -> float:
        """Of the human scores over the pool, as the line foretells it."""
        return float(np.hypot(self.slope, self.residual))


def fit_line(g: Floats, scores: Floats, expected: Placement, *, width: float, kernel: Floats) -> FittedLine:
    """The line through a few scored essays by generalised least squares; with none, the line that is expected.

    `kernel` says how alike the scored essays are, as `residual_dual` takes it.

    >>> fit_line(np.empty(0), np.empty(0), Placement(3.0, 1.0, 1.1), width=5.0, kernel=np.empty((0, 0))).slope
    0.77
    """
    prior = np.array([expected.mean, EXPECTED_R * expected.sd])
    precision = np.diag([(MEAN_DOUBT * width) ** -2, (SLOPE_DOUBT * expected.sd) ** -2])
    start = (1 - EXPECTED_R**2) * expected.sd**2
    x = np.stack([np.ones_like(g), g], axis=1)
    inverse = np.linalg.inv(SIGNAL * kernel + (1 - SIGNAL) * np.eye(len(g)))
    variance, line = start, prior
    for _ in range(ROUNDS if len(g) else 0):
        told = x.T @ inverse / variance
        line = np.linalg.solve(precision + told @ x, precision @ prior + told @ scores)
        errors = scores - x @ line
        variance = (PRIOR_ESSAYS * start + float(errors @ inverse @ errors)) / (PRIOR_ESSAYS + len(g))
    return FittedLine(float(line[0]), float(line[1]), float(np.sqrt(variance)))


def residual_dual(kernel: Floats, residuals: Floats) -> Floats:
    """Dual weights of the Gaussian process for the labelled essays; over the pool the kernel has mean diagonal 1."""
    noise = (1 - SIGNAL) / SIGNAL
    return np.asarray(np.linalg.solve(kernel + noise * np.eye(len(residuals)), residuals))
