"""Boxes, polygons, ellipses and cuboids as rings: what of the image each of them encloses."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.common_area import own_areas
from assay.annotations.geometry.outlines import Outlines, Rings, outlines
from assay.annotations.geometry.repair import hull, mended
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.ragged import Positions
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Polygon, Shape, ShapeKind

ELLIPSE_CORNERS = 256
"""An ellipse becomes a polygon of the same area; its border is nowhere off by more than 0.01 % of the radius."""

_TURN = np.linspace(0, 2 * np.pi, ELLIPSE_CORNERS, endpoint=False)
_SLICE = 2 * np.pi / ELLIPSE_CORNERS
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1) * np.sqrt(_SLICE / np.sin(_SLICE))


def polygon_of(shape: Shape) -> Polygon:
    """The polygon a shape encloses; a cuboid's is the hull of its corners; without rings for what encloses nothing."""
    match shape:
        case Polygon():
            return shape
        case Box():
            bounds = np.array([[shape.left, shape.top, shape.right, shape.bottom]])
            return Polygon((box_corners(bounds, np.array([shape.rotation]))[0],))
        case Ellipse():
            flat = _CIRCLE * [shape.radius_x, shape.radius_y]
            return Polygon((_turned(flat, np.array(shape.rotation)) + np.array([shape.x, shape.y]),))
        case Cuboid():
            return Polygon((hull(shape.corners),))
        case _:
            return Polygon(())


def box_corners(bounds: NDArray[np.float64], rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 4, 2): the corners of boxes turned clockwise (y points down) about their centres, by degrees."""
    middle, half = (bounds[:, :2] + bounds[:, 2:]) / 2, (bounds[:, 2:] - bounds[:, :2]) / 2
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    return _turned(square * half[:, None], rotation[:, None]) + middle[:, None]


def _turned(points: NDArray[np.float64], degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, y = points[..., 0], points[..., 1]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)


def region_outlines(annotations: AnnotationSet) -> Outlines:
    """The outlines of all annotations, mended where they cross; masks, lines, points and tags have none."""
    rings = _sound(*_drawn_rings(annotations))
    boxes = np.flatnonzero(annotations.kind == ShapeKind.BOX)
    corners = box_corners(annotations.bounds[boxes], annotations.rotation[boxes])
    return outlines(_with_boxes(rings, corners, boxes), len(annotations))


def _sound(rings: Rings, suspects: NDArray[np.bool_]) -> Rings:
    """The rings, those of shapes that cross themselves mended."""
    crossing = _crossing(rings, suspects)
    if not len(crossing):
        return rings
    anew = _rings([mended(rings.polygon(i)) for i in crossing.tolist()], crossing)
    kept = np.flatnonzero(~np.isin(rings.owner, crossing))
    which = np.concatenate([kept, len(rings.count) + np.arange(len(anew.count))])
    together = _joined(rings, anew)
    return together.chosen(which[np.argsort(together.owner[which], kind="stable")])


def _drawn_rings(annotations: AnnotationSet) -> tuple[Rings, NDArray[np.bool_]]:
    """The rings of polygons, ellipses and cuboids, and for each whether it may cross itself."""
    if isinstance(annotations.shape_of, ShapeColumns):
        rings, crossing = annotations.shape_of.rings, annotations.shape_of.crossing
    else:
        owners = np.flatnonzero(np.isin(annotations.kind, [ShapeKind.POLYGON, ShapeKind.ELLIPSE, ShapeKind.CUBOID]))
        rings, crossing = _rings([polygon_of(annotations.shape_of(i)) for i in owners.tolist()], owners), None
    return rings, np.ones(len(rings.count), np.bool_) if crossing is None else crossing


def _rings(polygons: Sequence[Polygon], owners: Positions) -> Rings:
    """The rings of the polygons, in order of their owners."""
    owned = zip(polygons, owners.tolist(), strict=True)
    drawn = [(ring, owner, k >= len(p.rings)) for p, owner in owned for k, ring in enumerate(p.rings + p.holes)]
    return Rings(
        points=np.concatenate([np.empty((0, 2)), *(ring for ring, _, _ in drawn)]),
        count=np.array([len(ring) for ring, _, _ in drawn], np.int64),
        owner=np.array([owner for _, owner, _ in drawn], np.int64),
        hole=np.array([hole for _, _, hole in drawn], np.bool_),
    )


def _joined(first: Rings, second: Rings) -> Rings:
    """The rings of the one and then those of the other."""
    return Rings(
        points=np.concatenate([first.points, second.points]),
        count=np.concatenate([first.count, second.count]),
        owner=np.concatenate([first.owner, second.owner]),
        hole=np.concatenate([first.hole, second.hole]),
    )


def _with_boxes(rings: Rings, corners: NDArray[np.float64], boxes: Positions) -> Rings:
    """The rings and those of the boxes, in order of their owners."""
    if not len(boxes):
        return rings
    four = Rings(corners.reshape(-1, 2), np.full(len(boxes), 4), boxes, np.zeros(len(boxes), np.bool_))
    together = _joined(rings, four)
    return together.chosen(np.argsort(together.owner, kind="stable")) if len(rings.count) else together


def _crossing(rings: Rings, suspects: NDArray[np.bool_]) -> Positions:
    """The shapes that may cross themselves: a ring of theirs does, or two rings overlap, or they have holes.

    Ring by ring as well as together, since the parts of one ring that are wound around the wrong way could make up for
    those that another winds around once too often. Holes are rare enough to be left to mending.
    """
    _, place, count = np.unique(rings.owner, return_inverse=True, return_counts=True)
    several = count[place] > 1
    some = rings.chosen(np.flatnonzero(suspects | several))  # of these shapes all rings
    shapes, number = np.unique(some.owner, return_inverse=True)
    apart = rings.chosen(np.flatnonzero(suspects & several & ~rings.hole))
    crossing = (
        rings.owner[rings.hole],
        shapes[_winds_twice(outlines(replace(some, owner=number), len(shapes)))],
        apart.owner[_winds_twice(outlines(replace(apart, owner=np.arange(len(apart.count))), len(apart.count)))],
    )
    return np.unique(np.concatenate(crossing))


def _winds_twice(drawn: Outlines) -> NDArray[np.bool_]:
    """Whether the edges of each shape wind around some part other than once.

    What is wound around w times counts w^2 times in the sum over pairs of the shape's own edges, and w times in its
    area: both agree only if w is 0 or 1 everywhere.
    """
    counted = own_areas(drawn, np.arange(len(drawn.count)))
    return np.asarray(np.abs(counted - drawn.area) > 1e-9 * counted)
