"""Equating: what a score of an engine means on the human scale, so that both have the same distribution.

Unlike a calibration it does not pull scores to the mean: the equated scores are as spread out as the human ones, and a
cut on them passes as many responses as people do. Both scores come from the same responses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import InputError
from assay.metrics.bins import Scores
from assay.metrics.pairs import paired

BLOCKS = 100
"""Most blocks of responses that are left out in turn for a standard error."""


MOST_POINTS = 10_000
"""Longest scale of whole-number scores."""


@dataclass(frozen=True, eq=False, slots=True)
class Equating:
    """Scores of the engine that occur, what they are on the human scale, and how closely that is known."""

    engine: Scores
    human: Scores
    standard_error: Scores
    """By the jackknife over responses; NaN with fewer than 10 responses."""
    cautions: tuple[str, ...] = ()

    def __call__(self, scores: ArrayLike) -> Scores:
        """Equated scores; straight between scores that occurred, and the nearest one outside them."""
        return np.interp(np.asarray(scores, dtype=np.float64), self.engine, self.human)


def equate_linear(engine: ArrayLike, human: ArrayLike, *, blocks: ArrayLike | None = None) -> Equating:
    """The straight line that gives the engine's scores the human mean and standard deviation.

    equated = mean(human) + sd(human) / sd(engine) * (score - mean(engine))

    `blocks` numbers the items, where some have several human scores: standard errors then leave out whole items. An
    `InputError` when the engine gives one score only. Source: Kolen & Brennan (2014), Test Equating, Scaling, and
    Linking, chapter 2.

    >>> equate_linear([1, 2, 3, 4], [2, 4, 6, 8]).human.tolist()
    [2.0, 4.0, 6.0, 8.0]
    """
    h, e = paired(human, engine)
    if np.ptp(e) == 0:
        raise InputError("the engine gives one score only", field="engine")
    points = np.unique(e)

    def line(x: Scores, y: Scores) -> Scores:
        spread = x.std()
        return np.asarray(y.mean() + (y.std() / spread if spread else nan) * (points - x.mean()))

    return Equating(points, line(e, h), _jackknife(line, e, h, blocks), _cautions(e.size))


def equate_equipercentile(
    engine: ArrayLike, human: ArrayLike, *, smoothing: int | None = None, blocks: ArrayLike | None = None
) -> Equating:
    """The human score with the same percentile rank; `smoothing` is the number of moments that are kept.

    rank(x) = share below x + half the share at x;  equated = y* - 1/2 + (rank - F(y* - 1)) / f(y*), y* the lowest
    human score with F(y*) >= rank

    Human scores are whole numbers; the engine's may be any without smoothing. With smoothing both distributions are
    first fitted by a log-linear model that keeps their first moments. Source: Kolen & Brennan (2014), chapters 2 and
    3; Holland & Thayer (2000) for the smoothing.

    >>> x, y = np.repeat([0, 1, 2, 3, 4], [2, 3, 2, 2, 1]), np.repeat([0, 1, 2, 3, 4], [1, 2, 2, 3, 2])
    >>> equate_equipercentile(x, y).human.round(4).tolist()
    [0.5, 1.75, 2.8333, 3.5, 4.25]
    """
    h, e = paired(human, engine)
    if (h != np.rint(h)).any() or (smoothing is not None and (e != np.rint(e)).any()):
        field = "human" if (h != np.rint(h)).any() else "engine"
        raise InputError("equipercentile equating needs whole-number scores", field=field, remedy="Round them first.")
    if smoothing is not None and not 1 <= smoothing <= 10:
        raise InputError("smoothing keeps 1 to 10 moments", field="smoothing")
    if np.ptp(h) > MOST_POINTS or (smoothing is not None and np.ptp(e) > MOST_POINTS):
        raise InputError(f"the scores range over more than {MOST_POINTS:,} points", field="human")
    points = np.unique(e)
    scale = np.arange(h.min(), h.max() + 1)
    support = np.arange(points[0], points[-1] + 1) if smoothing is not None else points

    def equated(x: Scores, y: Scores) -> Scores:
        mine = _shares(x, support, smoothing)
        ranks = (np.cumsum(mine) - mine / 2)[np.searchsorted(support, points)]
        theirs = _shares(y, scale, smoothing)
        below = np.cumsum(theirs)
        place = np.minimum(np.searchsorted(below, ranks - 1e-12), scale.size - 1)
        return np.asarray(scale[place] - 0.5 + (ranks - (below - theirs)[place]) / theirs[place])

    return Equating(points, equated(e, h), _jackknife(equated, e, h, blocks), _cautions(e.size))


def _shares(scores: Scores, support: Scores, moments: int | None) -> Scores:
    """Share of the scores at each point, smoothed if asked for."""
    counts = np.bincount(np.searchsorted(support, scores), minlength=support.size).astype(np.float64)
    if moments is None or support.size <= moments + 1:
        return np.asarray(counts / counts.sum())
    return log_linear(counts, moments)


def log_linear(counts: ArrayLike, moments: int) -> Scores:
    """Shares whose logarithm is a polynomial, with the first moments of the counts.

    >>> shares = log_linear([4, 10, 7, 12, 3], 2)
    >>> bool(abs(shares @ np.arange(5) - 2.0) < 1e-9)
    True
    """
    table = np.asarray(counts, dtype=np.float64)
    total = float(table.sum())
    x = np.linspace(-1, 1, table.size)
    basis = np.linalg.qr(np.vander(x, moments + 1, increasing=True))[0]  # columns without common parts
    beta = np.linalg.lstsq(basis, np.log(table + 0.5), rcond=None)[0]
    for _ in range(100):
        fitted = np.exp(np.clip(basis @ beta, -700, 700))
        step = np.linalg.lstsq(basis.T @ (fitted[:, None] * basis), basis.T @ (table - fitted), rcond=None)[0]
        length = min(1.0, 5 / max(float(np.abs(basis @ step).max()), 1e-12))
        beta = beta + length * step
        if np.abs(basis @ step).max() < 1e-12:
            break
    return np.asarray(np.exp(basis @ beta) / total)


def _jackknife(
    function: Callable[[Scores, Scores], Scores], x: Scores, y: Scores, items: ArrayLike | None = None
) -> Scores:
    """Standard errors of a function of both scores, from leaving out each block of responses or of items."""
    number = np.arange(x.size) if items is None else np.unique(np.asarray(items), return_inverse=True)[1]
    size = int(number.max(initial=-1)) + 1
    if number.shape != x.shape:
        raise InputError(f"got {number.size} blocks for {x.size} responses", field="blocks")
    if size < 10:
        return np.full_like(function(x, y), nan)
    count = min(BLOCKS, size)
    block = number % count
    order = np.argsort(block, kind="stable")
    x, y, edges = x[order], y[order], np.searchsorted(block[order], np.arange(count + 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.stack(
            [function(*(np.concatenate([v[: edges[b]], v[edges[b + 1] :]]) for v in (x, y))) for b in range(count)]
        )
    return np.asarray(np.sqrt((count - 1) / count * ((values - values.mean(axis=0)) ** 2).sum(axis=0)))


def _cautions(size: int) -> tuple[str, ...]:
    noun = "response" if size == 1 else "responses"
    return (f"{size} {noun}: equated scores at the ends of the scale are hardly known.",) if size < 100 else ()
