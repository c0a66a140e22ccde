"""LabelMe: one JSON file per image -> `AnnotationSet`.

Source: labelme's labelme/label_file.py and utils/shape.py; X-AnyLabeling, which writes the same files, for `rotation`,
`attributes` and `difficult`. A circle is its centre and a point on it. A mask is a PNG in base64 within the window of
its two points, both of them included.
"""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import hypot, isfinite
from pathlib import PurePosixPath
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.shapes import Box, Coordinates, Ellipse, Mask, Points, Polyline, Shape, Tag
from assay.errors import InputError, shown
from assay.execution.limits import value_of
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, plain_name, read_each
from assay.io.annotations.masks import runs_of_pixels
from assay.io.annotations.shape_validation import OnRepair, box_of_corners, ellipse_of, point_list, polygon_of
from assay.io.image_header import BROKEN, open_image
from assay.io.json_text import decoded, top_level

FORMAT = "LabelMe"
SAVE_AGAIN = "Save the file again with LabelMe."


def read_labelme(files: Iterable[tuple[str, bytes]], *, source: str) -> AnnotationSet:
    """All annotations of some LabelMe files, given as path and content; flags of an image that are on are tags."""
    columns = AnnotationColumns()
    read = read_each(files, _labelme_file, columns.problems)
    indices = columns.add_images([(path, image) for path, image, _, _ in read])
    for (path, _, shapes, flags), index in zip(read, indices, strict=True):
        for flag, is_on in flags.items():
            if is_on is True:
                columns.add(Tag(), image=index, label=flag)
        for place, shape in enumerate(shapes, start=1):
            _add(columns, shape, index, f"{path}, shape {place}")
    return valid.report_self_intersections(columns.finished(source=source, format=FORMAT))


def _labelme_file(path: str, content: bytes) -> tuple[str, Image, list[Any], Mapping[str, Any]]:
    """The path, the image, its shapes and its flags."""
    _, top = top_level(content, path)
    if not isinstance(top, dict) or "shapes" not in top:
        raise InputError("it is no LabelMe file: it has no list of shapes", source=path, remedy=SAVE_AGAIN)
    top.pop("imageData", None)  # the whole image once more
    stated = {name: decoded(bytes(raw), path) for name, raw in top.items()}
    if not isinstance(stated["shapes"], list):
        raise InputError("shapes is not a list", source=path, remedy=SAVE_AGAIN)
    image_path, flags = stated.get("imagePath"), stated.get("flags")
    name = plain_name(image_path) if isinstance(image_path, str) else ""
    sides = [stated.get(side) for side in ("imageWidth", "imageHeight")]
    try:
        numbers = (valid.number(s, "imageWidth or imageHeight") if s is not None else 0.0 for s in sides)
        size = valid.checked_size(*numbers)
    except InputError as problem:
        raise InputError(problem.problem, source=path, remedy=valid.CORRECT_SIZE) from None
    image = Image(name or PurePosixPath(path).stem, *size)
    return path, image, stated["shapes"], flags if isinstance(flags, dict) else {}


def _add(columns: AnnotationColumns, stated: Any, image: int, where: str) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    try:
        if not isinstance(stated, dict):
            raise InputError("a shape is no object with label and points")
        kind = stated.get("shape_type") or "polygon"  # files of old versions have polygons only and do not say so
        if not isinstance(kind, str) or kind not in SHAPES:
            raise InputError(f"a shape of type {shown(kind)!r} is not known")
        shape = SHAPES[kind](point_list(stated.get("points")), stated, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    label = stated.get("label")
    if not isinstance(label, str) or not label:
        on_repair("an annotation has no label")
        label = ""
    group: Any = stated.get("group_id")  # LabelMe counts from 0, which here means none
    grouped = isinstance(group, int) and not isinstance(group, bool) and 0 <= group < 1 << 62
    attributes = _attributes(stated, on_repair)
    columns.add(shape, image=image, label=label, attributes=attributes, group=group + 1 if grouped else 0)


def _rectangle(points: Coordinates, _: Mapping[str, Any], on_repair: OnRepair) -> Box:
    if len(points) == 4:
        return _turned(points, {}, on_repair)
    (x, y), (other_x, other_y) = _so_many(points, 2, "a rectangle").tolist()
    # drawn from any corner to the opposite one: no order of edges is a mistake
    return valid.box_of_edges(min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y), on_repair)


def _turned(points: Coordinates, _: Mapping[str, Any], __: OnRepair) -> Box:
    if (box := box_of_corners(_so_many(points, 4, "a turned rectangle"))) is None:
        raise InputError("the four points of a turned rectangle form no rectangle")
    return box


def _circle(points: Coordinates, _: Mapping[str, Any], on_repair: OnRepair) -> Ellipse:
    (x, y), (edge_x, edge_y) = _so_many(points, 2, "a circle").tolist()
    radius = hypot(edge_x - x, edge_y - y)
    return ellipse_of(x, y, radius, radius, on_repair)


def _line(points: Coordinates, _: Mapping[str, Any], __: OnRepair) -> Polyline:
    if len(points) < 2:
        raise InputError("a line has fewer than two points")
    return Polyline(points)


def _mask(points: Coordinates, stated: Mapping[str, Any], _: OnRepair) -> Mask:
    (left, top), (right, bottom) = (tuple(map(int, point)) for point in _so_many(points, 2, "a mask").tolist())
    encoded = stated.get("mask")
    if not isinstance(encoded, str):
        raise InputError("a mask has no pixels")
    try:
        pixels = drawn_pixels(b64decode(encoded))
    except (binascii.Error, ValueError):
        raise InputError("the pixels of a mask are not in base64") from None
    except InputError as problem:
        raise InputError(f"the pixels of a mask cannot be read: {problem}") from None
    height, width = pixels.shape
    if (width, height) != (right - left + 1, bottom - top + 1):
        raise InputError("the pixels of a mask do not fit the window of its two points")
    return Mask(left, top, width, height, runs_of_pixels(pixels.ravel()), by_column=False)


def drawn_pixels(png: bytes) -> NDArray[np.bool_]:
    """(height, width): where the image is not black (index 0 of a palette); a last channel of opacity does not count.

    InputError when it is no PNG, damaged, or larger than any mask; its size is looked at before it is unpacked.
    """
    try:
        image = open_image(png)
        if image is None or image.format != "PNG":
            raise InputError("it is no PNG")
        width, height = image.size
        if not 0 < width * height <= value_of("image_pixels"):
            raise InputError(f"the PNG states a size of {width} x {height} pixels")
        values = np.asarray(image)
    except BROKEN:
        raise InputError("the PNG is damaged") from None
    colours = [band != "A" for band in image.getbands()]
    return np.asarray(values.reshape(height, width, -1)[:, :, colours].any(axis=2))


SHAPES: Mapping[str, Callable[[Coordinates, Mapping[str, Any], OnRepair], Shape]] = {
    "polygon": lambda points, _, on_repair: polygon_of(points, on_repair),
    "rectangle": _rectangle,
    "oriented_rectangle": _turned,
    "rotation": _turned,
    "circle": _circle,
    "line": _line,
    "linestrip": _line,
    "point": lambda points, _, __: Points(_so_many(points, 1, "a point")),
    "points": lambda points, _, __: Points(points),
    "mask": _mask,
}
"""Type of shape -> its reader."""


def _so_many(points: Coordinates, count: int, what: str) -> Coordinates:
    if len(points) != count:
        raise InputError(f"{what} has {len(points)} points and not {count}")
    return points


def _attributes(stated: Mapping[str, Any], on_repair: OnRepair) -> dict[str, Value]:
    """Flags and attributes by name; the description, and X-AnyLabeling's difficult when it is on."""
    attributes: dict[str, Value] = {}
    for part in ("flags", "attributes"):
        if isinstance(part_stated := stated.get(part), dict):
            attributes |= {name: _value(value, on_repair) for name, value in part_stated.items()}
    if description := stated.get("description"):
        attributes["description"] = _value(description, on_repair)
    if stated.get("difficult") is True:
        attributes["difficult"] = True
    return attributes


def _value(value: Any, on_repair: OnRepair) -> Value:
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    on_repair("an attribute holds a list or an object: it is compared as text")
    return msgspec.json.encode(value, order="sorted").decode()
