"""Which image a label file of YOLO is about, and its size, which the file does not state."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.io.annotations.per_image_files import plain_name
from assay.io.archives.image_files import ImageFiles
from assay.io.archives.image_header import image_size

Parts = tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class YoloImages:
    """Where images are looked for: the ground truth, the images themselves, and the data set's lists of names."""

    truth: Mapping[str, Image]
    files: ImageFiles | None
    by_stem: Mapping[str, Mapping[str, list[str]]]

    @classmethod
    def of(cls, like: AnnotationSet | None, files: ImageFiles | None, listed: Iterable[str]) -> "YoloImages":
        truth = {image.name: image for image in like.images} if like is not None else {}
        names = {"truth": truth, "files": files.by_path if files is not None else (), "lists": map(plain_name, listed)}
        return cls(truth, files, {place: _by_stem(stated) for place, stated in names.items()})

    def image_of(self, label_path: str) -> Image:
        """The image of a label file. Its size is the ground truth's, else the image's own, else 0.

        The truth's comes first: shares of a size are right for an image that was made smaller, too.
        """
        of_truth, own, listed = (self._found(label_path, place) for place in ("truth", "files", "lists"))
        known = self.truth.get(of_truth, Image(""))
        name = of_truth or own or listed or PurePosixPath(label_path).stem
        width, height = (known.width, known.height) if known.width and known.height else self._size(own)
        return Image(name, width, height)

    def _found(self, label_path: str, place: str) -> str:
        return best_fitting(label_path, self.by_stem[place].get(PurePosixPath(label_path).stem, ()))

    def _size(self, own: str) -> tuple[float, float]:
        if not own or self.files is None:
            return 0, 0
        return image_size(self.files.by_path[own].read()) or (0, 0)


def best_fitting(label_path: str, images: Sequence[str]) -> str:
    """The image whose path ends most like the label file's, with images for labels; blank when two fit as well.

    >>> best_fitting("a/labels/train/1.txt", ["a/images/train/1.jpg", "a/images/val/1.jpg"])
    'a/images/train/1.jpg'
    """
    beside = PurePosixPath(label_path).with_suffix("").parts
    instead = tuple("images" if part.lower() == "labels" else part for part in beside)
    fits = {image: max(_in_common(_stem_parts(image), parts) for parts in (beside, instead)) for image in images}
    most = max(fits.values(), default=0)
    best = [image for image, fit in fits.items() if fit == most]
    return best[0] if len(best) == 1 else ""


def _by_stem(names: Iterable[str]) -> dict[str, list[str]]:
    by_stem: dict[str, list[str]] = {}
    for name in names:
        by_stem.setdefault(_stem_parts(name)[-1], []).append(name)
    return by_stem


def _stem_parts(name: str) -> Parts:
    return PurePosixPath(name.replace("\\", "/") or ".").with_suffix("").parts if plain_name(name) else ("",)


def _in_common(one: Parts, other: Parts) -> int:
    """How many of the last parts are the same."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
