"""Placing ranked essays of an unseen prompt on its scale, when only the scale itself is known, or a few human scores.

Without scores:

    score = lowest + (highest - lowest) (m + S z),   S = sqrt(sd^2 + tau^2 + step^2 / 12)

with z the standardised rank score. m is the mean of the source prompts' mean scores, each as a share of its own scale;
sd is foretold from the number of score points and the median length of the essays; tau is the spread of the source
prompts' means: agreement suffers less from scores spread too far than from a mean in the wrong place with scores close
around it. The last term makes up for rounding (decision 0218). A foretold m does better on ASAP and worse elsewhere, so
the plain mean is the default.

With a few scored essays, a line through them, held by what is expected, and a correction of residuals:

1. y = a + b g for the rank score g of the pool (mean 0, spread 1), with priors a ~ N(m0, (.075 range)^2),
   b ~ N(.77 sd0, (.35 sd0)^2), and a residual variance (1 - .77^2) sd0^2 worth ten essays; m0 and sd0 as above.
2. A Gaussian process on the residuals, over features and characters alike; .3 of the residual variance is signal. The
   line knows of it: residuals of essays that are alike go together, so that they count for less than two.
3. The sum is stretched to the spread sqrt(b^2 + s^2 + step^2 / 12) around its mean over the pool: regression pulls
   scores together, and agreement wants them as far apart as people have them, and a little more before rounding.

.77 is how well rank scores go with human scores on prompts never seen (ASAP).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.essays.models.arrays import Floats
from assay.essays.models.resolution import check_on_scale
from assay.scale import ScoreScale

LEAST_POOL = 10
"""Essays of a new prompt, scored or not."""
DEFAULT_MEAN, DEFAULT_SD, DEFAULT_TAU = 0.5, 0.2, 0.075
"""Shares of the scale where no source prompt is known."""
EXPECTED_R = 0.77
SLOPE_DOUBT = 0.35
MEAN_DOUBT = 0.075
PRIOR_ESSAYS = 10.0
SIGNAL = 0.3
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class PromptLevel:
    """Where the human scores of a prompt lie, as shares of its scale, and what may foretell it."""

    mean: float
    sd: float
    points: int
    """Score points of the scale."""
    words: float
    """Words of the median essay."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Mean and spread that the scores of a prompt are expected to have, in score points."""

    mean: float
    sd: float
    widened: float
    """S: the spread that scores are given."""


def prompt_level(scores: Floats, words: float, scale: ScoreScale) -> PromptLevel:
    """The level of one scored prompt."""
    shares = (scores - scale.lowest) / (scale.highest - scale.lowest)
    return PromptLevel(float(shares.mean()), float(shares.std()), len(scale.points()), words)


def safe_placement(sources: Sequence[PromptLevel], *, words: float, scale: ScoreScale) -> Placement:
    """Where the scores of an unseen prompt are expected, from the source prompts and what is known of the target."""
    width = scale.highest - scale.lowest
    mean = float(np.mean([s.mean for s in sources])) if sources else DEFAULT_MEAN
    tau = float(np.std([s.mean for s in sources])) if len(sources) > 1 else DEFAULT_TAU
    sd = _foretold_sd(sources, len(scale.points()), words)
    spread = spread_before_rounding(width * float(np.hypot(sd, tau)), scale)
    return Placement(scale.lowest + width * mean, width * sd, spread)


def spread_before_rounding(spread: float, scale: ScoreScale) -> float:
    """The spread scores need before they are rounded to agree best with human scores of a given spread.

    >>> round(spread_before_rounding(1.0, ScoreScale(1, 6)), 4)
    1.0408
    """
    return float(np.hypot(spread, scale.step / np.sqrt(12)))


def _foretold_sd(sources: Sequence[PromptLevel], points: int, words: float) -> float:
    """Ridge regression of log sd on log score points and log words, standardised, lambda 1."""
    known = [source for source in sources if source.sd > 0]
    if not known:
        return DEFAULT_SD
    x = np.array([[np.log(s.points), np.log(max(s.words, 1.0))] for s in known])
    y = np.log([s.sd for s in known])
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    z = (x - mean) / spread
    slope = np.linalg.solve(z.T @ z + np.eye(2), z.T @ (y - y.mean()))
    target = (np.array([np.log(points), np.log(max(words, 1.0))]) - mean) / spread
    return float(np.exp(y.mean() + target @ slope))


def check_calibration(written: int, scores: Floats, scale: ScoreScale) -> None:
    """InputError for too few essays with words, and for human scores off the scale."""
    if written < LEAST_POOL:
        problem = f"{written} essays with words are too few to calibrate a model: at least {LEAST_POOL} are needed"
        raise InputError(problem, field="essays", remedy="Give more essays of the prompt, with or without scores.")
    check_on_scale(scores[np.isfinite(scores)], scale)


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
        projected = x.T @ inverse / variance
        line = np.linalg.solve(precision + projected @ x, precision @ prior + projected @ scores)
        errors = scores - x @ line
        variance = (PRIOR_ESSAYS * start + float(errors @ inverse @ errors)) / (PRIOR_ESSAYS + len(g))
    return FittedLine(float(line[0]), float(line[1]), float(np.sqrt(variance)))


def residual_dual(kernel: Floats, residuals: Floats) -> Floats:
    """Dual weights of the Gaussian process for the labelled essays; over the pool the kernel has mean diagonal 1."""
    noise = (1 - SIGNAL) / SIGNAL
    return np.asarray(np.linalg.solve(kernel + noise * np.eye(len(residuals)), residuals))
