"""The meta block and the shapes of CVAT's XML: labels with their attributes, frames of a video, one reader a shape.

Source: dump_as_cvat_annotation in CVAT's cvat/apps/dataset_manager/formats/cvat.py, and real files.
Each shape raises InputError, without file and place, when it cannot be taken.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from xml.etree.ElementTree import Element

import numpy as np

from assay.annotations.shapes.annotation_set import AttributeDefinition, LabelDefinition, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polyline, Shape, Skeleton, Tag
from assay.errors import InputError, shown
from assay.execution.limits import value_of
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.masks import check_runs
from assay.io.annotations.shape_validation import OnRepair, box_of_edges, ellipse_of, place, places, polygon_of
from assay.io.annotations.xml_elements import text_of

SVG_SHAPE = re.compile(r"<(line|circle)\b([^<>]*)>")
STATED = re.compile(r'([\w-]+)="([^"]*)"')
STEP = re.compile(r"step\s*=\s*(\d+)")
CORNERS = [f"{side}{face}" for face in "12" for side in ("tl", "bl", "tr", "br")]


@dataclass(frozen=True, slots=True)
class CvatMeta:
    """What a file says about itself; all of it may be missing."""

    definitions: tuple[LabelDefinition, ...] = ()
    frames: Sequence[int] = ()
    """The frames of a video task, as its shapes number them."""
    step: int = 1
    width: float = 0
    height: float = 0
    is_video: bool = False

    def keypoints(self, label: str) -> tuple[str, ...]:
        """The joints of a skeleton label in the order of its definition."""
        return next((d.keypoints for d in self.definitions if d.name == label), ())


def read_meta(meta: Element) -> CvatMeta:
    """The meta block of a task, a job or a project."""
    most = value_of("track_frames")
    stated = STEP.search(text_of(next(meta.iter("frame_filter"), None)))
    # of a task that takes every third frame, shapes are numbered 0, 3, 6
    step = max(1, min(int(stated[1][:9]), most)) if stated else 1
    start, stop = (_short_number(next(meta.iter(tag), None)) for tag in ("start_frame", "stop_frame"))
    frames: Sequence[int] = ()
    if len(list(meta.iter("start_frame"))) == 1 and start is not None and stop is not None:  # else several tasks
        frames = range(start, stop + 1, step) if stop - start <= most * step else ()
    return CvatMeta(
        definitions=_definitions([label for block in meta.iter("labels") for label in block.findall("label")]),
        frames=frames,
        step=step,
        width=float(_short_number(meta.find(".//original_size/width")) or 0),
        height=float(_short_number(meta.find(".//original_size/height")) or 0),
        is_video=text_of(next(meta.iter("mode"), None)) == "interpolation",
    )


def _definitions(labels: Sequence[Element]) -> tuple[LabelDefinition, ...]:
    """The labels one can draw; the joints of a skeleton stand below it and not beside it."""
    joints: dict[str, list[str]] = {}
    for label in labels:
        if parent := text_of(label.find("parent")):
            joints.setdefault(parent, []).append(text_of(label.find("name")))
    definitions = {}
    for label in labels:
        if not text_of(label.find("parent")):
            name, attributes = text_of(label.find("name")), []
            for attribute in label.findall("attributes/attribute"):
                called, kind, values = (text_of(attribute.find(tag)) for tag in ("name", "input_type", "values"))
                stripped = (value.strip() for value in values.split("\n"))
                attributes.append(AttributeDefinition(called, kind, tuple(value for value in stripped if value)))
            bones = tuple(_bones(text_of(label.find("svg"))))
            definitions[name] = LabelDefinition(name, tuple(attributes), tuple(joints.get(name, ())), bones)
    return tuple(definitions.values())


def _bones(drawing: str) -> Iterator[tuple[str, str]]:
    """The joints that the drawing of a skeleton label connects, by name: its circles are joints, its lines bones."""
    shapes = [(tag, dict(STATED.findall(stated))) for tag, stated in SVG_SHAPE.findall(drawing)]
    names = {s.get("data-node-id", ""): s.get("data-label-name", "") for tag, s in shapes if tag == "circle"}
    for tag, stated in shapes:
        ends = (names.get(stated.get(f"data-node-{end}", ""), "") for end in ("from", "to"))
        first, second = map(unescape, ends)
        if tag == "line" and first and second:
            yield first, second


def _short_number(element: Element | None) -> int | None:
    """A whole number of a size that makes sense."""
    text = text_of(element)
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _box(element: Element, on_repair: OnRepair) -> Box:
    left, top, right, bottom = (place(element.get(name), name) for name in ("xtl", "ytl", "xbr", "ybr"))
    return box_of_edges(left, top, right, bottom, on_repair, place(element.get("rotation", "0"), "rotation") % 360.0)


def _ellipse(element: Element, on_repair: OnRepair) -> Ellipse:
    x, y, radius_x, radius_y = (place(element.get(name), name) for name in ("cx", "cy", "rx", "ry"))
    return ellipse_of(x, y, radius_x, radius_y, on_repair, place(element.get("rotation", "0"), "rotation") % 360.0)


def _cuboid(element: Element, _: OnRepair) -> Cuboid:
    corners = [[place(element.get(axis + c), axis + c) for axis in "xy"] for c in CORNERS]
    return Cuboid(read_only(np.array(corners)))


def _mask(element: Element, _: OnRepair) -> Mask:
    """CVAT's runs go row by row within the window."""
    window = []
    for name in ("left", "top", "width", "height"):
        number = place(element.get(name), name)
        if number != int(number) or abs(number) > value_of("mask_pixels"):
            raise InputError(f"a mask's {name} is not a whole number")
        window.append(int(number))
    left, top, width, height = window
    try:
        runs = np.array([int(run) for run in element.get("rle", "").split(",")], dtype=np.int64)
    except (ValueError, OverflowError):
        raise InputError("a mask's rle holds something that is not a whole number") from None
    check_runs(runs, width, height)
    return Mask(left, top, width, height, read_only(runs), by_column=False)


SHAPES: Mapping[str, Callable[[Element, OnRepair], Shape]] = {
    "box": _box,
    "polygon": lambda element, on_repair: polygon_of(places(element.get("points")), on_repair),
    "polyline": lambda element, _: Polyline(places(element.get("points"))),
    "points": lambda element, _: Points(places(element.get("points"))),
    "ellipse": _ellipse,
    "cuboid": _cuboid,
    "mask": _mask,
    "tag": lambda _, __: Tag(),
}
"""Element -> its reader; a skeleton needs its label's joints besides."""


def read_shape(element: Element, meta: CvatMeta, columns: AnnotationColumns, where: str) -> Shape | None:
    """The shape of an element; None, and a problem, when it cannot be scored."""
    on_repair = partial(columns.problems.repaired, where=where)
    label = element.get("label")
    try:
        if element.tag == "skeleton":
            shape: Shape = skeleton(element, meta.keypoints(label or ""), on_repair)
        elif element.tag in SHAPES:
            shape = SHAPES[element.tag](element, on_repair)
        else:
            raise InputError(f"<{shown(element.tag)}> is no shape that is known")
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return None
    if not label:
        on_repair("an annotation has no label")
    return shape


def skeleton(element: Element, joints: Sequence[str], on_repair: OnRepair) -> Skeleton:
    """A skeleton by the names of its joints, in the order of the label's definition, then as they come.

    A joint that is outside is absent; points and rotation that old files put on the skeleton itself mean nothing.
    """
    drawn: dict[str, tuple[float, float, int]] = {}
    for child in element.findall("points"):
        name = child.get("label", "")
        if name in drawn:
            on_repair("a skeleton has a joint twice: the first one counts")
        elif is_set(child, "outside"):
            drawn[name] = (0.0, 0.0, 0)
        else:
            points = places(child.get("points"))
            if len(points) != 1:
                raise InputError("a joint of a skeleton is not one point")
            drawn[name] = (float(points[0, 0]), float(points[0, 1]), 1 if is_set(child, "occluded") else 2)
    return skeleton_of(drawn, joints)


def skeleton_of(drawn: Mapping[str, tuple[float, float, int]], joints: Sequence[str]) -> Skeleton:
    """The skeleton of some joints (x, y, and 0 absent, 1 hidden, 2 visible); those that are not there are absent."""
    names = (*joints, *(name for name in drawn if name not in set(joints)))
    rows = np.array([drawn.get(name, (0.0, 0.0, 0)) for name in names], dtype=np.float64).reshape(-1, 3)
    return Skeleton(names, read_only(rows[:, :2].copy()), read_only(rows[:, 2].astype(np.int8)))


def attributes(element: Element) -> dict[str, Value]:
    """Attribute -> value of a shape; empty text is None. Those of a joint are named after it."""
    stated: dict[str, Value] = {a.get("name", ""): text_of(a) or None for a in element.findall("attribute")}
    for joint in element.findall("points") if element.tag == "skeleton" else ():
        before = joint.get("label", "")
        stated |= {f"{before}.{a.get('name', '')}": text_of(a) or None for a in joint.findall("attribute")}
    return stated


def is_set(element: Element, name: str) -> bool:
    """Whether a flag is on: 1 in CVAT's files, True in some others'."""
    return element.get(name, "0").strip().lower() in {"1", "true"}


def group(element: Element) -> int:
    """The group a shape belongs to, 0 for none."""
    text = element.get("group_id", "0").strip()
    return int(text) if text.isdecimal() and len(text) < 19 else 0
