"""One essay from a text file or from standard input."""

import sys
from pathlib import Path

from assay.errors import InputError

LARGEST = 20_000_000
"""Bytes; some three million words, more than anyone hands in."""

NOT_TEXT = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
"""How files that are often taken for text begin."""


def read_essay_text(source: str, *, field: str = "text") -> tuple[str, bytes]:
    """The text of a UTF-8 file, or of standard input for `-`, and its bytes."""
    content = _bytes(source, field)
    return decoded(content, name="standard input" if source == "-" else source), content


def _bytes(source: str, field: str) -> bytes:
    try:
        if source == "-":
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(source).open("rb") as stream:
            return stream.read(LARGEST + 1)
    except FileNotFoundError:
        problem, remedy = "no such file", "Check the name."
    except IsADirectoryError:
        problem, remedy = "this is a folder", "Name one text file in it."
    except OSError as reason:
        problem, remedy = f"cannot be read: {reason.strerror}", "Check its rights, or name another file."
    raise InputError(problem, source=source, field=field, remedy=remedy)


def decoded(content: bytes, *, name: str) -> str:
    """The text in the bytes of an essay file; an InputError says what else they are."""
    if len(content) > LARGEST:
        problem, remedy = f"more than {LARGEST // 1_000_000} MB, which is no essay", "Name the text file."
    elif kind := next((kind for start, kind in NOT_TEXT.items() if content.startswith(start)), ""):
        problem, remedy = f"this is {kind}, not plain text", "Save the essay as plain text (.txt, UTF-8)."
    elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
        problem, remedy = "this is text in UTF-16", "Save it as UTF-8."
    elif b"\x00" in content:
        problem, remedy = f"binary, not text (byte {content.index(0)} is 0)", "Save the essay as plain text."
    elif not (text := _utf8(content, name)).strip():
        problem, remedy = "the file is empty", "Write the essay first, or name another file."
    else:
        return text
    raise InputError(problem, source=name, field="text", remedy=remedy)


def _utf8(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"byte 0x{content[problem.start]:02x} in line {line} is not UTF-8",
            source=name,
            field="text",
            remedy="Save the essay as UTF-8.",
        ) from None
