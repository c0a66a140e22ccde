"""Supervisely: one JSON file per image, named after it, and a meta.json -> `AnnotationSet`.

Source: Supervisely's documentation of its annotation JSON format: size, tags of the image, objects with classTitle,
geometryType, points (exterior and interior rings), tags with a value. A bitmap is a PNG, packed by zlib, in base64,
whose upper left corner is `origin`. A graph has named nodes.
"""

import binascii
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Cuboid, Mask, Points, Polygon, Polyline, Shape, Skeleton, Tag
from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, plain_name, read_each
from assay.io.annotations.datasets.json_values import NO_3D, attribute_value, document_of, objects_in, size_in, text_in
from assay.io.annotations.labelme import drawn_pixels
from assay.io.annotations.masks import runs_of_pixels
from assay.io.annotations.shape_validation import OnRepair, point_list

FORMAT = "Supervisely"
META = frozenset({"classes", "tags"})
"""Keys of meta.json, which defines classes and holds no annotations."""


def read_supervisely(files: Iterable[tuple[str, bytes]], *, source: str) -> AnnotationSet:
    """All annotations of some Supervisely files, given as path and content; tags of an image are tags."""
    columns = AnnotationColumns()
    read = [one for one in read_each(files, _file, columns.problems) if one is not None]
    indices = columns.add_images([(path, image) for path, image, _, _ in read])
    for (path, _, objects, tags), index in zip(read, indices, strict=True):
        for tag in tags:
            label = text_in(tag, "name")
            columns.add(Tag(), image=index, label=label, attributes=_tag_values([tag], lambda _: None))
        for place, stated in enumerate(objects, start=1):
            _add(columns, stated, index, f"{path}, object {place}")
    return valid.report_self_intersections(columns.finished(source=source, format=FORMAT))


File = tuple[str, Image, list[Mapping[str, Any]], list[Mapping[str, Any]]]


def _file(path: str, content: bytes) -> File | None:
    """The path, the image, its objects and its tags; None of meta.json."""
    document = document_of(content, path, FORMAT)
    if document.keys() >= META and "objects" not in document:
        return None
    if not isinstance(document.get("objects"), list):
        raise InputError("objects is not a list", source=path, remedy="Export it again.")
    name = PurePosixPath(path).name
    name = name[: -len(".json")] if name.lower().endswith(".json") else name
    try:
        size = size_in(document.get("size"))
    except InputError as problem:
        raise InputError(problem.problem, source=path, remedy=valid.CORRECT_SIZE) from None
    image = Image(plain_name(name) or "image", *size)
    return path, image, list(objects_in(document["objects"])), list(objects_in(document.get("tags")))


def _add(columns: AnnotationColumns, stated: Mapping[str, Any], image: int, where: str) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    kind = text_in(stated, "geometryType") or ("bitmap" if "bitmap" in stated else "")
    try:
        if kind not in SHAPES:
            three = kind in {"cuboid_3d", "point_cloud", "mask_3d"}
            raise InputError(NO_3D if three else f"a shape of type {kind[:40]!r} is not known")
        shape = SHAPES[kind](stated, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    label = text_in(stated, "classTitle")
    if not label:
        on_repair("an annotation has no label")
    attributes = _tag_values(objects_in(stated.get("tags")), on_repair)
    columns.add(shape, image=image, label=label, attributes=attributes, name=text_in(stated, "id"))


def _tag_values(tags: Iterable[Mapping[str, Any]], on_repair: OnRepair) -> dict[str, Value]:
    """A tag without a value is on."""
    values: dict[str, Value] = {}
    for tag in tags:
        value = tag.get("value")
        values[text_in(tag, "name")] = True if value is None else attribute_value(value, on_repair)
    return values


def _rings(stated: Mapping[str, Any], name: str = "exterior") -> Any:
    points = stated.get("points")
    return points.get(name) if isinstance(points, dict) else None


def _rectangle(stated: Mapping[str, Any], on_repair: OnRepair) -> Shape:
    points = point_list(_rings(stated))
    if len(points) != 2:
        raise InputError("a rectangle has other than two points")
    (x, y), (other_x, other_y) = points.tolist()
    return valid.box_of_edges(min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y), on_repair)


def _polygon(stated: Mapping[str, Any], on_repair: OnRepair) -> Shape:
    outer = valid.polygon_of(point_list(_rings(stated)), on_repair)
    inner = _rings(stated, "interior")
    holes = [valid.polygon_of(point_list(ring), on_repair).rings[0] for ring in inner or ()] if inner else []
    return Polygon(outer.rings, tuple(holes))


def _bitmap(stated: Mapping[str, Any], _: OnRepair) -> Shape:
    bitmap = stated.get("bitmap")
    if not isinstance(bitmap, dict) or not isinstance(bitmap.get("data"), str):
        raise InputError("a bitmap has no pixels")
    origin = point_list([bitmap.get("origin")], "origin").tolist()[0]
    try:
        packed = zlib.decompressobj()
        png = packed.decompress(b64decode(bitmap["data"], validate=True), value_of("image_bytes"))
    except (binascii.Error, zlib.error, ValueError):
        raise InputError("the pixels of a bitmap are not zlib in base64") from None
    if packed.unconsumed_tail:
        raise InputError("the pixels of a bitmap unpack to more than an image may have")
    try:
        pixels = drawn_pixels(png)
    except InputError as problem:
        raise InputError(f"the pixels of a bitmap cannot be read: {problem}") from None
    height, width = pixels.shape
    return Mask(int(origin[0]), int(origin[1]), width, height, runs_of_pixels(pixels.ravel()), by_column=False)


def _graph(stated: Mapping[str, Any], _: OnRepair) -> Shape:
    nodes = stated.get("nodes")
    if not isinstance(nodes, dict) or not nodes:
        raise InputError("a graph has no nodes")
    listed = [(str(name), node) for name, node in nodes.items() if isinstance(node, dict)]
    points = point_list([node.get("loc") for _, node in listed], "nodes")
    hidden = [1 if node.get("disabled") else 2 for _, node in listed]
    return Skeleton(tuple(name for name, _ in listed), points, read_only(np.array(hidden, np.int8)))


def _cuboid(stated: Mapping[str, Any], _: OnRepair) -> Shape:
    """Supervisely's 2-D cuboid: eight points and the faces that join them; only the eight are compared."""
    points = point_list(stated.get("points"))
    if len(points) != 8:
        raise InputError("a cuboid has other than eight points")
    return Cuboid(points)


SHAPES: Mapping[str, Callable[[Mapping[str, Any], OnRepair], Shape]] = {
    "rectangle": _rectangle,
    "polygon": _polygon,
    "bitmap": _bitmap,
    "line": lambda stated, _: Polyline(point_list(_rings(stated))),
    "point": lambda stated, _: Points(point_list(_rings(stated))),
    "graph": _graph,
    "cuboid": _cuboid,
    "tag": lambda *_: Tag(),
}
