"""Masks compared run by run, without unpacking them into pixels; and polygons as pixels, so that they can meet one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, offsets, portions, spread, totals
from assay.annotations.shapes.columns import MaskRuns
from assay.annotations.shapes.shapes import Coordinates, Mask, Polygon
from assay.kernel import kernel


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


RUNS_AT_ONCE = 200_000
"""Keeps the intermediate columns small."""


def mask_runs(masks: Sequence[Mask]) -> MaskRuns:
    """All masks as runs down their columns, whichever way they are written."""
    runs = [mask.runs if mask.by_column else _by_column(mask) for mask in masks]
    count = np.array([len(own) for own in runs], np.int64)
    windows = ([mask.left for mask in masks], [mask.top for mask in masks])
    sizes = ([mask.width for mask in masks], [mask.height for mask in masks])
    together = np.concatenate([np.zeros(0, np.uint32), *(own.astype(np.uint32) for own in runs)])
    return MaskRuns(together, count, *(np.array(column, np.int64) for column in (*windows, *sizes)))


def mask_figures(masks: MaskRuns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels of each mask; and left, top, right, bottom, (n, 4), zeros for one without pixels."""
    area, extent = np.zeros(len(masks)), np.zeros((len(masks), 4))
    if compiled := kernel():
        compiled.mask_figures(_given(masks), area, extent)
        return area, extent
    for part in portions(masks.count, RUNS_AT_ONCE):
        drawn = stretches(masks.chosen(np.arange(part.start, part.stop)))
        area[part], extent[part] = drawn.area, drawn.extent
    return area, extent


def common_pixels(first: MaskRuns, second: MaskRuns, a: Positions, b: Positions) -> NDArray[np.float64]:
    """The number of pixels that mask a[p] of the first and mask b[p] of the second share, for every pair p."""
    common = np.zeros(len(a))
    if compiled := kernel():
        compiled.common_pixels(_given(first), _given(second), a.astype(np.int64), b.astype(np.int64), common)
        return common
    for part in portions(first.count[a] + second.count[b], RUNS_AT_ONCE):
        masks_1, i = np.unique(a[part], return_inverse=True)
        masks_2, j = np.unique(b[part], return_inverse=True)
        common[part] = _common(stretches(first.chosen(masks_1)), stretches(second.chosen(masks_2)), i, j)
    return common


def _given(masks: MaskRuns) -> tuple[NDArray[Any], ...]:
    """The masks as the kernel takes them."""
    return masks.runs, masks.start, masks.count, masks.left, masks.top, masks.height


def _common(first: Stretches, second: Stretches, a: Positions, b: Positions) -> NDArray[np.float64]:
    if not len(first.column) or not len(second.column):
        return np.zeros(len(a))
    left = min(int(masks.column.min()) for masks in (first, second))
    top = min(int(masks.begin.min()) for masks in (first, second))
    width = max(int(masks.column.max()) for masks in (first, second)) - left + 1
    height = max(int(masks.end.max()) for masks in (first, second)) - top + 1

    def place(mask: Positions, column: Positions, row: Positions) -> Positions:
        """On one line every pixel of every mask has a place of its own: mask after mask, column after column."""
        return (mask * width + (column - left)) * height + (row - top)

    begins = place(np.repeat(np.arange(len(second.count)), second.count), second.column, second.begin)
    lengths = second.end - second.begin
    before = offsets(lengths)
    pair, i = spread(first.start[a], first.count[a])

    def covered(row: Positions) -> Positions:
        """Pixels of the masks of the second up to here: all earlier masks, and this one as far as the place."""
        at = place(b[pair], first.column[i], row)
        last = np.searchsorted(begins, at, side="right") - 1
        return np.where(last >= 0, before[last] + np.minimum(at - begins[last], lengths[last]), 0)

    return totals(pair, covered(first.end[i]) - covered(first.begin[i]), len(a))


def stretches(masks: MaskRuns) -> Stretches:
    """Column, first row and row after the last of every stretch of the masks, in order."""
    mask = np.repeat(np.arange(len(masks)), masks.count)
    runs = masks.runs.astype(np.int64)
    ends = np.cumsum(runs)
    before = np.concatenate([[0], ends])[masks.start]  # pixels of earlier masks
    drawn = np.flatnonzero(((np.arange(len(runs)) - masks.start[mask]) % 2 == 1) & (runs > 0))
    owner = mask[drawn]
    end = ends[drawn] - before[owner]
    begin, height = end - runs[drawn], masks.height[owner]
    first, last = begin // height, (end - 1) // height
    run, column = spread(first, last - first + 1)
    top = np.where(column == first[run], begin[run] - column * height[run], 0)
    bottom = np.where(column == last[run], end[run] - column * height[run], height[run])
    of_mask = owner[run]
    count = np.bincount(of_mask, minlength=len(masks))
    x, y = masks.left[of_mask], masks.top[of_mask]
    return Stretches(offsets(count), count, column + x, top + y, bottom + y)


def _by_column(mask: Mask) -> Positions:
    """The runs of a mask that is written row by row."""
    ends = np.cumsum(mask.runs)
    begin, end = _turned(ends[0::2][: len(ends) // 2], ends[1::2], mask.width, mask.height)
    return np.diff(np.stack([begin, end], axis=1).ravel(), prepend=0, append=mask.width * mask.height)


def _turned(begin: Positions, end: Positions, width: int, height: int) -> tuple[Positions, Positions]:
    """Runs along the rows of the mask's window as runs along its columns."""
    change = np.zeros(width * height + 1, np.int8)
    np.add.at(change, begin, 1)
    np.add.at(change, end, -1)
    pixels = np.cumsum(change[:-1], dtype=np.int8).reshape(height, width).T.ravel()
    edges = np.flatnonzero(np.diff(pixels, prepend=0, append=0))
    return edges[0::2], edges[1::2]


FINENESS = 5
"""Grid steps per pixel, as in pycocotools' rleFrPoly."""


def rasterised(polygon: Polygon, *, width: int, height: int) -> Mask:
    """The pixels of the polygon in an image of that size.

    A pixel belongs to a polygon if its centre does. The border is first set on a grid of fifths of a pixel, as
    pycocotools does, so that both give the same pixels: a centre within a fifth of a pixel of the border may fall on
    either side. What lies beyond the image is cut off; rings are united and holes cut out; a ring that crosses itself
    counts by the even-odd rule.
    """
    shell_place, shell_step = _changes(polygon.rings, width, height)
    hole_place, hole_step = _changes(polygon.holes, width, height)
    place = np.concatenate([shell_place, hole_place])
    order = np.argsort(place, kind="stable")
    place = place[order]
    shells = np.cumsum(np.concatenate([shell_step, np.zeros_like(hole_step)])[order])
    holes = np.cumsum(np.concatenate([np.zeros_like(shell_step), hole_step])[order])
    inside = (shells > 0) & (holes == 0)
    turns = place[np.flatnonzero(np.diff(inside, prepend=False))]
    return Mask(0, 0, width, height, np.diff(turns, prepend=0, append=width * height), by_column=True)


def _changes(rings: Sequence[Coordinates], width: int, height: int) -> tuple[Positions, Positions]:
    """Where, going down column after column, rings are entered (+1) and left (-1)."""
    places = [_crossings(ring, width, height) for ring in rings if len(ring) >= 3]
    # a closed ring crosses every line an even number of times
    steps = [np.where(np.arange(len(p)) % 2, -1, 1) for p in places]
    empty = np.empty(0, np.int64)
    return np.concatenate([*places, empty]), np.concatenate([*steps, empty])


def _crossings(ring: Coordinates, width: int, height: int) -> Positions:
    """Places (column x height + row) where the middle line of a column crosses the ring, in order."""
    x, y = _border(np.trunc(FINENESS * ring + 0.5).astype(np.int64))
    moved = np.flatnonzero(x[1:] != x[:-1]) + 1
    # the border point left of the crossing; the middle of a column lies between two grid steps
    left = np.minimum(x[moved], x[moved - 1])
    column = (left - FINENESS // 2) // FINENESS
    middle = (left - FINENESS // 2) % FINENESS == 0
    upper = np.minimum(y[moved], y[moved - 1])
    row = np.ceil(np.clip((upper + 0.5) / FINENESS - 0.5, 0, height)).astype(np.int64)
    inside = middle & (column >= 0) & (column < width)
    return np.sort(column[inside] * height + row[inside])


def _border(corners: Positions) -> tuple[Positions, Positions]:
    """Grid points along the closed ring, corner to corner, each one step in x or in y from the one before."""
    start, end = corners, np.roll(corners, -1, axis=0)
    reach = np.abs(end - start)
    flat = reach[:, 0] >= reach[:, 1]
    steps = np.where(flat, reach[:, 0], reach[:, 1])
    major = np.where(flat, 0, 1)
    rows = np.arange(len(corners))
    backwards = start[rows, major] > end[rows, major]
    begin, stop = np.where(backwards[:, None], end, start), np.where(backwards[:, None], start, end)
    slope = (stop[rows, 1 - major] - begin[rows, 1 - major]) / np.maximum(steps, 1)
    edge, done = spread(np.zeros(len(corners), np.int64), steps + 1)
    # an edge drawn backwards is rounded as if drawn forwards: neighbours that share it share its pixels
    step = np.where(backwards[edge], steps[edge] - done, done)
    along = begin[rows, major][edge] + step
    across = np.trunc(begin[rows, 1 - major][edge] + slope[edge] * step + 0.5).astype(np.int64)
    return np.where(flat[edge], along, across), np.where(flat[edge], across, along)
