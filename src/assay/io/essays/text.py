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


def read_essay_text(source: str) -> tuple[str, bytes]:
    """The text of a UTF-8 file, or of standard input for `-`, and its bytes."""
    name = "standard input" if source == "-" else source
    content = _bytes(source)
    return decoded(content, name=name), content


def _bytes(source: str) -> bytes:
    try:
        if source == "-":
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(source).open("rb") as stream:
            return stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise InputError(f"{source} is not there. Check the name, or give - to read standard input.") from None
    except IsADirectoryError:
        raise InputError(
            f"{source} is a folder. Name one essay in it; `assay essays features` reads folders."
        ) from None
    except OSError as problem:
        raise InputError(f"{source} cannot be read: {problem.strerror}.") from None


def decoded(content: bytes, *, name: str) -> str:
    """The text in the bytes of an essay file; an InputError says what else they are."""
    if len(content) > LARGEST:
        raise InputError(f"{name} holds more than {LARGEST // 1_000_000} MB, which is no essay. Name the text file.")
    for start, kind in NOT_TEXT.items():
        if content.startswith(start):
            raise InputError(f"{name} is {kind}, not plain text. Save the essay as plain text (.txt, UTF-8).")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name} is text in UTF-16. Save it as UTF-8.")
    if b"\x00" in content:
        raise InputError(f"{name} is binary, not text (byte {content.index(0)} is 0). Save the essay as plain text.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"{name}, line {line}: byte 0x{content[problem.start]:02x} is not UTF-8. Save the essay as UTF-8."
        ) from None
    if not text.strip():
        raise InputError(f"{name} is empty. Write the essay first, or name another file.")
    return text
