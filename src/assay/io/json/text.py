"""JSON bytes as others write them: what is wrong with them, and where."""

import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import InputError, MissingExtra
from assay.io.tables.text_encoding import as_utf8

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

BYTE = re.compile(r"\(byte (\d+)\)")


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """The collector looks at every list again and again while millions are made: it would double the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def broken_json_named(content: bytes, source: str) -> Iterator[None]:
    """Turn what a parser says of broken JSON into an InputError with line and column."""
    try:
        yield
    except msgspec.ValidationError:
        raise  # not broken, but other than expected: whoever expects it says so
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise broken_json(content, source, problem) from None


def top_level(content: bytes, source: str) -> tuple[bytes, dict[str, msgspec.Raw] | list[msgspec.Raw]]:
    """The text of a JSON file, and its members or items, each still as text; InputError when it is not JSON.

    JSON has no NaN, but Python writes it: it becomes null, so that the coordinate is reported as what it is and the
    rest of the file is read.
    """
    text = as_utf8(content)
    try:
        return text, _decoded(text, source)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        without_nan = _without_nan(text) if b"NaN" in text or b"Infinity" in text else None
        if without_nan is None:
            raise broken_json(text, source, problem) from None
        with broken_json_named(without_nan, source):
            return without_nan, _decoded(without_nan, source)


def _decoded(text: bytes, source: str) -> dict[str, msgspec.Raw] | list[msgspec.Raw]:
    try:
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw] | list[msgspec.Raw])
    except msgspec.ValidationError:
        raise InputError(
            "it is JSON, but neither an object nor a list: it holds no annotations",
            source=source,
            remedy="Export it again.",
        ) from None


def _without_nan(text: bytes) -> bytes | None:
    """The same JSON with null for NaN and Infinity; None when it is broken in another way."""
    try:
        return json.dumps(json.loads(text, parse_constant=lambda _: None), ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None


def broken_json(content: bytes, source: str, problem: Exception) -> InputError:
    """What is wrong, with its line."""
    if isinstance(problem, RecursionError):
        what = "lists or objects are nested too deeply; this is no annotation file"
        return InputError(what, source=source, remedy="Export the annotations again.")
    byte, reason = byte_and_reason(problem)
    if isinstance(problem, UnicodeDecodeError) or "utf-8" in reason.lower():
        return InputError("it holds text that is not UTF-8", source=source, remedy="Save it as UTF-8, as JSON must be.")
    if byte is None:
        line, column = _line_and_column(content, len(content))
        what = f"it breaks off in column {column} (byte {len(content):,}): the JSON is not complete"
        return InputError(what, source=source, row=line, remedy="Export or download it again.")
    line, column = _line_and_column(content, byte)
    what = f"the JSON is broken in column {column} ({reason})"
    return InputError(what, source=source, row=line, remedy="Export it again.")


def byte_and_reason(problem: Exception) -> tuple[int | None, str]:
    """Where text stops to be JSON, None if it breaks off, and why: msgspec keeps both in its message and nowhere else.

    >>> byte_and_reason(msgspec.DecodeError("JSON is malformed: invalid character (byte 12)"))
    (12, 'invalid character')
    """
    message = str(problem)
    byte = int(at[1]) if (at := BYTE.search(message)) else 0
    reason = BYTE.sub("", message).removeprefix("JSON is malformed: ").strip()
    return (None if "truncated" in message else byte), reason


def _line_and_column(content: bytes, byte: int) -> tuple[int, int]:
    before = content[:byte]
    return before.count(b"\n") + 1, byte - (before.rfind(b"\n") + 1) + 1


def keys_of_object(raw: msgspec.Raw) -> frozenset[str]:
    """The keys of a JSON object; none of anything else."""
    try:
        return frozenset(msgspec.json.decode(raw, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()
