"""The shapes of Label Studio: percentages of the image's width and height, told apart by what they hold.

A rectangle is turned about its upper left corner and not about its centre; angles are in degrees, clockwise. Source:
Label Studio's documentation, "Units of image annotations" and the tags RectangleLabels and EllipseLabels.
Each raises InputError, without file and place, for a shape that cannot be taken.
"""

from collections.abc import Callable, Mapping
from math import cos, radians, sin
from typing import Any

import numpy as np

from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polyline, Shape
from assay.errors import InputError
from assay.io.annotations.label_studio.brush_runs import runs_of_brush
from assay.io.annotations.shape_validation import OnRepair, box_of_edges, polygon_of
from assay.io.json.values import number, point_list

FARTHEST_PERCENT = 200.0
"""A shape may leave its image, but not by more than its size: such numbers are pixels."""

Size = tuple[float, float]
Stated = Mapping[str, Any]


def shape_of(value: Stated, size: Size, on_repair: OnRepair) -> Shape | None:
    """The shape of a result; None when it has none, as a choice."""
    for keys, read in SHAPES:
        if keys <= value.keys():
            return read(value, size, on_repair)
    return None


def _rectangle(value: Stated, size: Size, on_repair: OnRepair) -> Box:
    left, top = _percent(value, "x", size[0]), _percent(value, "y", size[1])
    width, height = _percent(value, "width", size[0]), _percent(value, "height", size[1])
    turn = number(value.get("rotation") or 0, "rotation")
    if width < 0 or height < 0:
        raise InputError("a rectangle has a negative width or height")
    c, s = cos(radians(turn)), sin(radians(turn))
    x, y = (c * width - s * height) / 2, (s * width + c * height) / 2  # from the corner to the centre
    shift_x, shift_y = (x - width / 2, y - height / 2) if turn else (0.0, 0.0)
    edges = left + shift_x, top + shift_y, left + width + shift_x, top + height + shift_y
    return box_of_edges(*edges, on_repair, turn % 360.0)


def _ellipse(value: Stated, size: Size, on_repair: OnRepair) -> Ellipse:
    radius_x, radius_y = _percent(value, "radiusX", size[0]), _percent(value, "radiusY", size[1])
    if radius_x < 0 or radius_y < 0:
        raise InputError("an ellipse has a negative radius")
    if radius_x == 0 or radius_y == 0:
        on_repair("an ellipse has no area")
    turn = number(value.get("rotation") or 0, "rotation")
    return Ellipse(_percent(value, "x", size[0]), _percent(value, "y", size[1]), radius_x, radius_y, turn % 360.0)


def _points(value: Stated, size: Size, on_repair: OnRepair) -> Shape:
    shares = point_list(value["points"])
    if np.abs(shares).max() > FARTHEST_PERCENT:
        raise InputError("points are not percentages of the image's size")
    points = shares * np.array(size) / 100.0
    points.flags.writeable = False
    if value.get("closed") is False:
        on_repair("a polygon was not closed: it is read as a line")
        return Polyline(points)
    return polygon_of(points, on_repair)


def _keypoint(value: Stated, size: Size, _: OnRepair) -> Points:
    points = np.array([[_percent(value, "x", size[0]), _percent(value, "y", size[1])]])
    points.flags.writeable = False
    return Points(points)


def _brush(value: Stated, size: Size, _: OnRepair) -> Mask:
    width, height = int(size[0]), int(size[1])
    if width != size[0] or height != size[1]:
        raise InputError("a brush stroke's image has no whole number of pixels")
    return Mask(0, 0, width, height, runs_of_brush(value["rle"], width, height), by_column=False)


SHAPES: tuple[tuple[frozenset[str], Callable[[Stated, Size, OnRepair], Shape]], ...] = (
    (frozenset({"rle"}), _brush),
    (frozenset({"x", "y", "radiusX", "radiusY"}), _ellipse),
    (frozenset({"points"}), _points),
    (frozenset({"x", "y", "width", "height"}), _rectangle),
    (frozenset({"x", "y"}), _keypoint),
)
"""What a value holds -> the reader of its shape; the first that fits."""


def _percent(value: Stated, name: str, whole: float) -> float:
    share = number(value.get(name), name)
    if abs(share) > FARTHEST_PERCENT:
        raise InputError(f"{name} is not a percentage of the image's size")
    return share * whole / 100.0
