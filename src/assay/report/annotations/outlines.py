"""The shape of an annotation as lines and dots that can be drawn over its image."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.keypoints import point_key
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Polyline, Shape, Skeleton, Tag
from assay.report.document.overlay import Outline, Place

Drawn = tuple[tuple[Outline, ...], tuple[Place, ...]]
"""Lines and dots."""

CORNERS_OF_ELLIPSE = 48
MOST_PIXELS = 16_000_000
"""Of a mask's window; a larger one is drawn as its window."""
MOST_RUNS = 100_000
"""Of a mask; one of more runs is drawn as its window."""
MOST_POINTS = 1500
"""On a ring; a longer one is drawn through every second or third of them."""


def drawn_shape(shape: Shape, bones: Sequence[tuple[str, str]] = ()) -> Drawn:
    """How a shape is drawn; nothing for a tag, which has no place. `bones` are the joints of a skeleton to connect."""
    if isinstance(shape, Skeleton):
        there = zip(shape.names, shape.points, shape.visibility > 0, strict=True)
        joints = {point_key(name): point for name, point, seen in there if seen}
        ends = [(joints.get(point_key(a)), joints.get(point_key(b))) for a, b in bones]
        lines = tuple(_ring(np.array([a, b]), closed=False) for a, b in ends if a is not None and b is not None)
        if lines:
            return lines, _places(shape.points[shape.visibility > 0])
    return _DRAW[type(shape)](shape)


def _ring(points: NDArray[np.float64], *, closed: bool = True) -> Outline:
    step = -(-len(points) // MOST_POINTS) if len(points) else 1
    return Outline(tuple((x, y) for x, y in points[::step].tolist()), closed)


def _places(points: NDArray[np.float64]) -> tuple[Place, ...]:
    return tuple((x, y) for x, y in points.tolist())


def _turned(points: NDArray[np.float64], centre: Place, degrees: float) -> NDArray[np.float64]:
    angle = np.deg2rad(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray((points - centre) @ turn + centre)


def _box(box: Box) -> Drawn:
    left, top, right, bottom = float(box.left), float(box.top), float(box.right), float(box.bottom)
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    centre = ((left + right) / 2, (top + bottom) / 2)
    return (_ring(_turned(corners, centre, box.rotation) if box.rotation else corners),), ()


def _ellipse(ellipse: Ellipse) -> Drawn:
    angle = np.linspace(0, 2 * np.pi, CORNERS_OF_ELLIPSE, endpoint=False)
    rim = np.column_stack([ellipse.radius_x * np.cos(angle), ellipse.radius_y * np.sin(angle)])
    centre = (ellipse.x, ellipse.y)
    return (_ring(_turned(rim + centre, centre, ellipse.rotation)),), ()


def _cuboid(cuboid: Cuboid) -> Drawn:
    front, back = cuboid.corners[[0, 2, 3, 1]], cuboid.corners[[4, 6, 7, 5]]
    edges = tuple(_ring(np.array([near, far]), closed=False) for near, far in zip(front, back, strict=True))
    return (_ring(front), _ring(back), *edges), ()


def _skeleton(skeleton: Skeleton) -> Drawn:
    """Joints as dots within a frame, where the file does not say which belong together."""
    there = skeleton.points[skeleton.visibility > 0]
    if not len(there):
        return (), ()
    (left, top), (right, bottom) = there.min(axis=0).tolist(), there.max(axis=0).tolist()
    return _box(Box(left, top, right, bottom))[0], _places(there)


def drawn_window(mask: Mask) -> Drawn:
    """A mask as the box of its pixels' window, where its border would take too long."""
    return _box(Box(mask.left, mask.top, mask.left + mask.width, mask.top + mask.height))


def _mask(mask: Mask) -> Drawn:
    if mask.width * mask.height > MOST_PIXELS or len(mask.runs) > MOST_RUNS:
        return drawn_window(mask)
    inside = np.repeat(np.arange(len(mask.runs)) % 2 == 1, mask.runs)
    pixels = inside.reshape(mask.width, mask.height).T if mask.by_column else inside.reshape(mask.height, mask.width)
    return tuple(_ring(ring + np.array([mask.left, mask.top])) for ring in mask_rings(pixels)), ()


def mask_rings(pixels: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """The borders of the object, corner by corner, each with the object on its right.

    >>> mask_rings(np.array([[True, True]]))[0].tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]
    """
    edges = _edges(np.pad(pixels, 1))
    rings = []
    for start in sorted(edges, key=lambda corner: (corner[1], corner[0])):
        while start in edges:
            rings.append(_followed(edges, start))
    return rings


Corner = tuple[int, int]


def _edges(padded: NDArray[np.bool_]) -> dict[Corner, list[Corner]]:
    """From each corner on the border to the next: along the top of a pixel to the right, down its right side, ..."""
    edges: dict[Corner, list[Corner]] = {}
    inner = padded[1:-1, 1:-1]
    sides = (
        (~padded[:-2, 1:-1], (0, 0), (1, 0)),
        (~padded[1:-1, 2:], (1, 0), (1, 1)),
        (~padded[2:, 1:-1], (1, 1), (0, 1)),
        (~padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    for free, (x1, y1), (x2, y2) in sides:
        rows, columns = np.nonzero(inner & free)
        for x, y in zip(columns.tolist(), rows.tolist(), strict=True):
            edges.setdefault((x + x1, y + y1), []).append((x + x2, y + y2))
    return edges


def _followed(edges: dict[Corner, list[Corner]], start: Corner) -> NDArray[np.float64]:
    """One ring taken out of the edges; only its corners are kept."""
    ring = [start]
    corner, heading = start, (0, 0)
    while corner in edges:
        nexts = edges[corner]
        place = nexts.pop()
        if not nexts:
            del edges[corner]
        way = (place[0] - corner[0], place[1] - corner[1])
        if way == heading:
            ring[-1] = place
        else:
            ring.append(place)
        corner, heading = place, way
        if corner == start:
            break
    return np.array(ring[:-1] if ring[-1] == start else ring, dtype=float)


_DRAW: Mapping[type, Callable[[Any], Drawn]] = {
    Box: _box,
    Polygon: lambda polygon: (tuple(map(_ring, (*polygon.rings, *polygon.holes))), ()),
    Mask: _mask,
    Polyline: lambda line: ((_ring(line.points, closed=False),), ()),
    Points: lambda points: ((), _places(points.points)),
    Skeleton: _skeleton,
    Ellipse: _ellipse,
    Cuboid: _cuboid,
    Tag: lambda tag: ((), ()),
}
