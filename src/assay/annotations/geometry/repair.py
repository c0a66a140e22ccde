"""Outlines that cross themselves or each other, taken apart and put together as GEOS does, by the even-odd rule.

A point is inside a ring if a line from it to the outside crosses the ring an odd number of times: a bow tie is two
triangles, and what a star winds around twice is a hole. The rings of one polygon are united, its holes cut out. One
departure: a stretch of border that is drawn twice counts once for GEOS.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from assay.annotations.shapes.shapes import Coordinates, Polygon


def mended(polygon: Polygon) -> Polygon:
    """The same area as rings and holes that neither cross themselves nor overlap; none where nothing is enclosed."""
    region = shapely.union_all(_valid(polygon.rings))
    if polygon.holes:
        region = shapely.difference(region, shapely.union_all(_valid(polygon.holes)))
    parts = [part for part in shapely.get_parts(region, return_index=False) if part.geom_type == "Polygon"]
    return Polygon(
        rings=tuple(_open(part.exterior) for part in parts),
        holes=tuple(_open(ring) for part in parts for ring in part.interiors),
    )


def hull(points: Coordinates) -> Coordinates:
    """The corners of the smallest convex shape around the points; none if they lie on one line."""
    around = shapely.convex_hull(shapely.multipoints(points))
    return _open(around.exterior) if around.geom_type == "Polygon" else np.empty((0, 2))


def _valid(rings: Sequence[Coordinates]) -> list[shapely.Geometry]:
    return [part for ring in rings if len(ring) >= 3 for part in _areas(shapely.make_valid(shapely.Polygon(ring)))]


def _areas(geometry: shapely.Geometry) -> Iterator[shapely.Geometry]:
    """The polygons of what make_valid returns, which may come with stray lines and points."""
    for part in shapely.get_parts(geometry):
        if part.geom_type == "GeometryCollection":
            yield from _areas(part)
        elif part.geom_type == "MultiPolygon":
            yield from shapely.get_parts(part)
        elif part.geom_type == "Polygon":
            yield part


def _open(ring: shapely.LinearRing) -> Coordinates:
    points: Coordinates = shapely.get_coordinates(ring)[:-1]
    return points
