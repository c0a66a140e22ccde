"""Outlines that cross themselves: a quarter of the polygons in some real files. They are scored, and counted here."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.annotations.shapes.shapes import Coordinates, Polygon, ShapeKind

WHAT = "a polygon's outline crosses itself: the area it encloses is scored"


def report_crossing_rings(annotations: AnnotationSet) -> AnnotationSet:
    """The same set with a problem that counts the polygons whose outline crosses itself."""
    owners: list[int] = []
    rings: list[Coordinates] = []
    for i in np.flatnonzero(annotations.kind == ShapeKind.POLYGON).tolist():
        shape = annotations.shape_of(i)
        if isinstance(shape, Polygon):
            rings += shape.rings
            owners += [i] * len(shape.rings)
    if not rings:
        return annotations
    lengths = np.array([len(ring) for ring in rings])
    crossing = self_intersections(np.concatenate(rings), lengths)
    if crossing is None:
        return annotations
    found = np.unique(np.array(owners)[crossing])
    if not found.size:
        return annotations
    problem = crossing_problem(annotations, int(found[0]), int(found.size))
    return replace(annotations, problems=(*annotations.problems, problem))


def crossing_problem(annotations: AnnotationSet, first: int, count: int) -> FileProblem:
    """The line that tells of them."""
    image = annotations.images[int(annotations.image[first])].name
    return FileProblem(f"image {image!r}, annotation {annotations.ids[first]}", WHAT, count)


def self_intersections(points: Coordinates, lengths: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Which of the rings, laid end to end in `points`, cross or touch themselves.

    None when shapely is not installed: reading goes without it, scoring does not.
    """
    try:
        import shapely  # noqa: PLC0415  optional, and slow to load
    except ImportError:
        return None
    return ~np.asarray(
        shapely.is_simple(shapely.linearrings(points, indices=np.repeat(np.arange(len(lengths)), lengths)))
    )
