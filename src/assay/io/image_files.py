"""The images themselves, from a folder or a ZIP: found by name, read one at a time and only when asked for.

And what kind of image a file holds and how large it is, from its header, whatever its name says. Pillow reads the
headers; nothing is decoded, so an image of any size costs a few kilobytes. A JPEG that is stored lying and turned when
shown (Exif orientation 5 to 8) has the size that people see, as browsers, Label Studio, CVAT and Ultralytics take it.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING, Literal, TypeAlias

from assay.annotations.shapes.images import without_ending
from assay.errors import InputError, MissingExtra
from assay.io.archive import Limits, Member, list_members

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif"})
LIMITS = Limits(member_bytes=256 << 20, total_bytes=1 << 40)
Media: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
Size = tuple[int, int]

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
WIDTH, HEIGHT, ORIENTATION = 256, 257, 274
TURNED = frozenset({5, 6, 7, 8})
BROKEN = (SyntaxError, OSError, ValueError, KeyError, IndexError, TypeError, EOFError)
"""What Pillow raises for files that are damaged."""
_FILTERS = Lock()


@dataclass(frozen=True, slots=True)
class ImageFiles:
    """The images of a folder or ZIP."""

    by_path: Mapping[str, Member]
    by_name: Mapping[str, tuple[Member, ...]]
    by_stem: Mapping[str, tuple[Member, ...]]
    """By the name in any case and without its ending, for names that tools write otherwise."""

    def __len__(self) -> int:
        return len(self.by_path)

    def find(self, name: str) -> bytes | None:
        """The bytes of an image by the name annotations give it; None when there is none, or no telling which.

        A path is looked for as a whole, then ever less of its folders; a bare name wherever it lies, if only once.
        """
        parts = PurePosixPath(name.replace("\\", "/")).parts
        for start in range(len(parts)):
            if member := self.by_path.get("/".join(parts[start:])):
                return member.read()
        if not parts:
            return None
        same = self.by_name.get(parts[-1]) or self.by_stem.get(_stem(parts[-1]), ())
        fitting = [m for m in same if m.name.endswith("/" + "/".join(parts))] or list(same)
        return fitting[0].read() if len(fitting) == 1 else None


def read_images(path: Path) -> ImageFiles:
    """The images of a folder or a ZIP; none of them is read yet."""
    path = Path(path)
    images = images_among(list_members(path, limits=LIMITS))
    if not len(images):
        remedy = f"Give files that end in {', '.join(sorted(ENDINGS))}."
        raise InputError("it holds no images", source=path, field="images", remedy=remedy)
    return images


def images_among(members: Iterable[Member]) -> ImageFiles:
    """The images among some files."""
    by_path: dict[str, Member] = {}
    by_name: dict[str, tuple[Member, ...]] = {}
    by_stem: dict[str, tuple[Member, ...]] = {}
    for member in members:
        *folders, name = PurePosixPath(member.name).parts or ("",)
        # Pascal VOC draws outlines into images of the same names as the photos
        outlines = any(folder.lower().startswith("segmentation") for folder in folders)
        if PurePosixPath(name).suffix.lower() in ENDINGS and not outlines:
            by_path[member.name] = member
            by_name[name] = (*by_name.get(name, ()), member)
            by_stem[_stem(name)] = (*by_stem.get(_stem(name), ()), member)
    return ImageFiles(by_path, by_name, by_stem)


def _stem(name: str) -> str:
    return without_ending((name,))[0]


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The kind of an image and its size in pixels; 0 where the file does not tell it in a way we read."""

    media: Media
    width: int = 0
    height: int = 0


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
