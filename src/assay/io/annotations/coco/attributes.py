"""What COCO's annotations say beside their shape: attributes, turns, occlusion, tracks, crowd regions."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.document import Annotation, Identified, has_run_lengths
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import FARTHEST

Stated: TypeAlias = Mapping[int, Mapping[str, Any]]
"""Annotation -> its attributes, for those that have any."""


def read_attributes(
    stated: Stated, annotations: Sequence[Identified], kinds: NDArray[np.int16], tally: ProblemTally
) -> dict[str, Any]:
    """The columns `attributes` (attribute -> value of each annotation), `rotation`, `occluded` and `track`.

    CVAT and Datumaro write the turn of a box, its occlusion and its track as attributes. Turn and track are no
    attributes of the label, so they go where the other formats have them; occlusion is both.
    """
    n = len(annotations)
    attributes: dict[int, dict[str, Value]] = {}
    rotation, occluded, track = np.zeros(n), np.zeros(n, np.bool_), np.full(n, -1, np.int64)
    for i, named_values in stated.items():
        rest = dict(named_values)
        turn: Any = rest.get("rotation")
        is_number = isinstance(turn, int | float) and not isinstance(turn, bool)
        if is_number and (kinds[i] == ShapeKind.BOX or turn == 0) and abs(turn) <= FARTHEST:
            rotation[i] = float(rest.pop("rotation")) % 360.0
        if isinstance(rest.get("occluded"), bool):
            occluded[i] = rest["occluded"]  # stays an attribute too: the scoring plan scores it as one
        if isinstance(number := rest.get("track_id"), int) and 0 <= number < 1 << 62:
            track[i] = rest.pop("track_id")
            rest.pop("keyframe", None)
        if rest:
            where = f"annotation {annotations[i].id}"
            attributes[i] = {name: _value(value, where, tally) for name, value in rest.items()}
    return {
        "attributes": attributes,
        "rotation": read_only(rotation),
        "occluded": read_only(occluded) if occluded.any() else None,
        "track": read_only(track) if (track >= 0).any() else None,
    }


def _value(value: Any, where: str, tally: ProblemTally) -> Value:
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
    may_be = [
        i for i in np.flatnonzero(stated).tolist() if not annotations[i].ignore and has_run_lengths(annotations[i])
    ]
    painted = painted_masks(len(annotations), {i: annotations[i].attributes or {} for i in may_be})
    return stated & ~painted, painted


def painted_masks(n: int, crowds: Stated) -> NDArray[np.bool_]:
    """Which of n annotations are masks of CVAT, among masks that are marked as crowd, given their attributes."""
    painted = np.zeros(n, np.bool_)
    painted[[i for i, attributes in crowds.items() if isinstance(attributes.get("occluded"), bool)]] = True
    return painted
