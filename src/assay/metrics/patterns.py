"""How often each combination of the raters' scores was given: all that the many-rater metrics need to know.

Two parts of a table add up (`a + b`), a bootstrap is one matrix product (`resampled`), and a formula written
for the last axis holds for one tally and for a thousand replicates alike.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.metrics.bins import Totals
from assay.metrics.pairs import Scores

Places: TypeAlias = NDArray[np.int64]

MOST_PATTERNS = 20_000  # a thousand replicates of so many patterns take 160 MB
_LARGEST_TABLE = 2**20  # above it, sorting the keys is cheaper than a table with a cell for each
_LARGEST_KEY = 2**62
_WIDEST_SCALE = 4096


@dataclass(frozen=True, eq=False, slots=True)
class RatingPatterns:
    """How often each combination of the raters' scores was given; NaN where a rater gave none.

    >>> tally = RatingPatterns.of([[1, 2], [3, 3], [1, 2]])
    >>> tally.patterns.tolist(), tally.count.tolist()
    ([[1.0, 2.0], [3.0, 3.0]], [2.0, 1.0])
    """

    patterns: Scores  # (k, raters): distinct rows in ascending order, gaps last
    weight: Scores  # (..., k): the sum of the responses' weights; without weights the same array as count
    count: Scores  # (..., k): the number of responses

    def __post_init__(self) -> None:
        for array in (self.patterns, self.weight, self.count):
            array.flags.writeable = False

    @classmethod
    def of(
        cls,
        ratings: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        blocks: Places | None = None,
        n_blocks: int = 0,
        most_patterns: int | None = MOST_PATTERNS,
    ) -> Self:
        """The tally of a table with a row per response and a column per rater.

        With `blocks`, the block number of each response, the tally has a leading axis of `n_blocks`.
        """
        table = _rating_table(ratings)
        rows, number = _distinct_rows(table, most_patterns)
        shape: tuple[int, ...] = (len(rows),)
        if blocks is not None:
            if blocks.shape != number.shape or (blocks.size and (blocks.min() < 0 or blocks.max() >= n_blocks)):
                remedy = f"Give one from 0 to {n_blocks - 1} for each of {number.size} responses."
                raise InputError("the block numbers do not fit", field="blocks", remedy=remedy)
            number = blocks.astype(np.int64) * len(rows) + number
            shape = (n_blocks, len(rows))
        count = np.bincount(number, minlength=math.prod(shape)).reshape(shape).astype(np.float64)
        if weights is None:
            return cls(rows, count, count)
        # unlike `pairs.response_weights`, all may be 0: the table may be one part of many
        checked = np.asarray(weights, dtype=float)
        if checked.shape != (len(table),):
            problem, remedy = f"got weights of shape {checked.shape}", f"Give one for each of {len(table)} responses."
            raise InputError(problem, field="weights", remedy=remedy)
        bad = np.flatnonzero(~(np.isfinite(checked) & (checked >= 0)))
        if bad.size:
            problem = f"Response {bad[0] + 1}: its weight is {checked[bad[0]]}"
            raise InputError(problem, field="weights", remedy="Give a number of 0 or more.")
        sums = np.bincount(number, checked, minlength=math.prod(shape)).reshape(shape)
        return cls(rows, np.asarray(sums, dtype=np.float64), count)

    @property
    def raters(self) -> int:
        """The number of raters."""
        return int(self.patterns.shape[1])

    @property
    def levels(self) -> Scores:
        """The distinct scores given, in ascending order."""
        return np.unique(self.patterns[~np.isnan(self.patterns)])

    @property
    def ratings_given(self) -> Scores:
        """The number of ratings in each pattern."""
        given: Scores = np.sum(~np.isnan(self.patterns), axis=1, dtype=np.float64)
        return given

    def __add__(self, other: "RatingPatterns") -> "RatingPatterns":
        """The tally of the responses of both."""
        if self.raters != other.raters or self.count.shape[:-1] != other.count.shape[:-1]:
            raters, axes = f"{self.raters} and {other.raters}", f"{self.count.shape[:-1]} and {other.count.shape[:-1]}"
            problem = f"Tallies of {raters} raters, axes {axes}, cannot be added"
            raise InputError(problem, remedy="Tally both parts by the same raters and blocks.")
        rows, number = _distinct_rows(np.concatenate([self.patterns, other.patterns]), MOST_PATTERNS)
        count = sums_by(np.concatenate([self.count, other.count], axis=-1), number)
        if self.weight is self.count and other.weight is other.count:
            return RatingPatterns(rows, count, count)
        return RatingPatterns(rows, sums_by(np.concatenate([self.weight, other.weight], axis=-1), number), count)

    def merged(self) -> "RatingPatterns":
        """The tally of all blocks together: the sum over the last leading axis."""
        return self._changed(self.patterns, lambda sums: sums.sum(axis=-2))

    def combined(self, total: Totals) -> "RatingPatterns":
        """The blocks, on the last leading axis, added up into replicates."""
        return self._changed(self.patterns, lambda sums: total(sums.swapaxes(-1, -2)).swapaxes(-1, -2))

    def resampled(self, draws: Scores) -> "RatingPatterns":
        """One tally per row of `draws` (b, n_blocks), which says how often each block was drawn."""
        return self._changed(self.patterns, lambda sums: draws @ sums)

    def of_raters(self, columns: Sequence[int]) -> "RatingPatterns":
        """The tally of some of the raters, in the order asked for."""
        rows, number = _distinct_rows(self.patterns[:, list(columns)], None)
        return self._changed(rows, lambda sums: sums_by(sums, number))

    def where(self, marked: NDArray[np.bool_]) -> "RatingPatterns":
        """The tally of the responses with one of the patterns marked (k,)."""
        return self._changed(self.patterns[marked], lambda sums: sums[..., marked])

    def scaled_weight(self) -> Scores:
        """The weights rescaled to mean 1, so that their sum is the number of responses (..., k)."""
        if self.weight is self.count:
            return self.count
        with np.errstate(invalid="ignore", divide="ignore"):
            scale: Scores = self.count.sum(axis=-1, keepdims=True) / self.weight.sum(axis=-1, keepdims=True)
            return self.weight * scale

    def _changed(self, patterns: Scores, change: Callable[[Scores], Scores]) -> "RatingPatterns":
        count = change(self.count)
        return RatingPatterns(patterns, count if self.weight is self.count else change(self.weight), count)


def as_patterns(ratings: RatingPatterns | ArrayLike) -> RatingPatterns:
    """A tally as it is, or the tally of a table of ratings (n, raters), with as many patterns as it holds."""
    return ratings if isinstance(ratings, RatingPatterns) else RatingPatterns.of(ratings, most_patterns=None)


def level_places(column: Scores) -> tuple[Scores, Places]:
    """The distinct values of a column in ascending order, NaN last, and the place of each entry in them."""
    low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
    if 0 <= high - low < _WIDEST_SCALE:  # whole scores need no sorting: five times faster for a million
        width = int(high - low) + 1
        shifted = np.where(np.isnan(column), width, column - low)
        whole = shifted.astype(np.int64)
        if np.array_equal(whole, shifted):
            present = np.bincount(whole, minlength=width + 1) > 0
            values = np.append(low + np.arange(width), np.nan)
            return values[present], (np.cumsum(present) - 1)[whole]
    values, places = np.unique(column, return_inverse=True)
    return values, places.astype(np.int64)


def sums_by(weight: Scores, number: Places) -> Scores:
    """The sums of `weight` (..., k) over entries of the same number 0, 1, ..., each of which occurs."""
    if number.size == 0:
        return weight
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    return np.add.reduceat(weight[..., order], starts, axis=-1)


def _distinct_rows(table: Scores, most: int | None) -> tuple[Scores, Places]:
    """The distinct rows in ascending order, and the number of each row among them."""
    key, size = np.zeros(len(table), dtype=np.int64), 1
    for column in table.T:
        values, places = level_places(column)
        if size * max(values.size, 1) > _LARGEST_KEY:
            key, size = _renumbered(key, size)
        key = key * values.size + places
        size *= max(values.size, 1)
    number, k = _renumbered(key, size)
    if most is not None and k > most:
        raise InputError(
            f"The raters gave {k:,} different combinations of scores, more than the {most:,} we count: "
            "metrics for many raters need scores on a scale of points",
            field="ratings",
            remedy="Round the scores to the scale, or compare fewer raters at a time.",
        )
    example = np.zeros(k, dtype=np.int64)
    example[number] = np.arange(len(table))
    return table[example], number


def _renumbered(key: Places, size: int) -> tuple[Places, int]:
    """Keys below `size` replaced by 0, 1, ... in the same order, and how many there are."""
    if size <= _LARGEST_TABLE:
        present = np.bincount(key, minlength=size) > 0
        return (np.cumsum(present) - 1)[key], int(present.sum()) if key.size else 0
    distinct, number = np.unique(key, return_inverse=True)
    return number.astype(np.int64), distinct.size


def _rating_table(ratings: ArrayLike) -> Scores:
    try:
        table = np.asarray(ratings, dtype=float) + 0.0  # turns -0.0 into 0.0
    except (TypeError, ValueError) as error:
        problem = f"The ratings are not a table of numbers: {error}"
        raise InputError(problem, field="ratings", remedy="Give NaN for no rating.") from None
    if table.ndim != 2 or table.shape[1] == 0:
        remedy = "Give a row per response and a column per rater."
        raise InputError(f"got ratings of shape {table.shape}", field="ratings", remedy=remedy)
    if np.isinf(table).any():
        row, rater = np.argwhere(np.isinf(table))[0]
        problem = f"Response {row + 1}, rater {rater + 1}: the rating is infinite"
        raise InputError(problem, field="ratings", remedy="Use NaN for no rating.")
    return table
