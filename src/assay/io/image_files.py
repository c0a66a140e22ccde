"""The images themselves, from a folder or a ZIP: found by name, read one at a time and only when asked for.

And what kind of image a file holds and how large it is, from its header, whatever its name says. Pillow reads the
headers; nothing is decoded, so an image of any size costs a few kilobytes. A JPEG that is stored lying and turned when
shown (Exif orientation 5 to 8) has the size that people see, as browsers, Label Studio, CVAT and Ultralytics take it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from assay.annotations.shapes.images import without_ending
from assay.errors import InputError, reader
from assay.io.archive import Limits, Member, list_members

if TYPE_CHECKING:
    pass

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif"})
LIMITS = Limits(member_bytes="image_bytes", total_bytes="image_archive_bytes")


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
        """The bytes of an image by the name annotations give it; None when there is none, or no telling which."""
        member = self.member(name)
        return None if member is None else member.read()

    def member(self, name: str) -> Member | None:
        """The image of a name.

        A path is looked for as a whole, then ever less of its folders; a bare name wherever it lies, if only once.
        """
        parts = PurePosixPath(name.replace("\\", "/")).parts
        for start in range(len(parts)):
            if member := self.by_path.get("/".join(parts[start:])):
                return member
        if not parts:
            return None
        same = self.by_name.get(parts[-1]) or self.by_stem.get(_stem(parts[-1]), ())
        fitting = [m for m in same if m.name.endswith("/" + "/".join(parts))] or list(same)
        return fitting[0] if len(fitting) == 1 else None


@reader
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
