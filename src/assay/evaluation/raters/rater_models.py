"""Rater models of a panel: severities, consensus, preferences, and what panels of so many raters would be worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan

import numpy as np
from scipy.special import ndtri

from assay.errors import InputError
from assay.evaluation.panels.consensus import dawid_skene
from assay.evaluation.panels.design import LongRatings
from assay.evaluation.panels.generalizability import (
    MixedDecision,
    conditional_error,
    mixed_decision_study,
    variance_components,
)
from assay.evaluation.panels.preferences import BradleyTerry, PreferenceAgreement, bradley_terry, preference_agreement
from assay.evaluation.panels.rasch import fit_rasch
from assay.evaluation.raters.panel_ratings import Numbers, PanelRatings, Preferences
from assay.metrics.intervals import Estimate, wilson_interval

MOST_LEVELS = 15
MOST_RATERS = 200
MOST_RATINGS = 60_000
"""With more, the models are fitted to the ratings of as many items as come below it."""
REACH = float(ndtri(0.975))


@dataclass(frozen=True, slots=True)
class Severity:
    """How severe one rater is, in logits, and how well the model fits the ratings."""

    name: str
    judge: bool
    ratings: int
    severity: Estimate
    infit: float
    outfit: float
    fair_average: float = nan
    """The label this rater would give to an average item, in points of the scale."""


@dataclass(frozen=True, slots=True)
class RaterModel:
    """The many-facet Rasch model."""

    raters: tuple[Severity, ...] = ()
    criteria: Mapping[str, Estimate] = field(default_factory=dict)
    item_reliability: float = float("nan")
    rater_separation: float = float("nan")
    p_equal_raters: float = float("nan")
    rater_reliability: float = nan
    """Share of the variance of severities that is not error."""
    thresholds: tuple[Estimate, ...] = ()
    """Where each level becomes likelier than the one below, for an average rater and criterion, in logits."""
    ruler: tuple[tuple[float, int], ...] = ()
    """How many items lie at which place of the scale: middles of classes and counts."""
    criterion_fit: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Criterion -> infit and outfit."""
    cautions: tuple[str, ...] = ()
    items: int = 0
    """That the model was fitted to."""
    reason: str = ""
    """Why there is no model."""
    measures: Numbers | None = field(default=None, metadata={"json": ""}, repr=False)
    """Where each item stands, with its standard error: items x 2."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How often a rater gives the label that all raters together make most likely (Dawid & Skene)."""

    name: str
    judge: bool
    accuracy: float
    confusion: tuple[tuple[float, ...], ...] = ()
    """How often the rater gives which label (column) to items of a true label (row); NaN where none was seen."""


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusModel:
    """The consensus of all raters by the model of Dawid and Skene."""

    raters: tuple[Accuracy, ...] = ()
    levels: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    """Of each label among the items."""
    items: int = 0
    cautions: tuple[str, ...] = ()
    reason: str = ""
    labels: Numbers | None = field(default=None, metadata={"json": ""}, repr=False)
    """Of each unit: the place of its label in `levels` and its probability; units x 2."""


@dataclass(frozen=True, slots=True)
class MeasurementError:
    """How far human ratings are off where items have about this mean."""

    level: float
    items: int
    one_rating: float
    """Standard error of a single rating."""
    mean_rating: float
    """Standard error of the mean of the ratings an item has."""


@dataclass(frozen=True, slots=True)
class Swaps:
    """The same pair shown in both orders."""

    pairs: int
    consistent: Estimate
    """The share with the same winner both times."""
    first_both: Estimate
    """The share in which the one shown first won both times."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """Bradley-Terry strengths by people or by one judge, in log odds."""

    who: str
    comparisons: int
    strengths: Mapping[str, Estimate]
    first_wins: Estimate
    """How often the one shown first wins between equals."""
    with_people: PreferenceAgreement | None = None
    """How a judge's preferences go with those of people on the same pairs."""
    swaps: Swaps | None = None
    """Pairs shown in both orders, where there are such."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Models:
    """Questions 4 and 5 of a panel."""

    rasch: RaterModel
    consensus: ConsensusModel
    preferences: tuple[Strengths, ...]
    decisions: tuple[MixedDecision, ...] = ()
    """How well panels of some people and some judges would tell what very many people would say."""
    components: Mapping[str, Estimate] = field(default_factory=dict)
    """Variance of items, raters and the rest in human ratings."""
    error_by_level: tuple[MeasurementError, ...] = ()
    """Standard error of measurement of human ratings, from low to high items."""


PLANS = ((1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (2, 2))
"""Panels of so many people and so many judges."""
MOST_IN_STUDY = 60


def models_of(ratings: PanelRatings) -> Models:
    """Every model that fits the labels; a reason where one does not."""
    return Models(
        rater_model(ratings),
        consensus_of(ratings),
        preferences_of(ratings),
        *studies_of(ratings),
        error_by_level(ratings),
    )


def _fitted_part(ratings: PanelRatings) -> PanelRatings:
    """The ratings of the first items, as many as a model is fitted to."""
    if len(ratings) <= MOST_RATINGS:
        return ratings
    item = np.sort(ratings.item)[MOST_RATINGS]
    return ratings.where(ratings.item < item)


def _long(ratings: PanelRatings) -> LongRatings | str:
    """Levels from 0 for the models; or why there are none."""
    levels, code = np.unique(ratings.value, return_inverse=True)
    present = np.unique(ratings.rater)
    if levels.size > MOST_LEVELS:
        return f"labels have {levels.size} levels, more than {MOST_LEVELS}"
    if levels.size < 2 or present.size < 2:
        return "all ratings are equal" if levels.size < 2 else "there is one rater"
    if present.size > MOST_RATERS:
        return f"there are {present.size:,} raters, more than {MOST_RATERS}"
    return LongRatings.of_long(ratings.item, ratings.rater, code.astype(float), ratings.criterion)


def rater_model(ratings: PanelRatings) -> RaterModel:
    """The severity of each rater, people and judges alike; zero is the mean of the people."""
    if not ratings.labels.ordered:
        return RaterModel(reason="categories have no severity")
    part = _fitted_part(ratings)
    long = _long(part)
    if isinstance(long, str):
        return RaterModel(reason=long)
    try:
        fit = fit_rasch(long)
    except InputError as error:
        return RaterModel(reason=error.text())
    levels = np.unique(part.value)
    people = [r for r in ratings.people if r < fit.severity.size and np.isfinite(fit.severity[r])]
    zero = float(fit.severity[people].mean()) if people else 0.0
    raters = []
    for number in (*ratings.people, *ratings.judge_numbers):
        if number >= fit.severity.size:
            continue
        value, reach = float(fit.severity[number]) - zero, REACH * float(fit.severity_error[number])
        known = np.isfinite(value)
        estimate = Estimate(value, value - reach, value + reach) if known else Estimate(reason=fit.rater_reason[number])
        infit, outfit = float(fit.infit[number]), float(fit.outfit[number])
        judge = bool(ratings.judges[number])
        fair = float(np.interp(fit.fair_average[number], np.arange(levels.size), levels)) if known else nan
        raters.append(Severity(ratings.raters[number], judge, int(fit.ratings[number]), estimate, infit, outfit, fair))
    criteria = {}
    for name, center, se in zip(ratings.criteria, fit.difficulty, fit.difficulty_error, strict=False):
        criteria[name] = Estimate(float(center), float(center - REACH * se), float(center + REACH * se))
    return RaterModel(
        tuple(sorted(raters, key=lambda r: -r.severity.value if r.severity.defined else 1e9)),
        criteria,
        fit.item_reliability,
        fit.rater_separation,
        fit.p_equal_raters,
        fit.rater_reliability,
        tuple(
            Estimate(float(t), float(t - REACH * e), float(t + REACH * e))
            if np.isfinite(t)
            else Estimate(reason="unseen")
            for t, e in zip(fit.thresholds[0], fit.threshold_error[0], strict=True)
        ),
        _ruler(fit.measure),
        {
            name: (float(infit), float(outfit))
            for name, infit, outfit in zip(ratings.criteria, fit.criterion_infit, fit.criterion_outfit, strict=False)
        },
        fit.cautions,
        int(np.unique(part.item).size),
        measures=np.column_stack([fit.measure, fit.measure_error]),
    )


def _ruler(measures: Numbers) -> tuple[tuple[float, int], ...]:
    """Items by class of their measure, classes half a logit wide or wider."""
    known = measures[np.isfinite(measures)]
    if not known.size:
        return ()
    width = max(0.25, float(np.ptp(known)) / 40)
    first = np.floor(known.min() / width)
    counts = np.bincount((np.floor(known / width) - first).astype(np.int64))
    return tuple(((first + place + 0.5) * width, int(count)) for place, count in enumerate(counts))


def consensus_of(ratings: PanelRatings) -> ConsensusModel:
    """Each rater against the consensus of all."""
    part = _fitted_part(ratings)
    levels, code = np.unique(part.value, return_inverse=True)
    present = np.unique(part.rater).size
    if not 2 <= levels.size <= MOST_LEVELS:
        return ConsensusModel(reason="all ratings are equal" if levels.size < 2 else f"more than {MOST_LEVELS} levels")
    if not 3 <= present <= MOST_RATERS:
        return ConsensusModel(reason="fewer than three raters" if present < 3 else f"more than {MOST_RATERS} raters")
    # each criterion of an item has a consensus of its own
    units, unit = np.unique(part.unit, return_inverse=True)
    try:
        fit = dawid_skene(LongRatings.of_long(unit, part.rater, code.astype(float)))
    except InputError as error:
        return ConsensusModel(reason=error.text())
    accuracies = [
        Accuracy(
            ratings.raters[r],
            bool(ratings.judges[r]),
            float(fit.accuracy[r]),
            tuple(tuple(float(share) for share in row) for row in fit.confusion[r]),
        )
        for r in (*ratings.people, *ratings.judge_numbers)
        if r < fit.accuracy.size and np.isfinite(fit.accuracy[r])
    ]
    labels = np.full((ratings.unit_count, 2), nan)
    labels[units, 0], labels[units, 1] = fit.labels, fit.posterior.max(axis=1)
    return ConsensusModel(
        tuple(sorted(accuracies, key=lambda accuracy: -accuracy.accuracy)),
        tuple(ratings.labels.word(level) for level in levels),
        tuple(float(share) for share in fit.prior),
        int(units.size),
        fit.cautions,
        labels=labels,
    )


def error_by_level(ratings: PanelRatings) -> tuple[MeasurementError, ...]:
    """How far human ratings are off at the bottom, in the middle and at the top of the scale."""
    if not ratings.labels.ordered or len(ratings.people) < 2:
        return ()
    mine = ~ratings.judges[ratings.rater]
    unit = np.unique(ratings.unit[mine], return_inverse=True)[1]
    try:
        fit = conditional_error(LongRatings.of_long(unit, ratings.rater[mine], ratings.value[mine]))
    except InputError:
        return ()
    rows = zip(fit.level, fit.items, fit.one_rating, fit.mean_rating, strict=True)
    return tuple(
        MeasurementError(float(level), int(items), float(one), float(mean)) for level, items, one, mean in rows
    )


def studies_of(ratings: PanelRatings) -> tuple[tuple[MixedDecision, ...], dict[str, Estimate]]:
    """The generalizability of human ratings, and of panels of people and judges."""
    part = _fitted_part(ratings)
    people, judges = part.people[:MOST_IN_STUDY], part.judge_numbers[:MOST_IN_STUDY]
    if not ratings.labels.ordered or len(people) < 2:
        return (), {}
    tables = [
        np.column_stack([part.of_rater(r) for r in who]) if who else np.zeros((part.unit_count, 0))
        for who in (people, judges)
    ]
    plans = [plan for plan in PLANS if judges or not plan[1]]
    human = part.where(~part.judges[part.rater])
    try:
        decisions = tuple(mixed_decision_study(tables[0], tables[1], plans))
        fit = variance_components(LongRatings.of_long(human.item, human.rater, human.value, human.criterion))
    except InputError:
        return (), {}
    named = ("item", "rater", "criterion", "item_rater", "item_criterion", "rater_criterion", "residual")
    return decisions, {name: getattr(fit, name) for name in named if getattr(fit, name).defined}


def preferences_of(ratings: PanelRatings) -> tuple[Strengths, ...]:
    """Strengths by people together and by each judge."""
    table = ratings.preferences
    if table is None:
        return ()
    who = [("people", ~ratings.judges[table.rater])]
    who += [(ratings.raters[judge], table.rater == judge) for judge in ratings.judge_numbers]
    strengths = []
    for name, mine in who:
        if not mine.any():
            continue
        try:
            fit = bradley_terry(
                table.first[mine],
                table.second[mine],
                table.outcome[mine],
                candidates=len(table.candidates),
                clusters=table.item[mine],
            )
        except InputError as error:
            strengths.append(Strengths(name, int(mine.sum()), {}, Estimate(reason=error.text()), reason=error.text()))
            continue
        figures = {name_: _strength(fit, place) for place, name_ in enumerate(table.candidates)}
        beside = _beside_people(table, ratings.judges[table.rater], mine) if name != "people" else None
        strengths.append(Strengths(name, int(mine.sum()), figures, fit.first_wins, beside, _swaps(table, mine)))
    return tuple(strengths)


def _oriented(table: Preferences) -> Numbers:
    """The outcome for the candidate of the lower number, whichever was shown first."""
    return np.where(table.first < table.second, table.outcome, 1 - table.outcome)


def _beside_people(table: Preferences, judged: np.ndarray, mine: np.ndarray) -> PreferenceAgreement | None:
    """The judge's winner of each pair against the one of most people; as many for the one as for the other is a tie."""
    size, outcome = int(table.item.max()) + 1, _oriented(table)
    sides = []
    for marked in (mine, ~judged):
        count = np.bincount(table.item[marked], minlength=size)
        mean = np.bincount(table.item[marked], outcome[marked], minlength=size) / np.maximum(count, 1)
        sides.append(np.where(count > 0, (np.sign(mean - 0.5) + 1) / 2, nan))
    both = np.isfinite(sides[0]) & np.isfinite(sides[1])
    return preference_agreement(sides[0][both], sides[1][both]) if both.any() else None


def _swaps(table: Preferences, mine: np.ndarray) -> Swaps | None:
    """Pairs that the same rater saw in both orders."""
    item, ahead, outcome = table.item[mine], (table.first < table.second)[mine], _oriented(table)[mine]
    size, raters = int(table.item.max()) + 1, int(table.rater.max()) + 1
    key = item * raters + table.rater[mine]
    orders = []
    for order in (ahead, ~ahead):
        count = np.bincount(key[order], minlength=size * raters)
        mean = np.bincount(key[order], outcome[order], minlength=size * raters) / np.maximum(count, 1)
        orders.append(np.where(count > 0, mean, nan))
    both = np.isfinite(orders[0]) & np.isfinite(orders[1])
    pairs = int(both.sum())
    if not pairs:
        return None
    one, other = orders[0][both], orders[1][both]
    shares = [float((one == other).mean()), float(((one > 0.5) & (other < 0.5)).mean())]
    return Swaps(pairs, *(Estimate(share, *wilson_interval(share, pairs)) for share in shares))


def _strength(fit: BradleyTerry, place: int) -> Estimate:
    value, error = float(fit.strength[place]), REACH * float(fit.standard_error[place])
    return Estimate(value, value - error, value + error) if np.isfinite(value) else Estimate(reason=fit.reason[place])
