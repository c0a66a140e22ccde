"""Where the variance of ratings comes from, and how reliable panels of other sizes would be.

Each rating is the sum of effects of its item, rater and criterion and of their combinations, all of them random. The
variance of each effect is estimated from tables with gaps by restricted maximum likelihood; where a table has too many
patterns of gaps for that, by Henderson's first method, which is unbiased and needs no more than sums.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan, log, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri

from assay.errors import InputError
from assay.evaluation.panels.design import LongRatings, Ratings, as_ratings, linked_raters
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import float_array

MOST_WORK = 1e7
"""Cubed ratings of an item, over all patterns of gaps, up to which restricted maximum likelihood is used."""
MOST_CELLS = 400
"""Most pairs of rater and criterion for it."""
FEWEST_FREEDOM = 0.5
"""Degrees of freedom below which the upper end of a component's interval is beyond all measure."""
MOST_PANEL = 300
"""Most raters whose covariances are compared pair by pair."""

EFFECTS = {
    "item": (True, False, False),
    "rater": (False, True, False),
    "criterion": (False, False, True),
    "item_rater": (True, True, False),
    "item_criterion": (True, False, True),
    "rater_criterion": (False, True, True),
}
"""Effects and whether they go with item, rater and criterion."""


@dataclass(frozen=True, eq=False, slots=True)
class VarianceComponents:
    """Variance of each effect on one rating; NaN with a reason for an effect the table cannot show."""

    item: Estimate
    rater: Estimate
    criterion: Estimate
    item_rater: Estimate
    item_criterion: Estimate
    rater_criterion: Estimate
    residual: Estimate
    mean: float
    method: str
    """REML or Henderson."""
    items: int
    raters: int
    criteria: int
    ratings: int
    log_likelihood: float
    """Restricted; NaN for Henderson's method."""
    cautions: tuple[str, ...] = ()

    def total(self) -> float:
        """Variance of a rating."""
        return sum(max(value, 0.0) for value in self.defined().values())

    def defined(self) -> dict[str, float]:
        """Name and value of each component that the table can show."""
        named = {name: getattr(self, name).value for name in (*EFFECTS, "residual")}
        return {name: value for name, value in named.items() if not isnan(value)}


def variance_components(scores: Ratings) -> VarianceComponents:
    """Variance components of items x raters, or items x raters x criteria, gaps allowed.

    score = mean + item + rater [+ criterion + item:rater + item:criterion + rater:criterion] + residual

    With one criterion the residual holds item:rater too, unless raters scored items more than once. Intervals are
    Satterthwaite's: chi-square with the degrees of freedom 2 v^2 / var(v) of each component v; none for a component
    of 0 and none by Henderson's method. An `InputError` with fewer than two items or raters, or no item scored twice.
    Source: Brennan (2001), Generalizability Theory; Patterson & Thompson (1971); Henderson (1953).

    >>> fit = variance_components([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(fit.item, 4), round(fit.rater, 4), round(fit.residual, 4)
    (2.5556, 5.2444, 1.0194)
    """
    ratings = as_ratings(scores)
    _check(ratings)
    effects = _effects(ratings)
    start = _henderson(ratings, effects)
    notes = _cautions(ratings)
    exact = start["residual"] <= 1e-10 * float(np.var(ratings.score))  # likelihood without bound
    patterns = None if exact else _patterns(ratings)
    if patterns is None:
        reason = "no residual to tell its error from" if exact else "no interval by Henderson's method"
        fitted = {
            name: Estimate(0.0 if exact and abs(value) <= 1e-9 * float(np.var(ratings.score)) else value, reason=reason)
            for name, value in start.items()
        }
        mean, method, likelihood = float(ratings.score.mean()), "Henderson", nan
    else:
        fitted, mean, likelihood = _reml(patterns, effects, start)
        method = "REML"
    missing = Estimate(nan, reason="one criterion" if ratings.criteria == 1 else "not in the design")
    parts = {name: fitted.get(name, missing) for name in (*EFFECTS, "residual")}
    if ratings.criteria == 1 and "item_rater" not in fitted:
        parts["item_rater"] = Estimate(nan, reason="part of the residual: each rater scored an item once")
    negative = [name.replace("_", ":") for name, value in fitted.items() if value.value < 0]
    if negative:
        notes.append(f"Below 0 and to be read as 0: {', '.join(negative)}.")
    return VarianceComponents(
        **parts,
        mean=mean,
        method=method,
        items=int(np.unique(ratings.item).size),
        raters=int(np.unique(ratings.rater).size),
        criteria=int(np.unique(ratings.criterion).size),
        ratings=ratings.score.size,
        log_likelihood=likelihood,
        cautions=tuple(notes),
    )


def _check(ratings: LongRatings) -> None:
    remedy = "Variance components need several items and several raters, and items that are rated more than once."
    for codes, word in ((ratings.item, "item"), (ratings.rater, "rater")):
        if np.unique(codes).size < 2:
            raise InputError(f"there is only one {word}", field="scores", remedy=remedy)
    if np.bincount(ratings.item).max() < 2:
        raise InputError("no item has two ratings", field="scores", remedy=remedy)
    if np.ptp(ratings.score) == 0:
        raise InputError("all ratings are equal", field="scores")


def _cautions(ratings: LongRatings) -> list[str]:
    notes = []
    groups = int(linked_raters(ratings).max()) + 1
    if groups > 1:
        notes.append(
            f"The raters form {groups} groups that share no item: differences between raters and between items mix."
        )
    raters = np.unique(ratings.rater).size
    if raters < 5:
        notes.append(f"{raters} raters: the variance between raters is hardly known.")
    return notes


def _effects(ratings: LongRatings) -> list[str]:
    """The effects that the design can tell apart."""
    if np.unique(ratings.criterion).size > 1:
        return list(EFFECTS)
    pairs = ratings.item * ratings.raters + ratings.rater
    repeated = np.unique(pairs).size < pairs.size
    return ["item", "rater", "item_rater"] if repeated else ["item", "rater"]


# Henderson's first method


def _henderson(ratings: LongRatings, effects: list[str]) -> dict[str, float]:
    """Components for which the sums of squares of the table are what is expected of them."""
    sizes = (ratings.items, ratings.raters, ratings.criteria)
    columns = (ratings.item, ratings.rater, ratings.criterion)
    score = ratings.score - ratings.score.mean()
    subsets = {name: EFFECTS[name] for name in effects}
    codes: dict[tuple[bool, ...], Whole] = {}

    def code(subset: tuple[bool, ...]) -> Whole:
        if subset not in codes:
            number = np.zeros(score.size, dtype=np.int64)
            for used, column, size in zip(subset, columns, sizes, strict=True):
                number = number * size + column if used else number
            codes[subset] = np.unique(number, return_inverse=True)[1].astype(np.int64)
        return codes[subset]

    def shared(one: tuple[bool, ...], other: tuple[bool, ...]) -> float:
        """Sum over groups of one effect of squared counts of the other's levels in it, over the size of the group."""
        both = code(tuple(a or b for a, b in zip(one, other, strict=True)))
        count = np.bincount(both).astype(np.float64)
        size = np.bincount(code(one)).astype(np.float64)
        group = np.zeros(count.size, dtype=np.int64)
        group[both] = code(one)
        return float((count**2 / size[group]).sum())

    def squares(subset: tuple[bool, ...]) -> float:
        numbers = code(subset)
        return float((np.bincount(numbers, score) ** 2 / np.bincount(numbers)).sum())

    none = (False, False, False)
    rows = [none, *subsets.values()]
    expected = np.zeros((len(rows) + 1, len(effects) + 2))  # columns: effects, residual, squared mean
    for place, subset in enumerate(rows):
        expected[place, :-2] = [shared(subset, other) for other in subsets.values()]
        expected[place, -2:] = [np.unique(code(subset)).size, score.size]
    expected[-1] = score.size
    observed = np.array([*(squares(subset) for subset in rows), float(score @ score)])
    solution = np.linalg.lstsq(expected, observed, rcond=None)[0]
    return dict(zip([*effects, "residual"], solution[:-1].tolist(), strict=True))


# Restricted maximum likelihood


@dataclass(frozen=True, eq=False, slots=True)
class _Bucket:
    """Patterns of gaps with the same number of ratings: who gave them, and sums over the items that have them."""

    cells: Whole
    """Patterns x ratings: the pair of rater and criterion."""
    items: Scores
    """How many items have each pattern."""
    total: Scores
    """Patterns x ratings: sum of the scores."""
    products: Scores
    """Patterns x ratings x ratings: sum of their products."""


@dataclass(frozen=True, eq=False, slots=True)
class _Patterns:
    buckets: tuple[_Bucket, ...]
    cell_rater: Whole
    cell_criterion: Whole
    ratings: int
    shift: float


def _patterns(ratings: LongRatings) -> _Patterns | None:
    """Items gathered by who rated them; None when that would be too much for restricted maximum likelihood."""
    cells, cell = np.unique(ratings.rater * ratings.criteria + ratings.criterion, return_inverse=True)
    if cells.size > MOST_CELLS:
        return None
    order = np.lexsort((cell, ratings.item))
    item, cell, shift = ratings.item[order], cell[order].astype(np.int64), float(ratings.score.mean())
    score = ratings.score[order] - shift
    starts = np.flatnonzero(np.r_[True, item[1:] != item[:-1]])
    sizes = np.diff(np.r_[starts, item.size])
    buckets, work = [], 0.0
    for size in np.unique(sizes):
        rows = starts[sizes == size][:, None] + np.arange(size)
        distinct, group = np.unique(cell[rows], axis=0, return_inverse=True)
        work += distinct.shape[0] * float(size) ** 3
        if work > MOST_WORK:
            return None
        buckets.append(_bucket(distinct, group.ravel(), score[rows]))
    return _Patterns(tuple(buckets), cells // ratings.criteria, cells % ratings.criteria, item.size, shift)


def _bucket(cells: Whole, group: Whole, scores: Scores) -> _Bucket:
    count, size = cells.shape
    items = np.bincount(group, minlength=count).astype(np.float64)
    order = np.argsort(group, kind="stable")
    arranged, ends = scores[order], np.r_[0, np.cumsum(items)].astype(np.int64)
    products = np.empty((count, size, size))
    for place, (low, high) in enumerate(itertools.pairwise(ends)):
        products[place] = arranged[low:high].T @ arranged[low:high]
    return _Bucket(cells, items, np.add.reduceat(arranged, ends[:-1], axis=0), products)


@dataclass(frozen=True, eq=False, slots=True)
class _Whitened:
    """What the likelihood needs, with variances in units of the residual's."""

    log_determinant: float
    squares: float
    mean: float


def _whiten(patterns: _Patterns, ratio: dict[str, float]) -> _Whitened:
    """Effects that go with items are solved pattern by pattern, the others together."""
    cells = patterns.cell_rater.size
    inverse, weighted = np.zeros(cells * cells), np.zeros(cells)
    determinant, squares = 0.0, 0.0
    for bucket in patterns.buckets:
        size = bucket.cells.shape[1]
        rater, criterion = patterns.cell_rater[bucket.cells], patterns.cell_criterion[bucket.cells]
        spread = np.eye(size) + ratio["item"]
        if "item_rater" in ratio:
            spread = spread + ratio["item_rater"] * (rater[:, :, None] == rater[:, None, :])
        if "item_criterion" in ratio:
            spread = spread + ratio["item_criterion"] * (criterion[:, :, None] == criterion[:, None, :])
        spread = np.broadcast_to(spread, (bucket.cells.shape[0], size, size))
        solved = np.linalg.inv(spread)
        determinant += float(bucket.items @ np.linalg.slogdet(spread)[1])
        squares += float((solved * bucket.products).sum())
        where = bucket.cells[:, :, None] * cells + bucket.cells[:, None, :]
        inverse += np.bincount(where.ravel(), (solved * bucket.items[:, None, None]).ravel(), cells * cells)
        moved = np.einsum("pab,pb->pa", solved, bucket.total)
        weighted += np.bincount(bucket.cells.ravel(), moved.ravel(), cells)
    columns = [np.ones((cells, 1))]
    for name, codes in (
        ("rater", patterns.cell_rater),
        ("criterion", patterns.cell_criterion),
        ("rater_criterion", np.arange(cells)),
    ):
        if name in ratio:
            columns.append(sqrt(ratio[name]) * (codes[:, None] == np.unique(codes)))
    design = np.hstack(columns)
    normal = design.T @ inverse.reshape(cells, cells) @ design
    normal[np.diag_indices_from(normal)] += np.r_[0.0, np.ones(design.shape[1] - 1)]
    right = design.T @ weighted
    solution = np.linalg.solve(normal, right)
    determinant += float(np.linalg.slogdet(normal)[1])
    return _Whitened(determinant, squares - float(right @ solution), float(solution[0]))


def _reml(patterns: _Patterns, effects: list[str], start: dict[str, float]) -> tuple[dict[str, Estimate], float, float]:
    """Components at the maximum of the restricted likelihood, the mean, and the logarithm of that likelihood."""
    from scipy.optimize import minimize  # noqa: PLC0415 - takes 100 ms that other figures do not need

    freedom = patterns.ratings - 1
    residual = max(start["residual"], 1e-6 * sum(abs(value) for value in start.values()))

    def deviance(roots: Scores) -> float:
        whitened = _whiten(patterns, dict(zip(effects, (roots**2).tolist(), strict=True)))
        return freedom * log(max(whitened.squares, 1e-300) / freedom) + whitened.log_determinant

    first = np.sqrt(np.maximum([start[name] / residual for name in effects], 0.01))
    bounds = [(0.0, 1e4)] * len(effects)
    options = {"ftol": 1e-15, "gtol": 1e-8, "maxiter": 200}
    best, again = (
        minimize(deviance, point, jac="3-point", method="L-BFGS-B", bounds=bounds, options=options)
        for point in (first, np.ones_like(first))  # at 0 the slope is 0 too: a second way to the maximum
    )
    best = again if again.fun < best.fun - 1e-9 else best
    ratio = dict(zip(effects, np.where(best.x < 1e-4, 0.0, best.x**2).tolist(), strict=True))
    whitened = _whiten(patterns, ratio)
    scale = whitened.squares / freedom
    values = {**{name: share * scale for name, share in ratio.items()}, "residual": scale}
    likelihood = -0.5 * (freedom * (1 + np.log(2 * np.pi * scale)) + whitened.log_determinant)
    return _with_intervals(patterns, values), whitened.mean + patterns.shift, float(likelihood)


def _with_intervals(patterns: _Patterns, values: dict[str, float]) -> dict[str, Estimate]:
    """Chi-square intervals, from the curvature of the restricted likelihood."""
    free = [name for name, value in values.items() if value > 0]
    centre = np.array([values[name] for name in free])

    def likelihood(variances: Scores) -> float:
        now = {**values, **dict(zip(free, variances.tolist(), strict=True))}
        scale = now["residual"]
        ratio = {name: value / scale for name, value in now.items() if name != "residual"}
        whitened = _whiten(patterns, ratio)
        freedom = patterns.ratings - 1
        return float(-0.5 * (freedom * log(scale) + whitened.log_determinant + whitened.squares / scale))

    variance = np.diagonal(_inverse(-_curvature(likelihood, centre)))
    fitted = {name: Estimate(value, reason="at the end of its range") for name, value in values.items()}
    for name, value, spread in zip(free, centre.tolist(), variance.tolist(), strict=True):
        freedom = 2 * value**2 / spread if spread > 0 else nan
        if freedom < FEWEST_FREEDOM:
            fitted[name] = Estimate(value, reason="too little is known of it for an interval")
        elif freedom >= FEWEST_FREEDOM:
            low, high = (freedom * value / float(chdtri(freedom, tail)) for tail in (0.025, 0.975))
            fitted[name] = Estimate(value, low, high)
        else:
            fitted[name] = Estimate(value, reason="the ratings leave it open")
    return fitted


def _curvature(function: Callable[[Scores], float], at: Scores) -> Scores:
    """Second derivatives by central differences."""
    step = 1e-3 * at
    count, whole = at.size, np.zeros((at.size, at.size))
    middle = function(at)
    axes = np.eye(count) * step
    for one in range(count):
        above, below = function(at + axes[one]), function(at - axes[one])
        whole[one, one] = (above - 2 * middle + below) / step[one] ** 2
        for other in range(one):
            corners = [function(at + a * axes[one] + b * axes[other]) * a * b for a in (1, -1) for b in (1, -1)]
            whole[one, other] = whole[other, one] = sum(corners) / (4 * step[one] * step[other])
    return whole


def _inverse(information: Scores) -> Scores:
    try:
        return np.asarray(np.linalg.inv(information), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.full_like(information, nan)


# Decision studies


@dataclass(frozen=True, slots=True)
class DecisionStudy:
    """How good the mean of a panel of that size would be."""

    raters: int
    criteria: int
    relative: float
    """Generalizability coefficient: for ranking items by the same panel."""
    absolute: float
    """Dependability: also when each item has other raters, or the level itself matters."""
    relative_error: float
    """Standard error of a mean score, in score points, for ranking."""
    absolute_error: float


def decision_study(
    components: VarianceComponents, *, raters: Iterable[int] = (1, 2, 3, 4, 5), criteria: int | None = None
) -> list[DecisionStudy]:
    """Reliability of the mean of so many raters, and of so many criteria (as many as there were, when not given).

    relative error = item:rater / r + item:criterion / c + residual / (r c)
    absolute error = relative error + rater / r + criterion / c + rater:criterion / (r c)
    coefficient = item / (item + error); components below 0 count as 0

    NaN without variance of items. Source: Brennan (2001), chapters 2 and 4; Cronbach, Gleser, Nanda & Rajaratnam
    (1972).

    >>> fit = variance_components([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> [round(row.relative, 3) for row in decision_study(fit, raters=(1, 4))]
    [0.715, 0.909]
    """
    part = {name: max(value, 0.0) for name, value in components.defined().items()}
    c = components.criteria if criteria is None else criteria
    item = part.get("item", 0.0)
    rows = []
    for r in raters:
        if r < 1 or c < 1:
            raise InputError("a panel has at least one rater and one criterion", field="raters")
        relative = part.get("item_rater", 0) / r + part.get("item_criterion", 0) / c + part["residual"] / (r * c)
        absolute = relative + part.get("rater", 0) / r + part.get("criterion", 0) / c
        absolute += part.get("rater_criterion", 0) / (r * c)
        reliable = (item / (item + relative), item / (item + absolute)) if item > 0 else (nan, nan)
        rows.append(DecisionStudy(r, c, *reliable, sqrt(relative), sqrt(absolute)))
    return rows


@dataclass(frozen=True, slots=True)
class MixedDecision:
    """How well the mean of some people and some judges tells what very many people would say."""

    people: int
    judges: int
    reliability: float
    """Squared correlation of the panel's mean with the mean of very many people."""
    reason: str = ""


def mixed_decision_study(people: ArrayLike, judges: ArrayLike, plans: Sequence[tuple[int, int]]) -> list[MixedDecision]:
    """Reliability of panels of people and judges together, each with the same weight; tables are items x raters.

    reliability = cov(panel, people's universe score)^2 / (var(panel) * var(people's universe score))

    Variances and covariances are means over pairs of raters of the covariances on shared items, so that judges may
    agree among themselves on what people do not see. NaN with a reason when people do not agree beyond chance, or a
    plan needs two of a kind of which only one is there. Source: Brennan (2001), chapter 9, for scores of two kinds.

    >>> people = [[1, 2], [2, 2], [3, 4], [4, 4], [5, 4], [2, 3]]
    >>> judges = [[2], [2], [4], [5], [5], [2]]
    >>> [round(row.reliability, 2) for row in mixed_decision_study(people, judges, [(1, 0), (2, 0), (2, 1)])]
    [0.79, 0.88, 0.96]
    """
    tables = [float_array(table, field) for table, field in ((people, "people"), (judges, "judges"))]
    if any(table.ndim != 2 for table in tables) or tables[0].shape[0] != tables[1].shape[0]:
        raise InputError("people and judges are tables with the same items", field="judges")
    if sum(table.shape[1] for table in tables) > MOST_PANEL:
        raise InputError(f"more than {MOST_PANEL} raters", field="people", remedy="Choose fewer of them.")
    covariance, shared = _pairwise(np.hstack(tables))
    human = np.arange(covariance.shape[0]) < tables[0].shape[1]
    apart = ~np.eye(human.size, dtype=np.bool_)

    def mean(chosen: np.ndarray) -> float:
        weight = np.where(chosen & np.isfinite(covariance), shared, 0.0)
        return float(np.nansum(weight * np.nan_to_num(covariance)) / weight.sum()) if weight.any() else nan

    both = human[:, None] & human
    machines = ~human[:, None] & ~human
    own, other, between = (mean(chosen & apart) for chosen in (both, machines, human[:, None] & ~human))
    spread, machine = mean(both & ~apart), mean(machines & ~apart)
    return [_mixed(*plan, own, other, between, spread, machine) for plan in plans]


def _mixed(
    people: int, judges: int, own: float, other: float, between: float, spread: float, machine: float
) -> MixedDecision:
    if not own > 0:
        return MixedDecision(people, judges, nan, "people do not agree beyond chance")
    terms = (
        (people, spread),
        (people * (people - 1), own),
        (judges, machine),
        (judges * (judges - 1), other),
        (2 * people * judges, between),
    )
    if any(count and isnan(value) for count, value in terms):
        return MixedDecision(people, judges, nan, "too few raters of a kind to know how they go together")
    variance = sum(count * value for count, value in terms if count)
    toward = people * own + (judges * between if judges else 0.0)
    if people + judges == 0 or variance <= 0:
        return MixedDecision(people, judges, nan, "the panel has no variance")
    return MixedDecision(people, judges, min(toward**2 / (variance * own), 1.0))


def _pairwise(table: Scores) -> tuple[Scores, Scores]:
    """Covariance of each pair of columns on the rows both have, and how many these are; NaN below two."""
    present = ~np.isnan(table)
    with np.errstate(invalid="ignore", divide="ignore"):
        filled = np.where(present, table - np.nansum(table, axis=0) / present.sum(axis=0), 0.0)
    count = present.T.astype(np.float64) @ present
    sums = filled.T @ present
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance = (filled.T @ filled - sums * sums.T / count) / (count - 1)
    return np.where(count > 1, covariance, nan), count


@dataclass(frozen=True, eq=False, slots=True)
class ConditionalError:
    """Standard error of measurement by where an item stands."""

    level: Scores
    """Mean score of the items of each class."""
    items: Whole
    one_rating: Scores
    """Standard error of a single rating of such items."""
    mean_rating: Scores
    """Standard error of the mean of an item's ratings."""
    by_item: Scores
    """Standard error of the mean of each item; NaN with fewer than two ratings."""


def conditional_error(scores: Ratings, *, classes: int = 5) -> ConditionalError:
    """How far scores are off at the bottom, in the middle and at the top of the scale.

    error of item i = sqrt(sum over its ratings (score - mean)^2 / (n (n - 1))), squares averaged within classes

    Items with two or more ratings are sorted by their mean into classes of about the same size; equal means stay
    together. Source: Brennan (1998), Raw-score conditional standard errors of measurement in generalizability theory.

    >>> conditional_error([[1, 1], [1, 2], [3, 3], [5, 5], [6, 6], [6, 5]], classes=2).one_rating.round(3).tolist()
    [0.408, 0.408]
    """
    ratings = as_ratings(scores)
    count = np.bincount(ratings.item, minlength=ratings.items)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(ratings.item, ratings.score, ratings.items) / count
        squares = np.bincount(ratings.item, (ratings.score - mean[ratings.item]) ** 2, ratings.items)
        variance = np.where(count > 1, squares / (count - 1), nan)
    usable = np.flatnonzero(count > 1)
    if not usable.size:
        raise InputError("no item has two ratings", field="scores")
    edges = np.unique(np.quantile(mean[usable], np.arange(1, classes) / classes))
    group = np.searchsorted(edges, mean[usable], side="left")
    _, group = np.unique(group, return_inverse=True)
    size = np.bincount(group)

    def average(values: Scores) -> Scores:
        return np.asarray(np.bincount(group, values[usable]) / size)

    return ConditionalError(
        level=average(mean),
        items=size,
        one_rating=np.sqrt(average(variance)),
        mean_rating=np.sqrt(average(variance / np.maximum(count, 1))),
        by_item=np.sqrt(variance / np.maximum(count, 1)),
    )
