"""Label Studio's exports, JSON and JSON-MIN -> `AnnotationSet`.

Source: Label Studio's documentation, "Label Studio JSON format of annotated tasks". Results that share an id are one
region: its shape, its labels, and what was asked about it (choices, texts, ratings), which are its attributes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import cos, isfinite, radians, sin
from typing import Any

import msgspec
import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polyline, Shape, Tag
from assay.errors import InputError, shown
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, ProblemTally, read_each
from assay.io.annotations.label_studio_tasks import Result, TaskDrawing, image_names, tasks_of
from assay.io.annotations.masks import Runs, check_runs, runs_of_stretches
from assay.io.annotations.shape_validation import OnRepair, number
from assay.io.json_text import decoded, top_level

Size = tuple[float, float]
Stated = Mapping[str, Any]

FORMAT = "Label Studio"
ASKED = ("choices", "text", "rating", "number", "datetime", "taxonomy")
"""Keys of a value that answers a question."""
NOT_DRAWN = frozenset({"relation"})
NOT_READ = frozenset({"bitmask", "bitmasklabels", "vector", "vectorlabels", "cuboid", "cuboidlabels"})
CHANNELS = 4
OPACITY = 3
FARTHEST_PERCENT = 200.0
"""A shape may leave its image, but not by more than its size: such numbers are pixels."""


def read_label_studio(
    files: Iterable[tuple[str, bytes]], *, source: str, like: AnnotationSet | None = None, annotator: str = ""
) -> AnnotationSet:
    """The annotations of an export, or of a storage with a file for each task, given as path and content.

    Of several annotators' work on one task, that of `annotator` (a number or address, as the file has it) is read, and
    tasks without it are left out; when none is chosen, that of the first, and the others' is counted. `like`, the
    ground truth, gives sizes of images where the file states none.
    """
    columns = AnnotationColumns()
    items = [item for contents in read_each(files, _items, columns.problems) for item in contents]
    tasks = tasks_of(items, source, columns.problems)
    if annotator:
        known = dict.fromkeys(drawing.annotator for task in tasks for drawing in task.drawings)
        if annotator not in known:
            problem, remedy = f"it has nothing by the annotator {annotator!r}", f"Choose one of: {', '.join(known)}."
            raise InputError(problem, source=source, field="annotator", remedy=remedy)
        tasks = [task for task in tasks if any(drawing.annotator == annotator for drawing in task.drawings)]
    sizes = {image.name: (image.width, image.height) for image in like.images} if like is not None else {}
    for task, name in zip(tasks, image_names([task.address for task in tasks]), strict=True):
        columns.problems.repaired("predictions of a model are not scored", task.name, task.predictions)
        drawings = [drawing for drawing in task.drawings if not annotator or drawing.annotator == annotator]
        what = "a task was done several times: the first work is scored, the others are not"
        columns.problems.lost(what, task.name, max(len(drawings) - 1, 0))
        regions = list(_regions(drawings[0], task.name, columns.problems)) if drawings else []
        size = next((r.size for r in regions if r.size), None) or sizes.get(name, (0.0, 0.0))
        index = columns.add_image(Image(name or task.name, *size))
        # a region and those drawn as parts of it are a group
        parents = {r.id: str(result["parentID"]) for r in regions for result in r.results if result.get("parentID")}
        number_of = {parent: i for i, parent in enumerate(dict.fromkeys(parents.values()), start=1)}
        groups = {child: number_of[parent] for child, parent in parents.items()} | number_of
        for region in regions:
            _add(columns, region, index, size, groups.get(region.id, 0))
    return valid.report_self_intersections(columns.finished(source=source, format=FORMAT))


def _items(path: str, content: bytes) -> list[Any]:
    text, _ = top_level(content, path)
    stated = decoded(text, path)
    return stated if isinstance(stated, list) else [stated]


@dataclass(slots=True)
class Region:
    """All results of one id."""

    id: str
    where: str
    results: list[Result] = field(default_factory=list)
    size: Size | None = None


def _regions(drawing: TaskDrawing, task: str, problems: ProblemTally) -> Iterable[Region]:
    regions: dict[str, Region] = {}
    for position, result in enumerate(drawing.result, start=1):
        kind = str(result.get("type", "")).lower()
        where = f"{task}, result {shown(result.get('id') or position)!r}"
        if kind in NOT_DRAWN:
            problems.lost("relations between regions are not scored", where)
        elif kind in NOT_READ or kind.startswith("video"):
            problems.lost(f"a result of type {shown(kind)!r} is not read", where)
        elif not isinstance(result.get("value"), dict):
            problems.lost("a result has no value", where)
        else:
            region = regions.setdefault(str(result.get("id") or f"result {position}"), Region("", where))
            region.results.append(result)
    sides = ("original_width", "original_height")
    for name, region in regions.items():
        region.id = name
        for result in region.results:  # the size of the image as the region states it
            if all(result.get(side) is None for side in sides):
                continue
            try:
                width, height = (number(result.get(side), side) for side in sides)
            except InputError as problem:
                problems.lost(f"the size of the image cannot be read: {problem}", region.where)
                break
            if width > 0 and height > 0:
                region.size = (width, height)
                break
    return regions.values()


def _add(columns: AnnotationColumns, region: Region, image: int, size: Size, group: int) -> None:
    on_repair = partial(columns.problems.repaired, where=region.where)
    if region.size and region.size != size:
        on_repair("a region states another size of its image than the first one does")
    if any(result.get("image_rotation") for result in region.results):
        on_repair("the image was shown turned: places are read as those of the image as it is")
    try:
        shape = _shape(region, region.size or size, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), region.where)
        return
    if shape is None:
        for result in region.results:  # choices about the whole image are tags
            choices = result["value"].get("choices")
            if isinstance(choices, list) and all(isinstance(choice, str) for choice in choices):
                for choice in choices:
                    columns.add(Tag(), image=image, label=choice, name=region.id)
            else:
                kind = shown(result.get("type") or "unknown")
                columns.problems.lost(f"an answer of type {kind!r} about the whole image is not scored", region.where)
        return
    # keys end in labels whatever it was drawn with
    values = [v for result in region.results for k, v in result["value"].items() if k.endswith("labels")]
    stated = (label for value in values if isinstance(value, list) for label in value)
    labels = list(dict.fromkeys(label for label in stated if isinstance(label, str)))
    if len(labels) > 1:
        on_repair("a region has several labels: the first is scored")
    if not labels:
        on_repair("an annotation has no label")
    label = labels[0] if labels else ""
    columns.add(shape, image=image, label=label, attributes=_attributes(region), group=group, name=region.id)


def _shape(region: Region, size: Size, on_repair: OnRepair) -> Shape | None:
    for result in region.results:
        value = result["value"]
        if "format" in value and "rle" not in value:
            raise InputError("a brush stroke has no run lengths")
        if value.keys() & {"x", "points", "rle"}:
            if not all(size):
                what = "the size of the image is not stated (original_width, original_height) and the ground truth does"
                raise InputError(f"{what} not give it, so percentages cannot be placed")
            return shape_of(value, size, on_repair)
    return None


def _attributes(region: Region) -> dict[str, Value]:
    answers: dict[str, Value] = {}
    for result in region.results:
        for key in ASKED:
            if key in result["value"]:
                answers[str(result.get("from_name") or key)] = _answer(result["value"][key])
        meta = result.get("meta")
        if isinstance(meta, dict) and meta.get("text"):
            answers["meta"] = _answer(meta["text"])
    return answers


def _answer(value: Any) -> Value:
    """One answer as it is; several, and the steps of a taxonomy, as one text."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list):
        steps = [" / ".join(map(str, step)) if isinstance(step, list) else str(step) for step in value]
        return ", ".join(steps) or None
    return msgspec.json.encode(value, order="sorted").decode()


def shape_of(value: Stated, size: Size, on_repair: OnRepair) -> Shape | None:
    """The shape of a result; None when it has none, as a choice."""
    read = next((read for keys, read in SHAPES if keys <= value.keys()), None)
    return read(value, size, on_repair) if read else None


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
    return valid.box_of_edges(*edges, on_repair, turn % 360.0)


def _ellipse(value: Stated, size: Size, on_repair: OnRepair) -> Ellipse:
    radius_x, radius_y = _percent(value, "radiusX", size[0]), _percent(value, "radiusY", size[1])
    x, y = _percent(value, "x", size[0]), _percent(value, "y", size[1])
    turn = number(value.get("rotation") or 0, "rotation")
    return valid.ellipse_of(x, y, radius_x, radius_y, on_repair, turn % 360.0)


def _points(value: Stated, size: Size, on_repair: OnRepair) -> Shape:
    shares = valid.point_list(value["points"])
    if np.abs(shares).max() > FARTHEST_PERCENT:
        raise InputError("points are not percentages of the image's size")
    points = read_only(shares * np.array(size) / 100.0)
    if value.get("closed") is False:
        on_repair("a polygon was not closed: it is read as a line")
        return Polyline(points)
    return valid.polygon_of(points, on_repair)


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
    (
        frozenset({"x", "y"}),
        lambda value, size, _: Points(read_only(np.array([[_percent(value, k, size[i]) for i, k in enumerate("xy")]]))),
    ),
)
"""What a value holds -> the reader of its shape; the first that fits."""


def _percent(value: Stated, name: str, whole: float) -> float:
    share = number(value.get(name), name)
    if abs(share) > FARTHEST_PERCENT:
        raise InputError(f"{name} is not a percentage of the image's size")
    return share * whole / 100.0


def runs_of_brush(stated: Any, width: int, height: int) -> Runs:
    """Runs row by row over width x height pixels; InputError when the stream is broken or of another size.

    Long blocks are never written out, so a short stream cannot claim much memory.
    """
    if not isinstance(stated, list) or not all(type(byte) is int and 0 <= byte <= 255 for byte in stated):
        raise InputError("the run lengths of a brush stroke are not a list of bytes")
    content, position = bytes(stated), 0

    def read(size: int) -> int:
        nonlocal position
        first, end = position >> 3, position + size
        last = (end + 7) >> 3
        if last > len(content):
            raise InputError("the run lengths of a brush stroke break off")
        position = end
        return (int.from_bytes(content[first:last], "big") >> (last * 8 - end)) & ((1 << size) - 1)

    count, word = read(32), read(5) + 1
    sizes = [read(4) + 1 for _ in range(4)]
    if count != width * height * CHANNELS or word != 8:
        raise InputError("the run lengths of a brush stroke are not those of an image of the stated size")
    drawn: list[bool] = []  # whether pixels are drawn, and how many in a row
    lengths: list[int] = []
    at = 0
    while at < count:
        same = read(1)
        end = at + 1 + read(sizes[read(2)])
        if end > count:
            raise InputError("the run lengths of a brush stroke are longer than the image")
        if same:
            drawn.append(read(word) > 0)
            lengths.append(end // CHANNELS - at // CHANNELS)  # so many values of opacity are among them
        else:
            values = read(word * (end - at)).to_bytes(end - at, "big")
            opacity = values[(OPACITY - at) % CHANNELS :: CHANNELS]
            drawn += [value > 0 for value in opacity]
            lengths += [1] * len(opacity)
        at = end
    runs = runs_of_stretches(np.array(drawn, np.bool_), np.array(lengths, np.int64))
    check_runs(runs, width, height)
    return runs
