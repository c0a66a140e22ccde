"""Polygons and boxes as several readers make them, and what is put right in them."""

from collections.abc import Callable

from assay.annotations.shapes.shapes import Box, Coordinates, Polygon
from assay.errors import InputError
from assay.io.annotations.coordinates import without_closing_point

Mended = Callable[[str], None]
"""Called with what was put right in a shape."""


def polygon_of(points: Coordinates, mended: Mended) -> Polygon:
    """A polygon of one ring; InputError when it has too few points."""
    ring = without_closing_point(points)
    if len(ring) < len(points):
        mended("a polygon repeats its first point at the end: the repetition was dropped")
    if len(ring) < 3:
        raise InputError("a polygon has fewer than three points")
    return Polygon((ring,))


def box_of_edges(left: float, top: float, right: float, bottom: float, mended: Mended, rotation: float = 0.0) -> Box:
    """A box whose edges are in order."""
    if right < left or bottom < top:
        mended("a box's right or lower edge lies before its left or upper edge: the edges were swapped")
        left, right = sorted((left, right))
        top, bottom = sorted((top, bottom))
    if left == right or top == bottom:
        mended("a box has no area")
    return Box(left, top, right, bottom, rotation)
