"""What readers of JSON share: the parts of an object that may hold anything, and values of attributes."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

import msgspec

from assay.annotations.shapes.annotation_set import Value
from assay.errors import InputError
from assay.io.annotations.shape_validation import OnRepair, number
from assay.io.json_text import decoded

NO_3D = "a 3-D cuboid is not scored: only shapes in the image are"


def document_of(content: bytes, source: str, what: str) -> dict[str, Any]:
    """The object that a file is; InputError when it is something else."""
    document = decoded(content, source)
    if not isinstance(document, dict):
        raise InputError(f"it is no {what} file", source=source, remedy="Export it again.")
    return document


def objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of a list, or of the values of an object; nothing of anything else."""
    listed = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    yield from (item for item in listed if isinstance(item, dict))


def text_in(stated: Mapping[str, Any], *names: str) -> str:
    """The first of these that is text or a whole number, blank when none is.

    >>> text_in({"id": 7}, "name", "id")
    '7'
    """
    for name in names:
        value = stated.get(name)
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return str(value)
    return ""


def size_in(stated: Any, width: str = "width", height: str = "height") -> tuple[float, float]:
    """Width and height of an image; 0 for a side that is not stated, InputError for a size that is none."""
    if not isinstance(stated, dict):
        return 0.0, 0.0
    sides = [number(stated[side], side) if stated.get(side) is not None else 0.0 for side in (width, height)]
    if min(sides) < 0:
        raise InputError(f"the size {sides[0]:g} x {sides[1]:g} is negative")
    return sides[0], sides[1]


def numbers_in(value: Any, name: str, count: int | None = None) -> list[float]:
    """A list of usable numbers, of this length where one is given.

    >>> numbers_in([1, 2.5], "bbox")
    [1.0, 2.5]
    """
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise InputError(f"{name} is not a list of {'numbers' if count is None else f'{count} numbers'}")
    return [number(item, name) for item in value]


def attribute_value(value: Any, on_repair: OnRepair) -> Value:
    """A value of an attribute; empty text is None, a list or an object its text."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    on_repair("an attribute holds a list or an object: it is compared as text")
    return msgspec.json.encode(value, order="sorted").decode()
