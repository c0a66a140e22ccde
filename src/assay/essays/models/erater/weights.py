"""Optimal and fixed weights together: the eight steps by which e-rater turns features into a score.

Source: Attali & Burstein (2005), Combining Optimal and Fixed Weights in Multiple Regression. Step 8 of the paper
multiplies by the intercept a; we multiply by the slope b, without which step 7 would have no use (decision 0201).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError

Floats = NDArray[np.float64]

SMALLEST_SPREAD = 1e-9
"""Spread, relative to the size of the values, below which a feature is the same for every essay."""


@dataclass(frozen=True, eq=False, slots=True)
class FeatureWeights:
    """A regression equation with every way to look at its weights; entry i of each column belongs to `names[i]`.

    raw score = intercept + sum over features of raw_i * value_i
    """

    names: tuple[str, ...]
    mean: Floats
    """Of the training essays; stands in where a feature of an essay is undefined."""
    sd: Floats
    standardised: Floats
    """s_i: for a step of one standard deviation, in standard deviations of the human score. Below zero for a feature
    of which less is better: the paper reverses such features, we keep their scale and give the weight its sign."""
    raw: Floats
    """Final unstandardised weights b * w_i, for values in their own scale."""
    intercept: float
    fixed: Mapping[str, float]
    """The features whose share was given in advance, and the share."""
    dropped: tuple[str, ...] = ()
    """Features left at zero, since the regression would have turned them against their correlation with the score."""

    def __post_init__(self) -> None:
        for column in (self.mean, self.sd, self.standardised, self.raw):
            column.flags.writeable = False

    @property
    def relative(self) -> Floats:
        """The share of each weight in the sum of all, without signs: the percentages of Table 4."""
        size = np.abs(self.standardised)
        return np.asarray(size / size.sum())

    def predict(self, values: Floats) -> Floats:
        """(essays,): the raw score of each row of (essays, features); the mean stands in for NaN.

        Summed exactly, so that neither the machine nor the number of rows can change a digit.
        """
        return np.array([self.intercept + fsum(row) for row in self._products(values)], dtype=np.float64)

    def shares(self, values: Floats) -> Floats:
        """(essays, features): what each feature adds to the raw score of an average essay, in score points.

        raw score = score of the essay with average features + sum of the shares
        """
        filled = np.where(np.isnan(values), self.mean, values)
        return np.asarray((filled - self.mean) * self.raw)

    @property
    def average_score(self) -> float:
        """The raw score of an essay with average features: what shares are added to."""
        return self.intercept + fsum((self.mean * self.raw).tolist())

    def _products(self, values: Floats) -> list[list[float]]:
        filled = np.where(np.isnan(values), self.mean, values)
        products: list[list[float]] = (filled * self.raw).tolist()
        return products


def fit_weights(
    names: Sequence[str],
    values: Floats,
    human: Floats,
    *,
    fixed: Mapping[str, float] | None = None,
    keep_wrong_signs: bool = False,
    ridge: float = 0.0,
    drop_constant: bool = False,
) -> FeatureWeights:
    """The equation that predicts human scores from (essays, features), some weights optimal, some fixed in advance.

    `fixed` gives features their share of the sum of all standardised weights; 0 leaves a feature out. The others get
    the weights of least squares, none against its own correlation with the score: such a feature gets zero, as in Table
    4 of the paper, or keeps its sign with `keep_wrong_signs`. `ridge` adds that many essays' worth of pull to zero.
    NaN in `values` counts as the mean of its feature. A feature that does not vary is an error, or gets no weight with
    `drop_constant`.
    """
    shares = dict(fixed or {})
    _check_shares(names, shares)
    mean, sd = _moments(names, values, zero=frozenset(n for n, p in shares.items() if p == 0), drop=drop_constant)
    filled = np.where(np.isnan(values), mean, values)
    z = (filled - mean) / sd
    target_sd = float(human.std())
    if not target_sd > SMALLEST_SPREAD:
        raise InputError(
            "all human scores are equal, so no feature can explain them",
            field="score",
            remedy="Give essays of several levels.",
        )
    y = (human - human.mean()) / target_sd
    sign = np.where(z.T @ y < 0, -1.0, 1.0)  # step 1
    free = np.array([name not in shares for name in names], dtype=np.bool_)
    standardised = np.zeros(len(names))
    standardised[free] = _optimal(z[:, free] * sign[free], y, keep=keep_wrong_signs, ridge=ridge)  # step 3
    standardised[~free] = _fixed(names, shares, standardised)  # step 4
    if not np.abs(standardised).sum() > 0:
        raise InputError(
            "no feature goes with the human scores: every weight is zero",
            field="score",
            remedy="Check the score column.",
        )
    w = standardised * sign * target_sd / sd  # step 5
    interim = filled @ w  # step 6
    a, b = _line(interim, human)  # step 7
    dropped = tuple(names[place] for place in np.flatnonzero(free & (standardised == 0)).tolist())
    signed = standardised * sign * b
    return FeatureWeights(tuple(names), mean, sd, signed, b * w, a, shares, dropped)  # step 8


def worth_weights(names: Sequence[str], worth: Floats, human: Floats, *, drop_constant: bool = False) -> FeatureWeights:
    """The equation that adds up what features are worth (`curves`), all alike: least squares set their sizes before."""
    mean, sd = _moments(names, worth, zero=frozenset(), drop=drop_constant)
    a, b = _line(np.where(np.isnan(worth), mean, worth).sum(axis=1), human)
    return FeatureWeights(tuple(names), mean, sd, b * sd / float(human.std()), np.full(len(names), b), a, {})


def _check_shares(names: Sequence[str], shares: Mapping[str, float]) -> None:
    unknown = sorted(set(shares) - set(names))
    if unknown:
        raise InputError(
            f"no feature is called {unknown[0]!r}",
            field="fix",
            remedy=f"A weight can be fixed for: {', '.join(names)}.",
        )
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise InputError(
                f"the fixed weight of {name} is {share:g}",
                field="fix",
                remedy="Give a share of all weights, from 0 to 1.",
            )
    total = fsum(shares.values())
    if len(shares) == len(names) and abs(total - 1) > 1e-6:
        raise InputError(
            f"every weight is fixed, but together they make {total:g}",
            field="fix",
            remedy="Let the shares add up to 1.",
        )
    if len(shares) < len(names) and total >= 1:
        raise InputError(
            f"fixed weights make {total:g} of the whole and leave nothing for the other features",
            field="fix",
            remedy="Let them add up to less than 1.",
        )


def _moments(names: Sequence[str], values: Floats, *, zero: frozenset[str], drop: bool) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each feature; InputError for one that is constant or unknown throughout.

    Features of fixed weight 0 may be either, and so may all with `drop`: their standard deviation is 1.
    """
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    spread = np.where(known, values, mean).std(axis=0)
    idle = spread <= SMALLEST_SPREAD * np.maximum(1.0, np.abs(mean))
    for place in np.flatnonzero(idle).tolist():
        name = names[place]
        if not drop and name not in zero:
            what = "the same" if known[:, place].any() else "undefined"
            raise InputError(
                f"feature {name} is {what} for every essay: it cannot be weighed",
                field="fix",
                remedy=("Leave it out with ", Field("fix"), f" {name}=0."),
            )
    return mean, np.where(idle, 1.0, spread)


def _optimal(z: Floats, y: Floats, *, keep: bool, ridge: float) -> Floats:
    """Standardised weights of least squares; without `keep` none below zero."""
    from scipy.optimize import nnls  # noqa: PLC0415

    k = z.shape[1]
    if k == 0:
        return np.empty(0)
    gram = z.T @ z + ridge * np.eye(k)
    if keep:
        return np.asarray(np.linalg.lstsq(gram, z.T @ y, rcond=None)[0])
    # the least-squares problem with this Gram matrix, in k rows instead of one per essay
    values, vectors = np.linalg.eigh(gram)
    root = np.sqrt(np.maximum(values, 1e-12 * values.max()))
    weights, _ = nnls((vectors * root).T, (vectors / root).T @ (z.T @ y))
    return np.asarray(weights)


def _fixed(names: Sequence[str], shares: Mapping[str, float], standardised: Floats) -> Floats:
    """s_i = p_i * sum of the optimal weights / (1 - sum of p); with nothing optimal, p_i itself."""
    p = np.array([shares[name] for name in names if name in shares])
    if len(p) == len(names):
        return p
    # weights that kept a wrong sign count with their size: shares are shares of what moves the score
    return np.asarray(p * np.abs(standardised).sum() / (1 - p.sum()))


def _line(interim: Floats, human: Floats) -> tuple[float, float]:
    """Intercept and slope of the regression of human scores on interim scores."""
    centred = interim - interim.mean()
    slope = float(centred @ (human - human.mean()) / (centred @ centred))
    return float(human.mean() - slope * interim.mean()), slope
