"""VGG Image Annotator (VIA) 1 and 2 -> `AnnotationSet`: a project, an export as JSON, or an export as CSV.

Source: VIA's own code and user guide: an image has a filename and regions; a region has shape_attributes (`name` is
rect, circle, ellipse, polygon, polyline or point) and region_attributes, of which one is the class. VIA does not say
which: it is the one called class, label, type, category or name, else the only one, else the first that every region
has. Values of check boxes are the names that are on. Images have no size.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from math import degrees
from typing import Any

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Coordinates, Points, Polyline, Shape
from assay.errors import InputError
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, plain_name
from assay.io.annotations.datasets.json_values import attribute_value, document_of, numbers_in, objects_in, text_in
from assay.io.annotations.shape_validation import OnRepair
from assay.io.json_text import decoded

FORMAT = "VGG VIA"
CSV_HEAD = "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes"
CLASS_WORDS = ("class", "label", "type", "category", "name", "object", "classname", "class_name")
Region = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Shape attributes and region attributes."""


def read_via(content: bytes, *, source: str) -> AnnotationSet:
    """All annotations of a VIA project or export."""
    is_json = content.lstrip()[:1] == b"{"
    images = _of_json(content, source) if is_json else _of_csv(content, source)
    columns = AnnotationColumns()
    class_name = class_attribute([region for regions in images.values() for _, region in regions])
    for name, regions in images.items():
        index = columns.add_image(Image(name))
        for place, (shape, attributes) in enumerate(regions, start=1):
            _add(columns, shape, attributes, class_name, index, f"image {name!r}, region {place}")
    return valid.report_self_intersections(columns.finished(source=source, format=FORMAT))


def _of_json(content: bytes, source: str) -> dict[str, list[Region]]:
    document = document_of(content, source, FORMAT)
    entries = document.get("_via_img_metadata", document)
    images: dict[str, list[Region]] = {}
    for entry in objects_in(entries):
        name = plain_name(text_in(entry, "filename"))
        if not name:
            continue
        if name in images:
            raise InputError(f"image {name!r} is listed twice", source=source, remedy="Keep one of its entries.")
        images[name] = [
            (_object(region.get("shape_attributes")), _object(region.get("region_attributes")))
            for region in objects_in(entry.get("regions"))
        ]
    if not images:
        raise InputError("it names no images", source=source, remedy="Export the annotations again.")
    return images


def _of_csv(content: bytes, source: str) -> dict[str, list[Region]]:
    images: dict[str, list[Region]] = {}
    try:
        rows = list(csv.DictReader(StringIO(content.decode("utf-8-sig", errors="replace"), newline=""), strict=True))
    except csv.Error as problem:
        raise InputError(f"it is no CSV: {problem}", source=source, remedy="Export it again.") from None
    for row in rows:
        name = plain_name((row.get("filename") or row.get("#filename") or "").strip())
        if not name:
            continue
        regions = images.setdefault(name, [])
        shape = _object(_cell(row.get("region_shape_attributes"), source))
        if shape:
            regions.append((shape, _object(_cell(row.get("region_attributes"), source))))
    return images


def _cell(text: Any, source: str) -> Any:
    return decoded(text.encode(), source) if isinstance(text, str) and text.strip() else {}


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def class_attribute(regions: Sequence[Mapping[str, Any]]) -> str:
    """The attribute that holds the class; blank when there is none.

    >>> class_attribute([{"Type": "car", "color": "red"}, {"Type": "bus"}])
    'Type'
    """
    counts = Counter(name for region in regions for name in region)
    for word in CLASS_WORDS:
        if name := next((name for name in counts if name.strip().lower() == word), ""):
            return name
    everywhere = [name for name, count in counts.items() if count == len(regions)]
    return everywhere[0] if everywhere else next(iter(counts), "")


def _add(
    columns: AnnotationColumns,
    stated: Mapping[str, Any],
    region: Mapping[str, Any],
    class_name: str,
    image: int,
    where: str,
) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    kind = text_in(stated, "name")
    try:
        if kind not in SHAPES:
            raise InputError(f"a shape of type {kind[:40]!r} is not known")
        shape = SHAPES[kind](stated, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    values = {name: _value(value, on_repair) for name, value in region.items()}
    label = values.pop(class_name, None)
    if label is None:
        on_repair("an annotation has no label")
    columns.add(shape, image=image, label="" if label is None else str(label), attributes=values)


def _value(value: Any, on_repair: OnRepair) -> Value:
    if isinstance(value, dict):  # check boxes: those that are on
        return ", ".join(sorted(str(name) for name, on in value.items() if on)) or None
    return attribute_value(value, on_repair)


def _all_points(stated: Mapping[str, Any]) -> Coordinates:
    x, y = (numbers_in(stated.get(f"all_points_{axis}"), f"all_points_{axis}") for axis in "xy")
    if not x or len(x) != len(y):
        raise InputError("all_points_x and all_points_y are not of one length")
    return read_only(np.array([x, y]).T)


def _sides(stated: Mapping[str, Any], *names: str) -> Iterator[float]:
    yield from (valid.number(stated.get(name), name) for name in names)


def _rect(stated: Mapping[str, Any], on_repair: OnRepair) -> Shape:
    x, y, width, height = _sides(stated, "x", "y", "width", "height")
    return valid.box_of_edges(x, y, x + width, y + height, on_repair)


def _circle(stated: Mapping[str, Any], on_repair: OnRepair) -> Shape:
    x, y, radius = _sides(stated, "cx", "cy", "r")
    return valid.ellipse_of(x, y, radius, radius, on_repair)


def _ellipse(stated: Mapping[str, Any], on_repair: OnRepair) -> Shape:
    x, y, across, along = _sides(stated, "cx", "cy", "rx", "ry")
    turn = valid.number(stated.get("theta", 0), "theta")  # VIA 2 writes radians
    return valid.ellipse_of(x, y, across, along, on_repair, degrees(turn) % 360.0)


def _point(stated: Mapping[str, Any], _: OnRepair) -> Shape:
    return Points(read_only(np.array([list(_sides(stated, "cx", "cy"))])))


SHAPES: Mapping[str, Callable[[Mapping[str, Any], OnRepair], Shape]] = {
    "rect": _rect,
    "circle": _circle,
    "ellipse": _ellipse,
    "polygon": lambda stated, on_repair: valid.polygon_of(_all_points(stated), on_repair),
    "polyline": lambda stated, _: Polyline(_all_points(stated)),
    "point": _point,
}
