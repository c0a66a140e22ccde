"""Outlines of areal shapes as polygons: corners, ellipses, rings that cross themselves, hulls."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from assay.annotations.geometry.common_area import Outlines, outlines, own_areas
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.arrays import Positions
from assay.annotations.shapes.columns import Rings, ShapeColumns
from assay.annotations.shapes.shapes import (
    Box,
    Coordinates,
    Cuboid,
    Ellipse,
    Polygon,
    Shape,
    ShapeKind,
)

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
    """The outlines of all annotations, repaired where they cross; masks, lines, points and tags have none."""
    if isinstance(annotations.shape_of, ShapeColumns):
        rings, suspects = annotations.shape_of.rings, annotations.shape_of.crossing
    else:
        owners = np.flatnonzero(np.isin(annotations.kind, [ShapeKind.POLYGON, ShapeKind.ELLIPSE, ShapeKind.CUBOID]))
        rings, suspects = _rings([polygon_of(annotations.shape_of(i)) for i in owners.tolist()], owners), None
    crossing = _crossing(rings, np.ones(len(rings.count), np.bool_) if suspects is None else suspects)
    if len(crossing):
        sound = rings.where(~np.isin(rings.owner, crossing))
        rings = _merged(sound, _rings([repair_polygon(rings.polygon(i)) for i in crossing.tolist()], crossing))
    boxes = np.flatnonzero(annotations.kind == ShapeKind.BOX)
    if len(boxes):
        corners = box_corners(annotations.bounds[boxes], annotations.rotation[boxes]).reshape(-1, 2)
        rings = _merged(rings, Rings(corners, np.full(len(boxes), 4), boxes, np.zeros(len(boxes), np.bool_)))
    return outlines(rings, len(annotations))


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


def _merged(first: Rings, second: Rings) -> Rings:
    """The rings of both, in order of their owners."""
    if not len(first.count):
        return second
    columns = ("points", "count", "owner", "hole")
    both = Rings(*(np.concatenate([getattr(first, name), getattr(second, name)]) for name in columns))
    return both.chosen(np.argsort(both.owner, kind="stable"))


def _crossing(rings: Rings, suspects: NDArray[np.bool_]) -> Positions:
    """The shapes that may cross themselves: a ring of theirs does, or two rings overlap, or they have holes.

    Ring by ring as well as together, since the parts of one ring that are wound around the wrong way could make up for
    those that another winds around once too often. Holes are rare enough to be left to repair.
    """
    _, place, count = np.unique(rings.owner, return_inverse=True, return_counts=True)
    several = count[place] > 1
    whole = rings.chosen(np.flatnonzero(suspects | several))  # of these shapes all rings
    shapes, number = np.unique(whole.owner, return_inverse=True)
    apart = rings.chosen(np.flatnonzero(suspects & several & ~rings.hole))
    crossing = (
        rings.owner[rings.hole],
        shapes[_winds_twice(outlines(replace(whole, owner=number), len(shapes)))],
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


def repair_polygon(polygon: Polygon) -> Polygon:
    """The same area as rings and holes that neither cross themselves nor overlap; none where nothing is enclosed.

    Taken apart and put together as GEOS does, by the even-odd rule: a point is inside a ring if a line from it to the
    outside crosses the ring an odd number of times. A bow tie is two triangles, and what a star winds around twice is a
    hole. The rings of one polygon are united, its holes cut out. One departure: a stretch of border that is drawn twice
    counts once for GEOS.
    """
    region = shapely.union_all(_valid(polygon.rings))
    if polygon.holes:
        region = shapely.difference(region, shapely.union_all(_valid(polygon.holes)))
    parts = [part for part in shapely.get_parts(region) if isinstance(part, shapely.Polygon)]
    return Polygon(
        rings=tuple(_open_ring(part.exterior) for part in parts),
        holes=tuple(_open_ring(ring) for part in parts for ring in part.interiors),
    )


def hull(points: Coordinates) -> Coordinates:
    """The corners of the smallest convex shape around the points; none if they lie on one line."""
    around = shapely.convex_hull(shapely.multipoints(points))
    return _open_ring(around.exterior) if isinstance(around, shapely.Polygon) else np.empty((0, 2))


def _valid(rings: Sequence[Coordinates]) -> list[shapely.Geometry]:
    return [part for ring in rings if len(ring) >= 3 for part in _areas(shapely.make_valid(shapely.Polygon(ring)))]


def _areas(geometry: shapely.Geometry) -> Iterator[shapely.Geometry]:
    """The polygons of what make_valid returns, which may come with stray lines and points."""
    for part in shapely.get_parts(geometry):
        if isinstance(part, shapely.GeometryCollection | shapely.MultiPolygon):
            yield from _areas(part)
        elif isinstance(part, shapely.Polygon):
            yield part


def _open_ring(ring: shapely.LinearRing) -> Coordinates:
    points: Coordinates = shapely.get_coordinates(ring)[:-1]
    return points


REGIONS = np.isin(
    np.arange(len(ShapeKind)), [ShapeKind.BOX, ShapeKind.POLYGON, ShapeKind.MASK, ShapeKind.ELLIPSE, ShapeKind.CUBOID]
)
"""Kinds that cover part of the image."""
