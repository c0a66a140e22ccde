"""Coordinates, boxes, polygons and masks as several readers make them: what is refused and what is repaired.

Outlines that cross themselves are a quarter of the polygons in some real files. They are scored, and counted here.
Masks are runs as `Mask` holds them, background and object in turn, background first.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import atan2, degrees, hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Image
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Coordinates, Ellipse, Polygon, ShapeKind
from assay.errors import InputError
from assay.execution.limits import check
from assay.kernel import kernel

CORRECT_SIZE = "Correct the image's size."
FARTHEST = 1e7
"""No image is 10 million pixels wide: a coordinate beyond it is a mistake, and squares of it lose all precision."""
OnRepair = Callable[[str], None]
"""Called with what was put right in a shape."""
PIXELS_OFF = 1.0
SHARE_OFF = 0.02
"""How far corners may lie from those of a rectangle: a pixel, or this share of its diagonal."""
TESTS, TESTS_OF_A_POINT = 200_000_000, 64
"""Pairs of segments that are looked at to see whether outlines cross themselves: a second's work, and more for more."""
WHAT = "a polygon's outline crosses itself: the area it encloses is scored"


def number(value: Any, name: str) -> float:
    """A coordinate or size of JSON that may hold anything; InputError, without file and place, when it is none.

    >>> number(3, "x")
    3.0
    """
    if value is None:
        raise InputError(f"{name} is missing or null")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} is not a number")
    if not abs(value) <= FARTHEST:  # NaN compares as False
        raise InputError(f"{name} is not finite or beyond {FARTHEST:.0f}")
    return float(value)


def place(text: str | None, name: str) -> float:
    """A coordinate from text; InputError when it is none."""
    if text is None:
        raise InputError(f"{name} is missing")
    try:
        return number(float(text), name)
    except ValueError:
        raise InputError(f"{name} is not a number") from None


def places(text: str | None, name: str = "points") -> Coordinates:
    """Points from "x,y;x,y".

    >>> places("1.0,2;3,4").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if not text or not text.strip():
        raise InputError(f"{name} is missing or empty")
    pairs = [pair.split(",") for pair in text.strip().strip(";").split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{name} holds something else than pairs x,y")
    try:
        return _usable_points([[float(x), float(y)] for x, y in pairs], name)
    except ValueError:
        raise InputError(f"{name} holds something that is not a number") from None


def point_list(value: Any, name: str = "points") -> Coordinates:
    """Points from [[x, y], [x, y]] of JSON that may hold anything.

    >>> point_list([[1, 2], [3, 4]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if not isinstance(value, list) or not value:
        raise InputError(f"{name} is missing or empty")
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise InputError(f"{name} holds something else than pairs [x, y]")
    if not all(type(v) in {int, float} for pair in value for v in pair):
        raise InputError(f"{name} holds something that is not a number")
    return _usable_points(value, name)


def _usable_points(pairs: Sequence[Sequence[float]], name: str) -> Coordinates:
    try:
        points = np.array(pairs, np.float64)
    except OverflowError:
        points = np.full((1, 2), np.nan)
    if not (np.abs(points) <= FARTHEST).all():  # NaN compares as False
        raise InputError(f"{name} holds a number that is not finite or beyond {FARTHEST:.0f}")
    return read_only(points)


def listed_twice(known: Image, image: Image, source: str) -> InputError:
    """The error for two images of one name."""
    problem = (
        f"image {image.name!r} is listed twice, as {known.width:g} x {known.height:g} and as "
        f"{image.width:g} x {image.height:g} pixels"
    )
    return InputError(problem, source=source, remedy="Give each image a name of its own.")


def checked_size(width: float, height: float) -> tuple[float, float]:
    """The size of an image; InputError when it is negative."""
    if width < 0 or height < 0:
        raise InputError(f"the size {width:g} x {height:g} is negative")
    return width, height


def polygon_of(points: Coordinates, on_repair: OnRepair) -> Polygon:
    """A polygon of one ring; InputError when it has too few points."""
    ring = points
    if len(points) > 3 and bool((points[0] == points[-1]).all()):
        ring = points[:-1]
        on_repair("a polygon repeats its first point at the end: the repetition was dropped")
    if len(ring) < 3:
        raise InputError("a polygon has fewer than three points")
    return Polygon((ring,))


def box_of_edges(
    left: float, top: float, right: float, bottom: float, on_repair: OnRepair, rotation: float = 0.0
) -> Box:
    """A box whose edges are in order."""
    if right < left or bottom < top:
        on_repair("a box's right or lower edge lies before its left or upper edge: the edges were swapped")
        left, right = sorted((left, right))
        top, bottom = sorted((top, bottom))
    if left == right or top == bottom:
        on_repair("a box has no area")
    return Box(left, top, right, bottom, rotation)


def ellipse_of(
    x: float, y: float, radius_x: float, radius_y: float, on_repair: OnRepair, rotation: float = 0.0
) -> Ellipse:
    """An ellipse whose radii are not negative; InputError when they are."""
    if radius_x < 0 or radius_y < 0:
        raise InputError("an ellipse has a negative radius")
    if radius_x == 0 or radius_y == 0:
        on_repair("an ellipse has no area")
    return Ellipse(x, y, radius_x, radius_y, rotation)


def box_of_corners(corners: Coordinates) -> Box | None:
    """The rectangle with four corners in order of its outline; None when they form none.

    The rotation is the smallest that does it, from -45 to 45 degrees: an upright rectangle is an upright box, with
    whichever corner it begins.

    >>> box_of_corners(np.array([[4.0, 0.0], [4.0, 2.0], [0.0, 2.0], [0.0, 0.0]]))
    Box(left=0.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """
    diagonals = np.hypot(*(corners[2:] - corners[:2]).T)
    allowed = max(PIXELS_OFF, SHARE_OFF * float(diagonals.max()))
    apart = np.hypot(*(corners[0] + corners[2] - corners[1] - corners[3]))
    if float(apart) > 2 * allowed or abs(float(diagonals[0] - diagonals[1])) > allowed:
        return None
    along = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    across = (corners[2] - corners[1] + corners[3] - corners[0]) / 2
    x, y = map(float, corners.mean(axis=0))
    return box_about(x, y, hypot(*along), hypot(*across), degrees(atan2(along[1], along[0])))


def box_about(x: float, y: float, width: float, height: float, rotation: float) -> Box:
    """The box of a centre, a size and a turn in degrees, which becomes the smallest that does it.

    >>> box_about(2, 1, 2, 4, 90)
    Box(left=0.0, top=0.0, right=4.0, bottom=2.0, rotation=0.0)
    """
    quarters = round(rotation / 90)
    left_over = round(rotation - 90 * quarters, 9) % 360.0
    if quarters % 2:
        width, height = height, width
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, left_over)


def report_self_intersections(annotations: AnnotationSet) -> AnnotationSet:
    """The same set with a problem that counts the polygons whose outline crosses itself."""
    owners: list[int] = []
    rings: list[Coordinates] = []
    for i in np.flatnonzero(annotations.kind == ShapeKind.POLYGON).tolist():
        shape = annotations.shape_of(i)
        if isinstance(shape, Polygon):
            rings += shape.rings
            owners += [i] * len(shape.rings)
    lengths = np.array([len(ring) for ring in rings])
    crossing = self_intersections(np.concatenate(rings), lengths) if rings else None
    if crossing is None or not crossing.any():
        return annotations
    polygons = np.unique(np.array(owners)[crossing])
    problem = self_intersection_problem(annotations, int(polygons[0]), int(polygons.size))
    return replace(annotations, problems=(*annotations.problems, problem))


def self_intersection_problem(annotations: AnnotationSet, first: int, count: int) -> FileProblem:
    """The line that tells of them."""
    image = annotations.images[int(annotations.image[first])].name
    return FileProblem(f"image {image!r}, annotation {annotations.ids[first]}", WHAT, count)


def self_intersections(points: Coordinates, lengths: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Which of the rings, laid end to end in `points`, cross or touch themselves.

    None when shapely is not installed: reading goes without it, scoring does not. InputError for a ring of too many
    points; what crosses itself may have fewer, since the crossings are as many as the square of them.
    """
    check("polygon_points", int(lengths.max(initial=0)))
    crossing = _by_kernel(points, lengths)
    if crossing is None:
        try:
            import shapely  # noqa: PLC0415  optional, and slow to load
        except ImportError:
            return None
        rings = shapely.linearrings(points, indices=np.repeat(np.arange(len(lengths)), lengths))
        crossing = ~np.asarray(shapely.is_simple(rings))
    check("crossing_points", int(lengths[crossing].max(initial=0)))
    return crossing


def _by_kernel(points: Coordinates, lengths: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """The same by the compiled kernel; None where it was not built."""
    compiled = kernel()
    if compiled is None:
        return None
    crossing, ends = np.zeros(len(lengths), np.uint8), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tests = TESTS + TESTS_OF_A_POINT * len(points)
    if not compiled.self_crossing(np.ascontiguousarray(points), ends, crossing, tests):
        problem = f"its outlines have {len(points):,} points that run to and fro beside each other: too many to compare"
        raise InputError(problem, remedy="Draw simpler outlines, or divide the file.")
    return np.asarray(crossing != 0)
