"""Whether a feature means the same in every group: its mean at each human score, and the difference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from assay.metrics.least_squares import CellTable, fit_additive
from assay.rsm.types import Matrix, Scores, Texts

FEW = 2
"""Fewer responses have no interval."""


@dataclass(frozen=True, slots=True)
class MeanAtScore:
    """The mean of a feature among responses of one group with one human score; NaN ends without an interval."""

    score: float
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Functioning:
    """One feature in one group.

    `difference` says how much higher the feature is in the group than among the others at the same human scores, in
    units of the prepared feature (standard deviations when features are standardised).
    """

    feature: str
    group: str
    n: int
    difference: float
    low: float
    high: float
    p: float
    means: tuple[MeanAtScore, ...]


@dataclass(frozen=True, slots=True)
class GroupFunctioning:
    """The features in the groups of one column."""

    column: str
    groups: tuple[str, ...]
    everyone: tuple[Functioning, ...]
    """Per feature all responses together; their difference is undefined."""
    parts: tuple[Functioning, ...]
    """Per feature each group."""


def feature_functioning(
    names: Sequence[str], values: Matrix, human: Scores, column: str, texts: Texts
) -> GroupFunctioning:
    """How each feature goes with the human score within each group of a column.

    The difference d of a group is the coefficient of its dummy in feature ~ 1 + score point + group, by least
    squares, with its t interval: score points are dummies, so nothing is assumed about the shape of the line.
    NaN when no other response shares a score with the group. RSMTool draws the means alone, with bootstrapped
    intervals; ours are t intervals, and d is our addition. Compare Penfield (2016), Fairness in test scoring.
    """
    groups = tuple(sorted({str(text) for text in texts if text is not None}))
    number = {group: i for i, group in enumerate(groups)}
    codes = np.array([number.get(text, len(groups)) for text in texts])  # the last stands for no known group
    levels, places = np.unique(human, return_inverse=True)
    shape = (len(levels), len(groups) + 1)
    cell = places * shape[1] + codes
    everyone, parts = [], []
    for name, feature in zip(names, values.T, strict=True):
        centre = float(feature.mean())
        centred = feature - centre
        # how many responses each score (rows) has in each group (columns), and their sum and squares
        cells = [
            np.bincount(cell, weights, minlength=shape[0] * shape[1]).astype(float).reshape(shape)
            for weights in (None, centred, centred**2)
        ]
        rounding = len(feature) * (np.finfo(float).eps * max(float(np.abs(feature).max()), 1e-300)) ** 2
        every = np.ones(shape[1], dtype=bool)
        whole = _Column(centre, *(part[:, every].sum(axis=1) for part in cells))
        everyone.append(Functioning(name, "", len(human), np.nan, np.nan, np.nan, np.nan, whole.means(levels)))
        for group, place in number.items():
            own, others = (
                _Column(centre, *(part[:, chosen].sum(axis=1) for part in cells))
                for chosen in (np.arange(shape[1]) == place, np.arange(shape[1]) != place)
            )
            figures = _difference(own, others, rounding)
            parts.append(Functioning(name, group, int(own.n.sum()), *figures, own.means(levels)))
    return GroupFunctioning(column, groups, tuple(everyone), tuple(parts))


@dataclass(frozen=True, eq=False, slots=True)
class _Column:
    """Some responses at each human score: how many, sum and squares of a centred feature."""

    centre: float
    n: Scores
    total: Scores
    squares: Scores

    @property
    def mean(self) -> Scores:
        return np.divide(self.total, self.n, out=np.zeros_like(self.total), where=self.n > 0)

    @property
    def within(self) -> Scores:
        """Squares about the mean at each score."""
        return np.maximum(self.squares - self.n * self.mean**2, 0)

    def means(self, levels: Scores) -> tuple[MeanAtScore, ...]:
        means_at = []
        for level, n, mean, ss in zip(levels, self.n, (self.mean + self.centre).tolist(), self.within, strict=True):
            if n:
                reach = float(stdtrit(n - 1, 0.975) * np.sqrt(ss / (n - 1) / n)) if n >= FEW else np.nan
                means_at.append(MeanAtScore(float(level), int(n), mean, mean - reach, mean + reach))
        return tuple(means_at)


def _difference(own: _Column, others: _Column, rounding: float) -> tuple[float, float, float, float]:
    """A group against the others at equal scores, its interval and p; NaN when they share no score."""
    if not ((own.n > 0) & (others.n > 0)).any():
        return np.nan, np.nan, np.nan, np.nan
    weight, mean = (np.column_stack(pair) for pair in ((others.n, own.n), (others.mean, own.mean)))
    within = float(own.within.sum() + others.within.sum())
    fit = fit_additive(CellTable(float(weight.sum()), weight, mean, within, rounding))
    p, low, high = fit.t_tests()
    return float(fit.estimates[-1]), float(low[-1]), float(high[-1]), float(p[-1])
