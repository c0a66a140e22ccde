"""Kind and size of images from their headers: every kind, turned ones, huge ones and damaged ones."""

import struct
import sys
import zlib
from io import BytesIO

import pytest
from PIL import Image

from assay.errors import MissingExtra
from assay.io.image_header import ImageHeader, image_header, image_size

KINDS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")


def image(kind: str, width: int = 7, height: int = 5, *, orientation: int = 0) -> bytes:
    exif = Image.Exif()
    exif[274] = orientation
    stream = BytesIO()
    Image.new("RGB", (width, height)).save(stream, kind, **({"exif": exif} if orientation else {}))
    return stream.getvalue()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that states a size and holds no pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [head, b"IDAT", b"IEND"]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_in_the_header(kind: str) -> None:
    assert image_size(image(kind)) == (7, 5)


@pytest.mark.parametrize(("orientation", "size"), [(1, (7, 5)), (3, (7, 5)), (5, (5, 7)), (6, (5, 7)), (8, (5, 7))])
def test_a_jpeg_that_is_turned_when_shown_has_the_size_people_see(orientation: int, size: tuple[int, int]) -> None:
    assert image_size(image("JPEG", orientation=orientation)) == size


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
def test_only_a_jpeg_is_turned(kind: str) -> None:
    assert image_size(image(kind, orientation=6)) == (7, 5)


def test_a_jpeg_with_damaged_exif_is_as_large_as_it_is_stored() -> None:
    content = image("JPEG", orientation=6)
    start = content.index(b"Exif") + 6
    assert image_size(content[:start] + b"\xff" * 10 + content[start + 10 :]) == (7, 5)


def test_an_image_of_billions_of_pixels_tells_its_size_without_being_decoded() -> None:
    assert image_size(png_of_size(60_000, 60_000)) == (60_000, 60_000)


@pytest.mark.parametrize("kind", KINDS)
def test_an_image_that_breaks_off_in_its_header_has_no_size(kind: str) -> None:
    assert image_size(image(kind)[:20]) is None


@pytest.mark.parametrize("content", [b"", b"hello", b"RIFF\0\0\0\0WAVE", b"\xff\xd8\xff\xe0\0\0", png_of_size(0, 5)])
def test_what_is_no_image_has_no_size(content: bytes) -> None:
    assert image_size(content) is None


@pytest.mark.parametrize(
    ("kind", "media"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")]
)
def test_images_that_browsers_show_are_known_by_their_first_bytes(kind: str, media: str) -> None:
    header = image_header(image(kind))
    assert header is not None
    assert (header.media, header.width, header.height) == (media, 7, 5)


@pytest.mark.parametrize("content", [image("BMP"), image("TIFF"), b"<svg onload=alert(1)>", b""])
def test_other_images_are_not_shown(content: bytes) -> None:
    assert image_header(content) is None


def test_a_damaged_image_is_known_by_its_kind_and_has_no_size() -> None:
    assert image_header(image("JPEG")[:20]) == ImageHeader("image/jpeg", 0, 0)


def test_without_its_optional_part_it_says_how_to_add_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"Reading images needs .*assay-scoring\[annotations\]"):
        image_size(png_of_size(2, 3))
