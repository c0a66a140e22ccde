"""Datumaro's own JSON -> `AnnotationSet`.

Source: datumaro/plugins/data_formats/datumaro (format.py, base.py): `categories.label.labels` name the labels by their
place, `categories.points.items` the joints of each; an item has an id, an image with path and size (height, width), and
annotations whose `type` says which of their fields hold. Masks are COCO's run lengths.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, Image, LabelDefinition
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Coordinates, Ellipse, Mask, Points, Polyline, Shape, Skeleton, Tag
from assay.errors import InputError
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, plain_name
from assay.io.annotations.datasets.json_values import (
    NO_3D,
    attribute_value,
    document_of,
    numbers_in,
    objects_in,
    text_in,
)
from assay.io.annotations.masks import check_runs, runs_of_text
from assay.io.annotations.shape_validation import OnRepair

FORMAT = "Datumaro"
BOOKKEEPING = frozenset({"track_id", "keyframe", "outside", "is_crowd", "occluded", "rotation"})
Joints = Mapping[int, tuple[str, ...]]


def read_datumaro(content: bytes, *, source: str) -> AnnotationSet:
    """All annotations of a Datumaro file; captions, 3-D cuboids and feature vectors are counted as not scored."""
    document = document_of(content, source, FORMAT)
    categories = document.get("categories")
    categories = categories if isinstance(categories, dict) else {}
    labels = _labels(categories.get("label"))
    joints = _joints(categories.get("points"))
    columns, crowd = AnnotationColumns(), list[bool]()
    for definition in labels:
        columns.label(definition.name)
    seen: set[str] = set()
    for place, item in enumerate(objects_in(document.get("items")), start=1):
        image = _image(item, place, source)
        if image.name in seen:
            remedy = "Give each item a name of its own."
            raise InputError(f"image {image.name!r} is listed twice", source=source, remedy=remedy)
        seen.add(image.name)
        index = columns.add_image(image)
        for number, stated in enumerate(objects_in(item.get("annotations")), start=1):
            _add(columns, stated, index, labels, joints, f"image {image.name!r}, annotation {number}", crowd)
    definitions = tuple(
        LabelDefinition(one.name, one.attributes, joints.get(place, ())) for place, one in enumerate(labels)
    )
    finished = valid.report_self_intersections(columns.finished(source=source, format=FORMAT, definitions=definitions))
    return _with_crowd(finished, crowd)


def _with_crowd(annotations: AnnotationSet, crowd: Sequence[bool]) -> AnnotationSet:
    """The set with these annotations marked as regions that are not scored."""
    return replace(annotations, crowd=read_only(np.array(crowd, np.bool_))) if any(crowd) else annotations


def _labels(stated: Any) -> list[LabelDefinition]:
    """The labels by their place; common attributes belong to each."""
    if not isinstance(stated, dict):
        return []
    common = [name for name in stated.get("attributes") or () if isinstance(name, str)]
    labels = []
    for one in objects_in(stated.get("labels")):
        own = [name for name in one.get("attributes") or () if isinstance(name, str)]
        names = [name for name in dict.fromkeys((*common, *own)) if name not in BOOKKEEPING]
        labels.append(LabelDefinition(text_in(one, "name"), tuple(map(AttributeDefinition, names))))
    return labels


def _joints(stated: Any) -> Joints:
    items = objects_in(stated.get("items")) if isinstance(stated, dict) else ()
    named = {}
    for item in items:
        place, names = item.get("label_id"), item.get("labels")
        if isinstance(place, int) and isinstance(names, list):
            named[place] = tuple(str(name) for name in names)
    return named


def _image(item: Mapping[str, Any], place: int, source: str) -> Image:
    stated = item.get("image")
    stated = stated if isinstance(stated, dict) else {}
    name = plain_name(text_in(stated, "path")) or plain_name(text_in(item, "id")) or str(place)
    size = stated.get("size")
    if size is None:
        return Image(name)
    try:
        height, width = numbers_in(size, "size", 2)
        return Image(name, *valid.checked_size(width, height))
    except InputError as problem:
        raise InputError(f"image {name!r}: {problem}", source=source, remedy=valid.CORRECT_SIZE) from None


def _add(
    columns: AnnotationColumns,
    stated: Mapping[str, Any],
    image: int,
    labels: Sequence[LabelDefinition],
    joints: Joints,
    where: str,
    crowd: list[bool],
) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    place, kind = stated.get("label_id"), text_in(stated, "type")
    try:
        if kind not in SHAPES:
            raise InputError(
                NO_3D if kind.startswith("cuboid") else f"an annotation of type {kind[:40]!r} is not scored"
            )
        shape = SHAPES[kind](stated, joints.get(place, ()) if isinstance(place, int) else (), on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    known = isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(labels)
    if not known:
        on_repair("an annotation has no label")
    extra = stated.get("attributes")
    extra = extra if isinstance(extra, dict) else {}
    attributes = {name: attribute_value(value, on_repair) for name, value in extra.items() if name not in BOOKKEEPING}
    track, group = _count(extra.get("track_id"), -1), _count(stated.get("group"), 0)
    label = labels[place].name if known and isinstance(place, int) else ""
    occluded = extra.get("occluded") is True
    named = text_in(stated, "id")
    columns.add(
        shape, image=image, label=label, attributes=attributes, track=track, group=group, occluded=occluded, name=named
    )
    crowd.append(extra.get("is_crowd") is True)


def _count(value: Any, otherwise: int) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62
    return int(value) if whole else otherwise


def _points(stated: Mapping[str, Any], name: str = "points") -> Coordinates:
    numbers = numbers_in(stated.get(name), name)
    if not numbers or len(numbers) % 2:
        raise InputError(f"{name} is not a list of pairs x, y")
    return read_only(np.array(numbers).reshape(-1, 2))


def _box(stated: Mapping[str, Any], _: tuple[str, ...], on_repair: OnRepair) -> Shape:
    x, y, width, height = numbers_in(stated.get("bbox"), "bbox", 4)
    extra = stated.get("attributes")
    turn = extra.get("rotation") if isinstance(extra, dict) else None
    rotation = valid.number(turn, "rotation") % 360.0 if turn is not None else 0.0
    return valid.box_of_edges(x, y, x + width, y + height, on_repair, rotation)


def _turned(stated: Mapping[str, Any], _: tuple[str, ...], __: OnRepair) -> Shape:
    x, y, width, height, turn = (valid.number(stated.get(name), name) for name in ("x", "y", "w", "h", "r"))
    if width < 0 or height < 0:
        raise InputError("a turned box has a negative width or height")
    return valid.box_about(x, y, width, height, turn)


def _mask(stated: Mapping[str, Any], _: tuple[str, ...], __: OnRepair) -> Shape:
    rle = stated.get("rle")
    if not isinstance(rle, dict):
        raise InputError("a mask has no run lengths")
    counts = rle.get("counts")
    height, width = (int(side) for side in numbers_in(rle.get("size"), "size", 2))
    runs = runs_of_text(counts) if isinstance(counts, str) else np.array(numbers_in(counts, "counts"), np.int64)
    check_runs(runs, width, height)
    return Mask(0, 0, width, height, read_only(runs), by_column=True)


def _ellipse(stated: Mapping[str, Any], _: tuple[str, ...], on_repair: OnRepair) -> Ellipse:
    left, top, right, bottom = numbers_in(stated.get("points"), "points", 4)
    across, along = (right - left) / 2, (bottom - top) / 2
    return valid.ellipse_of((left + right) / 2, (top + bottom) / 2, across, along, on_repair)


def _keypoints(stated: Mapping[str, Any], names: tuple[str, ...], _: OnRepair) -> Shape:
    points = _points(stated)
    if len(names) != len(points):
        return Points(points)
    seen = stated.get("visibility")
    usable = isinstance(seen, list) and len(seen) == len(points) and all(value in (0, 1, 2) for value in seen)
    visibility = np.array(seen if usable else [2] * len(points), np.int8)
    return Skeleton(names, points, read_only(visibility))


def _skeleton(stated: Mapping[str, Any], names: tuple[str, ...], _: OnRepair) -> Shape:
    """Its elements are point annotations, each with a label of its own; their order is that of the joints."""
    elements = list(objects_in(stated.get("elements")))
    if not elements:
        raise InputError("a skeleton has no points")
    points = read_only(np.concatenate([_points(element)[:1] for element in elements]))
    seen = [element.get("visibility") for element in elements]
    flags = [one[0] if isinstance(one, list) and one and one[0] in (0, 1, 2) else 2 for one in seen]
    known = names if len(names) == len(elements) else tuple(str(i) for i in range(1, len(elements) + 1))
    return Skeleton(known, points, read_only(np.array(flags, np.int8)))


SHAPES: Mapping[str, Callable[[Mapping[str, Any], tuple[str, ...], OnRepair], Shape]] = {
    "bbox": _box,
    "rotated_bbox": _turned,
    "polygon": lambda stated, _, on_repair: valid.polygon_of(_points(stated), on_repair),
    "polyline": lambda stated, _, __: Polyline(_points(stated)),
    "points": _keypoints,
    "skeleton": _skeleton,
    "mask": _mask,
    "ellipse": _ellipse,
    "label": lambda *_: Tag(),
}
"""Datumaro's type -> the shape; captions, cuboids and the rest are not scored."""
