"""JSON bytes as others write them: what is wrong with them and where, and long lists read piece by piece.

What was made of one piece is gone before the next, so memory stays small. Reading a large file at once spends much of
its time on fetching memory for objects that are given back right away.
"""

import gc
import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from assay.errors import InputError, MissingExtra

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

MARKS = (
    (BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, with which it begins
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)
BY_ZEROS = {"x000": "utf-32-le", "000x": "utf-32-be", "x0x0": "utf-16-le", "0x0x": "utf-16-be"}
BYTE = re.compile(r"\(byte (\d+)\)")
BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
PIECE = 128 << 10
"""Bytes: small enough for the processor's cache."""
OPENING = re.compile(rb"\s*:\s*\[")
GAP = 64
"""Bytes that may lie between two objects of a list, indentation included."""
Item = TypeVar("Item")
Around = TypeVar("Around")


def as_utf8(content: bytes) -> bytes:
    """The text in UTF-8 without a byte order mark; what is not in UTF-16 or UTF-32 stays as it is.

    Known by the mark, or by the zeros beside the first letter (RFC 4627, section 3), which no text in UTF-8 has.

    >>> as_utf8(b"\\xff\\xfe{\\x00}\\x00"), as_utf8(b"{\\x00}\\x00"), as_utf8(b"\\xef\\xbb\\xbf{}")
    (b'{}', b'{}', b'{}')
    """
    if content.startswith(BOM_UTF8):
        return content[len(BOM_UTF8) :]
    zeros = "".join("0" if byte == 0 else "x" for byte in content[:4])
    by_mark = ((len(mark), encoding) for mark, encoding in MARKS if content.startswith(mark))
    start, encoding = next(by_mark, (0, BY_ZEROS.get(zeros, "")))
    try:
        return content[start:].decode(encoding).encode() if encoding else content
    except UnicodeError:  # no text after all: whoever reads it will say so
        return content


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
    except BROKEN as problem:
        raise _broken_json(content, source, problem) from None


def top_level(content: bytes, source: str) -> tuple[bytes, dict[str, msgspec.Raw] | list[msgspec.Raw]]:
    """The text of a JSON file, and its members or items, each still as text; InputError when it is not JSON.

    JSON has no NaN, but Python writes it: it becomes null, so that the coordinate is reported as what it is and the
    rest of the file is read.
    """
    text = as_utf8(content)
    try:
        return text, _members(text, source)
    except BROKEN as problem:
        if b"NaN" not in text and b"Infinity" not in text:
            raise _broken_json(text, source, problem) from None
        try:
            without_nan = json.dumps(json.loads(text, parse_constant=lambda _: None), ensure_ascii=False).encode()
        except (ValueError, RecursionError):  # it is broken in another way
            raise _broken_json(text, source, problem) from None
    with broken_json_named(without_nan, source):
        return without_nan, _members(without_nan, source)


def _members(text: bytes, source: str) -> dict[str, msgspec.Raw] | list[msgspec.Raw]:
    try:
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw] | list[msgspec.Raw])
    except msgspec.ValidationError:
        problem = "it is JSON, but neither an object nor a list: it holds no annotations"
        raise InputError(problem, source=source, remedy="Export it again.") from None


def _broken_json(content: bytes, source: str, problem: Exception) -> InputError:
    """What is wrong, with its line: msgspec keeps place and reason in its message and nowhere else."""
    if isinstance(problem, RecursionError):
        what = "lists or objects are nested too deeply; this is no annotation file"
        return InputError(what, source=source, remedy="Export the annotations again.")
    message = str(problem)
    reason = BYTE.sub("", message).removeprefix("JSON is malformed: ").strip()
    if isinstance(problem, UnicodeDecodeError) or "utf-8" in reason.lower():
        return InputError("it holds text that is not UTF-8", source=source, remedy="Save it as UTF-8, as JSON must be.")
    truncated, at = "truncated" in message, BYTE.search(message)
    byte = len(content) if truncated else int(at[1]) if at else 0
    line, column = content.count(b"\n", 0, byte) + 1, byte - content.rfind(b"\n", 0, byte)
    if truncated:
        what = f"it breaks off in column {column} (byte {byte:,}): the JSON is not complete"
        return InputError(what, source=source, row=line, remedy="Export or download it again.")
    what = f"the JSON is broken in column {column} ({reason})"
    return InputError(what, source=source, row=line, remedy="Export it again.")


def decoded(content: bytes, source: str) -> Any:
    """The values of a JSON text, of whatever kind; a number that no float holds is infinite, for readers to refuse."""
    with broken_json_named(content, source):
        try:
            return msgspec.json.decode(content)
        except msgspec.ValidationError:  # a number is out of range
            return json.loads(content, parse_int=lambda digits: int(digits) if len(digits) < 300 else float(digits))


def keys_of_object(raw: msgspec.Raw) -> frozenset[str]:
    """The keys of a JSON object; none of anything else."""
    try:
        return frozenset(msgspec.json.decode(raw, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()


class Stream(Protocol):
    """A file opened for reading bytes."""

    def read(self, size: int = -1, /) -> bytes: ...
    def readinto(self, buffer: memoryview, /) -> int: ...
    def seek(self, offset: int, /) -> int: ...


class NotInPieces(Exception):
    """A file that cannot be read this way; reading it as a whole shows whether anything is wrong with it."""


def read_list(stream: Stream, item: type[Item], take: Callable[[list[Item]], None]) -> None:
    """Hand over the items of a file that is one JSON list, some at a time; NotInPieces when it is not.

    Items may hold no msgspec.Raw: the text they would point into is overwritten by the next piece.
    """
    first = stream.read(PIECE)
    if first[:1] != b"[":
        raise NotInPieces
    decoder = msgspec.json.Decoder(list[item])  # type: ignore[valid-type]
    rest = _take_pieces(stream, first[1:], decoder, take)
    take(_decoded(b"[" + rest, decoder))


def read_list_within(
    stream: Stream, name: bytes, item: type[Item], around: type[Around], take: Callable[[list[Item]], None]
) -> tuple[Around, Around]:
    """Hand over the items of one list of a file that is a JSON object; what stands before and after that list.

    `around` is decoded twice: with the list empty, from the beginning of the file, and with the list's last items
    that are then still to be taken, from its end. NotInPieces when the file is otherwise.
    """
    key = b'"' + name + b'"'
    text = stream.read(PIECE)
    if text[:1] != b"{":
        raise NotInPieces
    while (at := text.find(key)) < 0 or len(text) < at + len(key) + GAP:
        more = stream.read(max(PIECE, len(text)))
        if not more:
            break
        text += more
    opening = OPENING.match(text, at + len(key)) if at >= 0 else None
    if opening is None:
        raise NotInPieces
    head = _decoded(text[: opening.end()] + b"]}", msgspec.json.Decoder(around))
    rest = _take_pieces(stream, text[opening.end() :], msgspec.json.Decoder(list[item]), take)  # type: ignore[valid-type]
    if name in rest:  # perhaps the same list again, which would count instead of the first
        raise NotInPieces
    return head, _decoded(b'{"' + name + b'":[' + rest, msgspec.json.Decoder(around))


def one_of(first: list[Item] | None, second: list[Item] | None) -> list[Item]:
    """The list that is stated in one of two places; NotInPieces when it is in none, or in both."""
    match [items for items in (first, second) if items is not None]:
        case [stated]:
            return stated
    raise NotInPieces


def _take_pieces(
    stream: Stream, rest: bytes, decoder: "msgspec.json.Decoder[list[Item]]", take: Callable[[list[Item]], None]
) -> bytes:
    """Hand over items up to the last cut that leaves whole lists; the text after it.

    The text is cut where one object ends and the next begins. Whether that is between two items or deeper inside of
    one shows when the piece is decoded, since only a cut between items leaves a whole list.
    """
    text, filled = _begun(rest)
    while True:
        if filled > len(text) // 2:
            text, filled = _begun(bytes(text[1:filled]))
        with memoryview(text) as view:
            filled += (got := stream.readinto(view[filled:-1]))
            if not got:
                return bytes(view[1:filled])
            end, begin = _cut(text, filled)
            if not end:
                continue
            following, text[end] = text[end], ord("]")
            try:
                items = decoder.decode(view[: end + 1])
            except BROKEN:
                text[end] = following
                return bytes(view[1:filled]) + stream.read()
            take(items)
            left = filled - begin
            view[1 : left + 1] = bytes(view[begin:filled])
            filled = left + 1


def _begun(rest: bytes) -> tuple[bytearray, int]:
    """Room for a list of which some is there, twice over, and how far it is filled."""
    text = bytearray(max(PIECE, 4 * len(rest)) + 2)
    text[: len(rest) + 1] = b"[" + rest
    return text, len(rest) + 1


def _cut(text: bytes | bytearray, length: int) -> tuple[int, int]:
    """Where an object ends and where the next begins, as late as can be; zeros without such a place.

    >>> _cut(b'{"id": 1}, {"id": 2, "size": {}', 31)
    (9, 11)
    """
    begin = length
    while (begin := text.rfind(b"{", 0, begin)) > 0:
        between = text[max(begin - GAP, 0) : begin].rstrip()
        if between.endswith(b",") and between[:-1].rstrip().endswith(b"}"):
            return text.rfind(b"}", 0, begin) + 1, begin
    return 0, 0


def _decoded(text: bytes, decoder: "msgspec.json.Decoder[Around]") -> Around:
    try:
        return decoder.decode(text)
    except BROKEN:
        raise NotInPieces from None
