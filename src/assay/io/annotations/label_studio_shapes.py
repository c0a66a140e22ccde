"""The shapes of Label Studio: percentages of the image's width and height, told apart by what they hold, and strokes.

A rectangle is turned about its upper left corner and not about its centre; angles are in degrees, clockwise. Source:
Label Studio's documentation, "Units of image annotations" and the tags RectangleLabels and EllipseLabels.
Each raises InputError, without file and place, for a shape that cannot be taken.

Run lengths of brush strokes are a stream of bits: 32 for the count of values, 5 for the size of a value less 1, four
times 4 for the sizes of lengths less 1; then blocks of a flag, 2 bits that choose one of the four sizes, a length less
1, and one value for all of the block (flag 1) or each of its values (flag 0). Values are bytes: red, green, blue and
opacity of each pixel, row by row. A pixel belongs to the object where opacity is not 0, as in Label Studio's own export
to COCO. Sources: thi.ng/umbrella, packages/rle-pack; label-studio-converter, brush.py (decode_rle, ls_rle_to_coco_rle).
"""

from collections.abc import Callable, Mapping
from math import cos, radians, sin
from typing import Any

import numpy as np

from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polyline, Shape
from assay.errors import InputError
from assay.io.annotations.masks import Runs, check_runs, runs_of_stretches
from assay.io.annotations.shape_validation import OnRepair, box_of_edges, number, point_list, polygon_of

CHANNELS = 4
OPACITY = 3
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
    points = read_only(shares * np.array(size) / 100.0)
    if value.get("closed") is False:
        on_repair("a polygon was not closed: it is read as a line")
        return Polyline(points)
    return polygon_of(points, on_repair)


def _keypoint(value: Stated, size: Size, _: OnRepair) -> Points:
    return Points(read_only(np.array([[_percent(value, "x", size[0]), _percent(value, "y", size[1])]])))


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


class _Bits:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def read(self, size: int) -> int:
        first, end = self.at >> 3, self.at + size
        last = (end + 7) >> 3
        if last > len(self.content):
            raise InputError("the run lengths of a brush stroke break off")
        self.at = end
        return (int.from_bytes(self.content[first:last], "big") >> (last * 8 - end)) & ((1 << size) - 1)


def runs_of_brush(stated: Any, width: int, height: int) -> Runs:
    """Runs row by row over width x height pixels; InputError when the stream is broken or of another size.

    Long blocks are never written out, so a short stream cannot claim much memory.
    """
    if not isinstance(stated, list) or not all(type(byte) is int and 0 <= byte <= 255 for byte in stated):
        raise InputError("the run lengths of a brush stroke are not a list of bytes")
    bits, expected = _Bits(bytes(stated)), width * height * CHANNELS
    count, word = bits.read(32), bits.read(5) + 1
    sizes = [bits.read(4) + 1 for _ in range(4)]
    if count != expected or word != 8:
        raise InputError("the run lengths of a brush stroke are not those of an image of the stated size")
    drawn: list[bool] = []  # whether pixels are drawn, and how many in a row
    lengths: list[int] = []
    at = 0
    while at < count:
        same = bits.read(1)
        end = at + 1 + bits.read(sizes[bits.read(2)])
        if end > count:
            raise InputError("the run lengths of a brush stroke are longer than the image")
        if same:
            drawn.append(bits.read(word) > 0)
            lengths.append(end // CHANNELS - at // CHANNELS)  # so many values of opacity are among them
        else:
            values = bits.read(word * (end - at)).to_bytes(end - at, "big")
            opacity = values[(OPACITY - at) % CHANNELS :: CHANNELS]
            drawn += [value > 0 for value in opacity]
            lengths += [1] * len(opacity)
        at = end
    runs = runs_of_stretches(np.array(drawn, np.bool_), np.array(lengths, np.int64))
    check_runs(runs, width, height)
    return runs
