"""Polygons as pixels, so that they can meet a mask.

A pixel belongs to a polygon if its centre does. The border is first set on a grid of fifths of a pixel, as pycocotools
does, so that both give the same pixels: a centre within a fifth of a pixel of the border may fall on either side.
What lies beyond the image is cut off; rings are united and holes cut out; a ring that crosses itself counts by the
even-odd rule.
"""

from collections.abc import Sequence

import numpy as np

from assay.annotations.shapes.ragged import Positions, spread
from assay.annotations.shapes.shapes import Coordinates, Mask, Polygon

FINENESS = 5
"""Grid steps per pixel, as in pycocotools' rleFrPoly."""


def rasterised(polygon: Polygon, *, width: int, height: int) -> Mask:
    """The pixels of the polygon in an image of that size."""
    size = width * height
    shell_place, shell_step = _changes(polygon.rings, width, height)
    hole_place, hole_step = _changes(polygon.holes, width, height)
    place = np.concatenate([shell_place, hole_place])
    order = np.argsort(place, kind="stable")
    place = place[order]
    shells = np.cumsum(np.concatenate([shell_step, np.zeros_like(hole_step)])[order])
    holes = np.cumsum(np.concatenate([np.zeros_like(shell_step), hole_step])[order])
    inside = (shells > 0) & (holes == 0)
    entering = np.flatnonzero(inside & ~np.concatenate([[False], inside[:-1]])) if len(inside) else order
    leaving = np.flatnonzero(~inside & np.concatenate([[False], inside[:-1]])) if len(inside) else order
    turns = np.stack([place[entering], place[leaving]], axis=1).ravel()
    return Mask(0, 0, width, height, np.diff(turns, prepend=0, append=size), by_column=True)


def _changes(rings: Sequence[Coordinates], width: int, height: int) -> tuple[Positions, Positions]:
    """Where, going down column after column, rings are entered (+1) and left (-1)."""
    places = [_crossings(ring, width, height) for ring in rings if len(ring) >= 3]
    # a ring that leaves the image at its lower right end is left there
    places = [np.append(p, width * height) if len(p) % 2 else p for p in places]
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
    kept = middle & (column >= 0) & (column < width)
    return np.sort(column[kept] * height + row[kept])


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
