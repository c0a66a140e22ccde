"""The shapes people draw, in image coordinates: x to the right, y down, pixel (i, j) covers [j, j+1) x [i, i+1)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Coordinates: TypeAlias = NDArray[np.float64]
"""(points, 2): x and y."""


class ShapeKind(IntEnum):
    """What tool an annotation was drawn with."""

    BOX = 0
    POLYGON = 1
    MASK = 2
    POLYLINE = 3
    POINTS = 4
    SKELETON = 5
    ELLIPSE = 6
    CUBOID = 7
    TAG = 8

    @property
    def word(self) -> str:
        return self.name.lower()


FAMILY: dict[ShapeKind, str] = {
    **{ShapeKind.BOX: "box", ShapeKind.POLYGON: "area", ShapeKind.MASK: "area", ShapeKind.ELLIPSE: "area"},
    **{ShapeKind.POLYLINE: "line", ShapeKind.POINTS: "points", ShapeKind.SKELETON: "skeleton"},
    **{ShapeKind.CUBOID: "cuboid", ShapeKind.TAG: "tag"},
}
"""Kinds of one family are compared with each other: a polygon may meet a mask, but not a box."""
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(FAMILY.values()))
FAMILY_OF_KIND = np.array([FAMILIES.index(FAMILY[kind]) for kind in ShapeKind], np.uint8)
AREAL = [FAMILIES.index(name) for name in ("box", "area", "cuboid")]
"""Families whose similarity is an overlap of areas."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright or turned rectangle. `rotation` in degrees, clockwise, about its centre."""

    left: float
    top: float
    right: float
    bottom: float
    rotation: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Polygon:
    """One or several closed rings, together one object; holes are cut out of them. No closing point is repeated."""

    rings: tuple[Coordinates, ...]
    holes: tuple[Coordinates, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Mask:
    """The pixels of an object, as runs within a window of the image.

    `runs` alternate background and object, background first, column by column (as COCO) or row by row (as CVAT), and
    add up to width x height.
    """

    left: int
    top: int
    width: int
    height: int
    runs: NDArray[np.int64]
    by_column: bool


@dataclass(frozen=True, eq=False, slots=True)
class Polyline:
    """An open line."""

    points: Coordinates


@dataclass(frozen=True, eq=False, slots=True)
class Points:
    """One or several points without names."""

    points: Coordinates


@dataclass(frozen=True, eq=False, slots=True)
class Skeleton:
    """Named points: `visibility` is 0 absent, 1 hidden, 2 visible, as in COCO."""

    names: tuple[str, ...]
    points: Coordinates
    visibility: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Ellipse:
    """`rotation` in degrees, clockwise, about its centre."""

    x: float
    y: float
    radius_x: float
    radius_y: float
    rotation: float = 0.0


@dataclass(frozen=True, eq=False, slots=True)
class Cuboid:
    """A box in space as its eight corners in the image, in CVAT's order: (8, 2).

    Front top-left, bottom-left, top-right, bottom-right, then the back in the same order.
    """

    corners: Coordinates


@dataclass(frozen=True, slots=True)
class Tag:
    """A label for the whole image."""


Shape: TypeAlias = Box | Polygon | Mask | Polyline | Points | Skeleton | Ellipse | Cuboid | Tag


def bounds_of_runs(runs: NDArray[np.int64], lines: int, length: int) -> tuple[int, int, int, int] | None:
    """First and past-last line, first and past-last place along the line, of the object; None when it has no pixel.

    `lines` run one after the other, each `length` long: columns in COCO, rows in CVAT.

    >>> bounds_of_runs(np.array([0, 20, 30]), 5, 10)
    (0, 2, 0, 10)
    """
    ends = np.cumsum(runs)
    starts = ends - runs
    first, past = starts[1::2], ends[1::2]
    drawn = past > first
    first, past = first[drawn], past[drawn]
    if not first.size or lines <= 0:
        return None
    line, last_line = first // length, (past - 1) // length
    along, last_along = first % length, (past - 1) % length
    wraps = line < last_line
    low = int(np.where(wraps, 0, along).min())
    high = int(np.where(wraps, length - 1, last_along).max()) + 1
    return int(line.min()), int(last_line.max()) + 1, low, high
