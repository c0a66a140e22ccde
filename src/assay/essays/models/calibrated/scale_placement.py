"""Placing ranked essays of an unseen prompt on its scale, when only the scale itself is known.

    score = lowest + (highest - lowest) (m + S z),   S = sqrt(sd^2 + tau^2 + step^2 / 12)

with z the standardised rank score. m is the mean of the source prompts' mean scores, each as a share of its own scale;
sd is foretold from the number of score points and the median length of the essays; tau is the spread of the source
prompts' means: agreement suffers less from scores spread too far than from a mean in the wrong place with scores close
around it. The last term makes up for rounding (decision 0218). A foretold m does better on ASAP and worse elsewhere, so
the plain mean is the default.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.resolution import check_on_scale
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

LEAST_POOL = 10
"""Essays of a new prompt, scored or not."""
DEFAULT_MEAN, DEFAULT_SD, DEFAULT_TAU = 0.5, 0.2, 0.075
"""Shares of the scale where no source prompt is known."""


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
        raise InputError(
            f"{written} essays with words are too few to calibrate a model: at least {LEAST_POOL} are needed",
            field="essays",
            remedy="Give more essays of the prompt, with or without scores.",
        )
    given = scores[np.isfinite(scores)]
    check_on_scale(given, scale)
