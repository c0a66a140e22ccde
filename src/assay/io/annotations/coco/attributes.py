"""The attributes of COCO annotations, and what CVAT keeps among them: rotation, occlusion and tracks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import Value
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.document import Annotation
from assay.io.annotations.problem_tally import ProblemTally


@dataclass(frozen=True, eq=False, slots=True)
class CocoAttributes:
    """What the attributes say, sorted by what it is about."""

    attributes: Mapping[int, Mapping[str, Value]]
    rotation: NDArray[np.float64]
    occluded: NDArray[np.bool_] | None
    track: NDArray[np.int64] | None


def read_attributes(annotations: Sequence[Annotation], kinds: NDArray[np.int16], tally: ProblemTally) -> CocoAttributes:
    """Attribute -> value of each annotation.

    CVAT and Datumaro write the turn of a box, its occlusion and its track as attributes. Turn and track are no
    attributes of the label, so they go where the other formats have them; occlusion is both.
    """
    n = len(annotations)
    found: dict[int, dict[str, Value]] = {}
    rotation, occluded, track = np.zeros(n), np.zeros(n, np.bool_), np.full(n, -1, np.int64)
    for i in [i for i, annotation in enumerate(annotations) if annotation.attributes]:
        annotation = annotations[i]
        rest = dict(annotation.attributes or {})
        if kinds[i] == ShapeKind.BOX or rest.get("rotation") == 0:
            rotation[i] = _taken_number(rest, "rotation") % 360.0
        if isinstance(rest.get("occluded"), bool):
            occluded[i] = rest["occluded"]  # stays an attribute too: the scoring plan scores it as one
        if isinstance(number := rest.get("track_id"), int) and 0 <= number < 1 << 62:
            track[i] = rest.pop("track_id")
            rest.pop("keyframe", None)
        if rest:
            found[i] = {name: _value(value, f"annotation {annotation.id}", tally) for name, value in rest.items()}
    rotation.flags.writeable = occluded.flags.writeable = track.flags.writeable = False
    return CocoAttributes(found, rotation, occluded if occluded.any() else None, track if (track >= 0).any() else None)


def _taken_number(attributes: dict[str, Any], name: str) -> float:
    value = attributes.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return 0.0
    del attributes[name]
    return float(value)


def _value(value: Any, where: str, tally: ProblemTally) -> Value:
    """A value as it is; empty text is None, and a list or object is compared as its text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    tally.mended("an attribute holds a list or an object: it is compared as text", where)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
