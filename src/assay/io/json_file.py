"""JSON that is read back (models, results, configurations): bounded in size and depth, of the shape it should have."""

import json
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from assay.errors import InputError, refuse_pipe, shown
from assay.execution.limits import check

Record = TypeVar("Record")


def read_json(path: Path, *, field: str = "", remedy: str = "") -> Any:
    """What a JSON file holds; InputError if it cannot be read or holds none."""
    refuse_pipe(path, field=field)
    try:
        check("json_bytes", path.stat().st_size, path)
        content = path.read_bytes()
    except OSError as problem:
        why = f"cannot be read: {problem.strerror}"
        raise InputError(why, source=path, field=field, remedy=remedy) from None
    return json_of(content, source=path, field=field, remedy=remedy)


def json_of(content: bytes, *, source: str | PathLike[str], field: str = "", remedy: str = "") -> Any:
    """The same of the bytes of a file."""
    check("json_bytes", len(content), source)
    try:
        return json.loads(content)
    except RecursionError:
        problem = "nests lists or objects too deeply"
    except ValueError:
        problem = "is not JSON"
    raise InputError(problem, source=source, field=field, remedy=remedy)


def record_of(kind: type[Record], content: Any) -> Record:
    """A dataclass of numbers, text and flags from a JSON object; ValueError if a value is of another kind."""
    if not isinstance(content, Mapping):
        raise ValueError(f"{kind.__name__} is no object")
    hints = get_type_hints(kind)
    for name, value in content.items():
        if name in hints and not _fits(value, hints[name]):
            raise ValueError(f"{name} is {shown(value)!r}")
    needed = {f.name for f in fields(kind)}  # type: ignore[arg-type]  # a dataclass, as the caller says
    if unknown := sorted(set(content) - needed):
        raise ValueError(f"{unknown[0]!r} is unknown")
    return kind(**content)


def _fits(value: Any, hint: Any) -> bool:
    if isinstance(value, bool) or hint is bool:
        return hint is bool and isinstance(value, bool)
    if value is None or isinstance(value, str):
        return hint is type(value) or (value is None and type(None) in getattr(hint, "__args__", ()))
    return isinstance(value, int | float) and hint is not str and isfinite(value)
