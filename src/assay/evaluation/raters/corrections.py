"""Means and rates of all items from few human labels, a jury of judges, and which items people should label next."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.special import ndtri

from assay.errors import InputError
from assay.evaluation.panels.consensus import fit_jury
from assay.evaluation.panels.prediction_powered import (
    labels_needed,
    labels_next,
    prediction_powered_mean,
    rogan_gladen,
)
from assay.evaluation.raters.panel_ratings import Codes, Numbers, PanelRatings
from assay.metrics.intervals import Estimate, wilson_interval

REACH = float(ndtri(0.975))
NOT_FITTED = Estimate(reason="no jury")
MOST_IN_JURY = 40
"""Judges; those with the most ratings."""
MOST_JURY_ITEMS = 50_000


@dataclass(frozen=True, slots=True)
class CorrectionPlan:
    """What is asked of corrected figures."""

    within: float | None = None
    """The half-width that an interval should have; half of today's if None."""
    pass_mark: float | None = None
    """Scores from it on are a pass; None where labels are yes or no, or nothing passes."""
    next_items: int = 20
    """How many items to label next are listed."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Corrected:
    """The mean of all items by people, from few human labels and the judge's scores of all."""

    judge: str
    labeled: int
    unlabeled: int
    mean: Estimate
    judge_mean: float
    """What the judge alone says."""
    human_mean: Estimate
    """What the human labels alone say."""
    labels_to_halve: int | None
    """Human labels in all until the interval is half as wide."""
    within: float | None = None
    """The half-width asked for."""
    labels_within: int | None = None
    """Human labels in all until the interval is within it."""
    cautions: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PassRate:
    """The share of items that pass, corrected for the judge's errors (Rogan & Gladen)."""

    judge: str
    labeled: int
    unlabeled: int
    judged: Estimate
    """The share of all items that the judge passes."""
    sensitivity: Estimate
    """Of items that people pass, the share that the judge passes."""
    specificity: Estimate
    """Of items that people fail, the share that the judge fails."""
    rate: Estimate
    """Corrected, of the items without human labels."""
    human: Estimate
    """The share of the labeled items that people pass."""
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JuryMember:
    """A judge and what its score counts."""

    judge: str
    weight: float
    """None below 0; 0 for a judge that adds nothing."""


@dataclass(frozen=True, slots=True)
class JudgeJury:
    """Judges with weights learned from people; errors are those on items the weights were not learned from."""

    members: tuple[JuryMember, ...] = ()
    intercept: float = 0.0
    items: int = 0
    error: Estimate = NOT_FITTED
    """Mean squared distance from the mean of people."""
    best_judge: str = ""
    best_judge_error: Estimate = NOT_FITTED
    equal_weights_error: Estimate = NOT_FITTED
    gain: Estimate = NOT_FITTED
    """Error of the best single judge minus that of the jury: above 0 when the jury is better."""
    cautions: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NextItem:
    """An item that people should label next."""

    item: str
    people: int
    """Human ratings it has."""
    apart: float
    """Standard deviation of the judges' scores; NaN with one judge."""
    probability: float
    """The chance with which it was drawn: 1 over it is its weight."""


def mean_of_people(ratings: PanelRatings) -> Numbers:
    """The mean human label of each unit, NaN where there is none."""
    mine = ~ratings.judges[ratings.rater]
    count = np.bincount(ratings.unit[mine], minlength=ratings.unit_count)
    total = np.bincount(ratings.unit[mine], ratings.value[mine], minlength=ratings.unit_count)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(total / count, dtype=np.float64)


def corrected_means(ratings: PanelRatings, plan: CorrectionPlan | None = None) -> tuple[Corrected, ...]:
    """For each judge, the mean human score of all items it rated, from the items people rated too."""
    if not ratings.labels.ordered or not ratings.people:
        return ()
    human = mean_of_people(ratings)
    return tuple(_corrected(ratings, judge, human, plan or CorrectionPlan()) for judge in ratings.judge_numbers)


def _corrected(ratings: PanelRatings, judge: int, human: Numbers, plan: CorrectionPlan) -> Corrected:
    column, name = ratings.of_rater(judge), ratings.raters[judge]
    labeled, rest = np.isfinite(column) & np.isfinite(human), np.isfinite(column) & ~np.isfinite(human)
    counts = int(labeled.sum()), int(rest.sum())
    if counts[0] < 2:
        reason = "fewer than two items in common with people"
        undefined = Estimate(reason=reason)
        return Corrected(name, *counts, undefined, float("nan"), undefined, None, plan.within, reason=reason)
    alone = human[labeled]
    error = REACH * float(alone.std(ddof=1)) / counts[0] ** 0.5
    value = float(alone.mean())
    alone_mean = Estimate(value, value - error, value + error) if error else Estimate(value, reason="no spread")
    if counts[1] < 2:
        reason = "people rated every item of the judge"
        more = _plain_need(alone, plan.within) if plan.within else None
        halved = 4 * counts[0] if error else None
        judged = float(column[labeled].mean())
        return Corrected(
            name, *counts, Estimate(reason=reason), judged, alone_mean, halved, plan.within, more, (), reason
        )
    fit = prediction_powered_mean(human[labeled], column[labeled], column[rest])
    half = (fit.mean.high - fit.mean.low) / 4 if fit.mean.has_interval else 0.0
    return Corrected(
        name,
        *counts,
        fit.mean,
        float(np.concatenate([column[labeled], column[rest]]).mean()),
        alone_mean,
        labels_needed(fit, half) if half > 0 else None,
        plan.within,
        labels_needed(fit, plan.within) if plan.within else None,
        fit.cautions,
    )


def _plain_need(labels: Numbers, within: float) -> int | None:
    """Labels until the mean of labels alone is within so much."""
    variance = float(labels.var(ddof=1))
    return max(ceil(variance * (REACH / within) ** 2), 2) if variance > 0 else None


def pass_rates(ratings: PanelRatings, plan: CorrectionPlan) -> tuple[PassRate, ...]:
    """The corrected rate of each judge, where labels are yes or no or a pass mark says what passes."""
    boolean = ratings.labels.kind == "boolean"
    if not ratings.people or not ratings.labels.ordered or (not boolean and plan.pass_mark is None):
        return ()
    mark = 0.5 if boolean or plan.pass_mark is None else plan.pass_mark
    human = mean_of_people(ratings)
    # yes and no tied among people says nothing; a mean of scores is held against the mark as one score is
    passed = np.where(human == mark, np.nan, human > mark) if boolean else np.where(human >= mark, 1.0, 0.0)
    passed = np.where(np.isfinite(human), passed, np.nan)
    return tuple(_pass_rate(ratings, judge, passed, mark) for judge in ratings.judge_numbers)


def _pass_rate(ratings: PanelRatings, judge: int, human: Numbers, mark: float) -> PassRate:
    column = ratings.of_rater(judge)
    machine = np.where(np.isfinite(column), (column >= mark).astype(float), np.nan)
    both, rest = np.isfinite(machine) & np.isfinite(human), np.isfinite(machine) & ~np.isfinite(human)
    y, f = human[both], machine[both]
    known = machine[np.isfinite(machine)]
    shares = (_share(known), _share(f[y == 1], "no labeled item passed"), _share(1 - f[y == 0], "none failed"))
    notes: tuple[str, ...] = ()
    if not rest.any() or not both.any():
        rate = Estimate(reason="people rated every item of the judge" if both.any() else "no item has a human label")
    else:
        fit = rogan_gladen(y, f, machine[rest])
        rate, notes = fit.rate, fit.cautions
    return PassRate(ratings.raters[judge], int(both.sum()), int(rest.sum()), *shares, rate, _share(y), notes)


def _share(marks: Numbers, reason: str = "no items") -> Estimate:
    if not marks.size:
        return Estimate(reason=reason)
    share = float(marks.mean())
    return Estimate(share, *wilson_interval(share, marks.size))


def jury_of(ratings: PanelRatings, seed: int) -> JudgeJury:
    """The judges together, weighted as they predict the mean of people best."""
    if not ratings.labels.ordered or not ratings.people:
        return JudgeJury(reason="categories have no mean" if ratings.people else "there are no human ratings")
    if len(ratings.judge_numbers) < 2:
        return JudgeJury(reason="a jury has two judges or more")
    members = sorted(ratings.judge_numbers, key=lambda j: -int(ratings.counts[j]))[:MOST_IN_JURY]
    human = mean_of_people(ratings)
    units = np.flatnonzero(np.isfinite(human))[:MOST_JURY_ITEMS]
    table = np.column_stack([ratings.of_rater(j)[units] for j in members])
    try:
        fit = fit_jury(table, human[units], np.random.default_rng([seed, 14]))
    except InputError as error:
        return JudgeJury(reason=error.text())
    weighed = [JuryMember(ratings.raters[j], float(w)) for j, w in zip(members, fit.weights, strict=True)]
    return JudgeJury(
        tuple(sorted(weighed, key=lambda member: -member.weight)),
        fit.intercept,
        int(np.isfinite(fit.cross_fitted).sum()),
        fit.mse,
        ratings.raters[members[fit.best_judge]],
        fit.best_judge_mse,
        fit.equal_weights_mse,
        fit.gain,
        fit.cautions,
    )


def items_next(ratings: PanelRatings, plan: CorrectionPlan) -> tuple[NextItem, ...]:
    """Items to label next, drawn so that those on which judges differ come more often.

    Items without a human label; where there are none, items with one, which no agreement of people can be seen on.
    """
    if not ratings.judge_numbers or plan.next_items < 1:
        return ()
    size, judged = ratings.unit_count, ratings.judges[ratings.rater]
    people = np.bincount(ratings.unit[~judged], minlength=size)
    judges = np.bincount(ratings.unit[judged], minlength=size)
    candidates = _lacking(people, judges)
    apart = _apart(ratings, judged, judges)[candidates]
    drawn = labels_next(apart, plan.next_items, np.random.default_rng([plan.seed, 6]))
    rows = [
        NextItem(unit_name(ratings, int(unit)), int(people[unit]), float(sd), float(chance))
        for unit, sd, chance in zip(candidates[drawn.items], apart[drawn.items], drawn.probability, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: -row.apart if row.apart == row.apart else 0.0))


def _lacking(people: Codes, judges: Codes) -> Codes:
    for fewest in (0, 1):
        units = np.flatnonzero((judges > 0) & (people == fewest))
        if units.size:
            return units
    return np.zeros(0, dtype=np.int64)


def _apart(ratings: PanelRatings, judged: np.ndarray, count: Codes) -> Numbers:
    """How far the judges' labels of each unit lie apart: their standard deviation, or the share that differs."""
    unit, value, size = ratings.unit[judged], ratings.value[judged], ratings.unit_count
    several = np.maximum(count, 1)
    if ratings.labels.ordered:
        mean = np.bincount(unit, value, minlength=size) / several
        square = np.bincount(unit, (value - mean[unit]) ** 2, minlength=size)
        apart = np.sqrt(square / np.maximum(count - 1, 1))
    else:
        levels, code = np.unique(value, return_inverse=True)
        cells, hits = np.unique(unit * levels.size + code, return_counts=True)
        most = np.zeros(size)
        np.maximum.at(most, cells // levels.size, hits)
        apart = 1 - most / several
    return np.where(count > 1, apart, np.nan)


def unit_name(ratings: PanelRatings, unit: int) -> str:
    """An item, with the criterion where there are such."""
    item, criterion = divmod(unit, max(len(ratings.criteria), 1))
    return ratings.items[item] + (f", {ratings.criteria[criterion]}" if ratings.criteria else "")


def more_labels(corrected: Sequence[Corrected]) -> list[tuple[str, int, int]]:
    """Judge, labels it has, and labels in all that the width asked for needs; judges without such a number left out."""
    return [(c.judge, c.labeled, c.labels_within) for c in corrected if c.labels_within is not None]
