"""Masks compared run by run, without unpacking them into pixels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.ragged import Positions, offsets, spread, totals
from assay.annotations.shapes.shapes import Mask


@dataclass(frozen=True, eq=False, slots=True)
class Stretches:
    """Pixels as stretches of columns: column x, from row `begin` up to and without row `end`; sorted by mask and place.

    Those of mask k are the `count[k]` from `start[k]` on.
    """

    start: Positions
    count: Positions
    column: Positions
    begin: Positions
    end: Positions

    @property
    def area(self) -> NDArray[np.float64]:
        """Pixels of each mask."""
        mask = np.repeat(np.arange(len(self.count)), self.count)
        return totals(mask, self.end - self.begin, len(self.count))

    @property
    def extent(self) -> NDArray[np.float64]:
        """Left, top, right, bottom of each mask: (n, 4); zeros for one without pixels."""
        extent = np.zeros((len(self.count), 4))
        filled = np.flatnonzero(self.count)
        if len(filled):
            first = self.start[filled]
            extent[filled, 0] = self.column[first]
            extent[filled, 1] = np.minimum.reduceat(self.begin, first)
            extent[filled, 2] = self.column[first + self.count[filled] - 1] + 1
            extent[filled, 3] = np.maximum.reduceat(self.end, first)
        return extent


def stretches(masks: Sequence[Mask]) -> Stretches:
    """All masks as stretches of columns, whichever way their runs go."""
    parts = [_stretches(mask) for mask in masks]
    count = np.array([len(part[0]) for part in parts], np.int64)
    column, begin, end = (np.concatenate([part[k] for part in parts] or [np.empty(0, np.int64)]) for k in range(3))
    return Stretches(offsets(count), count, column, begin, end)


def common_pixels(first: Stretches, second: Stretches, a: Positions, b: Positions) -> NDArray[np.float64]:
    """The number of pixels that mask a[p] of the first and mask b[p] of the second share, for every pair p."""
    if not len(first.column) or not len(second.column):
        return np.zeros(len(a))
    axis = _MaskAxis.around((first, second))
    begins, _, lengths = axis.place(second)
    before = offsets(lengths)
    pair, i = spread(first.start[a], first.count[a])
    owner = b[pair]

    def covered(row: Positions) -> Positions:
        """Pixels of the masks of the second up to here: all earlier masks, and this one as far as the place."""
        place = axis.at(owner, first.column[i], row)
        last = np.searchsorted(begins, place, side="right") - 1
        inside = np.minimum(place - begins[last], lengths[last])
        return np.where(last >= 0, before[last] + inside, 0)

    shared = covered(first.end[i]) - covered(first.begin[i])
    return totals(pair, shared, len(a))


@dataclass(frozen=True, slots=True)
class _MaskAxis:
    """One line on which every pixel of every mask has a place of its own: mask after mask, column after column."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def around(cls, all_masks: Iterable[Stretches]) -> "_MaskAxis":
        masks = list(all_masks)
        left, top = (min(int(getattr(m, name).min()) for m in masks) for name in ("column", "begin"))
        right, bottom = (max(int(getattr(m, name).max()) for m in masks) for name in ("column", "end"))
        return cls(left, top, right - left + 1, bottom - top + 1)

    def at(self, mask: Positions, column: Positions, row: Positions) -> Positions:
        return (mask * self.width + (column - self.left)) * self.height + (row - self.top)

    def place(self, masks: Stretches) -> tuple[Positions, Positions, Positions]:
        mask = np.repeat(np.arange(len(masks.count)), masks.count)
        begin, end = self.at(mask, masks.column, masks.begin), self.at(mask, masks.column, masks.end)
        return begin, end, end - begin


def _stretches(mask: Mask) -> tuple[Positions, Positions, Positions]:
    """Column, first row and row after the last of every stretch of a mask, in order."""
    ends = np.cumsum(mask.runs)
    begin, end = ends[0::2][: len(ends) // 2], ends[1::2]
    if not mask.by_column:
        begin, end = _turned(begin, end, mask.width, mask.height)
    begin, end = begin[end > begin], end[end > begin]
    if not len(begin):
        return begin, begin, begin
    first, last = begin // mask.height, (end - 1) // mask.height
    run, column = spread(first, last - first + 1)
    top = np.where(column == first[run], begin[run] - column * mask.height, 0)
    bottom = np.where(column == last[run], end[run] - column * mask.height, mask.height)
    return column + mask.left, top + mask.top, bottom + mask.top


def _turned(begin: Positions, end: Positions, width: int, height: int) -> tuple[Positions, Positions]:
    """Runs along the rows of the mask's window as runs along its columns."""
    change = np.zeros(width * height + 1, np.int8)
    np.add.at(change, begin, 1)
    np.add.at(change, end, -1)
    pixels = np.cumsum(change[:-1], dtype=np.int8).reshape(height, width).T.ravel()
    edges = np.flatnonzero(np.diff(pixels, prepend=0, append=0))
    return edges[0::2], edges[1::2]
