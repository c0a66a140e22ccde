"""How many more items would settle whether a judge may replace a rater.

The items are drawn again, more of them than there are, as if new ones resembled those at hand: so the interval of the
winning rate narrows as it would, and a verdict that is uncertain today becomes certain at some number of items, or not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.evaluation.raters.alternative_test import benjamini_yekutieli, duel_sums, p_values
from assay.evaluation.raters.pair_sums import HumanRatings
from assay.evaluation.raters.panel_ratings import PanelRatings
from assay.evaluation.raters.replacement import JudgeReplacement, ReplacementPlan
from assay.metrics.bins import Scores
from assay.metrics.intervals import BLOCKS

FACTORS = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0)
"""Items, as multiples of those at hand."""
DRAWS = 200
MOST_JUDGES = 8
MOST_PEOPLE = 200
HALF = 0.5
"""The winning rate at which a judge passes."""


@dataclass(frozen=True, slots=True)
class MoreItems:
    """The winning rate of one judge, were there more items like these."""

    judge: str
    items: tuple[int, ...]
    """Rated by two or more people and the judge."""
    low: tuple[float, ...]
    """Lower end of the interval at each number of items."""
    high: tuple[float, ...]
    settled_at: int | None
    """Items at which the verdict is certain; None where even the most looked at leave it open."""
    settled_as: str = ""
    """met or not met."""


def more_items_of(
    ratings: PanelRatings, judges: Sequence[JudgeReplacement], plan: ReplacementPlan
) -> tuple[MoreItems, ...]:
    """Every judge whose verdict is uncertain."""
    open_verdicts = [judge for judge in judges if judge.verdict is not None and "," in judge.verdict][:MOST_JUDGES]
    if not open_verdicts or len(ratings.people) > MOST_PEOPLE:
        return ()
    human = HumanRatings(ratings, min(BLOCKS, max(len(ratings.items), 1)))
    rng = np.random.default_rng([plan.seed, 12])
    even = np.full(human.blocks, 1 / human.blocks)
    drawn = [rng.multinomial(round(f * human.blocks), even, size=DRAWS).astype(float) for f in FACTORS]
    return tuple(_more(human, judge, plan, drawn) for judge in open_verdicts)


def _more(human: HumanRatings, judge: JudgeReplacement, plan: ReplacementPlan, drawn: Sequence[Scores]) -> MoreItems:
    ratings = human.ratings
    column = ratings.of_rater(ratings.raters.index(judge.name))
    cells = duel_sums(human, column, plan.scoring_for(ratings.labels), plan.least_items).cells
    people, blocks, _ = cells.shape
    flat = cells[..., :3].swapaxes(0, 1).reshape(blocks, people * 3)
    ends = []
    for weights in drawn:
        sums = (weights @ flat).reshape(len(weights), people, 3)
        rates = benjamini_yekutieli(p_values(sums, plan.epsilon)).mean(axis=-1)
        ends.append(np.percentile(rates, [2.5, 97.5]))
    low, high = (tuple(float(end[side]) for end in ends) for side in (0, 1))
    items = tuple(round(factor * judge.items) for factor in FACTORS)
    at, verdict = _settled(items, low, high)
    return MoreItems(judge.name, items, low, high, at, verdict)


def _settled(items: Sequence[int], low: Sequence[float], high: Sequence[float]) -> tuple[int | None, str]:
    """The first number of items from which on the interval leaves out one half.

    >>> _settled((100, 200, 300), (0.3, 0.5, 0.6), (0.9, 1.0, 1.0))
    (200, 'met')
    """
    for verdict, sure in (("met", [end >= HALF for end in low]), ("not met", [end < HALF for end in high])):
        if sure[-1]:
            first = len(sure) - next((n for n, one in enumerate(reversed(sure)) if not one), len(sure))
            if first > 0:
                return items[first], verdict
            return items[1], verdict
    return None, ""
