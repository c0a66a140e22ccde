"""What kind of image a file holds and how large it is, from its first bytes, whatever its name says."""

import struct
from dataclasses import dataclass
from typing import Literal, TypeAlias

Media: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The kind of an image and its size in pixels; 0 where the file does not tell it in a way we read."""

    media: Media
    width: int = 0
    height: int = 0


def image_header(content: bytes) -> ImageHeader | None:
    """The header of an image that browsers and PDF can show; None for anything else, SVG among it.

    Sources: W3C PNG, ITU-T T.81 (JPEG) annex B, CompuServe GIF89a, Google's WebP container.

    >>> image_header(b"GIF89a" + bytes([64, 0, 48, 0]))
    ImageHeader(media='image/gif', width=64, height=48)
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        return ImageHeader("image/png", *struct.unpack(">II", content[16:24]))
    if content.startswith((b"GIF87a", b"GIF89a")) and len(content) >= 10:
        return ImageHeader("image/gif", *struct.unpack("<HH", content[6:10]))
    if content.startswith(b"\xff\xd8\xff"):
        return ImageHeader("image/jpeg", *_jpeg_size(content))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ImageHeader("image/webp")
    return None


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """Width and height, from the frame header."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[place + 5 : place + 9])
            return width, height
        place += 2 + int(struct.unpack(">H", content[place + 2 : place + 4])[0])
    return 0, 0
