"""Text as UTF-8, whatever an editor or a shell of Windows saved it as."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

MARKS = (
    (BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, with which it begins
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)


def as_utf8(content: bytes) -> bytes:
    """The text in UTF-8 without a byte order mark; what is not in UTF-16 or UTF-32 stays as it is.

    Known by the mark, or by the zeros beside the first letter (RFC 4627, section 3), which no text in UTF-8 has.

    >>> as_utf8(b"\\xff\\xfe{\\x00}\\x00"), as_utf8(b"{\\x00}\\x00"), as_utf8(b"\\xef\\xbb\\xbf{}")
    (b'{}', b'{}', b'{}')
    """
    if content.startswith(BOM_UTF8):
        return content[len(BOM_UTF8) :]
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _recoded(content, len(mark), encoding)
    encoding = _by_zeros(content[:4])
    return _recoded(content, 0, encoding) if encoding else content


def _by_zeros(head: bytes) -> str:
    zeros = "".join("0" if byte == 0 else "x" for byte in head)
    return {"x000": "utf-32-le", "000x": "utf-32-be", "x0x0": "utf-16-le", "0x0x": "utf-16-be"}.get(zeros, "")


def _recoded(content: bytes, start: int, encoding: str) -> bytes:
    try:
        return content[start:].decode(encoding).encode()
    except UnicodeError:  # no text after all: whoever reads it will say so
        return content
