"""The agreement of every pair of raters, with intervals over the items both have rated.

The two raters of a pair are the ones meant, so that an interval allows for other items and not for other raters.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import stdtrit

from assay.evaluation.raters import pair_sums
from assay.evaluation.raters.panel_ratings import Codes, Numbers, PanelRatings
from assay.evaluation.raters.replacement import metric_of
from assay.metrics.bins import Scores
from assay.metrics.intervals import FARTHEST

MOST_IN_MATRIX = 60
"""With more raters, the matrix has those with the most ratings."""
LEAST_SHARED = 10
"""Pairs with fewer items in common have no figure."""
BLOCKS = 97
"""Most blocks of items that are left out in turn."""

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class PairMatrix:
    """The agreement of every pair of raters, people first; NaN where they share too few items."""

    metric: str
    raters: tuple[str, ...]
    judges: tuple[bool, ...]
    agreement: Rows
    items: tuple[tuple[int, ...], ...]
    """In common."""
    low: Rows = ()
    """Ends of the 95% interval; NaN where there is none."""
    high: Rows = ()
    left_out: int = 0
    """Raters with fewer ratings that are not shown."""


def pair_matrix(ratings: PanelRatings) -> PairMatrix:
    """QWK or kappa of each pair of raters on the items both have rated."""
    every = [*ratings.people, *ratings.judge_numbers]
    shown = set(sorted(every, key=lambda r: -int(ratings.counts[r]))[:MOST_IN_MATRIX])
    raters = [r for r in every if r in shown]
    table = np.column_stack([ratings.of_rater(r) for r in raters]) if raters else np.zeros((0, 0))
    name, _ = metric_of(ratings.labels)
    blocked = _by_block(table, _item_blocks(ratings, len(table)), _unit_weights(ratings))
    whole, replicates = (_qwk if name == "qwk" else _kappa)(blocked)
    shared = blocked.shared
    enough = (shared >= LEAST_SHARED) & ~np.eye(len(raters), dtype=np.bool_)
    known = np.where(enough, whole, np.nan)
    low, high = intervals(known, replicates)
    return PairMatrix(
        name,
        tuple(ratings.raters[r] for r in raters),
        tuple(bool(ratings.judges[r]) for r in raters),
        _rows(known),
        tuple(tuple(int(v) for v in row) for row in shared),
        _rows(low),
        _rows(high),
        len(every) - len(raters),
    )


def _rows(table: Scores) -> Rows:
    return tuple(tuple(row) for row in table.tolist())


def _item_blocks(ratings: PanelRatings, units: int) -> Codes:
    item = np.arange(units) // max(len(ratings.criteria), 1)
    return np.asarray(item % max(min(BLOCKS, len(ratings.items)), 1))


def _unit_weights(ratings: PanelRatings) -> Numbers | None:
    if ratings.item_weight is None:
        return None
    return np.repeat(ratings.item_weight, max(len(ratings.criteria), 1))


@dataclass(frozen=True, eq=False, slots=True)
class _Blocked:
    """The table block by block: labels about their mean, whether there is one, and the weight."""

    parts: tuple[tuple[Scores, Scores, Scores], ...]
    """For each block: labels with 0 for a gap, 1 where there is one, and its weight; units x raters."""
    levels: Scores
    shared: Scores
    """Units that both raters have rated: raters x raters."""


def _by_block(table: Numbers, block: Codes, weight: Numbers | None) -> _Blocked:
    present = np.isfinite(table)
    origin = np.round(table[present].mean()) if present.any() else 0.0
    x, m = np.where(present, table - origin, 0.0), present.astype(float)
    w = m if weight is None else m * weight[:, None]
    order = np.argsort(block, kind="stable")
    edges = np.searchsorted(block[order], np.arange(int(block.max(initial=-1)) + 2))
    parts = []
    for start, end in pairwise(edges):
        rows = order[start:end]
        parts.append((x[rows], m[rows], w[rows]))
    return _Blocked(tuple(parts), np.unique(table[present]) - origin, m.T @ m)


def _qwk(blocked: _Blocked) -> tuple[Scores, Scores]:
    """The figure of each pair, and without each block: raters x raters, blocks x raters x raters."""
    sums = []
    for x, m, w in blocked.parts:
        n, first, square, product = w.T @ m, (x * w).T @ m, (x * x * w).T @ m, (x * w).T @ x
        sums.append(np.stack([n, first, first.T, square, square.T, product, np.zeros_like(n)], axis=-1))
    if not sums:
        return np.zeros((0, 0)), np.zeros((0, 0, 0))
    parts = np.stack(sums)
    whole = parts.sum(axis=0)
    return pair_sums.qwk(whole), pair_sums.qwk(whole - parts)


def _kappa(blocked: _Blocked) -> tuple[Scores, Scores]:
    if not blocked.parts:
        return np.zeros((0, 0)), np.zeros((0, 0, 0))
    n = np.stack([w.T @ m for _, m, w in blocked.parts])
    same, whole_same = np.zeros_like(n), np.zeros(n.shape[1:])
    chance, whole_chance = np.zeros_like(n), np.zeros(n.shape[1:])
    for level in blocked.levels:
        mine = [((x == level) * m, (x == level) * w, m) for x, m, w in blocked.parts]
        given = np.stack([weighted.T @ m for _, weighted, m in mine])
        same += np.stack([weighted.T @ plain for plain, weighted, _ in mine])
        total = given.sum(axis=0)
        whole_chance += total * total.T
        rest = total - given
        chance += rest * rest.swapaxes(1, 2)
    whole_n, whole_same = n.sum(axis=0), same.sum(axis=0)
    return _corrected(whole_same, whole_n, whole_chance), _corrected(whole_same - same, whole_n - n, chance)


def _corrected(same: Scores, n: Scores, chance: Scores) -> Scores:
    """Agreement beyond chance; NaN where all labels are equal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        by_chance = chance / (n * n)
        return np.asarray(np.where(by_chance < 1 - 1e-12, (same / n - by_chance) / (1 - by_chance), np.nan))


def intervals(whole: Scores, replicates: Scores) -> tuple[Scores, Scores]:
    """Ends of 95% intervals by the jackknife, on Fisher's scale where there is room on it; NaN where undefined.

    Blocks without the pair leave it as it is and add nothing; degrees of freedom count the blocks that move it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        centre, there = np.arctanh(whole), np.arctanh(replicates)
        even = (np.abs(there - centre) < FARTHEST).all(axis=0)
        slope = 1 / (1 - whole**2)
        on_scale = np.where(even, there, replicates)
        moved = (np.abs(replicates - whole) > 1e-12).sum(axis=0)
        spread = np.square(on_scale - on_scale.mean(axis=0)).sum(axis=0)
        error = np.sqrt((moved - 1) / moved * spread) * np.where(even, 1.0, slope)
        reach = stdtrit(np.maximum(moved - 1, 1), 0.975) * error
        usable = (moved >= 3) & np.isfinite(centre) & np.isfinite(reach) & (reach > 0)
        ends = np.tanh(centre - reach), np.tanh(centre + reach)
    return np.where(usable, ends[0], np.nan), np.where(usable, ends[1], np.nan)
