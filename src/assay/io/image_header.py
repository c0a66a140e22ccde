"""What an image says of itself: its format, its size as it is shown; pixels only where they are asked for."""

import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Literal, TypeAlias

from assay.errors import MissingExtra

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

Media: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
Size = tuple[int, int]
WIDTH, HEIGHT, ORIENTATION = 256, 257, 274
STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"RIFF", "WEBP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)
"""How files begin -> Pillow's name for their format."""
SHOWN: Mapping[str, Media] = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
"""Formats that browsers and PDF can show."""
TURNED = frozenset({5, 6, 7, 8})
BROKEN = (SyntaxError, OSError, ValueError, KeyError, IndexError, TypeError, EOFError)
"""What Pillow raises for files that are damaged."""
_FILTERS = Lock()


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The kind of an image and its size in pixels; 0 where the file does not tell it in a way we read."""

    media: Media
    width: int
    height: int


def image_header(content: bytes) -> ImageHeader | None:
    """The header of an image that browsers and PDF can show; None for anything else, SVG among it."""
    media = SHOWN.get(_format(content))
    return None if media is None else ImageHeader(media, *(image_size(content) or (0, 0)))


def image_size(content: bytes) -> Size | None:
    """Width and height in pixels; None when the file is broken or of another kind."""
    try:
        # Pillow warns of damaged tags, which say nothing about the size; one thread at a time may change the filters
        with _FILTERS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = open_image(content)
            if image is None:
                return None
            from PIL.Image import Exif  # noqa: PLC0415 - as below

            width, height = image.size
            exif = Exif()
            if image.format == "TIFF":  # Pillow turns these too, which other tools do not
                tags = getattr(image, "tag_v2")  # noqa: B009 - only TIFF has it
                width, height = tags[WIDTH], tags[HEIGHT]
            elif image.format in {"JPEG", "MPO"}:
                with suppress(*BROKEN):
                    exif.load(image.info.get("exif", b""))
            if exif.get(ORIENTATION) in TURNED:
                width, height = height, width
    except BROKEN:
        return None
    return (width, height) if width > 0 and height > 0 else None


def open_image(content: bytes) -> "ImageFile | None":
    """The image with its header read and nothing decoded, None when it is of a kind that is not read; BROKEN if it is.

    Not by Image.open, which warns of many pixels, though their number costs nothing before they are decoded.
    """
    try:
        from PIL import Image  # noqa: PLC0415 - optional, and only images beside YOLO's labels and masks need it
    except ImportError as absent:
        raise MissingExtra("Reading images", "annotations") from absent
    if not (name := _format(content)):
        return None
    Image.init()
    opened: Callable[[BytesIO, str], ImageFile] = Image.OPEN[name][0]
    try:
        return opened(BytesIO(content), "")
    except Image.DecompressionBombError as problem:
        raise ValueError(*problem.args) from None


def _format(content: bytes) -> str:
    name = next((name for start, name in STARTS if content.startswith(start)), "")
    return "" if name == "WEBP" and content[8:12] != b"WEBP" else name
