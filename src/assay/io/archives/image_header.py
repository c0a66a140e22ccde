"""What kind of image a file holds and how large it is, from its first bytes, whatever its name says.

JPEG, PNG, GIF, BMP, WebP and TIFF, with nothing else installed. A JPEG that is stored lying and turned when shown (Exif
orientation 5 to 8) has the size that people see, as browsers, Label Studio, CVAT and Ultralytics take it.
Sources: W3C PNG, ITU-T T.81 (JPEG) annex B, CompuServe GIF89a, Google's WebP container, Adobe TIFF 6.0.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Media: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
Size = tuple[int, int]

PNG, JPEG, GIF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8", (b"GIF87a", b"GIF89a")
SHOWN: Mapping[Media, tuple[bytes, ...]] = {"image/png": (PNG,), "image/jpeg": (JPEG + b"\xff",), "image/gif": GIF}
"""How files begin that browsers and PDF can show; WebP is told by two marks."""

TURNED = frozenset({5, 6, 7, 8})
WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The kind of an image and its size in pixels; 0 where the file does not tell it in a way we read."""

    media: Media
    width: int = 0
    height: int = 0


def image_header(content: bytes) -> ImageHeader | None:
    """The header of an image that browsers and PDF can show; None for anything else, SVG among it.

    >>> image_header(b"GIF89a" + bytes([64, 0, 48, 0]))
    ImageHeader(media='image/gif', width=64, height=48)
    """
    media: Media | None = next((kind for kind, starts in SHOWN.items() if content.startswith(starts)), None)
    if _is_webp(content):
        media = "image/webp"
    return None if media is None else ImageHeader(media, *(image_size(content) or (0, 0)))


def image_size(content: bytes) -> Size | None:
    """Width and height in pixels; None when the file is broken or of another kind."""
    try:
        size = _size(content)
    except (struct.error, IndexError):
        return None
    return size if size and size[0] > 0 and size[1] > 0 else None


def _size(content: bytes) -> Size | None:
    if content.startswith(PNG):
        return struct.unpack(">II", content[16:24])
    if content.startswith(JPEG):
        return _jpeg(content)
    if content.startswith(GIF):
        return struct.unpack("<HH", content[6:10])
    if content.startswith(b"BM"):
        width, height = struct.unpack("<ii", content[18:26])
        return width, abs(height)  # negative when its rows go downwards
    if _is_webp(content):
        return _webp(content)
    if content.startswith((b"II*\0", b"MM\0*")):
        tags = _tiff_tags(content)
        return (tags[256], tags[257]) if {256, 257} <= tags.keys() else None
    return None


def _jpeg(content: bytes) -> Size | None:
    at, is_turned = 2, False
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker == 0xFF or marker in WITHOUT_LENGTH:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        part = content[at + 4 : at + 2 + length]
        if marker == 0xE1 and part.startswith(b"Exif\0\0"):
            is_turned = _tiff_tags(part[6:]).get(274) in TURNED
        if marker in FRAMES:
            height, width = struct.unpack(">HH", part[1:5])
            return (height, width) if is_turned else (width, height)
        at += 2 + length
    return None


def _tiff_tags(content: bytes) -> dict[int, int]:
    """The short and long numbers of the first directory."""
    order = "<" if content[:2] == b"II" else ">"
    (at,) = struct.unpack(f"{order}I", content[4:8])
    (count,) = struct.unpack(f"{order}H", content[at : at + 2])
    found = {}
    for i in range(count):
        entry = content[at + 2 + 12 * i : at + 14 + 12 * i]
        tag, kind = struct.unpack(f"{order}HH", entry[:4])
        if kind in {3, 4}:
            (found[tag],) = struct.unpack(f"{order}{'H' if kind == 3 else 'I'}", entry[8 : 10 if kind == 3 else 12])
    return found


def _is_webp(content: bytes) -> bool:
    return content[:4] == b"RIFF" and content[8:12] == b"WEBP"


def _webp(content: bytes) -> Size | None:
    match content[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", content[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack("<I", content[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1
    return None
