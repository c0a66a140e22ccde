"""Who agrees with whom: every pair of raters, the reliability of people, judges and all, and the ranks of judges."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from assay.evaluation.raters import pair_sums
from assay.evaluation.raters.pair_matrix import MOST_IN_MATRIX, PairMatrix, pair_matrix
from assay.evaluation.raters.pair_sums import HumanRatings
from assay.evaluation.raters.panel_ratings import Codes, Numbers, PanelRatings
from assay.evaluation.raters.replacement import Formula, metric_of, without_each
from assay.evaluation.raters.uncertainty import Spread, crossed_estimate
from assay.metrics import reliability
from assay.metrics.bins import Scores, leaving_out_each
from assay.metrics.intervals import BLOCKS, Estimate
from assay.metrics.patterns import RatingPatterns

MOST_RATERS_LEFT_OUT = 30
"""With more raters, intervals of reliability leave out groups of them."""
MOST_CELLS = 20_000_000
MOST_BLOCKS = 199
"""Of items, for figures of many raters: more would narrow no interval and double the time."""
MOST_LEVELS = 64

Figure = Callable[[RatingPatterns], float | Scores]

NOMINAL: Mapping[str, Figure] = {
    "alpha_nominal": reliability.krippendorff_alpha_nominal,
    "fleiss_kappa": reliability.fleiss_kappa,
    "gwet_ac1": reliability.gwet_ac1,
}
ORDERED: Mapping[str, Figure] = {
    "alpha_ordinal": reliability.krippendorff_alpha_ordinal,
    "gwet_ac2": reliability.gwet_ac2_quadratic,
    "icc_1": reliability.icc_1,
}
NUMBERS: Mapping[str, Figure] = {
    "alpha_interval": reliability.krippendorff_alpha_interval,
    "alpha_ratio": reliability.krippendorff_alpha_ratio,
}
WHO_RATED: Mapping[str, Figure] = {"icc_2": reliability.icc_2, "icc_3": reliability.icc_3}
"""Figures that ask who gave which rating; the others only ask which were given."""
TITLES: Mapping[str, str] = {
    "alpha_nominal": "Krippendorff’s alpha, nominal",
    "alpha_ordinal": "Krippendorff’s alpha, ordinal",
    "alpha_interval": "Krippendorff’s alpha, interval",
    "alpha_ratio": "Krippendorff’s alpha, ratio",
    "fleiss_kappa": "Fleiss’ kappa",
    "gwet_ac1": "Gwet’s AC1",
    "gwet_ac2": "Gwet’s AC2, quadratic",
    "icc_1": "ICC(1)",
    "icc_2": "ICC(2,1)",
    "icc_3": "ICC(3,1)",
}


@dataclass(frozen=True, slots=True)
class PanelReliability:
    """The figures of many raters, for people, judges or all."""

    who: str
    raters: int
    items: int
    """With two or more ratings."""
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Rank:
    """Where a judge stands: ranks that hold for all judges together."""

    judge: str
    agreement: Estimate
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Question 2 of a panel."""

    matrix: PairMatrix
    reliability: tuple[PanelReliability, ...]
    ranks: tuple[Rank, ...]


def agreement_of(ratings: PanelRatings) -> RaterAgreement:
    """Every pair, every group of raters, every judge."""
    people, judges = ratings.people, ratings.judge_numbers
    groups = [("people", people), ("judges", judges), ("all", (*people, *judges))]
    several = [reliability_of(ratings, who, numbers) for who, numbers in groups if len(numbers) >= 2]
    return RaterAgreement(pair_matrix(ratings), tuple(several), ranks_of(ratings))


def reliability_of(ratings: PanelRatings, who: str, raters: Sequence[int]) -> PanelReliability:
    """Every many-rater figure that fits the labels, with an interval over items and raters."""
    mine = np.isin(ratings.rater, list(raters))
    panel = ratings.where(mine)
    counts = np.bincount(panel.unit, minlength=panel.unit_count)
    levels = np.unique(panel.value).size
    figures: dict[str, Estimate] = {}
    chosen = dict(NOMINAL) if levels <= MOST_LEVELS else {}
    if ratings.labels.ordered:
        chosen |= {name: f for name, f in ORDERED.items() if levels <= MOST_LEVELS or name == "icc_1"}
    if ratings.labels.kind == "number":
        chosen |= NUMBERS if levels <= MOST_LEVELS else {"alpha_interval": NUMBERS["alpha_interval"]}
    table, unit = slots(panel)
    if table.size > MOST_CELLS:
        figures = {name: Estimate(reason="too many ratings of one item") for name in chosen}
    else:
        figures = _estimates(panel, table, unit, raters, chosen)
    if ratings.labels.ordered and len(raters) <= MOST_IN_MATRIX and panel.unit_count * len(raters) <= MOST_CELLS:
        figures |= _by_rater(panel, raters)
    return PanelReliability(who, len(raters), int((counts >= 2).sum()), figures)


def slots(panel: PanelRatings) -> tuple[Scores, Codes]:
    """The ratings of each unit side by side in ascending order, whoever gave them, and the unit of each row.

    Most figures of many raters only ask which ratings were given: so many raters make few patterns.
    """
    order = np.lexsort((panel.value, panel.unit))
    unit = panel.unit[order]
    units, start, count = np.unique(unit, return_index=True, return_counts=True)
    place = np.arange(unit.size) - np.repeat(start, count)
    table = np.full((units.size, int(count.max(initial=1))), np.nan)
    table[np.repeat(np.arange(units.size), count), place] = panel.value[order]
    return table, units


def _estimates(
    panel: PanelRatings, table: Scores, unit: Codes, raters: Sequence[int], chosen: Mapping[str, Figure]
) -> dict[str, Estimate]:
    tally = _blocked(panel, table, unit)
    whole, replicates = tally.merged(), tally.combined(leaving_out_each)
    occupied = tally.count.sum(axis=-1) > 0
    left_out = [RatingPatterns.of(slots(part)[0], most_patterns=None) for part in _without_raters(panel, raters)]
    figures = {}
    for name, figure in chosen.items():
        spread = Spread(np.asarray(figure(replicates))[occupied], np.array([float(figure(t)) for t in left_out]))
        reason = reliability.why_undefined(whole, name, item="item")
        figures[name] = crossed_estimate(float(figure(whole)), spread, even="fisher", reason=reason)
    return figures


def _by_rater(panel: PanelRatings, raters: Sequence[int]) -> dict[str, Estimate]:
    """Figures of units that all raters have rated."""
    table = np.column_stack([panel.of_rater(r) for r in raters])
    complete = np.flatnonzero(np.isfinite(table).all(axis=1))
    if complete.size < 3:
        return {name: Estimate(reason="fewer than three items rated by all") for name in WHO_RATED}
    tally = _blocked(panel, table[complete], complete)
    whole, replicates = tally.merged(), tally.combined(leaving_out_each)
    occupied = tally.count.sum(axis=-1) > 0
    figures = {}
    for name, figure in WHO_RATED.items():
        columns = range(len(raters)) if 3 <= len(raters) <= MOST_RATERS_LEFT_OUT else ()
        others = [float(figure(whole.of_raters([c for c in range(len(raters)) if c != left]))) for left in columns]
        spread = Spread(np.asarray(figure(replicates))[occupied], np.array(others))
        reason = reliability.why_undefined(whole, name, item="item")
        figures[name] = crossed_estimate(float(figure(whole)), spread, even="fisher", reason=reason)
    return figures


def _blocked(panel: PanelRatings, table: Scores, unit: Codes) -> RatingPatterns:
    """The patterns of a table by block of items."""
    item = unit // max(len(panel.criteria), 1)
    weights = None if panel.item_weight is None else panel.item_weight[item]
    patterns = RatingPatterns.of(table, most_patterns=None).patterns.shape[0]
    blocks = int(min(MOST_BLOCKS, max(len(panel.items), 1), max(20, MOST_CELLS // max(patterns, 1))))
    return RatingPatterns.of(table, weights=weights, blocks=item % blocks, n_blocks=blocks, most_patterns=None)


def _without_raters(panel: PanelRatings, raters: Sequence[int]) -> list[PanelRatings]:
    """The panel without each rater, or without each of some groups of raters where there are many."""
    if len(raters) < 3:
        return []
    groups = min(len(raters), MOST_RATERS_LEFT_OUT)
    return [panel.without(raters[g::groups]) for g in range(groups)]


def ranks_of(ratings: PanelRatings) -> tuple[Rank, ...]:
    """Judges by agreement with people, each with the ranks that its differences from the others leave open.

    A judge stands behind another only where their difference is significant, all pairs taken together (Šidák's level);
    the ranks then hold for all judges together. Source: Mogstad, Romano, Shaikh & Wilhelm (2024), Inference for ranks.
    """
    judges = ratings.judge_numbers
    if not judges or not ratings.people:
        return ()
    human = HumanRatings(ratings, min(BLOCKS, max(len(ratings.items), 1)))
    _, formula = metric_of(ratings.labels)
    values, replicates = [], []
    for judge in judges:
        rows = human.with_judge(ratings.of_rater(judge))
        whole, blocks = rows.sum(axis=0), human.by_block(rows)
        values.append(float(formula(whole)))
        replicates.append(np.where(blocks[:, pair_sums.N] > 0, formula(whole - blocks), float(formula(whole))))
    figures, spread = np.array(values), np.array(replicates)
    ahead = _significant(figures, spread)
    ranks = [
        Rank(
            ratings.raters[j],
            _alone(human, ratings.of_rater(j), formula),
            1 + int(ahead[:, place].sum()),
            len(judges) - int(ahead[place].sum()),
        )
        for place, j in enumerate(judges)
    ]
    return tuple(
        sorted(
            ranks, key=lambda rank: (not rank.agreement.defined, -rank.agreement.value if rank.agreement.defined else 0)
        )
    )


def _alone(human: HumanRatings, column: Numbers, formula: Formula) -> Estimate:
    rows = human.with_judge(column)
    whole = rows.sum(axis=0)
    if not whole[pair_sums.N]:
        return Estimate(reason="no item in common with people")
    spread = Spread(
        without_each(whole, human.by_block(rows), formula), without_each(whole, human.by_person(rows), formula)
    )
    return crossed_estimate(float(formula(whole)), spread, even="fisher", reason="all ratings are equal")


def _significant(values: Scores, replicates: Scores) -> np.ndarray:
    """Whether the judge of the row is ahead of that of the column, all pairs together."""
    size, blocks = replicates.shape
    ahead = np.zeros((size, size), dtype=np.bool_)
    pairs = size * (size - 1) // 2
    if not pairs or blocks < 3:
        return ahead
    level = 0.95 ** (1 / pairs)
    limit = float(stdtrit(blocks - 1, (1 + level) / 2))
    for a in range(size):
        for b in range(size):
            if a != b and np.isfinite(values[[a, b]]).all():
                apart = replicates[a] - replicates[b]
                error = sqrt((blocks - 1) / blocks * float(np.square(apart - apart.mean()).sum()))
                ahead[a, b] = values[a] - values[b] > limit * error > 0
    return ahead
