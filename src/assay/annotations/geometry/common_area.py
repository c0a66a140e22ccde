"""Intersection over union: the area two shapes have in common, exactly, for many pairs of shapes at once.

IoU(A, B) = area(A and B) / area(A or B), in 0..1: 1 for the same shape, 0 for shapes apart, and 0 when a shape has no
area (fewer than three corners, a box without width): such a shape marks nothing.

Above a point inside a shape the signs s of its edges add up to 1, and to 0 outside, so

    area(A and B) = sum over edges i of A and j of B:  s_i s_j  integral of min(y_i, y_j) dx
                  = -1/2 sum of s_i s_j  integral of |y_i - y_j| dx

over the stretch of x both edges cover. The second line holds because min(a, b) = (a + b - |a - b|) / 2, and the signs
of all edges over one x add up to 0, so that the terms in y_i and y_j alone vanish. Exact for outlines that neither
cross themselves nor lie on top of each other within one shape (see `regions.repair_polygon`). Only edges that meet in
x are looked at. Areas agree with those of GEOS's overlay to a relative 1e-10, in a twentieth of the time where the
kernel is there (kernel/outlines.c, the same operations in the same order), a fifth where it is not.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import Positions, offsets, portions, spread, totals
from assay.annotations.shapes.columns import Rings
from assay.kernel import kernel

Column = NDArray[np.float64]
NARROWEST = 1e-12
"""Edges narrower than this count as upright: their slope would lose all digits."""


POINTS_AT_ONCE = 50_000
"""Keeps the intermediate columns within the processor's cache."""


@dataclass(frozen=True, eq=False, slots=True)
class Edges:
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


@dataclass(frozen=True, eq=False)
class Outlines:
    """Shapes by their rings, which are in order of their shapes. What is known of them is worked out when asked for."""

    rings: Rings
    shapes: int

    @property
    def count(self) -> Positions:
        """Edges of each shape that are not upright."""
        return self._figures[0]

    @property
    def area(self) -> Column:
        """Of each shape, taking the rings as they are: one that crosses itself must be repaired before."""
        return self._figures[1]

    @property
    def extent(self) -> NDArray[np.float64]:
        """Left, top, right, bottom of each shape that has edges: (n, 4)."""
        return self._figures[2]

    @cached_property
    def _figures(self) -> tuple[Positions, Column, NDArray[np.float64]]:
        extent = np.zeros((self.shapes, 4))
        if compiled := kernel():
            count, area = np.zeros(self.shapes, np.int64), np.zeros(self.shapes)
            compiled.outline_figures(self.given, count, area, extent)
            return count, area, extent
        drawn = np.flatnonzero(self.edges.count)
        if len(drawn):
            extent[drawn] = _extents(self.edges, drawn)
        return self.edges.count, self.edges.area, extent

    @cached_property
    def edges(self) -> Edges:
        """The edges of all rings, sorted by shape and by left end."""
        return edges_of(self.rings, self.shapes)

    @cached_property
    def given(self) -> tuple[NDArray[Any], ...]:
        """The rings as the kernel takes them."""
        return given_rings(self.rings, self.shapes)


def given_rings(rings: Rings, shapes: int) -> tuple[NDArray[Any], ...]:
    """Points, where each ring begins and the last ends, where the rings of each shape begin, and which are holes."""
    ring = np.append(rings.start, len(rings.points)).astype(np.int64)
    return np.ascontiguousarray(rings.points), ring, np.searchsorted(rings.owner, np.arange(shapes + 1)), rings.hole


def outlines(rings: Rings, shapes: int) -> Outlines:
    """The rings of so many shapes."""
    return Outlines(rings, shapes)


def edges_of(rings: Rings, shapes: int) -> Edges:
    """The edges of all rings, sorted by shape and by left end."""
    points = totals(rings.owner, rings.count, shapes).astype(np.int64)
    first_point = offsets(points)
    parts = []
    for part in portions(points, POINTS_AT_ONCE):
        low, high = np.searchsorted(rings.owner, [part.start, part.stop])
        nearby = rings.points[first_point[part.start] :][: points[part].sum()]
        few = Rings(nearby, rings.count[low:high], rings.owner[low:high] - part.start, rings.hole[low:high])
        parts.append(_outlines(few, part.stop - part.start))
    count = np.concatenate([np.empty(0, np.int64), *(part.count for part in parts)])
    names = ("left", "right", "y", "slope", "sign", "area")
    columns = {name: np.concatenate([np.empty(0), *(getattr(part, name) for part in parts)]) for name in names}
    return Edges(start=offsets(count), count=count, **columns)


def _outlines(rings: Rings, shapes: int) -> Edges:
    start, filled = offsets(rings.count), rings.count > 0
    successor = np.arange(1, rings.count.sum() + 1)  # the next point on the ring, the first one after the last
    successor[(start + rings.count - 1)[filled]] = start[filled]
    x, y = np.ascontiguousarray(rings.points[:, 0]), np.ascontiguousarray(rings.points[:, 1])
    sign = np.repeat(_orientation(x, y, successor, rings), rings.count)
    owner = np.repeat(rings.owner, rings.count)
    x_next, y_next = x[successor], y[successor]
    slanted = np.flatnonzero(np.abs(x_next - x) > NARROWEST)
    order = slanted[_by_left_end(np.minimum(x, x_next)[slanted], owner[slanted])]
    x, y, x_next, y_next, sign, owner = x[order], y[order], x_next[order], y_next[order], sign[order], owner[order]
    forward, width = x < x_next, x_next - x
    # a ring of positive area runs to the right below what it bounds (y up), and to the left above it
    sign = np.where(forward, -sign, sign)
    count = np.bincount(owner, minlength=shapes)
    return Edges(
        start=offsets(count),
        count=count,
        left=np.where(forward, x, x_next),
        right=np.where(forward, x_next, x),
        y=np.where(forward, y, y_next),
        slope=(y_next - y) / width,
        sign=sign,
        area=np.maximum(totals(owner, sign * np.abs(width) * (y + y_next) / 2, shapes), 0.0),
    )


def extents(drawn: Outlines, shapes: Positions) -> NDArray[np.float64]:
    """Left, top, right, bottom of shapes that have edges: (n, 4)."""
    return drawn.extent[shapes]


def _extents(drawn: Edges, shapes: Positions) -> NDArray[np.float64]:
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


EDGES_AT_ONCE = 60_000
"""Keeps the intermediate columns within the processor's cache."""


def common_areas(first: Outlines, second: Outlines, a: Positions, b: Positions) -> Column:
    """The area that shape a[p] of the first and shape b[p] of the second have in common, for every pair p."""
    total = np.zeros(len(a))
    if not len(first.rings.points) or not len(second.rings.points):
        return total
    order = np.argsort(a, kind="stable")  # neighbours in the file lie together: less to search through
    if compiled := kernel():
        shared = np.zeros(len(a))
        compiled.common_areas(first.given, second.given, a[order].astype(np.int64), b[order].astype(np.int64), shared)
        total[order] = shared
        return total
    return _common_areas(first.edges, second.edges, a, b, order)


def _common_areas(first: Edges, second: Edges, a: Positions, b: Positions, order: Positions) -> Column:
    total = np.zeros(len(a))
    if not len(first.left) or not len(second.left):
        return total
    axis = _Axis.around(first, second)
    keys_1, keys_2 = axis.left_ends(first), axis.left_ends(second)
    for part in portions((first.count[a] + second.count[b])[order], EDGES_AT_ONCE):
        p = order[part]
        total[p] = _beginning_within(first, keys_1, second, a[p], b[p], axis, and_with=True)
        total[p] += _beginning_within(second, keys_2, first, b[p], a[p], axis, and_with=False)
    return np.maximum(total, 0.0)


def own_areas(drawn: Outlines, which: Positions) -> Column:
    """The area each shape has in common with itself, where a part its edges wind around w times counts w^2 times."""
    if compiled := kernel():
        counted = np.zeros(drawn.shapes)
        compiled.winding(drawn.given, np.zeros(drawn.shapes), counted)
        return counted[which]
    shapes, total = drawn.edges, np.zeros(len(which))
    if not len(shapes.left):
        return total
    axis = _Axis.around(shapes, shapes)
    keys = axis.left_ends(shapes)
    for part in portions(shapes.count[which], EDGES_AT_ONCE):
        k = which[part]
        shape, j = spread(shapes.start[k], shapes.count[k])
        offset, nearby = _nearby(shapes, keys, k)
        high = offset + np.searchsorted(nearby, axis.place(k[shape], shapes.right[j]), side="right")
        # each two edges once, whichever comes first; an edge with itself adds nothing
        edge, i = spread(j + 1, np.maximum(high - j - 1, 0))
        total[part] = totals(shape[edge], 2 * _terms(shapes, shapes, i, j[edge]), len(k))
    return total


@dataclass(frozen=True, slots=True)
class _Axis:
    """One line on which the shapes lie one after the other, each with room for the x of all of them."""

    lowest: float
    step: float

    @classmethod
    def around(cls, first: Edges, second: Edges) -> "_Axis":
        lowest = min(first.left.min(), second.left.min())
        # the margin keeps the shapes apart whatever is lost in rounding
        return cls(lowest, (max(first.right.max(), second.right.max()) - lowest) * (1 + 1e-6) + 1)

    def place(self, shape: Positions, x: Column) -> Column:
        return shape * self.step + (x - self.lowest)

    def left_ends(self, shapes: Edges) -> Column:
        return self.place(np.repeat(np.arange(len(shapes.count)), shapes.count), shapes.left)


def _beginning_within(
    first: Edges, keys: Column, second: Edges, a: Positions, b: Positions, axis: _Axis, *, and_with: bool
) -> Column:
    """The part of the sum over edges of `first` that begin within an edge of `second`; and with it, if so asked."""
    pair, j = spread(second.start[b], second.count[b])
    shape = a[pair]
    offset, nearby = _nearby(first, keys, a)
    low = np.searchsorted(nearby, axis.place(shape, second.left[j]), side="left" if and_with else "right")
    # rounding is monotone but may make unequal ends equal: a few edges too many, which have no width in common
    high = np.searchsorted(nearby, axis.place(shape, second.right[j]), side="right")
    edge, i = spread(offset + low, np.maximum(high - low, 0))
    return totals(pair[edge], _terms(first, second, i, j[edge]), len(a))


def _nearby(shapes: Edges, keys: Column, which: Positions) -> tuple[int, Column]:
    """The part of the keys in which those of these shapes lie, and where it begins."""
    lowest, highest = which.min(), which.max()
    begin = int(shapes.start[lowest])
    return begin, keys[begin : int(shapes.start[highest] + shapes.count[highest])]


def _terms(first: Edges, second: Edges, i: Positions, j: Positions) -> Column:
    """-1/2 s_i s_j times the integral of |y_i - y_j| over the stretch of x that edges i and j share."""
    left_i, left_j, slope_i, slope_j = first.left[i], second.left[j], first.slope[i], second.slope[j]
    begin = np.maximum(left_i, left_j)
    width = np.maximum(np.minimum(first.right[i], second.right[j]) - begin, 0.0)
    at_begin = (first.y[i] + slope_i * (begin - left_i)) - (second.y[j] + slope_j * (begin - left_j))
    at_end = at_begin + (slope_i - slope_j) * width
    height = np.abs(at_begin + at_end)
    crossing = np.flatnonzero(at_begin * at_end < 0)
    p, q = at_begin[crossing], at_end[crossing]
    height[crossing] = (p * p + q * q) / np.abs(p - q)
    terms: Column = -0.25 * first.sign[i] * second.sign[j] * width * height
    return terms


def box_areas(bounds: NDArray[np.float64]) -> Column:
    """Areas of upright boxes (n, 4), 0 for one whose ends are swapped."""
    area: Column = np.maximum(bounds[:, 2] - bounds[:, 0], 0) * np.maximum(bounds[:, 3] - bounds[:, 1], 0)
    return area


def common_box_areas(first: NDArray[np.float64], second: NDArray[np.float64]) -> Column:
    """What box i of the one and box i of the other both cover."""
    width = np.minimum(first[:, 2], second[:, 2]) - np.maximum(first[:, 0], second[:, 0])
    height = np.minimum(first[:, 3], second[:, 3]) - np.maximum(first[:, 1], second[:, 1])
    area: Column = np.maximum(width, 0) * np.maximum(height, 0)
    return area


def intersection_over_union(common: Column, first: Column, second: Column) -> Column:
    """IoU from the three areas; rounding cannot carry it out of 0..1."""
    union = first + second - common
    share = np.divide(common, union, out=np.zeros_like(union), where=union > 0)
    return np.clip(share, 0.0, 1.0)


def box_iou(first: NDArray[np.float64], second: NDArray[np.float64]) -> Column:
    """IoU of upright boxes, pair by pair: (n, 4) and (n, 4) of left, top, right, bottom.

    >>> box_iou(np.array([[0.0, 0, 10, 10]]), np.array([[5.0, 0, 15, 10]])).round(4).tolist()
    [0.3333]
    """
    return intersection_over_union(common_box_areas(first, second), box_areas(first), box_areas(second))


def highest_iou(bounds_in_common: Column, first: Column, second: Column) -> Column:
    """The most the IoU of two shapes can be, knowing their areas and what their bounding boxes have in common."""
    return intersection_over_union(np.minimum(np.minimum(first, second), bounds_in_common), first, second)
