"""Pairs of ratings of the same item, as sums that add up: who agrees with whom, over any blocks of items or raters.

A person against the other people, or a judge against the people, is a row of sums for each human rating: how many pairs
it makes, and their sums, squares, products and matches. Rows are added up by block of items, by person, or whole; every
figure is a formula on the last axis, so that it holds for one total and for a thousand replicates alike.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.evaluation.raters.panel_ratings import Codes, Marks, Numbers, PanelRatings
from assay.metrics.bins import Scores

N, FIRST, SECOND, FIRST_SQUARE, SECOND_SQUARE, PRODUCT, SAME = range(7)
PLAIN = 7
"""So many sums stand before those by level."""
SWAPPED = [N, SECOND, FIRST, SECOND_SQUARE, FIRST_SQUARE, PRODUCT, SAME]

MOST_LEVELS = 64


def qwk(sums: Scores) -> Scores:
    """Quadratic weighted kappa of pooled pairs: 1 - sum (a - b)^2 over its expectation for unrelated raters.

    As `metrics.kappa.quadratic_weighted_kappa` of the list of all pairs. NaN where all ratings are equal.
    """
    squares = sums[..., FIRST_SQUARE] + sums[..., SECOND_SQUARE]
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = squares - 2 * sums[..., FIRST] * sums[..., SECOND] / sums[..., N]
        # all equal: what is left is rounding
        expected = np.where(expected > 1e-12 * np.maximum(squares, 1e-300), expected, np.nan)
        return np.asarray(1 - (squares - 2 * sums[..., PRODUCT]) / expected)


def kappa(sums: Scores) -> Scores:
    """Cohen's kappa of pooled pairs; NaN where all ratings are equal."""
    levels = (sums.shape[-1] - PLAIN) // 2
    first, second = sums[..., PLAIN : PLAIN + levels], sums[..., PLAIN + levels :]
    with np.errstate(divide="ignore", invalid="ignore"):
        n = sums[..., N]
        by_chance = (first * second).sum(axis=-1) / (n * n)
        return np.asarray(np.where(by_chance < 1 - 1e-12, (sums[..., SAME] / n - by_chance) / (1 - by_chance), np.nan))


def exact(sums: Scores) -> Scores:
    """The share of pairs with the same label."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[..., SAME] / sums[..., N])


def swapped(sums: Scores) -> Scores:
    """The same pairs the other way round."""
    levels = (sums.shape[-1] - PLAIN) // 2
    columns = [*SWAPPED, *range(PLAIN + levels, PLAIN + 2 * levels), *range(PLAIN, PLAIN + levels)]
    return sums[..., columns]


@dataclass(frozen=True, eq=False)
class HumanRatings:
    """The ratings of people, and what the other people gave the same unit."""

    ratings: PanelRatings
    blocks: int
    """Items lie in so many blocks."""

    @cached_property
    def rows(self) -> Codes:
        """Which ratings are by people."""
        return np.flatnonzero(~self.ratings.judges[self.ratings.rater])

    @cached_property
    def unit(self) -> Codes:
        return self.ratings.unit[self.rows]

    @cached_property
    def person(self) -> Codes:
        """The rater of each of these ratings."""
        return self.ratings.rater[self.rows]

    @cached_property
    def block(self) -> Codes:
        return self.ratings.item[self.rows] % self.blocks

    @cached_property
    def origin(self) -> float:
        """A value near the mean: sums of squares about it lose no digits."""
        return float(np.round(self.ratings.value.mean())) if len(self.ratings) else 0.0

    @cached_property
    def value(self) -> Numbers:
        return self.ratings.value[self.rows] - self.origin

    @cached_property
    def weight(self) -> Numbers | None:
        weights = self.ratings.item_weight
        return None if weights is None else weights[self.ratings.item[self.rows]]

    @cached_property
    def people(self) -> Numbers:
        """How many people rated each unit."""
        return np.bincount(self.unit, minlength=self.ratings.unit_count).astype(float)

    @cached_property
    def sums(self) -> Numbers:
        return np.asarray(np.bincount(self.unit, self.value, minlength=self.ratings.unit_count), dtype=np.float64)

    @cached_property
    def squares(self) -> Numbers:
        squares = np.bincount(self.unit, self.value**2, minlength=self.ratings.unit_count)
        return np.asarray(squares, dtype=np.float64)

    @cached_property
    def levels(self) -> Numbers:
        """The distinct labels of everyone, about the origin."""
        return np.unique(self.ratings.value) - self.origin

    @cached_property
    def level(self) -> Codes:
        """The place of each human label in `levels`."""
        return np.searchsorted(self.levels, self.value)

    @cached_property
    def level_counts(self) -> Numbers:
        """How many people gave each unit each label: (units, levels). For words only."""
        size = self.levels.size
        cells = np.bincount(self.unit * size + self.level, minlength=self.ratings.unit_count * size)
        return cells.reshape(self.ratings.unit_count, size).astype(float)

    @cached_property
    def alike(self) -> Numbers:
        """How many people gave the unit the same label as this rating, itself included."""
        key = self.unit * self.levels.size + self.level
        _, place, count = np.unique(key, return_inverse=True, return_counts=True)
        return np.asarray(count[place], dtype=np.float64)

    @property
    def by_level(self) -> bool:
        """Whether sums by level are taken too: for words without an order."""
        return not self.ratings.labels.ordered

    def others(self, marked: Marks | None = None) -> Scores:
        """For each human rating, the sums of its pairs with the other people's ratings of the unit.

        `marked` says which units count.
        """
        x, n = self.value, self.people[self.unit] - 1
        rest, rest_square = self.sums[self.unit] - x, self.squares[self.unit] - x**2
        columns = [n, n * x, rest, n * x**2, rest_square, x * rest, self.alike - 1]
        if self.by_level:
            same = np.arange(self.levels.size) == self.level[:, None]
            columns += [*(n * same.T), *(self.level_counts[self.unit] - same).T]
        return self._weighted(np.column_stack(columns), marked)

    def with_judge(self, column: Numbers, marked: Marks | None = None) -> Scores:
        """For each human rating, the sums of its pair with the judge's label of the unit; zeros where there is none."""
        y = column[self.unit] - self.origin
        present = np.isfinite(y)
        y = np.where(present, y, 0.0)
        x = np.where(present, self.value, 0.0)
        n = present.astype(float)
        columns = [n, y, x, y**2, x**2, x * y, n * (x == y)]
        if self.by_level:
            grid = np.arange(self.levels.size)
            mine = (np.searchsorted(self.levels, y)[:, None] == grid) & present[:, None]
            theirs = (self.level[:, None] == grid) & present[:, None]
            columns += [*mine.T, *theirs.T]
        return self._weighted(np.column_stack(columns).astype(float), marked)

    def _weighted(self, rows: Scores, marked: Marks | None) -> Scores:
        if marked is not None:
            rows = rows * marked[self.unit][:, None]
        return rows if self.weight is None else rows * self.weight[:, None]

    def by_block(self, rows: Scores) -> Scores:
        """Rows added up by block of items."""
        return added(rows, self.block, self.blocks)

    def by_person(self, rows: Scores) -> Scores:
        """Rows added up by rater."""
        return added(rows, self.person, len(self.ratings.raters))


def added(rows: Scores, number: Codes, size: int) -> Scores:
    """Rows of the same number added up: (size, columns)."""
    return np.column_stack([np.bincount(number, column, minlength=size) for column in rows.T])
