"""What a check of a habit needs: how sure it is that a habit is there, the advice, the images that show it best."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, gammaln, stdtr, stdtrit

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.metrics.intervals import wilson_interval
from assay.metrics.pairs import Scores


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a statement: how many cases, how large the effect with its 95 % interval, and how surprising."""

    n: int
    effect: float
    low: float
    high: float
    p: float


def mean_beyond(values: Scores, margin: float) -> Evidence:
    """Whether a mean lies further from 0 than a margin that would not matter, to either side.

    t = (|mean| - margin) / standard error, doubled for the two sides; at least two values.

    >>> mean_beyond(np.array([0.05, 0.06, 0.05, 0.04]), margin=0.01).p < 0.01
    True
    """
    n = values.size
    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(n)
    reach = float(stdtrit(n - 1, 0.975)) * error
    if error < 1e-15:
        p = 0.0 if abs(mean) > margin else 1.0
    else:
        p = min(1.0, 2 * float(stdtr(n - 1, -(abs(mean) - margin) / error)))
    return Evidence(n, mean, mean - reach, mean + reach, p)


def share_above(count: int, n: int, usual: float) -> Evidence:
    """Whether a share is larger than the usual rate of slips: the exact binomial test.

    >>> round(share_above(3, 10, 0.02).p, 5)
    0.00086
    """
    p = float(bdtrc(count - 1, n, usual)) if count else 1.0
    low, high = wilson_interval(count / n, n)
    return Evidence(n, count / n, low, high, p)


def share_larger(first: tuple[int, int], second: tuple[int, int]) -> Evidence:
    """Whether the first share (count, n) is larger than the second: Fisher's exact test, one-sided.

    The effect is the difference, with Newcombe's (1998) interval from two Wilson intervals.

    >>> round(share_larger((8, 10), (1, 10)).p, 4)
    0.0027
    """
    (a, n), (b, m) = first, second
    p1, p2 = a / n, b / m
    low1, high1 = wilson_interval(p1, n)
    low2, high2 = wilson_interval(p2, m)
    low = p1 - p2 - sqrt((p1 - low1) ** 2 + (high2 - p2) ** 2)
    high = p1 - p2 + sqrt((high1 - p1) ** 2 + (p2 - low2) ** 2)
    # the chance of a or more of the a + b cases among the first n, if they fell anywhere among n + m
    k = np.arange(a, min(n, a + b) + 1, dtype=float)
    logs: Scores = _choose(n, k) + _choose(m, a + b - k) - _choose(n + m, np.array([a + b], dtype=float))
    return Evidence(n + m, p1 - p2, low, high, float(min(1.0, np.exp(logs).sum())))


def _choose(n: int, k: Scores) -> Scores:
    with np.errstate(invalid="ignore"):
        ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.where((k >= 0) & (k <= n), ways, -np.inf)


Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

USUAL_SLIPS = 0.02
"""The rate of chance slips that nobody need be told about."""
FEWEST = 8
"""Fewer cases are not checked: nothing could be said."""
MOST_IMAGES = 5


@dataclass(frozen=True, slots=True)
class HabitAdvice:
    """What a student is told."""

    kind: str
    sentence: str
    evidence: Evidence
    """Its p value is adjusted for all checks made."""
    images: tuple[str, ...]
    """Those that show it best, the clearest first."""
    gain: float = 0.0
    """Points of 100 that the score would rise by without this habit; beside those of the habits before it."""
    objects: tuple[int, ...] = ()
    """Objects of the ground truth on the first of the images that show it, as places in their set."""
    annotations: tuple[int, ...] = ()
    """The student's annotations on that image that show it."""
    reworded: str = ""
    """The sentence in a language model's words, where one was asked and kept every fact."""


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """One question asked of a submission, and how to undo what it asks about."""

    kind: str
    """shift, size, left edge, confusion, small object, ..."""
    evidence: Evidence
    sentence: str
    images: tuple[str, ...]
    """Where to look, the clearest cases first."""
    undo: Callable[[], AnnotationSet]
    """The submission without this habit."""
    objects: Places
    """The objects of the ground truth that show it."""
    annotations: Places
    """The annotations that show it."""
    questions: int = 1
    """How many questions it is the answer to: the p value counts for all of them."""


def per_cent(evidence: Evidence) -> str:
    """The interval of a share, as it is shown.

    >>> per_cent(Evidence(50, 0.9, 0.786, 0.957, 0.0))
    '79 to 96 %'
    """
    return f"{100 * evidence.low:.0f} to {100 * evidence.high:.0f} %"


def images_with_most(
    score: SubmissionScore, image: NDArray[np.integer], weight: Scores | None = None
) -> tuple[str, ...]:
    """The images that occur most often among these cases, or weigh most."""
    total = np.bincount(image, weight, len(score.images)) if image.size else np.zeros(len(score.images))
    order = np.argsort(-total, kind="stable")[:MOST_IMAGES]
    return tuple(score.images[i].name for i in order if total[i] > 0)
