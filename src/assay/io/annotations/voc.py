"""Pascal VOC: one XML file per image -> `AnnotationSet`.

Sources: the VOC2012 development kit; labelImg; roLabelImg for `<robndbox>` (centre, size, and an angle in radians,
clockwise), which DIOR-R writes as four corners; Roboflow and the LabelMe web tool for `<polygon>`; CVAT and Datumaro
for `<attributes>`.

The kit counts pixels from 1 and includes the last one; most tools that write VOC today do neither, and no file says
which. Coordinates are taken as they stand, as CVAT and Datumaro take them: half a pixel at most is at stake.
"""

from collections.abc import Iterable
from functools import partial
from math import degrees, pi
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Polygon, Shape
from assay.errors import InputError, shown
from assay.io.annotations import shape_validation as valid
from assay.io.annotations.columns import AnnotationColumns, Prefer, plain_name, read_each
from assay.io.annotations.shape_validation import OnRepair, box_about, box_of_corners, box_of_edges, place, polygon_of
from assay.io.annotations.xml_elements import children_of, text_of

FORMAT = "Pascal VOC"
EDGES = ("xmin", "ymin", "xmax", "ymax")
CORNERS = ("left_top", "right_top", "right_bottom", "left_bottom")
SHAPES = frozenset({"bndbox", "robndbox", "polygon"})
NO_ATTRIBUTES = SHAPES | {"name", "type", "id", "date", "verified", "deleted"}
FLAGS = {"0": False, "1": True, "false": False, "true": True, "no": False, "yes": True}
FLAGGED = frozenset({"difficult", "truncated", "occluded", "crowd"})


def read_pascal_voc(files: Iterable[tuple[str, bytes]], *, source: str, prefer: Prefer = "shape") -> AnnotationSet:
    """All annotations of some VOC files, given as path and content; `prefer` chooses between polygon and box."""
    columns = AnnotationColumns()
    read = read_each(files, _voc_file, columns.problems)
    indices = columns.add_images([(path, image) for path, image, _, _ in read])
    for (path, _, objects, segmented), index in zip(read, indices, strict=True):
        if segmented:
            columns.problems.repaired("outlines are in PNG files, which are not read: the boxes are scored", path)
        for number, element in enumerate(objects, start=1):
            _add(columns, element, index, f"{path}, object {number}", prefer)
    return valid.report_self_intersections(columns.finished(source=source, format=FORMAT))


def _voc_file(path: str, content: bytes) -> tuple[str, Image, list[Element], bool]:
    """The path, the image, its objects, and whether outlines lie elsewhere."""
    below = list(children_of("annotation", "Pascal VOC", content, path))
    parts = {child.tag: child for child in below}
    name, size = plain_name(text_of(parts.get("filename"))) or PurePosixPath(path).stem, parts.get("size")
    stated = {side: text_of(size.find(side)) if size is not None else "" for side in ("width", "height")}
    try:
        width, height = valid.checked_size(*(place(text or "0", side) for side, text in stated.items()))
    except InputError as problem:
        raise InputError(f"<size>: {problem}", source=path, remedy=valid.CORRECT_SIZE) from None
    objects = [child for child in below if child.tag == "object"]
    return path, Image(name, width, height), objects, text_of(parts.get("segmented")) == "1"


def _add(columns: AnnotationColumns, element: Element, image: int, where: str, prefer: Prefer) -> None:
    on_repair = partial(columns.problems.repaired, where=where)
    if text_of(element.find("deleted")) == "1":  # the LabelMe web tool keeps what was taken back
        return
    try:
        attributes = _attributes(element, columns, where)
        turn = attributes.pop("rotation", None)  # CVAT writes it as an attribute of a box, in degrees
        rotation = place(str(turn), "rotation") % 360.0 if turn is not None else 0.0
        shape = _shape(element, prefer, rotation, on_repair)
    except InputError as problem:
        columns.problems.lost(str(problem), where)
        return
    label = text_of(element.find("name"))
    if not label:
        on_repair("an annotation has no label")
    stated, track = attributes.get("track_id"), -1
    if isinstance(stated, str) and stated.isdecimal() and len(stated) <= 18:
        track = int(stated)
        attributes = {name: value for name, value in attributes.items() if name not in ("track_id", "keyframe")}
    occluded = attributes.get("occluded") is True
    columns.add(shape, image=image, label=label, attributes=attributes, track=track, occluded=occluded)


def _shape(element: Element, prefer: Prefer, rotation: float, on_repair: OnRepair) -> Shape:
    if (turned := element.find("robndbox")) is not None:
        if turned.find("x_left_top") is not None:
            corners = [[_place(turned, f"{axis}_{c}") for axis in "xy"] for c in CORNERS]
            if (rectangle := box_of_corners(np.array(corners))) is None:
                raise InputError("the corners of a <robndbox> form no rectangle")
            return rectangle
        x, y, width, height, angle = (_place(turned, name) for name in ("cx", "cy", "w", "h", "angle"))
        if width < 0 or height < 0:
            raise InputError("a <robndbox> has a negative width or height")
        if abs(angle) > 2 * pi + 1e-6:
            raise InputError("the angle of a <robndbox> is more than a full turn in radians; it is perhaps in degrees")
        return box_about(x, y, width, height, degrees(angle))
    outline, box = element.find("polygon"), element.find("bndbox")
    if outline is not None and (prefer == "shape" or box is None):
        return _polygon(outline, on_repair)
    if box is None:
        raise InputError("an object has neither <bndbox> nor <robndbox> nor <polygon>")
    left, top, right, bottom = (_place(box, name) for name in EDGES)
    return box_of_edges(left, top, right, bottom, on_repair, rotation)


def _place(element: Element, name: str) -> float:
    return place(text_of(element.find(name)) or None, name)


def _polygon(element: Element, on_repair: OnRepair) -> Polygon:
    """Points as <pt><x/><y/></pt>, or as <x1/><y1/><x2/><y2/>."""
    points = [(text_of(pt.find("x")), text_of(pt.find("y"))) for pt in element.findall("pt")]
    if not points:
        numbered = {child.tag: text_of(child) for child in element}
        count = sum(tag[:1] == "x" and tag[1:].isdecimal() for tag in numbered)
        points = [(numbered.get(f"x{i}", ""), numbered.get(f"y{i}", "")) for i in range(1, count + 1)]
    ring = np.array([[place(x or None, "x"), place(y or None, "y")] for x, y in points]).reshape(-1, 2)
    return polygon_of(read_only(ring), on_repair)


def _attributes(element: Element, columns: AnnotationColumns, where: str) -> dict[str, Value]:
    """Attribute -> value: difficult, truncated, occluded, pose, and whatever else a tool wrote beside the box."""
    attributes: dict[str, Value] = {}
    for child in element:
        if child.tag == "attributes" and len(child):
            for attribute in child.findall("attribute"):
                attributes[text_of(attribute.find("name"))] = _value("", text_of(attribute.find("value")))
        elif child.tag == "actions":
            attributes |= {action.tag: _value("difficult", text_of(action)) for action in child}
        elif child.tag == "part":
            columns.problems.lost("the parts of an object (head, hand, foot) are not scored", where)
        elif len(child) and child.tag not in SHAPES:
            columns.problems.lost(f"<{shown(child.tag)}> of an object is not known and not scored", where)
        elif child.tag not in NO_ATTRIBUTES and (child.tag != "attributes" or text_of(child)):
            attributes[child.tag] = _value(child.tag, text_of(child))
    return attributes


def _value(name: str, text: str) -> Value:
    """A flag as such; empty text is None; anything else as it is written."""
    words = FLAGS if name in FLAGGED else {"true": True, "false": False}
    return words.get(text.lower(), text or None)
