"""Optimal and fixed weights together: the eight steps by which e-rater turns features into a score.

Source: Attali & Burstein (2005), Combining Optimal and Fixed Weights in Multiple Regression. Step 8 of the paper
multiplies by the intercept a; we multiply by the slope b, without which step 7 would have no use (decision 0201).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

import numpy as np

from assay.errors import Field, InputError
from assay.essays.models.arrays import Floats, ReadOnlyArrays, filled_with_mean

SMALLEST_SPREAD = 1e-9
"""Spread, relative to the size of the values, below which a feature is the same for every essay."""
BENDS = (-1.0, 0.0, 1.0)
"""In standard deviations from the mean."""
SLOPE_RIDGE = 10.0
BEND_RIDGE = 30.0
"""Essays' worth of pull to zero."""


@dataclass(frozen=True, eq=False, slots=True)
class FeatureWeights(ReadOnlyArrays):
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
    relative: Floats = field(init=False)
    """The share of each weight in the sum of all, without signs: the percentages of Table 4."""
    average_score: float = field(init=False)
    """The raw score of an essay with average features: what shares are added to."""

    def predict(self, values: Floats) -> Floats:
        """(essays,): the raw score of each row of (essays, features); the mean stands in for NaN.

        Summed exactly, so that neither the machine nor the number of rows can change a digit.
        """
        filled = np.where(np.isnan(values), self.mean, values)
        return np.array([self.intercept + fsum(row) for row in (filled * self.raw).tolist()], dtype=np.float64)

    def shares(self, values: Floats) -> Floats:
        """(essays, features): what each feature adds to the raw score of an average essay, in score points.

        raw score = score of the essay with average features + sum of the shares
        """
        filled = np.where(np.isnan(values), self.mean, values)
        return np.asarray((filled - self.mean) * self.raw)

    def __post_init__(self) -> None:
        size = np.abs(self.standardised)
        with np.errstate(invalid="ignore"):
            object.__setattr__(self, "relative", size / size.sum())
        object.__setattr__(self, "average_score", self.intercept + fsum((self.mean * self.raw).tolist()))
        ReadOnlyArrays.__post_init__(self)


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
    check_shares(names, shares)
    mean, sd = _moments(names, values, zero=frozenset(n for n, p in shares.items() if p == 0), drop=drop_constant)
    filled = np.where(np.isnan(values), mean, values)
    z = (filled - mean) / sd
    target_sd = float(human.std())
    if not target_sd > SMALLEST_SPREAD:
        problem = "all human scores are equal, so no feature can explain them"
        raise InputError(problem, field="score", remedy="Give essays of several levels.")
    y = (human - human.mean()) / target_sd
    sign = np.where(z.T @ y < 0, -1.0, 1.0)  # step 1
    free = np.array([name not in shares for name in names], dtype=np.bool_)
    standardised = np.zeros(len(names))
    standardised[free] = _optimal(z[:, free] * sign[free], y, keep=keep_wrong_signs, ridge=ridge)  # step 3
    fixed_shares = np.array([shares[name] for name in names if name in shares])
    # weights that kept a wrong sign count with their size: shares are shares of what moves the score
    if free.any():  # with nothing optimal a weight is its share
        fixed_shares = fixed_shares * np.abs(standardised).sum() / (1 - fixed_shares.sum())
    standardised[~free] = fixed_shares  # step 4
    if not np.abs(standardised).sum() > 0:
        problem = "no feature goes with the human scores: every weight is zero"
        raise InputError(problem, field="score", remedy="Check the score column.")
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


def check_shares(names: Sequence[str], shares: Mapping[str, float]) -> None:
    """InputError for shares of all weights that features of these names cannot have."""
    total = fsum(shares.values())
    unknown = sorted(set(shares) - set(names))
    outside = [name for name, share in shares.items() if not 0 <= share <= 1]
    if unknown:
        problem, remedy = f"no feature is called {unknown[0]!r}", f"A weight can be fixed for: {', '.join(names)}."
    elif outside:
        problem = f"the fixed weight of {outside[0]} is {shares[outside[0]]:g}"
        remedy = "Give a share of all weights, from 0 to 1."
    elif len(shares) == len(names) and abs(total - 1) > 1e-6:
        problem, remedy = f"every weight is fixed, but together they make {total:g}", "Let the shares add up to 1."
    elif len(shares) < len(names) and total >= 1:
        problem = f"fixed weights make {total:g} of the whole and leave nothing for the other features"
        remedy = "Let them add up to less than 1."
    else:
        return
    raise InputError(problem, field="fix", remedy=remedy)


def _moments(names: Sequence[str], values: Floats, *, zero: frozenset[str], drop: bool) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each feature; InputError for one that is constant or unknown throughout.

    Features of fixed weight 0 may be either, and so may all with `drop`: their standard deviation is 1.
    """
    mean, filled = filled_with_mean(values)
    spread = filled.std(axis=0)
    idle = spread <= SMALLEST_SPREAD * np.maximum(1.0, np.abs(mean))
    for place in np.flatnonzero(idle).tolist():
        name = names[place]
        if not drop and name not in zero:
            what = "the same" if np.isfinite(values[:, place]).any() else "undefined"
            problem = f"feature {name} is {what} for every essay: it cannot be weighed"
            raise InputError(problem, field="fix", remedy=("Leave it out with ", Field("fix"), f" {name}=0."))
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


def _line(interim: Floats, human: Floats) -> tuple[float, float]:
    """Intercept and slope of the regression of human scores on interim scores."""
    centred = interim - interim.mean()
    slope = float(centred @ (human - human.mean()) / (centred @ centred))
    return float(human.mean() - slope * interim.mean()), slope


@dataclass(frozen=True, eq=False, slots=True)
class Curves(ReadOnlyArrays):
    """What each feature is worth, value by value, where a straight line says too little; in units of the human score.

    A broken line with bends at one standard deviation below the mean, at the mean, and one above. All are fitted at
    once by least squares, held back by a ridge, the bends more than the slopes:

        worth_j(x) = a_j z + sum over bends k of c_jk max(z - k, 0),   z = (x - mean_j) / sd_j

    A model adds up what its features are worth; where the share of a feature is fixed in advance, it weighs what they
    are worth as it would their values. Weights and shares mean what they did. The pull of the ridge was chosen on
    training essays alone (decision 0217).
    """

    mean: Floats
    sd: Floats
    """0 for a feature that is the same for every training essay; it stays as it is."""
    slopes: Floats
    """(features, 1 + bends): the slope below the first bend, then what each bend adds to it."""

    def worth(self, values: Floats) -> Floats:
        """(essays, features): what each value is worth against an average one, in score points; NaN stays NaN.

        >>> curves = Curves(np.array([10.0]), np.array([2.0]), np.array([[1.0, 0.0, -0.5, 0.0]]))
        >>> curves.worth(np.array([[8.0], [10.0], [12.0]])).ravel().tolist()
        [-1.0, 0.0, 0.5]
        """
        varies = self.sd > 0
        z = (values - self.mean) / np.where(varies, self.sd, 1.0)
        worth = _lines(z, self.slopes) - _lines(np.zeros((1, z.shape[1])), self.slopes)
        return np.where(varies, worth, values)


def fit_curves(values: Floats, human: Floats) -> Curves:
    """The curves that go with human scores best, from (essays, features); NaN counts as the mean of its feature."""
    mean, filled = filled_with_mean(values)
    sd = filled.std(axis=0)
    sd = np.where(sd > SMALLEST_SPREAD * np.maximum(1.0, np.abs(mean)), sd, 0.0)
    z = (filled - mean) / np.where(sd > 0, sd, 1.0)
    columns = np.hstack([z, *(np.maximum(z - bend, 0.0) for bend in BENDS)])
    columns -= columns.mean(axis=0)
    pull = np.repeat([SLOPE_RIDGE, *[BEND_RIDGE] * len(BENDS)], z.shape[1])
    slopes = np.linalg.solve(columns.T @ columns + np.diag(pull), columns.T @ (human - human.mean()))
    return Curves(mean, sd, slopes.reshape(1 + len(BENDS), z.shape[1]).T.copy())


def _lines(z: Floats, slopes: Floats) -> Floats:
    total = z * slopes[:, 0]
    for place, bend in enumerate(BENDS, start=1):
        total = total + np.maximum(z - bend, 0.0) * slopes[:, place]
    return np.asarray(total)
