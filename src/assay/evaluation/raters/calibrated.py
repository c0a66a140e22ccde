"""Put a judge on the human scale: calibrated scores with what they are worth, and scores equated to people's.

A calibration predicts what people would give; equating makes the judge's scores as spread out as people's. Both are
learned from the items that the judge and people have rated. Items are folded as wholes, however many people rated them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nan, pi, sqrt

import numpy as np
from scipy.special import stdtrit

from assay.errors import InputError
from assay.evaluation.panels.calibration import Fit, Map, fit_isotonic, fit_ordinal, fit_platt, random_folds
from assay.evaluation.panels.equating import Equating, equate_equipercentile, equate_linear
from assay.evaluation.raters.panel_ratings import Codes, Numbers, PanelRatings
from assay.metrics.bins import Scores
from assay.metrics.intervals import Estimate

LEAST = 30
"""Items in common with people; with fewer, no calibration is learned."""
FOLDS = 5
CLASSES = 10
MOST_POINTS = 41
"""Scores of a judge whose calibrated and equated score is listed; others lie between."""
MOST_PAIRS = 60_000
"""With more pairs of ratings, maps are learned from the first items."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Items of about the same calibrated score: what was predicted, and what people gave."""

    predicted: float
    observed: Estimate
    items: int


@dataclass(frozen=True, slots=True)
class CalibrationMethod:
    """One way to calibrate, judged on items it was not learned from."""

    name: str
    """isotonic, platt or ordinal."""
    error: Estimate
    """Mean squared distance from single human ratings: the Brier score for yes and no."""
    calibration_error: float
    """Mean distance of predicted from observed means over classes of predictions (ECE), in points of the scale."""
    by_chance: float
    """What a perfectly calibrated judge would show."""


@dataclass(frozen=True, slots=True)
class JudgeCalibration:
    """What a judge's scores mean on the human scale."""

    judge: str
    items: int
    raw: CalibrationMethod | None = None
    """The judge's own scores, taken at their word."""
    methods: tuple[CalibrationMethod, ...] = ()
    best: str = ""
    """The method with the least error on items it was not learned from."""
    scores: Mapping[str, float] = field(default_factory=dict)
    """The judge's label -> the calibrated score, by the best method."""
    curve: tuple[CurvePoint, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EquatedScale:
    """What each score of a judge is on the human scale, so that both have the same distribution."""

    judge: str
    items: int
    linear: Mapping[str, Estimate]
    """The judge's label -> the equated score, by a straight line."""
    equipercentile: Mapping[str, Estimate]
    """The same by percentile ranks; empty where human scores are no whole numbers."""
    reason: str = ""
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class _Shared:
    """The human ratings of items that a judge has rated too."""

    judge: Numbers
    human: Numbers
    unit: Codes
    """The place of the pair's item (or criterion of it) among those shared."""
    weight: Numbers
    """1 over the number of people on the item: each item counts once."""
    block: Codes
    """The item, as a number: what is left out or folded together."""
    cells: "_Cells"


@dataclass(frozen=True, eq=False, slots=True)
class _Cells:
    """Pairs of labels that occur, and which of them each pair of ratings is."""

    judge: Numbers
    human: Numbers
    code: Codes

    @classmethod
    def of(cls, judge: Numbers, human: Numbers) -> "_Cells":
        (x, first), (y, second) = (np.unique(labels, return_inverse=True) for labels in (judge, human))
        cells, code = np.unique(first * y.size + second, return_inverse=True)
        return cls(x[cells // y.size], y[cells % y.size], code)


def human_pairs(ratings: PanelRatings) -> tuple[Codes, Numbers]:
    """Unit and label of every human rating, of as many first items as maps are learned from."""
    rows = np.flatnonzero(~ratings.judges[ratings.rater])
    if rows.size > MOST_PAIRS:
        last = np.partition(ratings.item[rows], MOST_PAIRS)[MOST_PAIRS]
        rows = rows[ratings.item[rows] < last]
    return ratings.unit[rows], ratings.value[rows]


def _shared(ratings: PanelRatings, judge: int, pairs: tuple[Codes, Numbers]) -> _Shared:
    column = ratings.of_rater(judge)
    unit, human = pairs
    known = np.isfinite(column[unit])
    units, place, count = np.unique(unit[known], return_inverse=True, return_counts=True)
    item = units // max(len(ratings.criteria), 1)
    judged, given = column[unit[known]], human[known]
    return _Shared(judged, given, place, 1 / count[place], item[place], _Cells.of(judged, given))


def calibrations_of(ratings: PanelRatings, seed: int) -> tuple[JudgeCalibration, ...]:
    """The calibration of each judge; none for categories, which have no order to calibrate."""
    if not ratings.labels.ordered or not ratings.people:
        return ()
    pairs = human_pairs(ratings)
    return tuple(_calibration(ratings, judge, _shared(ratings, judge, pairs), seed) for judge in ratings.judge_numbers)


def methods_for(ratings: PanelRatings) -> dict[str, Fit]:
    """Isotonic always; a logistic curve for yes and no, a cumulative logit for levels."""
    if ratings.labels.kind == "boolean":
        return {"isotonic": fit_isotonic, "platt": fit_platt}
    return {"isotonic": fit_isotonic, "ordinal": fit_ordinal}


def _calibration(ratings: PanelRatings, judge: int, shared: _Shared, seed: int) -> JudgeCalibration:
    name, items = ratings.raters[judge], int(np.unique(shared.block).size)
    if items < LEAST:
        return JudgeCalibration(name, items, reason=f"fewer than {LEAST} items in common with people")
    if np.ptp(shared.human) == 0 or np.ptp(shared.judge) == 0:
        who = "people" if np.ptp(shared.human) == 0 else "the judge"
        return JudgeCalibration(name, items, reason=f"all ratings of {who} are equal")
    fold = random_folds(items, FOLDS, np.random.default_rng([seed, judge]))
    folds = fold[np.unique(shared.block, return_inverse=True)[1]]
    methods, predictions = [], {}
    for method, fit in methods_for(ratings).items():
        if method == "ordinal" and np.unique(shared.human).size > 15:
            continue
        try:
            predictions[method] = _cross_fitted(fit, shared, folds)
        except InputError:
            continue
        methods.append(_worth(method, predictions[method], shared))
    best = min(methods, key=lambda method: method.error.value)
    whole = _fitted(methods_for(ratings)[best.name], shared)
    points = listed_points(shared.judge)
    return JudgeCalibration(
        name,
        items,
        _worth("as it is", shared.judge, shared),
        tuple(methods),
        best.name,
        dict(zip(map(ratings.labels.word, points), np.asarray(whole(points)).tolist(), strict=True)),
        _curve(predictions[best.name], shared),
    )


def listed_points(scores: Numbers) -> Numbers:
    """The distinct scores, or some spread evenly over them where they are many.

    >>> listed_points(np.array([3.0, 1.0, 3.0])).tolist()
    [1.0, 3.0]
    """
    points = np.unique(scores)
    if points.size <= MOST_POINTS:
        return points
    return np.asarray(points[np.unique(np.linspace(0, points.size - 1, MOST_POINTS).astype(int))])


def _fitted(fit: Fit, shared: _Shared, marked: np.ndarray | None = None) -> Map:
    """The map learned from the pairs marked; equal pairs are one with a weight."""
    mine = slice(None) if marked is None else marked
    cells = shared.cells
    weight = np.bincount(cells.code[mine], shared.weight[mine], minlength=cells.judge.size)
    seen = weight > 0
    return fit(cells.judge[seen], cells.human[seen], np.asarray(weight[seen], dtype=np.float64))


def _cross_fitted(fit: Fit, shared: _Shared, folds: Codes) -> Scores:
    predicted = np.empty(shared.judge.size)
    for code in range(FOLDS):
        out = folds == code
        predicted[out] = _fitted(fit, shared, ~out)(shared.judge[out])
    return predicted


def _worth(name: str, predicted: Scores, shared: _Shared) -> CalibrationMethod:
    """The error of predictions, each item counted once, and how far classes of them are off."""
    squares, mean, own = (
        np.asarray(np.bincount(shared.unit, shared.weight * values), dtype=np.float64)
        for values in ((predicted - shared.human) ** 2, shared.human, predicted)
    )
    gap, chance = calibration_gap(own, mean)
    return CalibrationMethod(name, _student(squares), gap, chance)


def calibration_gap(predicted: Scores, observed: Scores, classes: int = CLASSES) -> tuple[float, float]:
    """Mean distance of predicted from observed means over classes of equal width, and what chance alone would show.

    gap = sum over classes of n_b / n |mean observed - mean predicted|;  by chance sum of n_b / n sqrt(2 v_b / (pi n_b))

    Classes part the range of the predictions and of what was observed. For 0 and 1 it is the expected calibration
    error. Source: as for `panels.calibration.ece`.

    >>> round(calibration_gap(np.array([0.9, 0.2, 0.6, 0.4]), np.array([1.0, 0.0, 1.0, 1.0]))[0], 3)
    0.325
    """
    low, high = min(predicted.min(), observed.min()), max(predicted.max(), observed.max())
    place = (predicted - low) / (high - low) if high > low else np.zeros(predicted.size)
    _, group = np.unique(np.maximum(np.ceil(place * classes), 1), return_inverse=True)
    size = np.bincount(group)
    sums = np.bincount(group, observed - predicted)
    spread = np.maximum(np.bincount(group, (observed - predicted) ** 2) / size - (sums / size) ** 2, 0)
    chance = np.sqrt(2 * spread / (pi * size))
    return float(np.abs(sums).sum()) / predicted.size, float(size @ chance) / predicted.size


def _student(values: Scores) -> Estimate:
    value = float(values.mean())
    if values.size < 2 or np.ptp(values) == 0:
        return Estimate(value, reason="the same for every item")
    reach = float(stdtrit(values.size - 1, 0.975)) * float(np.std(values, ddof=1)) / sqrt(values.size)
    return Estimate(value, max(value - reach, 0.0), value + reach)


def _curve(predicted: Scores, shared: _Shared) -> tuple[CurvePoint, ...]:
    """Predicted and observed means by score of the judge, or by class of about as many items where scores are many."""
    own = np.bincount(shared.unit, shared.weight * predicted)
    mean = np.bincount(shared.unit, shared.weight * shared.human)
    score = np.bincount(shared.unit, shared.weight * shared.judge).round(9)
    edges = np.unique(score)
    if edges.size > CLASSES:
        edges = np.unique(np.quantile(score, np.arange(1, CLASSES) / CLASSES))
    _, group = np.unique(np.searchsorted(edges, score, side="right"), return_inverse=True)
    points = []
    for code in range(int(group.max()) + 1):
        mine = group == code
        observed = mean[mine]
        value, size = float(observed.mean()), int(mine.sum())
        spread = float(np.std(observed, ddof=1)) if size > 1 else nan
        reach = float(stdtrit(max(size - 1, 1), 0.975)) * spread / sqrt(size)
        known = size > 1 and spread > 0
        figure = Estimate(value, value - reach, value + reach) if known else Estimate(value, reason="too few items")
        points.append(CurvePoint(float(own[mine].mean()), figure, size))
    return tuple(points)


def equatings_of(ratings: PanelRatings) -> tuple[EquatedScale, ...]:
    """The equated scale of each judge; none for categories and for yes or no."""
    if ratings.labels.kind not in ("number", "ordered") or not ratings.people:
        return ()
    pairs = human_pairs(ratings)
    return tuple(_equated(ratings, judge, _shared(ratings, judge, pairs)) for judge in ratings.judge_numbers)


def _equated(ratings: PanelRatings, judge: int, shared: _Shared) -> EquatedScale:
    name, items = ratings.raters[judge], int(np.unique(shared.block).size)
    if items < LEAST:
        return EquatedScale(name, items, {}, {}, f"fewer than {LEAST} items in common with people")
    if np.ptp(shared.judge) == 0:
        return EquatedScale(name, items, {}, {}, "all ratings of the judge are equal")
    points = listed_points(shared.judge)

    def scale(equate: Callable[..., Equating]) -> tuple[dict[str, Estimate], tuple[str, ...]]:
        try:
            fit = equate(shared.judge, shared.human, blocks=shared.block)
        except InputError:
            return {}, ()
        errors = np.interp(points, fit.engine, fit.standard_error)
        reach = float(stdtrit(max(items - 1, 1), 0.975)) * errors
        values = fit(points)
        figures = {
            ratings.labels.word(point): Estimate(float(v), float(v - r), float(v + r))
            for point, v, r in zip(points, values, reach, strict=True)
        }
        return figures, fit.cautions

    linear, cautions = scale(equate_linear)
    return EquatedScale(name, items, linear, scale(equate_equipercentile)[0], "", cautions)
