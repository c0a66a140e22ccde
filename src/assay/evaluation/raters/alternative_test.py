"""The alternative annotator test: is a judge at least as good a stand-in as each of the people?

Source: Calderon, Reichart & Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge, ACL. Each person is left
out in turn; on each of their items, the judge and the person are compared with the other people, and the closer one
wins (both, in a tie). The judge replaces the person if the share of items it loses exceeds the share it wins by less
than `epsilon`, by a one-sided t test with Benjamini & Yekutieli's correction over people.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtr

from assay.evaluation.raters.pair_sums import HumanRatings, added
from assay.evaluation.raters.panel_ratings import Codes, Marks, Numbers
from assay.evaluation.raters.uncertainty import Spread, crossed_estimate
from assay.metrics.bins import Scores
from assay.metrics.intervals import Estimate

Scoring = Literal["accuracy", "neg_rmse"]
SIGNIFICANCE = 0.05
LEAST_ITEMS = 30
DRAWS = 400


@dataclass(frozen=True, slots=True)
class AlternativeTest:
    """The test of one judge."""

    scoring: Scoring
    epsilon: float
    raters: tuple[str, ...]
    """The people tested, those with enough items."""
    replaced: tuple[str, ...]
    """Whom the judge can stand in for."""
    winning_rate: Estimate
    """The share of people replaced; its interval resamples items."""
    advantage: Estimate
    """How often the judge is at least as close to the others as the person is, averaged over people."""
    p_values: tuple[float, ...]
    skipped: tuple[str, ...] = ()
    """People with too few items."""
    reason: str = ""
    """Why there is no test."""


@dataclass(frozen=True, eq=False, slots=True)
class Duels:
    """For each human rating that can be tested: whether the judge won, whether the person did."""

    row: Codes
    """The place of the human rating."""
    judge_wins: Marks
    person_wins: Marks


def duels(human: HumanRatings, column: Numbers, scoring: Scoring) -> Duels:
    """Judge and person against the other people, on every unit of two or more people that the judge has rated."""
    judge = column[human.unit] - human.origin
    row = np.flatnonzero((human.people[human.unit] >= 2) & np.isfinite(judge))
    x, y, unit = human.value[row], judge[row], human.unit[row]
    others = human.people[unit] - 1
    if scoring == "accuracy":
        mine = _matches(human, unit, y) - (x == y)
        theirs = human.alike[row] - 1
        return Duels(row, mine >= theirs, theirs >= mine)
    rest, rest_square = human.sums[unit] - x, human.squares[unit] - x**2
    mine = others * y**2 - 2 * y * rest + rest_square
    theirs = others * x**2 - 2 * x * rest + rest_square
    tied = np.abs(mine - theirs) <= 1e-9 * np.maximum(np.abs(mine), np.abs(theirs))
    return Duels(row, (mine < theirs) | tied, (theirs < mine) | tied)


def _matches(human: HumanRatings, unit: Codes, y: Numbers) -> Numbers:
    """How many people gave the unit this label."""
    size = human.levels.size
    keys, counts = np.unique(human.unit * size + human.level, return_counts=True)
    asked = unit * size + np.searchsorted(human.levels, y)
    place = np.minimum(np.searchsorted(keys, asked), keys.size - 1)
    return np.where(keys[place] == asked, counts[place], 0).astype(float)


@dataclass(frozen=True, eq=False, slots=True)
class DuelSums:
    """Duels added up by person and block of items."""

    tested: Codes
    """The people with enough items, by number."""
    skipped: Codes
    """Those with fewer."""
    cells: Scores
    """People tested x blocks x (duels, person wins minus judge wins, its square, judge wins)."""


def duel_sums(human: HumanRatings, column: Numbers, scoring: Scoring, least_items: int = LEAST_ITEMS) -> DuelSums:
    """The duels of the judge whose labels are `column`, added up."""
    names = human.ratings.raters
    fought = duels(human, column, scoring)
    person = human.person[fought.row]
    items = np.bincount(person, minlength=len(names))
    tested = np.flatnonzero(items >= least_items)
    skipped = np.flatnonzero((items > 0) & (items < least_items))
    place = np.full(len(names), -1)
    place[tested] = np.arange(tested.size)
    used = place[person] >= 0
    who, won, lost = place[person[used]], fought.judge_wins[used], fought.person_wins[used]
    difference = lost.astype(float) - won
    sums = np.column_stack([np.ones(who.size), difference, difference**2, won])
    block = human.block[fought.row[used]]
    cells = added(sums, who * human.blocks + block, tested.size * human.blocks)
    return DuelSums(tested, skipped, cells.reshape(tested.size, human.blocks, 4))


def alternative_test(
    human: HumanRatings,
    column: Numbers,
    *,
    scoring: Scoring,
    epsilon: float,
    rng: np.random.Generator,
    least_items: int = LEAST_ITEMS,
    draws: int = DRAWS,
) -> AlternativeTest:
    """The test of the judge whose labels are `column`, one for each unit."""
    names = human.ratings.raters
    sums = duel_sums(human, column, scoring, least_items)
    tested, cells = sums.tested, sums.cells
    skipped = tuple(names[p] for p in sums.skipped)
    if not tested.size:
        reason = f"no rater shares {least_items} items with the judge and another rater"
        undefined = Estimate(reason=reason)
        return AlternativeTest(scoring, epsilon, (), (), undefined, undefined, (), skipped, reason)
    whole = cells.sum(axis=1)
    p = p_values(whole, epsilon)
    rejected = benjamini_yekutieli(p)
    return AlternativeTest(
        scoring,
        epsilon,
        tuple(names[t] for t in tested),
        tuple(names[t] for t, r in zip(tested, rejected, strict=True) if r),
        _winning_rate(cells, epsilon, float(rejected.mean()), rng, draws),
        _advantage(cells),
        tuple(float(value) for value in p),
        skipped,
    )


def p_values(sums: Scores, epsilon: float) -> Scores:
    """One-sided p of each person: the mean of (person wins - judge wins) is below epsilon. `sums`: (..., 4)."""
    n, total, squares = sums[..., 0], sums[..., 1], sums[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        variance = np.maximum(squares - n * mean**2, 0.0) / (n - 1)
        variance = np.where(variance < 1e-14, 0.0, variance)
        return np.asarray(stdtr(n - 1, (mean - epsilon) / np.sqrt(variance / n)))


def benjamini_yekutieli(p: Scores, rate: float = SIGNIFICANCE) -> Marks:
    """Which hypotheses are rejected, along the last axis; the false discovery rate holds under any dependence.

    Source: Benjamini & Yekutieli (2001). A p value that is NaN is not rejected.

    >>> benjamini_yekutieli(np.array([0.001, 0.2, 0.012])).tolist()
    [True, False, True]
    """
    size = p.shape[-1]
    known = np.where(np.isnan(p), 2.0, p)
    order = np.argsort(known, axis=-1, kind="stable")
    limits = np.arange(1, size + 1) / size * rate / (1 / np.arange(1, size + 1)).sum()
    below = np.take_along_axis(known, order, axis=-1) <= limits
    last = np.where(below.any(axis=-1), size - np.argmax(below[..., ::-1], axis=-1), 0)
    rejected = np.zeros(p.shape, dtype=np.bool_)
    np.put_along_axis(rejected, order, np.arange(size) < last[..., None], axis=-1)
    return rejected


def _winning_rate(cells: Scores, epsilon: float, value: float, rng: np.random.Generator, draws: int) -> Estimate:
    """The winning rate with a percentile interval over items drawn again."""
    blocks = cells.shape[1]
    if blocks < 10:
        return Estimate(value, reason="too few items")
    drawn = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws).astype(float)
    sums = np.einsum("db,pbs->dps", drawn, cells[..., :3], optimize=True)
    rates = benjamini_yekutieli(p_values(sums, epsilon)).mean(axis=-1)
    low, high = np.percentile(rates, [2.5, 97.5])
    return Estimate(value, min(float(low), value), max(float(high), value))


def _advantage(cells: Scores) -> Estimate:
    """The advantage probability, a mean over people of shares of items; its interval leaves out each block of items."""
    n, won = cells[..., 0], cells[..., 3]
    shares = won.sum(axis=1) / n.sum(axis=1)
    value = float(shares.mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (won.sum(axis=1, keepdims=True) - won) / (n.sum(axis=1, keepdims=True) - n)
    items = without.mean(axis=0)[n.sum(axis=0) > 0]
    count = shares.size
    raters = (shares.sum() - shares) / (count - 1) if count > 1 else np.zeros(0)
    noise = float((shares * (1 - shares) / n.sum(axis=1)).sum()) / count**2
    return crossed_estimate(value, Spread(items, raters, noise))
