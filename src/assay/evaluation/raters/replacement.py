"""May a judge replace a rater? Each judge beside the people, on the same items."""

from collections.abc import Callable
from dataclasses import dataclass
from math import atanh, inf, tanh
from statistics import NormalDist

import numpy as np

from assay.evaluation.raters import pair_sums
from assay.evaluation.raters.alternative_test import AlternativeTest, Scoring, alternative_test
from assay.evaluation.raters.pair_sums import HumanRatings, added, swapped
from assay.evaluation.raters.panel_ratings import Labels, PanelRatings
from assay.evaluation.raters.uncertainty import Spread, crossed_estimate
from assay.evaluation.thresholds import Threshold, Verdict
from assay.metrics.bins import Scores
from assay.metrics.intervals import BLOCKS, Estimate

ALT_TEST = "Calderon, Reichart & Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge"
WINNING_RATE = Threshold(0.5, inf, ALT_TEST)
MOST_PERSON_BLOCKS = 100_000
"""People times blocks of items, when each person's figure gets an interval."""
LEAST_PAIRS = 10
LEAST_RATINGS = 30
"""A person with fewer ratings is not called unrelated: of many such people a good part would be by chance."""
"""With fewer pairs of ratings, nothing is said of a single rater."""

Formula = Callable[[Scores], Scores]


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """What is asked of a judge."""

    epsilon: float = 0.1
    margin: float = 0.05
    scoring: Scoring | None = None
    """By the kind of label if None."""
    least_items: int = 30
    seed: int = 0

    def scoring_for(self, labels: Labels) -> Scoring:
        return self.scoring or ("neg_rmse" if labels.kind in ("number", "ordered") else "accuracy")


@dataclass(frozen=True, slots=True)
class Person:
    """One person against the other people."""

    name: str
    ratings: int
    pairs: int
    agreement: Estimate
    unrelated: bool = False
    """Whether the interval includes or lies below 0, and all of it lies below the agreement of the others."""


@dataclass(frozen=True, slots=True)
class JudgeReplacement:
    """One judge beside the people, on the items of the judge that two or more people have rated."""

    name: str
    ratings: int
    items: int
    """Units (items, or criteria of them) rated by the judge and by two or more people."""
    pairs: int
    agreement: Estimate
    """With people."""
    ceiling: Estimate
    """Of people with each other, on the same items."""
    difference: Estimate
    """The agreement of the judge minus that of people."""
    non_inferior: Verdict | None
    """Whether the judge is not worse than people by more than the margin."""
    exact: Estimate
    exact_ceiling: Estimate
    test: AlternativeTest
    verdict: Verdict | None
    """Whether the judge can stand in for half of the people or more."""
    reason: str = ""
    """Why there is no verdict."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """Question 1 of a panel."""

    metric: str
    """qwk for numbers and ordered words, kappa for categories and booleans."""
    ceiling: Estimate
    """The agreement of people with each other, on all items of two or more."""
    people: tuple[Person, ...]
    judges: tuple[JudgeReplacement, ...]

    @property
    def unrelated(self) -> tuple[Person, ...]:
        """People who agree with nobody."""
        return tuple(person for person in self.people if person.unrelated)


def metric_of(labels: Labels) -> tuple[str, Formula]:
    """The agreement figure for a kind of label, and its formula on sums."""
    return ("kappa", pair_sums.kappa) if not labels.ordered else ("qwk", pair_sums.qwk)


def replacement_of(ratings: PanelRatings, plan: ReplacementPlan) -> Replacement:
    """Every judge beside the people, and every person beside the others."""
    human = HumanRatings(ratings, min(BLOCKS, max(len(ratings.items), 1)))
    name, formula = metric_of(ratings.labels)
    rows = human.others()
    judges = tuple(_judged(human, judge, plan, formula) for judge in ratings.judge_numbers)
    ceiling = ceiling_estimate(human, rows, formula)
    return Replacement(name, ceiling, _people(human, rows, formula), judges)


def _judged(human: HumanRatings, judge: int, plan: ReplacementPlan, formula: Formula) -> JudgeReplacement:
    ratings = human.ratings
    column = ratings.of_rater(judge)
    shared = np.isfinite(column) & (human.people >= 2)
    common = shared if shared.any() else np.isfinite(column)
    mine, theirs = human.with_judge(column, common), human.others(common)
    rng = np.random.default_rng([plan.seed, judge])
    test = alternative_test(
        human,
        column,
        scoring=plan.scoring_for(ratings.labels),
        epsilon=plan.epsilon,
        rng=rng,
        least_items=plan.least_items,
    )
    difference = _difference(human, mine, theirs, formula)
    equal = bool(len(ratings) and np.ptp(ratings.value) == 0)  # who says nothing wins every tie
    return JudgeReplacement(
        name=ratings.raters[judge],
        ratings=int(ratings.counts[judge]),
        items=int(shared.sum()),
        pairs=int(np.isfinite(column[human.unit]).sum()),
        agreement=judge_estimate(human, mine, formula),
        ceiling=ceiling_estimate(human, theirs, formula),
        difference=difference,
        non_inferior=Threshold(-plan.margin, inf, "the margin asked for").verdict(difference),
        exact=judge_estimate(human, mine, pair_sums.exact, even="same"),
        exact_ceiling=ceiling_estimate(human, theirs, pair_sums.exact, even="same"),
        test=test,
        verdict=None if equal else WINNING_RATE.verdict(test.winning_rate),
        reason="all ratings are equal" if equal else test.reason,
    )


def judge_estimate(human: HumanRatings, rows: Scores, formula: Formula, *, even: str = "fisher") -> Estimate:
    """The agreement of a judge with people, over all pairs, with an interval over items and people."""
    whole = rows.sum(axis=0)
    value = float(formula(whole))
    if not whole[pair_sums.N]:
        return Estimate(reason="no item in common with people")
    spread = Spread(
        without_each(whole, human.by_block(rows), formula),
        without_each(whole, human.by_person(rows), formula),
        float(np.square(rows @ gradient(formula, whole)).sum()),
    )
    return crossed_estimate(value, spread, even=even, reason="all ratings are equal")


def ceiling_estimate(human: HumanRatings, rows: Scores, formula: Formula, *, even: str = "fisher") -> Estimate:
    """The agreement of people with each other; each pair of people counts both ways."""
    whole = rows.sum(axis=0)
    if not whole[pair_sums.N]:
        return Estimate(reason="no item has two human ratings")
    persons = human.by_person(rows)
    spread = Spread(
        without_each(whole, human.by_block(rows), formula),
        without_each(whole, persons + swapped(persons), formula),
        4 * float(np.square(rows @ gradient(formula, whole)).sum()),
    )
    return crossed_estimate(float(formula(whole)), spread, even=even, reason="all human ratings are equal")


def _difference(human: HumanRatings, mine: Scores, theirs: Scores, formula: Formula) -> Estimate:
    """The agreement of the judge minus that of people, on the same items."""
    whole, ceiling = mine.sum(axis=0), theirs.sum(axis=0)
    if not ceiling[pair_sums.N]:
        return Estimate(reason="no item has two human ratings")
    persons = human.by_person(theirs)
    with_items = [without_each(w, human.by_block(rows), formula) for w, rows in ((whole, mine), (ceiling, theirs))]
    with_raters = [
        without_each(whole, human.by_person(mine), formula),
        without_each(ceiling, persons + swapped(persons), formula),
    ]
    size = min(with_items[0].size, with_items[1].size)
    influence = mine @ gradient(formula, whole) - 2 * (theirs @ gradient(formula, ceiling))
    value = float(formula(whole)) - float(formula(ceiling))
    raters = with_raters[0] - with_raters[1] if with_raters[0].size == with_raters[1].size else np.zeros(0)
    items = with_items[0][:size] - with_items[1][:size]
    return crossed_estimate(value, Spread(items, raters, float(np.square(influence).sum())), reason="undefined")


def without_each(whole: Scores, parts: Scores, formula: Formula) -> Scores:
    """The figure without each part that holds pairs."""
    return formula(whole - parts[parts[:, pair_sums.N] > 0])


def gradient(formula: Formula, whole: Scores) -> Scores:
    """How the figure moves with each sum, by small steps."""
    step = 1e-6 * np.maximum(np.abs(whole), max(float(whole[pair_sums.N]), 1e-9))
    moved = whole + np.diag(step)
    slope = (formula(moved) - formula(whole - np.diag(step))) / (2 * step)
    return np.where(np.isfinite(slope), slope, 0.0)


def _people(human: HumanRatings, rows: Scores, formula: Formula) -> tuple[Person, ...]:
    ratings, whole = human.ratings, rows.sum(axis=0)
    people = np.array(ratings.people, dtype=np.int64)
    if not people.size:
        return ()
    totals = human.by_person(rows)
    pair_counts = np.bincount(human.person, human.people[human.unit] - 1, minlength=len(ratings.raters))
    blocks = int(np.clip(MOST_PERSON_BLOCKS // people.size, 20, human.blocks)) if human.blocks > 20 else human.blocks
    number = human.person * blocks + human.block % blocks
    cells = added(rows, number, len(ratings.raters) * blocks).reshape(len(ratings.raters), blocks, -1)
    persons = []
    for person in people:
        total = totals[person]
        pairs = int(pair_counts[person])
        estimate = Estimate(reason="no item in common with another person")
        if pairs:
            items = without_each(total, cells[person], formula)
            estimate = crossed_estimate(
                float(formula(total)), Spread(items, np.zeros(0)), even="fisher", reason="all ratings are equal"
            )
        others = float(formula(whole - total - swapped(total)))
        persons.append(
            Person(
                ratings.raters[person],
                int(ratings.counts[person]),
                pairs,
                estimate,
                int(ratings.counts[person]) >= LEAST_RATINGS and _unrelated(estimate, others, pairs, people.size),
            )
        )
    return tuple(persons)


def _unrelated(estimate: Estimate, others: float, pairs: int, people: int) -> bool:
    """Whether a person agrees with nobody: the interval reaches 0, and does not reach the agreement of the others.

    An interval that holds both 0 and the agreement of the others only says that there are too few ratings. The upper
    end holds for all people together (Bonferroni): of many honest people one is far below the others by chance.
    """
    if pairs < LEAST_PAIRS or not estimate.has_interval or estimate.low > 0:
        return False
    wider = NormalDist().inv_cdf(1 - 0.025 / people) / NormalDist().inv_cdf(0.975)
    value, high = (atanh(min(max(end, -0.999999), 0.999999)) for end in (estimate.value, estimate.high))
    return tanh(value + wider * (high - value)) < others
