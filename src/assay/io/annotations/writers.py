"""An `AnnotationSet` as COCO JSON or as CVAT XML.

Both say InputError for what the format cannot hold, rather than write less than there is.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any
from xml.sax.saxutils import escape as escaped
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes import shapes
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Coordinates, Cuboid, Mask, Polygon, ShapeKind, Skeleton
from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations.cvat_shapes import CORNERS
from assay.io.annotations.masks import Runs, runs_of_pixels, text_of_runs

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
IN_COCO = frozenset({ShapeKind.BOX, ShapeKind.POLYGON, ShapeKind.MASK, ShapeKind.SKELETON})
Tagged = tuple[str, dict[str, str], list[str]]
"""An element: its name, its own attributes and its children."""


def coco_json(annotations: AnnotationSet) -> str:
    """COCO JSON with boxes, polygons, masks (as compressed run lengths) and keypoints.

    A turned box is a box with `attributes.rotation`, as CVAT writes it. InputError for lines, single points,
    ellipses, cuboids, tags and polygons with holes, which COCO does not have.
    """
    other = sorted({ShapeKind(kind).word for kind in np.unique(annotations.kind).tolist() if kind not in IN_COCO})
    if other:
        problem = f"COCO has no {' and no '.join(other)}"
        raise InputError(problem, source=annotations.source, remedy="Write these annotations as CVAT XML.")
    joints = _joints(annotations)
    bones = {definition.name: definition.bones for definition in annotations.definitions}
    # COCO asks for numbers as ids: positions when they are not numbers or not all different
    ids = [int(name) for name in annotations.ids if name.isdecimal() and len(name) < 19]
    ids = ids if len(set(ids)) == len(annotations) else list(range(1, len(annotations) + 1))
    document = {
        "images": [
            {"id": i, "file_name": image.name, "width": _plain(image.width), "height": _plain(image.height)}
            for i, image in enumerate(annotations.images, start=1)
        ],
        "categories": [
            {"id": i, "name": name, **(_posed(bones.get(name, ()), joints[name]) if name in joints else {})}
            for i, name in enumerate(annotations.labels, start=1)
        ],
        "annotations": [_coco_annotation(annotations, i, ids[i], joints) for i in range(len(annotations))],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _coco_annotation(
    annotations: AnnotationSet, i: int, name: int, joints: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    left, top, right, bottom = map(float, annotations.bounds[i])
    label = int(annotations.label[i])
    written: dict[str, Any] = {
        "id": name,
        "image_id": int(annotations.image[i]) + 1,
        "category_id": label + 1,
        "bbox": [left, top, right - left, bottom - top],
        "iscrowd": int(annotations.crowd is not None and bool(annotations.crowd[i])),
    }
    for key, column in (("area", annotations.area), ("score", annotations.confidence)):
        if column is not None and np.isfinite(column[i]):
            written[key] = float(column[i])
    attributes = dict(annotations.attributes.get(i, {}))
    if annotations.rotation[i]:
        attributes["rotation"] = float(annotations.rotation[i])
    if annotations.occluded is not None:
        attributes["occluded"] = bool(annotations.occluded[i])
    if annotations.track is not None and annotations.track[i] >= 0:
        attributes["track_id"] = int(annotations.track[i])
    if attributes:
        written["attributes"] = attributes
    return written | _coco_shape(annotations, i, joints.get(annotations.labels[label], ()))


def _coco_shape(annotations: AnnotationSet, i: int, joints: Sequence[str]) -> dict[str, Any]:
    match annotations.shape(i):
        case Polygon(rings, holes):
            if holes:
                raise _no_holes(annotations.ids[i], "COCO")
            return {"segmentation": [ring.ravel().tolist() for ring in rings]}
        case Mask() as mask:
            image = annotations.images[int(annotations.image[i])]
            height, width = int(image.height), int(image.width)
            counts = text_of_runs(_runs_in_image(mask, width, height, annotations.ids[i]))
            return {"segmentation": {"size": [height, width], "counts": counts}}
        case Skeleton() as skeleton:
            rows = dict(zip(skeleton.names, _keypoint_rows(skeleton), strict=True))
            flat = [number for name in joints for number in rows.get(name, [0.0, 0.0, 0])]
            return {"keypoints": flat, "num_keypoints": sum(v > 0 for v in flat[2::3])}
    return {"segmentation": []}


def _no_holes(annotation: str, format: str) -> InputError:
    problem = f"annotation {annotation} is a polygon with a hole, which {format} does not have"
    return InputError(problem, remedy="Draw it as a mask, or without the hole.")


def _keypoint_rows(skeleton: Skeleton) -> list[list[float]]:
    return [[x, y, seen] for (x, y), seen in zip(skeleton.points.tolist(), skeleton.visibility.tolist(), strict=True)]


def _joints(annotations: AnnotationSet) -> dict[str, tuple[str, ...]]:
    """The keypoints of each label: as defined, and those that its skeletons have besides."""
    names_of = {definition.name: dict.fromkeys(definition.keypoints) for definition in annotations.definitions}
    for i in np.flatnonzero(annotations.kind == ShapeKind.SKELETON).tolist():
        shape = annotations.shape(i)
        if isinstance(shape, Skeleton):
            names_of.setdefault(annotations.labels[annotations.label[i]], {}).update(dict.fromkeys(shape.names))
    return {name: tuple(joints) for name, joints in names_of.items() if joints}


def _posed(bones: Iterable[tuple[str, str]], joints: Sequence[str]) -> dict[str, Any]:
    """The keypoints of a category, and by their positions those that are joined, where the file said so."""
    position = {name: i for i, name in enumerate(joints, start=1)}
    pairs = [[position[a], position[b]] for a, b in bones if a in position and b in position]
    return {"keypoints": list(joints), **({"skeleton": pairs} if pairs else {})}


def _runs_in_image(mask: Mask, width: int, height: int, name: str) -> Runs:
    """The runs of a mask in the whole image, column by column."""
    right, bottom = mask.left + mask.width, mask.top + mask.height
    if mask.by_column and (mask.left, mask.top, right, bottom) == (0, 0, width, height):
        return mask.runs
    if min(mask.left, mask.top) < 0 or right > width or bottom > height or width * height > value_of("mask_pixels"):
        problem = f"annotation {name}: its mask reaches beyond the image of {width} x {height} pixels"
        raise InputError(problem, remedy="Write these annotations as CVAT XML.")
    pixels = np.zeros((height, width), np.bool_)
    pixels[mask.top : bottom, mask.left : right] = _pixels(mask)
    return runs_of_pixels(pixels.ravel(order="F"))


def _pixels(mask: Mask) -> NDArray[np.bool_]:
    """(height, width) of the mask's window: what is drawn."""
    drawn = np.repeat(np.arange(len(mask.runs)) % 2 == 1, mask.runs)
    return drawn.reshape(mask.width, mask.height).T if mask.by_column else drawn.reshape(mask.height, mask.width)


def cvat_xml(annotations: AnnotationSet) -> str:
    """CVAT for images 1.1. A polygon of several rings becomes as many polygons of one group, as CVAT has them.

    Coordinates in their shortest exact form. InputError for polygons with holes. Ids, areas, confidence, crowd flags
    and tracks have no place in the format.
    """
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<annotations>", "  <version>1.1</version>", *_meta(annotations)]
    of_image: list[list[int]] = [[] for _ in annotations.images]
    for i, image in enumerate(annotations.image.tolist()):
        of_image[image].append(i)
    highest_group = int(annotations.group.max(initial=0)) if annotations.group is not None else 0
    new_groups = count(highest_group + 1)
    for number, image in enumerate(annotations.images):
        size = f'width="{_plain(image.width)}" height="{_plain(image.height)}"'
        lines.append(f'  <image id="{number}" name={_quoted(image.name)} {size}>')
        for i in of_image[number]:
            lines += _cvat_elements(annotations, i, new_groups)
        lines.append("  </image>")
    return "\n".join([*lines, "</annotations>", ""])


def _cvat_elements(annotations: AnnotationSet, i: int, new_groups: Iterator[int]) -> Iterator[str]:
    shape = annotations.shape(i)
    if isinstance(shape, Polygon):
        if shape.holes:
            raise _no_holes(annotations.ids[i], "CVAT XML")
        elements: list[Tagged] = [("polygon", {"points": _places(ring)}, []) for ring in shape.rings]
    else:
        elements = [_ELEMENT[type(shape)](shape)]
    group = int(annotations.group[i]) if annotations.group is not None else 0
    if not group and len(elements) > 1:  # rings that belong together
        group = next(new_groups)
    occluded = int(annotations.occluded is not None and bool(annotations.occluded[i]))
    for tag, own, children in elements:
        stated = {"label": annotations.labels[annotations.label[i]], "source": "file", "occluded": str(occluded)} | own
        if group:
            stated["group_id"] = str(group)
        yield f'    <{tag} {_attributes(stated)} z_order="0">'
        yield from (f"      {child}" for child in children)
        for name, value in annotations.attributes.get(i, {}).items():
            text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            yield f"      <attribute name={_quoted(name)}>{escape(text)}</attribute>"
        yield f"    </{tag}>"


def _with_numbers(tag: str, rotation: float = 0.0, **numbers: float) -> Tagged:
    stated = numbers | ({"rotation": rotation} if rotation else {})
    return tag, {name: repr(_plain(number)) for name, number in stated.items()}, []


def _cuboid(cuboid: Cuboid) -> Tagged:
    corners = zip(CORNERS, cuboid.corners.tolist(), strict=True)
    return _with_numbers("cuboid", **{f"{axis}{c}": v for c, xy in corners for axis, v in zip("xy", xy, strict=True)})


def _mask(mask: Mask) -> Tagged:
    runs = runs_of_pixels(_pixels(mask).ravel()) if mask.by_column else mask.runs  # CVAT goes row by row
    window = {"left": mask.left, "top": mask.top, "width": mask.width, "height": mask.height}
    return "mask", {"rle": ", ".join(map(str, runs.tolist()))} | {k: str(v) for k, v in window.items()}, []


def _skeleton(skeleton: Skeleton) -> Tagged:
    children = []
    for name, (x, y, seen) in zip(skeleton.names, _keypoint_rows(skeleton), strict=True):
        stated = {"label": name, "outside": str(int(seen == 0)), "occluded": str(int(seen == 1))}
        children.append(f'<points {_attributes(stated)} points="{_plain(x)!r},{_plain(y)!r}"/>')
    return "skeleton", {}, children


_ELEMENT: Mapping[type, Callable[[Any], Tagged]] = {
    shapes.Box: lambda b: _with_numbers("box", b.rotation, xtl=b.left, ytl=b.top, xbr=b.right, ybr=b.bottom),
    shapes.Ellipse: lambda e: _with_numbers("ellipse", e.rotation, cx=e.x, cy=e.y, rx=e.radius_x, ry=e.radius_y),
    Cuboid: _cuboid,
    Mask: _mask,
    Skeleton: _skeleton,
    shapes.Polyline: lambda line: ("polyline", {"points": _places(line.points)}, []),
    shapes.Points: lambda points: ("points", {"points": _places(points.points)}, []),
    shapes.Tag: lambda tag: ("tag", {}, []),
}


def _meta(annotations: AnnotationSet) -> Iterator[str]:
    known = {definition.name: definition for definition in annotations.definitions}
    joints = _joints(annotations)
    yield "  <meta>\n    <task>\n      <labels>"
    for name in annotations.labels:
        kind = "skeleton" if joints.get(name) else "any"
        yield f"        <label><name>{escape(name)}</name><type>{kind}</type><attributes>"
        for attribute in known[name].attributes if name in known else ():
            stated = {"name": attribute.name, "input_type": attribute.input, "values": "\n".join(attribute.values)}
            inside = "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in stated.items())
            yield f"          <attribute>{inside}</attribute>"
        yield "        </attributes></label>"
        for joint in joints.get(name, ()):
            yield f"        <label><name>{escape(joint)}</name><parent>{escape(name)}</parent></label>"
    yield "      </labels>\n    </task>\n  </meta>"


def _places(points: Coordinates) -> str:
    return ";".join(f"{_plain(x)!r},{_plain(y)!r}" for x, y in points.tolist())


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else float(number)


def _attributes(stated: Mapping[str, str]) -> str:
    return " ".join(f"{name}={_quoted(value)}" for name, value in stated.items())


def _quoted(text: str) -> str:
    return quoteattr(NOT_IN_XML.sub("\ufffd", text))


def escape(text: str) -> str:
    """Text as XML holds it; control characters, which XML cannot hold, as the replacement character."""
    return escaped(NOT_IN_XML.sub("\ufffd", text))
