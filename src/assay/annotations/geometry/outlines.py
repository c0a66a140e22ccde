"""`Outlines`: the borders of many shapes as one table of edges, from which areas in common are worked out at once.

An edge runs from its left to its right end: at x it is at height y + slope (x - left). Its sign is +1 or -1 so that
the signs of the edges above a point add up to 1 inside the shape and to 0 outside. Upright edges bound nothing from
above or below and are left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, offsets, portions, spread, totals
from assay.annotations.shapes.columns import Rings

Column = NDArray[np.float64]
NARROWEST = 1e-12
"""Edges narrower than this count as upright: their slope would lose all digits."""


POINTS_AT_ONCE = 50_000
"""Keeps the intermediate columns within the processor's cache."""


@dataclass(frozen=True, eq=False, slots=True)
class Outlines:
    """Edges of shape k: `count[k]` of them from `start[k]` on, in order of their left ends."""

    start: Positions
    count: Positions
    left: Column
    right: Column
    y: Column
    slope: Column
    sign: Column
    area: Column
    """Of the shapes, taking the ring as it is: a ring that crosses itself must be repaired before."""


def outlines(rings: Rings, shapes: int) -> Outlines:
    """The edges of all rings, sorted by shape and by left end."""
    points = totals(rings.owner, rings.count, shapes).astype(np.int64)
    first_point = offsets(points)
    parts = []
    for part in portions(points, POINTS_AT_ONCE):
        low, high = np.searchsorted(rings.owner, [part.start, part.stop])
        points_here = rings.points[first_point[part.start] :][: points[part].sum()]
        few = Rings(points_here, rings.count[low:high], rings.owner[low:high] - part.start, rings.hole[low:high])
        parts.append(_outlines(few, part.stop - part.start))
    return _joined(parts)


def _joined(parts: Sequence[Outlines]) -> Outlines:
    def column(of: Callable[[Outlines], Column]) -> Column:
        return np.concatenate([np.empty(0), *map(of, parts)])

    count = np.concatenate([np.empty(0, np.int64), *(part.count for part in parts)])
    return Outlines(
        start=offsets(count),
        count=count,
        left=column(lambda part: part.left),
        right=column(lambda part: part.right),
        y=column(lambda part: part.y),
        slope=column(lambda part: part.slope),
        sign=column(lambda part: part.sign),
        area=column(lambda part: part.area),
    )


def _outlines(rings: Rings, shapes: int) -> Outlines:
    successor = _successors(rings.count)
    x, y = np.ascontiguousarray(rings.points[:, 0]), np.ascontiguousarray(rings.points[:, 1])
    turn = _orientation(x, y, successor, rings)
    owner = np.repeat(rings.owner, rings.count)
    sign = np.repeat(turn, rings.count)
    x_next, y_next = x[successor], y[successor]
    slanted = np.flatnonzero(np.abs(x_next - x) > NARROWEST)
    order = slanted[_by_left_end(np.minimum(x, x_next)[slanted], owner[slanted])]
    return _edges(x, y, x_next, y_next, sign, owner, order, shapes)


def extents(drawn: Outlines, shapes: Positions) -> NDArray[np.float64]:
    """Left, top, right, bottom of shapes that have edges: (n, 4)."""
    _, edge = spread(drawn.start[shapes], drawn.count[shapes])
    first = offsets(drawn.count[shapes])
    begin, end = drawn.y[edge], drawn.y[edge] + drawn.slope[edge] * (drawn.right[edge] - drawn.left[edge])
    lowest = np.minimum.reduceat(np.minimum(begin, end), first)
    highest = np.maximum.reduceat(np.maximum(begin, end), first)
    return np.stack(
        [drawn.left[drawn.start[shapes]], lowest, np.maximum.reduceat(drawn.right[edge], first), highest], 1
    )


def _by_left_end(left: Column, owner: Positions) -> Positions:
    """The order by owner and left end. One sort of one key does it, unless rounding hides which left end is lower."""
    if not len(left):
        return np.empty(0, np.int64)
    order = np.argsort(owner * (np.ptp(left) * (1 + 1e-6) + 1) + (left - left.min()), kind="stable")
    ranked, same_owner = left[order], owner[order][1:] == owner[order][:-1]
    if np.any(same_owner & (ranked[1:] < ranked[:-1])):
        return np.lexsort((left, owner))
    return order


def _successors(count: Positions) -> Positions:
    """The position of the next point on the ring, the first one after the last."""
    start = offsets(count)
    following = np.arange(1, count.sum() + 1)
    filled = count > 0
    following[(start + count - 1)[filled]] = start[filled]
    return following


def _orientation(x: Column, y: Column, successor: Positions, rings: Rings) -> Column:
    """+1 or -1 per ring, so that its edges count +1 inside it; the other way round for a hole."""
    # relative to the ring's first point: far from the origin the products would lose the small differences
    origin = np.repeat(offsets(rings.count), rings.count)
    u, v = x - x[origin], y - y[origin]
    cross = u * v[successor] - u[successor] * v
    ring_of = np.repeat(np.arange(len(rings.count)), rings.count)
    signed = totals(ring_of, cross, len(rings.count))
    # an even bow tie adds up to 0: it needs a sign all the same, to be found out and repaired
    return np.where(rings.hole, -1.0, 1.0) * np.where(signed < 0, -1.0, 1.0)


def _edges(
    x: Column, y: Column, x_next: Column, y_next: Column, sign: Column, owner: Positions, order: Positions, shapes: int
) -> Outlines:
    x, y, x_next, y_next, sign = x[order], y[order], x_next[order], y_next[order], sign[order]
    owner = owner[order]
    forward = x < x_next
    width = x_next - x
    # a ring of positive area runs to the right below what it bounds (y up), and to the left above it
    sign = np.where(forward, -sign, sign)
    count = np.bincount(owner, minlength=shapes)
    return Outlines(
        start=offsets(count),
        count=count,
        left=np.where(forward, x, x_next),
        right=np.where(forward, x_next, x),
        y=np.where(forward, y, y_next),
        slope=(y_next - y) / width,
        sign=sign,
        area=np.maximum(totals(owner, sign * np.abs(width) * (y + y_next) / 2, shapes), 0.0),
    )
