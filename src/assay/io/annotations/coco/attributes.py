"""What COCO annotations state beside their shape: ids, crowd flags, attributes, and what CVAT keeps among these."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import ShapeKind
from assay.io.annotations.coco.document import Annotation, Id, has_run_lengths, id_text
from assay.io.annotations.columns import ProblemTally


class NumberIds(Sequence[str]):
    """Numbers that are read as text: few are ever asked for, so the text is made then."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        chosen = self._numbers[index]
        return NumberIds(chosen) if isinstance(chosen, np.ndarray) else str(chosen)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._numbers.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def ids_of(annotations: Sequence[Annotation], used: NDArray[np.int64], tally: ProblemTally) -> Sequence[str]:
    """The ids of the annotations that are kept; an annotation without one goes by its position, from 1."""
    stated = [a.id for a in annotations]
    numbers = _numbers(stated)
    if numbers is not None and are_distinct(numbers):
        return NumberIds(numbers[used])
    ids = [str(i) if name is None else id_text(name) for i, name in enumerate(stated, start=1)]
    if repeated := len(ids) - len(set(ids)):
        seen: set[str] = set()
        first = next(name for name in ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        tally.repaired("an annotation's id is not its own: others have it too", f"annotation {first}", repeated)
    return tuple(ids[i] for i in used.tolist())


def are_distinct(numbers: NDArray[np.int64]) -> bool:
    """Whether no number occurs twice."""
    rising = bool((numbers[1:] > numbers[:-1]).all())  # as a rule, and quicker than a sort
    return rising or bool(np.diff(np.sort(numbers)).all())


def _numbers(stated: Sequence[Id | None]) -> NDArray[np.int64] | None:
    """The ids as numbers, positions when none is stated; None when some are other than whole numbers in range."""
    types = set(map(type, stated))
    if types == {type(None)}:
        return np.arange(1, len(stated) + 1)
    if types != {int}:
        return None
    try:
        return np.array(stated, np.int64)
    except OverflowError:
        return None


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
    attributes: dict[int, dict[str, Value]] = {}
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
            attributes[i] = {name: _value(value, f"annotation {annotation.id}", tally) for name, value in rest.items()}
    return CocoAttributes(
        attributes,
        read_only(rotation),
        read_only(occluded) if occluded.any() else None,
        read_only(track) if (track >= 0).any() else None,
    )


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
        painted[i] = _is_painted(annotations[i])
    return stated & ~painted, painted


def _is_painted(annotation: Annotation) -> bool:
    attributes = annotation.attributes
    if annotation.ignore or not attributes or not isinstance(attributes.get("occluded"), bool):
        return False
    return has_run_lengths(annotation)
