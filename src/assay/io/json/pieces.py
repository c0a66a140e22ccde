"""Long JSON lists read piece by piece: what was made of one piece is gone before the next, so memory stays small.

Reading a large file at once spends much of its time on fetching memory for objects that are given back right away.
"""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

from assay.errors import MissingExtra

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

PIECE = 128 << 10
"""Bytes: small enough for the processor's cache."""
OPENING = re.compile(rb"\s*:\s*\[")
GAP = 64
"""Bytes that may lie between two objects of a list, indentation included."""


class Stream(Protocol):
    """A file opened for reading bytes."""

    def read(self, size: int = -1, /) -> bytes: ...
    def readinto(self, buffer: memoryview, /) -> int: ...
    def seek(self, offset: int, /) -> int: ...


Item = TypeVar("Item")
Around = TypeVar("Around")


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
    before, rest = _up_to_list(stream, name)
    head = _decoded(before + b"]}", msgspec.json.Decoder(around))
    rest = _take_pieces(stream, rest, msgspec.json.Decoder(list[item]), take)  # type: ignore[valid-type]
    if name in rest:  # perhaps the same list again, which would count instead of the first
        raise NotInPieces
    return head, _decoded(b'{"' + name + b'":[' + rest, msgspec.json.Decoder(around))


def one_of(first: list[Item] | None, second: list[Item] | None) -> list[Item]:
    """The list that is stated in one of two places; NotInPieces when it is in none, or in both."""
    found = second if first is None else first if second is None else None
    if found is None:
        raise NotInPieces
    return found


def _up_to_list(stream: Stream, name: bytes) -> tuple[bytes, bytes]:
    """The text up to and with the opening bracket of a list, and what was read beyond."""
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
    return text[: opening.end()], text[opening.end() :]


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
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
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
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotInPieces from None
