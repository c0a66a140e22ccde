"""The shapes of CVAT's XML, one function per element.

Source: dump_as_cvat_annotation in CVAT's cvat/apps/dataset_manager/formats/cvat.py, and real files.
Each raises InputError, without file and place, for a shape that cannot be taken.
"""

from collections.abc import Callable, Mapping, Sequence
from xml.etree.ElementTree import Element

import numpy as np

from assay.annotations.shapes.annotation_set import Value
from assay.annotations.shapes.shapes import (
    Box,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    Skeleton,
    Tag,
)
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat.meta import CvatMeta
from assay.io.annotations.masks import MOST_PIXELS, check_runs
from assay.io.annotations.shape_validation import OnRepair, box_of_edges, place, places, polygon_of

CORNERS = [f"{side}{face}" for face in "12" for side in ("tl", "bl", "tr", "br")]


def box(element: Element, on_repair: OnRepair) -> Box:
    left, top, right, bottom = (place(element.get(name), name) for name in ("xtl", "ytl", "xbr", "ybr"))
    return box_of_edges(left, top, right, bottom, on_repair, _rotation(element))


def polygon(element: Element, on_repair: OnRepair) -> Polygon:
    return polygon_of(places(element.get("points")), on_repair)


def polyline(element: Element, _: OnRepair) -> Polyline:
    return Polyline(places(element.get("points")))


def points(element: Element, _: OnRepair) -> Points:
    return Points(places(element.get("points")))


def ellipse(element: Element, on_repair: OnRepair) -> Ellipse:
    x, y, radius_x, radius_y = (place(element.get(name), name) for name in ("cx", "cy", "rx", "ry"))
    if radius_x < 0 or radius_y < 0:
        raise InputError("an ellipse has a negative radius")
    if radius_x == 0 or radius_y == 0:
        on_repair("an ellipse has no area")
    return Ellipse(x, y, radius_x, radius_y, _rotation(element))


def cuboid(element: Element, _: OnRepair) -> Cuboid:
    corners = np.array([[place(element.get(axis + c), axis + c) for axis in "xy"] for c in CORNERS])
    corners.flags.writeable = False
    return Cuboid(corners)


def mask(element: Element, _: OnRepair) -> Mask:
    """CVAT's runs go row by row within the window."""
    left, top, width, height = (_whole(element, name) for name in ("left", "top", "width", "height"))
    text = element.get("rle", "")
    try:
        runs = np.array([int(run) for run in text.split(",")], dtype=np.int64)
    except (ValueError, OverflowError):
        raise InputError("a mask's rle holds something that is not a whole number") from None
    check_runs(runs, width, height)
    runs.flags.writeable = False
    return Mask(left, top, width, height, runs, by_column=False)


def tag(_: Element, __: OnRepair) -> Tag:
    return Tag()


SHAPES: Mapping[str, Callable[[Element, OnRepair], Shape]] = {
    "box": box,
    "polygon": polygon,
    "polyline": polyline,
    "points": points,
    "ellipse": ellipse,
    "cuboid": cuboid,
    "mask": mask,
    "tag": tag,
}
"""Element -> its reader; a skeleton needs its label's joints besides."""


def read_shape(element: Element, meta: CvatMeta, columns: AnnotationColumns, where: str) -> Shape | None:
    """The shape of an element; None, and a problem, when it cannot be scored."""

    def on_repair(what: str) -> None:
        columns.problems.repaired(what, where)

    label = element.get("label")
    try:
        if element.tag == "skeleton":
            shape: Shape = skeleton(element, meta.keypoints(label or ""), on_repair)
        elif element.tag in SHAPES:
            shape = SHAPES[element.tag](element, on_repair)
        else:
            columns.problems.lost(f"<{element.tag[:40]}> is no shape that is known", where)
            return None
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
        else:
            drawn[name] = joint(child)
    return skeleton_of(drawn, joints)


def joint(element: Element) -> tuple[float, float, int]:
    """x, y and visibility (0 absent, 1 hidden, 2 visible) of one joint."""
    if is_set(element, "outside"):
        return 0.0, 0.0, 0
    place = places(element.get("points"))
    if len(place) != 1:
        raise InputError("a joint of a skeleton is not one point")
    return float(place[0, 0]), float(place[0, 1]), 1 if is_set(element, "occluded") else 2


def skeleton_of(drawn: Mapping[str, tuple[float, float, int]], joints: Sequence[str]) -> Skeleton:
    """The skeleton of some joints; those of the definition that are not there are absent."""
    names = (*joints, *(name for name in drawn if name not in set(joints)))
    rows = np.array([drawn.get(name, (0.0, 0.0, 0)) for name in names], dtype=np.float64).reshape(-1, 3)
    points, visibility = rows[:, :2].copy(), rows[:, 2].astype(np.int8)
    points.flags.writeable = visibility.flags.writeable = False
    return Skeleton(names, points, visibility)


def attributes(element: Element) -> dict[str, Value]:
    """Attribute -> value of a shape; empty text is None. Those of a joint are named after it."""
    stated = _own_attributes(element, "")
    if element.tag == "skeleton":
        for child in element.findall("points"):
            stated |= _own_attributes(child, f"{child.get('label', '')}.")
    return stated


def _own_attributes(element: Element, before: str) -> dict[str, Value]:
    return {f"{before}{a.get('name', '')}": (a.text or "").strip() or None for a in element.findall("attribute")}


def is_set(element: Element, name: str) -> bool:
    """Whether a flag is on: 1 in CVAT's files, True in some others'."""
    return element.get(name, "0").strip().lower() in {"1", "true"}


def group(element: Element) -> int:
    """The group a shape belongs to, 0 for none."""
    text = element.get("group_id", "0").strip()
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _rotation(element: Element) -> float:
    return place(element.get("rotation", "0"), "rotation") % 360.0


def _whole(element: Element, name: str) -> int:
    number = place(element.get(name), name)
    if number != int(number) or abs(number) > MOST_PIXELS:
        raise InputError(f"a mask's {name} is not a whole number")
    return int(number)
