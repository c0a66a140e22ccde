"""What COCO annotations state beside their shape: crowd flags, attributes, and what CVAT keeps among these.

And what is told of shapes that are scored as they stand.
"""

import json
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.io.annotations.coco.document import Annotation, has_run_lengths
from assay.io.annotations.shape_validation import self_intersection_problem

if TYPE_CHECKING:
    from assay.io.annotations.columns import ProblemTally


def read_attributes(
    annotations: Sequence[Annotation], kinds: NDArray[np.int16], tally: "ProblemTally"
) -> dict[str, Any]:
    """The columns `attributes` (attribute -> value of each annotation), `rotation`, `occluded` and `track`.

    CVAT and Datumaro write the turn of a box, its occlusion and its track as attributes. Turn and track are no
    attributes of the label, so they go where the other formats have them; occlusion is both.
    """
    n = len(annotations)
    attributes: dict[int, dict[str, Value]] = {}
    rotation, occluded, track = np.zeros(n), np.zeros(n, np.bool_), np.full(n, -1, np.int64)
    for i in [i for i, annotation in enumerate(annotations) if annotation.attributes]:
        annotation = annotations[i]
        rest = dict(annotation.attributes or {})
        turn: Any = rest.get("rotation")
        is_number = isinstance(turn, int | float) and not isinstance(turn, bool)
        if is_number and (kinds[i] == ShapeKind.BOX or turn == 0) and isfinite(turn):
            rotation[i] = float(rest.pop("rotation")) % 360.0
        if isinstance(rest.get("occluded"), bool):
            occluded[i] = rest["occluded"]  # stays an attribute too: the scoring plan scores it as one
        if isinstance(number := rest.get("track_id"), int) and 0 <= number < 1 << 62:
            track[i] = rest.pop("track_id")
            rest.pop("keyframe", None)
        if rest:
            attributes[i] = {name: _value(value, f"annotation {annotation.id}", tally) for name, value in rest.items()}
    return {
        "attributes": attributes,
        "rotation": read_only(rotation),
        "occluded": read_only(occluded) if occluded.any() else None,
        "track": read_only(track) if (track >= 0).any() else None,
    }


def _value(value: Any, where: str, tally: "ProblemTally") -> Value:
    """A value as it is; empty text is None, and a list or object is compared as its text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    tally.repaired("an attribute holds a list or an object: it is compared as text", where)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def crowd_regions(annotations: Sequence[Annotation]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each annotation is a region that is not to be scored; and whether it is a mask of CVAT instead.

    CVAT and Datumaro set iscrowd on everything they write as run lengths, so that a task painted with the brush would
    hold no object at all. Such a mask is known by CVAT's own attribute `occluded`, which COCO's files do not have.
    Source: convert_instance in Datumaro's COCO exporter.
    """
    stated = np.array([bool(a.iscrowd or a.is_crowd or a.ignore) for a in annotations], np.bool_)
    painted = np.zeros(len(annotations), np.bool_)
    for i in np.flatnonzero(stated).tolist():
        a = annotations[i]
        by_cvat = not a.ignore and isinstance((a.attributes or {}).get("occluded"), bool)
        painted[i] = by_cvat and has_run_lengths(a)
    return stated & ~painted, painted


def warn_of_flat_boxes(annotations: AnnotationSet, tally: "ProblemTally") -> None:
    """Tell of boxes without area."""
    left, top, right, bottom = annotations.bounds.T
    flat = np.flatnonzero((annotations.kind == ShapeKind.BOX) & ((right <= left) | (bottom <= top)))
    if flat.size:
        image, number = annotations.images[int(annotations.image[flat[0]])].name, annotations.ids[int(flat[0])]
        tally.repaired("a box has no area", f"image {image!r}, annotation {number}", flat.size)


def warn_of_mask_sizes(annotations: AnnotationSet, tally: "ProblemTally") -> None:
    """Tell of masks that are not of their image's size, as after resizing one of the two."""
    others = annotations.shape_of.others if isinstance(annotations.shape_of, ShapeColumns) else {}
    what = "a mask is not of its image's size: it is laid at the image's upper left corner"
    for i, mask in others.items():
        image = annotations.images[int(annotations.image[i])]
        size = image.width, image.height
        if isinstance(mask, Mask) and all(size) and (mask.width, mask.height) != size:
            tally.repaired(what, f"image {image.name!r}, annotation {annotations.ids[i]}")


def self_intersections_of(annotations: AnnotationSet) -> list[FileProblem]:
    """The line that tells of outlines that cross themselves, if there are any."""
    shapes = annotations.shape_of
    if not isinstance(shapes, ShapeColumns) or shapes.crossing is None or not shapes.crossing.any():
        return []
    owners = np.unique(shapes.rings.owner[shapes.crossing])
    return [self_intersection_problem(annotations, int(owners[0]), len(owners))]
