"""Many-facet Rasch model: how severe each rater is, how hard each criterion, and where each item stands.

All facets share one scale of log odds. Severe raters and hard criteria have high numbers, good items too. Severities
and difficulties have mean 0; items are taken as a sample from a normal distribution whose mean and standard deviation
are estimated (marginal maximum likelihood), so that gaps need no imputation and an item with one rating does no harm.
"""

import itertools
from dataclasses import dataclass, replace
from math import exp, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import chdtrc, ndtri

from assay.errors import InputError
from assay.evaluation.panels.design import LongRatings, Ratings, as_ratings, linked_raters
from assay.evaluation.panels.rasch_likelihood import (
    REACH,
    Groups,
    Nodes,
    ParameterLayout,
    Parameters,
    chunks,
    exact_information,
    grouped,
    posteriors,
    slope,
    summed_information,
)
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate

FEWEST_NODES, MOST_NODES = 31, 401
MOST_WORK = 3e9
"""Groups x nodes x squared parameters up to which the exact information is computed."""
MOST_PARAMETERS = 1500
"""With more, standard errors leave out that estimates vary together: the inverse would take minutes."""


@dataclass(frozen=True, eq=False, slots=True)
class RaschFit:
    """The fitted model; arrays by rater, criterion or item as they came in, NaN where there is no estimate."""

    severity: Scores
    severity_error: Scores
    rater_reason: tuple[str, ...]
    """Why a rater has no severity; empty where there is one."""
    infit: Scores
    outfit: Scores
    """Mean squares of each rater: 1 as the model expects, above it noisier, below it too regular."""
    fair_average: Scores
    """The level each rater is expected to give to an average item, over all criteria."""
    ratings: Whole
    """How many ratings each rater gave."""
    difficulty: Scores
    difficulty_error: Scores
    criterion_infit: Scores
    criterion_outfit: Scores
    measure: Scores
    """Where each item stands: the mean of its posterior distribution."""
    measure_error: Scores
    thresholds: Scores
    """Sets x steps: where level k + 1 becomes likelier than level k; one set, or one for each criterion."""
    threshold_error: Scores
    mean: Estimate
    """Mean of the items."""
    spread: Estimate
    """Standard deviation of the items."""
    item_reliability: float
    """Share of the variance of the measures that is not error."""
    rater_reliability: float
    """Share of the variance of the severities that is not error: 0 for raters who are alike."""
    p_equal_raters: float
    """Probability of so different severities if all raters were alike (Wald test)."""
    log_likelihood: float
    parameters: int
    groups: Whole
    """Group of each rater; raters of different groups share no item, not even through others."""
    cautions: tuple[str, ...] = ()

    @property
    def item_separation(self) -> float:
        """Spread of the items in units of their error: sqrt(reliability / (1 - reliability))."""
        return _separation(self.item_reliability)

    @property
    def rater_separation(self) -> float:
        """Spread of the raters in units of their error."""
        return _separation(self.rater_reliability)


def _separation(reliability: float) -> float:
    return sqrt(reliability / (1 - reliability)) if reliability < 1 else nan


def fit_rasch(levels: Ratings, *, partial_credit: bool = False, weights: ArrayLike | None = None) -> RaschFit:
    """The rating scale model, or with `partial_credit` thresholds of its own for each criterion.

    log(P(k) / P(k - 1)) = measure_i - severity_j - difficulty_c - threshold_k

    Infit and outfit are expectations over each item's posterior distribution, so that 1 is what the model expects of
    them. A rater or criterion that gave only the lowest or only the highest level has no finite estimate: it is left
    out, which is the limit of the likelihood, and named. An `InputError` where no item has two ratings that count.
    Source: Linacre (1989), Many-Facet Rasch Measurement; Andrich (1978); Masters (1982); Bock & Aitkin (1981) for the
    marginal likelihood; Louis (1982) for standard errors; Adams & Wu (2007) for the fit.

    >>> rng = np.random.default_rng(1)
    >>> odds = rng.normal(0, 1.5, (500, 1)) - [-0.5, 0.0, 0.5]
    >>> fit = fit_rasch((rng.random((500, 3)) < 1 / (1 + np.exp(-odds))).astype(float))
    >>> fit.severity.round(2).tolist(), fit.severity_error.round(2).tolist()
    ([-0.46, -0.02, 0.48], [0.09, 0.09, 0.09])
    """
    ratings = as_ratings(levels, weights)
    used = _usable(ratings, ratings.levels(), partial_credit)
    layout = ParameterLayout.of(used.groups)
    vector, nodes = _settled(layout, _start(layout), FEWEST_NODES)
    finer = _nodes_needed(layout, vector)
    if finer > nodes:
        vector, nodes = _settled(layout, vector, finer)
    vector, information = _polished(layout, vector, nodes, used)
    vector[1] = abs(vector[1])
    return _reported(ratings, used, layout, vector, nodes, information)


@dataclass(frozen=True, eq=False, slots=True)
class _Usable:
    """Ratings that bear on the model, and what was set aside."""

    groups: Groups
    row: Whole
    """The place of each rating's item among the items used."""
    cell: Whole
    level: Whole
    items: Whole
    weight: Scores
    """Weight of each item used."""
    rater_reason: tuple[str, ...]
    cautions: tuple[str, ...]


def _usable(ratings: LongRatings, level: Whole, partial_credit: bool) -> _Usable:
    """Raters and criteria with one extreme level are set aside, again and again until none is left."""
    sets = ratings.criteria if partial_credit else 1
    reason = np.full(ratings.raters, "", dtype=object)
    reason[np.bincount(ratings.rater, minlength=ratings.raters) == 0] = "no rating"
    hopeless = np.bincount(ratings.criterion, minlength=ratings.criteria) == 0
    keep = np.flatnonzero(ratings.weight[ratings.item] > 0)
    while keep.size:
        rater, criterion = ratings.rater[keep], ratings.criterion[keep]
        sides = _ends(level[keep], criterion if partial_credit else np.zeros_like(criterion), sets)
        lost = np.zeros(keep.size, dtype=np.bool_)
        for word, side in sides.items():
            raters, criteria = _only(rater, side, ratings.raters), _only(criterion, side, ratings.criteria)
            reason[raters & (reason == "")] = f"gave only the {word} level"
            hopeless |= criteria
            lost |= raters[rater] | criteria[criterion]
        if not lost.any():
            break
        keep = keep[~lost]
    if not keep.size:
        remedy = "Severity is seen where raters give different levels."
        raise InputError("every rater or every criterion has one level only", field="levels", remedy=remedy)
    items, row = np.unique(ratings.item[keep], return_inverse=True)
    if np.bincount(row).max() < 2:
        raise InputError("no item has two ratings that count", field="levels", remedy="Have items rated twice.")
    shape = (ratings.raters, ratings.criteria, int(level[keep].max()) + 1)
    weight = ratings.weight[items]
    where = (row.astype(np.int64), ratings.rater[keep], ratings.criterion[keep], level[keep])
    groups, cell = grouped(*where, shape=shape, weight=weight, sets=sets)
    notes = _cautions(ratings, reason, hopeless, groups)
    return _Usable(groups, where[0], cell, where[3], items, weight, tuple(str(text) for text in reason), notes)


def _ends(level: Whole, belongs: Whole, sets: int) -> dict[str, Scores]:
    """Which ratings are at the lowest and which at the highest level of their set."""
    lowest, highest = np.full(sets, np.iinfo(np.int64).max), np.full(sets, -1)
    np.minimum.at(lowest, belongs, level)
    np.maximum.at(highest, belongs, level)
    return {
        "lowest": (level == lowest[belongs]).astype(np.float64),
        "highest": (level == highest[belongs]).astype(np.float64),
    }


def _only(codes: Whole, side: Scores, count: int) -> NDArray[np.bool_]:
    """Codes all of whose ratings are on that side."""
    present = np.bincount(codes, minlength=count)
    return np.asarray((present > 0) & (np.bincount(codes, side, count) == present))


def _cautions(
    ratings: LongRatings, reason: NDArray[np.object_], hopeless: NDArray[np.bool_], groups: Groups
) -> tuple[str, ...]:
    notes = []
    extreme = int(np.char.startswith(reason.astype(str), "gave only").sum())
    if extreme:
        notes.append(f"{extreme} of {ratings.raters} raters gave one extreme level only and have no severity.")
    if hopeless.any():
        notes.append(f"{int(hopeless.sum())} of {ratings.criteria} criteria have no difficulty: one level only.")
    unused = [str(level) for level in np.flatnonzero(~groups.allowed.any(axis=0))]
    if unused:
        notes.append(f"Never used: level {', '.join(unused)}.")
    single = int((np.bincount(ratings.rater, minlength=ratings.raters) == 1).sum())
    if single:
        notes.append(f"{single} of {ratings.raters} raters gave one rating: their severity is hardly known.")
    return tuple(notes)


def _start(layout: ParameterLayout) -> Scores:
    """Values to begin with, from the means of raters and criteria and the counts of the levels."""
    groups = layout.groups
    levels = np.arange(groups.allowed.shape[1])
    counts = groups.level_count.sum(axis=0)
    mean = float(counts @ levels / counts.sum())
    variance = max(float(counts @ (levels - mean) ** 2 / counts.sum()), 0.1)
    ratings = np.asarray(groups.given.T @ groups.weight)
    severity, difficulty = (
        (mean - sums / np.maximum(np.bincount(codes, ratings, sums.size), 1e-9)) / variance
        for codes, sums in ((groups.cell_rater, groups.rater_sum), (groups.cell_criterion, groups.criterion_sum))
    )
    steps = np.zeros(groups.allowed.shape)
    for row, count, present in zip(steps, groups.level_count, groups.allowed, strict=True):
        inside = np.flatnonzero(present)
        if inside.size > 2:
            logs = -np.log(np.maximum(count[inside], 1e-9))
            line = np.interp(inside, inside[[0, -1]], logs[[0, -1]])
            row[inside] = logs - line
    first, criterion = int(groups.cell_rater.min()), int(groups.cell_criterion.min())
    start = Parameters(0.0, 1.0, severity - severity[first], difficulty - difficulty[criterion], steps)
    return layout.vector(start)


def _scale(layout: ParameterLayout) -> Scores:
    """About the standard error of each parameter: the optimizer works on even ground in these units."""
    groups = layout.groups
    ratings = np.asarray(groups.given.T @ groups.weight)
    items = np.full(2, float(groups.weight.sum()))
    by_rater = np.bincount(groups.cell_rater, ratings, groups.raters)[layout.raters]
    by_criterion = np.bincount(groups.cell_criterion, ratings, groups.criteria)[layout.criteria]
    steps = groups.level_count[layout.step_set, layout.step_level]
    return np.asarray(1 / np.sqrt(np.maximum(np.r_[items, by_rater, by_criterion, steps], 1e-6)))


def _settled(layout: ParameterLayout, start: Scores, nodes: int) -> tuple[Scores, int]:
    """The maximum of the likelihood on a grid of so many nodes, near enough for Newton's method."""
    from scipy.optimize import minimize  # noqa: PLC0415 - takes 100 ms that other figures do not need

    scale = _scale(layout)

    def downhill(point: Scores) -> tuple[float, Scores]:
        tangent = slope(layout, point * scale, nodes)
        return -tangent.value, -tangent.gradient * scale

    options = {"maxiter": 500, "gtol": 1e-3, "ftol": 1e-13, "maxcor": 20}
    best = minimize(downhill, start / scale, jac=True, method="L-BFGS-B", options=options)
    vector = best.x * scale
    vector[1] = abs(vector[1])  # the sign of the spread only mirrors z
    return vector, nodes


def _nodes_needed(layout: ParameterLayout, vector: Scores) -> int:
    """Nodes for a step of the grid that is no wider than the narrowest posterior."""
    at = Nodes.of(layout.groups, layout.parameters(vector), FEWEST_NODES)
    most = max(float((layout.groups.given[rows] @ at.variance).max()) for rows in chunks(layout.groups, FEWEST_NODES))
    narrowest = 1 / sqrt(1 + vector[1] ** 2 * most)
    return int(min(max(np.ceil(2 * REACH / narrowest) + 1, FEWEST_NODES), MOST_NODES))


def _polished(layout: ParameterLayout, vector: Scores, nodes: int, used: _Usable) -> tuple[Scores, Scores]:
    """Newton's steps to the maximum, and the information there: a matrix, or its diagonal for very many parameters."""
    size, cells = layout.size, layout.groups.cell_rater.size
    if layout.groups.total.size * nodes * size**2 > MOST_WORK or cells * size * nodes > 3e7:
        return vector, _summed(layout, vector, nodes, used)
    scale = _scale(layout)
    for _ in range(8):
        information = exact_information(layout, vector, nodes)
        gradient = slope(layout, vector, nodes).gradient
        scaled = information * scale * scale[:, None]
        try:
            step = cho_solve(cho_factor(scaled + 1e-12 * np.eye(size)), gradient * scale)
        except LinAlgError:
            break
        if np.abs(step).max() < 1e-7 or np.abs(step).max() > 10:
            break
        vector = vector + step * scale
    return vector, information


def _summed(layout: ParameterLayout, vector: Scores, nodes: int, used: _Usable) -> Scores:
    summed = summed_information(
        layout, vector, nodes, row=used.row, cell=used.cell, level=used.level, weight=used.weight
    )
    return np.asarray(summed.toarray() if layout.size <= MOST_PARAMETERS else summed.diagonal())


def _covariance(information: Scores) -> tuple[Scores, bool]:
    """The covariance of the free parameters, NaN for those that the ratings leave open, and whether there are such."""
    scale = 1 / np.sqrt(np.maximum(np.diagonal(information), 1e-12))
    values, vectors = np.linalg.eigh(information * scale * scale[:, None])
    open_ = values < 1e-8 * max(float(values.max()), 1e-12)
    inverse = (vectors / np.where(open_, 1.0, values)) @ vectors.T * scale * scale[:, None]
    loose = (np.abs(vectors[:, open_]) > 1e-3).any(axis=1)
    inverse[loose] = np.nan
    inverse[:, loose] = np.nan
    return inverse, bool(loose.any())


def _reported(
    ratings: LongRatings, used: _Usable, layout: ParameterLayout, vector: Scores, nodes: int, information: Scores
) -> RaschFit:
    groups, fitted, value = layout.groups, layout.parameters(vector), slope(layout, vector, nodes).value
    raters, criteria = np.unique(groups.cell_rater), np.unique(groups.cell_criterion)
    ends = np.cumsum([2, layout.raters.size, layout.criteria.size])
    rough = information.ndim == 1
    if rough:  # raters apart from the others, each by itself
        severity, of_severity = _apart(layout, fitted, nodes, used, raters)
        layout = replace(layout, raters=raters[:0])
        information = np.diag(np.r_[information[:2], information[ends[1] :]])
        ends = np.cumsum([2, 0, layout.criteria.size])
    covariance, loose = _covariance(information)
    if not rough:
        severity, of_severity = _centered(fitted.severity, raters, covariance[2 : ends[1], 2 : ends[1]])
    block = covariance[ends[1] : ends[2], ends[1] : ends[2]]
    difficulty, of_difficulty = _centered(fitted.difficulty, criteria, block)
    shift = float(fitted.severity[raters].mean() + fitted.difficulty[criteria].mean())
    toward = np.zeros(layout.size)
    toward[0], toward[2 : ends[1]], toward[ends[1] : ends[2]] = 1, -1 / raters.size, -1 / criteria.size
    errors = np.sqrt(of_severity if rough else np.diagonal(of_severity))
    thresholds, threshold_error = _thresholds(layout, fitted, covariance[ends[2] :, ends[2] :])
    measure, error = _measures(layout, fitted, nodes)
    fit = _fit_statistics(layout, fitted, nodes, used)
    items, item_errors = np.full(ratings.items, nan), np.full(ratings.items, nan)
    items[used.items], item_errors[used.items] = measure[groups.item_group] - shift, error[groups.item_group]
    linked = linked_raters(ratings)
    notes = _further_cautions(linked, loose, rough, fitted.spread)
    return RaschFit(
        severity=_spread_out(severity, raters, ratings.raters),
        severity_error=_spread_out(errors, raters, ratings.raters),
        rater_reason=used.rater_reason,
        infit=_spread_out(fit[0][raters], raters, ratings.raters),
        outfit=_spread_out(fit[1][raters], raters, ratings.raters),
        fair_average=_fair_averages(layout, fitted, raters, criteria, ratings.raters),
        ratings=np.bincount(ratings.rater, minlength=ratings.raters),
        difficulty=_spread_out(difficulty, criteria, ratings.criteria),
        difficulty_error=_spread_out(np.sqrt(np.diagonal(of_difficulty)), criteria, ratings.criteria),
        criterion_infit=_spread_out(fit[2][criteria], criteria, ratings.criteria),
        criterion_outfit=_spread_out(fit[3][criteria], criteria, ratings.criteria),
        measure=items,
        measure_error=item_errors,
        thresholds=thresholds,
        threshold_error=threshold_error,
        mean=_wald(fitted.mean - shift, float(toward @ covariance @ toward)),
        spread=_spread_estimate(fitted.spread, float(covariance[1, 1])),
        item_reliability=_item_reliability(measure, error, groups.weight),
        rater_reliability=_rater_reliability(severity, errors),
        p_equal_raters=_equal_raters(severity, of_severity),
        log_likelihood=value,
        parameters=vector.size,
        groups=linked,
        cautions=(*used.cautions, *notes),
    )


def _centered(values: Scores, present: Whole, covariance: Scores) -> tuple[Scores, Scores]:
    """Estimates about their mean, with their covariance; the first one present was fixed at 0."""
    count = present.size
    whole = np.zeros((count, count))
    whole[1:, 1:] = covariance
    centre = np.eye(count) - 1 / count
    spread = centre @ whole @ centre if count > 1 else np.full((1, 1), nan)
    return values[present] - values[present].mean(), spread


def _apart(
    layout: ParameterLayout, fitted: Parameters, nodes: int, used: _Usable, raters: Whole
) -> tuple[Scores, Scores]:
    """Severities about their mean, with the variance of each as if all else were known."""
    every = replace(layout, raters=raters)
    variance = 1 / np.maximum(_summed(every, every.vector(fitted), nodes, used)[2 : 2 + raters.size], 1e-12)
    return fitted.severity[raters] - fitted.severity[raters].mean(), variance


def _spread_out(values: Scores, present: Whole, size: int) -> Scores:
    whole = np.full(size, nan)
    whole[present] = values
    return whole


def _thresholds(layout: ParameterLayout, fitted: Parameters, covariance: Scores) -> tuple[Scores, Scores]:
    """Where one level passes the next below it, and the standard errors."""
    allowed = layout.groups.allowed
    thresholds, errors = (np.full((allowed.shape[0], allowed.shape[1] - 1), nan) for _ in range(2))
    place = {pair: number for number, pair in enumerate(zip(layout.step_set, layout.step_level, strict=True))}
    for row, present in enumerate(allowed):
        levels = np.flatnonzero(present)
        for below, above in itertools.pairwise(levels):
            toward = np.zeros(covariance.shape[0])
            for level, sign in ((above, 1.0), (below, -1.0)):
                if (row, level) in place:
                    toward[place[row, level]] = sign / (above - below)
            step = fitted.steps[row, above] - fitted.steps[row, below]
            thresholds[row, above - 1] = step / (above - below)
            if toward.any():
                errors[row, above - 1] = sqrt(max(float(toward @ covariance @ toward), 0.0))
    return thresholds, errors


def _measures(layout: ParameterLayout, fitted: Parameters, nodes: int) -> tuple[Scores, Scores]:
    """Mean and standard deviation of the posterior of each group."""
    at = Nodes.of(layout.groups, fitted, nodes)
    mean, error = np.empty(layout.groups.total.size), np.empty(layout.groups.total.size)
    for rows in chunks(layout.groups, nodes):
        posterior, _ = posteriors(layout.groups, at, rows)
        mean[rows] = posterior @ at.theta
        error[rows] = np.sqrt(np.maximum(posterior @ at.theta**2 - mean[rows] ** 2, 0.0))
    return mean, error


def _fit_statistics(layout: ParameterLayout, fitted: Parameters, nodes: int, used: _Usable) -> tuple[Scores, ...]:
    """Infit and outfit by rater, then by criterion: squared residuals expected over each item's posterior."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need

    groups = layout.groups
    at = Nodes.of(groups, fitted, nodes)
    cells, levels = groups.cell_rater.size, groups.allowed.shape[1]
    where = (used.cell * levels + used.level, groups.item_group[used.row])
    counts = csr_array((used.weight[used.row], where), shape=(cells * levels, groups.total.size)).tocsc()
    mass = np.zeros((cells * levels, nodes))
    for rows in chunks(groups, nodes):
        mass += counts[:, rows] @ posteriors(groups, at, rows)[0]
    mass = mass.reshape(cells, levels, nodes)
    squares = (np.arange(levels)[:, None] - at.expected[:, None, :]) ** 2
    ratio = np.divide(1.0, at.variance, out=np.zeros_like(at.variance), where=at.variance > 1e-12)
    sums = np.stack(
        [
            (mass * squares).sum(axis=(1, 2)),
            (mass.sum(axis=1) * at.variance).sum(axis=1),
            (mass * squares * ratio[:, None, :]).sum(axis=(1, 2)),
            mass.sum(axis=(1, 2)),
        ]
    )
    figures = []
    for codes, size in ((groups.cell_rater, groups.raters), (groups.cell_criterion, groups.criteria)):
        total = [np.bincount(codes, column, size) for column in sums]
        with np.errstate(divide="ignore", invalid="ignore"):
            figures += [total[0] / total[1], total[2] / total[3]]
    return tuple(figures)


def _fair_averages(layout: ParameterLayout, fitted: Parameters, raters: Whole, criteria: Whole, size: int) -> Scores:
    """The level expected of each rater for an average item, as the mean over criteria."""
    allowed = layout.groups.allowed
    sets = criteria if allowed.shape[0] > 1 else np.zeros_like(criteria)
    levels = np.arange(allowed.shape[1])
    location = fitted.mean - fitted.severity[raters][:, None] - fitted.difficulty[criteria]
    terms = location[:, :, None] * levels + np.where(allowed, -fitted.steps, -np.inf)[sets]
    odds = np.exp(terms - terms.max(axis=2, keepdims=True))
    averages = np.full(size, nan)
    averages[raters] = (odds @ levels / odds.sum(axis=2)).mean(axis=1)
    return averages


def _item_reliability(measure: Scores, error: Scores, weight: Scores) -> float:
    share = weight / weight.sum()
    between = float(share @ (measure - share @ measure) ** 2)
    within = float(share @ error**2)
    return between / (between + within) if between + within > 0 else nan


def _rater_reliability(severity: Scores, error: Scores) -> float:
    if severity.size < 2 or not np.isfinite(error).all():
        return nan
    variance = float(np.var(severity, ddof=1))
    return max(0.0, 1 - float(np.mean(error**2)) / variance) if variance > 0 else nan


def _equal_raters(severity: Scores, covariance: Scores) -> float:
    if severity.size < 2 or not np.isfinite(covariance).all():
        return nan
    if covariance.ndim == 1:
        return float(chdtrc(severity.size - 1, float((severity**2 / covariance).sum())))
    return float(chdtrc(severity.size - 1, float(severity @ np.linalg.pinv(covariance, hermitian=True) @ severity)))


def _wald(value: float, variance: float) -> Estimate:
    if not variance >= 0:
        return Estimate(value, reason="the ratings leave it open")
    reach = float(ndtri(0.975)) * sqrt(variance)
    return Estimate(value, value - reach, value + reach)


def _spread_estimate(spread: float, variance: float) -> Estimate:
    """The interval of a standard deviation, even on the logarithm."""
    if spread < 1e-3 or not variance >= 0:
        return Estimate(spread, reason="no spread beyond chance" if spread < 1e-3 else "the ratings leave it open")
    reach = float(ndtri(0.975)) * sqrt(variance) / spread
    if reach > 20:
        return Estimate(spread, reason="the ratings leave it open")
    return Estimate(spread, spread * exp(-reach), spread * exp(reach))


def _further_cautions(linked: Whole, loose: bool, rough: bool, spread: float) -> list[str]:
    notes = []
    groups = int(linked.max()) + 1
    if groups > 1:
        notes.append(
            f"The raters form {groups} groups that share no item: severities of different groups can be compared only "
            "if their items are alike."
        )
    if loose:
        notes.append("The ratings do not tell all raters and criteria apart: these have no standard error.")
    if rough:
        notes.append(f"More than {MOST_PARAMETERS:,} estimates: standard errors ignore that they vary together.")
    if spread > 20:
        notes.append("The raters agree almost without exception: measures and severities run off to infinity.")
    if spread < 1e-3:
        notes.append("The items do not differ beyond chance: there is nothing the raters agree on.")
    return notes
