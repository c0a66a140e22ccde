"""Who rated what: the ratings of a panel as a long table, and which raters can be compared at all."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.errors import Field, InputError
from assay.metrics.bins import Scores, Whole
from assay.metrics.pairs import float_array, response_weights

MOST_LEVELS = 100
"""Scales with more levels are no rating scales: their scores are to be rounded first."""
MOST_CODES = 50_000_000
"""Highest code of an item, rater or criterion: there is a place in memory for each below it."""


@dataclass(frozen=True, eq=False, slots=True)
class LongRatings:
    """One entry for each score that was given, gaps left out; items, raters and criteria are numbered from 0."""

    item: Whole
    rater: Whole
    criterion: Whole
    score: Scores
    items: int
    raters: int
    criteria: int
    weight: Scores
    """The weight of each item."""

    @classmethod
    def of(cls, scores: ArrayLike, weights: ArrayLike | None = None) -> "LongRatings":
        """The ratings of a table: items x raters, or items x raters x criteria, NaN for a gap."""
        table = float_array(scores, "scores")
        if table.ndim not in (2, 3):
            problem = f" has {table.ndim} axes"
            remedy = "Give a row for each item and a column for each rater; criteria may be a third axis."
            raise InputError((Field("scores"), problem), field="scores", remedy=remedy)
        cube = table if table.ndim == 3 else table[:, :, None]
        item, rater, criterion = np.nonzero(~np.isnan(cube))
        score = cube[item, rater, criterion]
        return _checked(item, rater, criterion, score, cube.shape, weights)

    @classmethod
    def of_long(
        cls,
        item: ArrayLike,
        rater: ArrayLike,
        score: ArrayLike,
        criterion: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> "LongRatings":
        """The ratings of a long table; codes of items, raters and criteria count from 0."""
        values = float_array(score, "score")
        first, second = _codes(item, "item", values.size), _codes(rater, "rater", values.size)
        third = np.zeros_like(first) if criterion is None else _codes(criterion, "criterion", values.size)
        shape = tuple(int(codes.max(initial=-1)) + 1 for codes in (first, second, third))
        given = ~np.isnan(values)
        return _checked(first[given], second[given], third[given], values[given], shape, weights)

    def levels(self) -> Whole:
        """The scores as whole numbers from 0."""
        codes = self.score.astype(np.int64)
        wrong = (codes != self.score) | (codes < 0) | (codes >= MOST_LEVELS)
        if wrong.any():
            problem = f"levels are whole numbers from 0 to {MOST_LEVELS - 1}, got {self.score[wrong][0]:g}"
            raise InputError(problem, field="levels", remedy="Number the levels of the scale from 0.")
        return codes


Ratings: TypeAlias = LongRatings | ArrayLike


def as_ratings(ratings: Ratings, weights: ArrayLike | None = None) -> LongRatings:
    """The ratings as a long table; a table that is long already has its weights."""
    return ratings if isinstance(ratings, LongRatings) else LongRatings.of(ratings, weights)


def _checked(
    item: Whole, rater: Whole, criterion: Whole, score: Scores, shape: tuple[int, ...], weights: ArrayLike | None
) -> LongRatings:
    if score.size == 0:
        raise InputError("there is no rating: every cell is empty", field="scores")
    if not np.isfinite(score).all():
        raise InputError("a score is infinite", field="scores", remedy="Leave the cell empty if nothing was scored.")
    weight = np.ones(shape[0]) if weights is None else response_weights(weights, shape[0])
    order = np.argsort(item, kind="stable")
    arrays = (item[order].astype(np.int64), rater[order].astype(np.int64), criterion[order].astype(np.int64))
    return LongRatings(*arrays, score[order], shape[0], shape[1], shape[2], weight)


def _codes(values: ArrayLike, field: str, size: int) -> Whole:
    codes = float_array(values, field)
    if codes.shape != (size,):
        problem = f" has {codes.size} entries for {size} scores"
        raise InputError((Field(field), problem), field=field, remedy="Give one for each score.")
    whole = np.where(np.isfinite(codes), codes, -1).astype(np.int64)
    if (whole != codes).any() or (whole < 0).any() or (whole > MOST_CODES).any():
        raise InputError((Field(field), " holds something that is no code"), field=field, remedy="Codes count from 0.")
    return whole


def linked_raters(ratings: Ratings) -> Whole:
    """The group of each rater: raters of one group are linked by items they share, directly or through others.

    Raters of different groups cannot be compared by what they gave to the same items. A rater without a score has the
    group -1; the group of the first rater is 0.

    >>> nan = float("nan")
    >>> linked_raters([[1, 2, nan, nan], [nan, nan, 3, 3], [2, 2, nan, nan]]).tolist()
    [0, 0, 1, 1]
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    table = as_ratings(ratings)
    size = table.items + table.raters
    edges = csr_array((np.ones(table.item.size), (table.item, table.items + table.rater)), shape=(size, size))
    _, label = connected_components(edges, directed=False)
    groups = np.full(table.raters, -1, dtype=np.int64)
    present = np.unique(table.rater)
    _, first, code = np.unique(label[table.items + present], return_index=True, return_inverse=True)
    groups[present] = np.argsort(np.argsort(first))[code]
    return groups
