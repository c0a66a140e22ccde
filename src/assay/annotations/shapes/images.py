"""Which image of a submission is which image of the ground truth; annotations drawn on a resized one."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes import shapes
from assay.annotations.shapes.annotation_set import AnnotationSet, Image, image_sizes
from assay.errors import InputError
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]
Path = tuple[str, ...]
ABSENT = -1

ENDING = re.compile(r"\.(jpe?g|jpe|jfif|png|bmp|dib|tiff?|gif|webp|avif|heic|heif|jp2|ppm|pgm|dcm|exr)$", re.IGNORECASE)
MARK_OF_LABEL_STUDIO = re.compile(r"^[0-9a-f]{8}-(?=.)")
MARK_OF_ROBOFLOW = re.compile(r"_(jpe?g|png|bmp|tiff?|gif|webp|heic|avif)\.rf\.[0-9a-z]+$")


@dataclass(frozen=True, eq=False)
class ImageNames:
    """The images of a set by the parts of their names, ready to be looked up."""

    images: tuple[Image, ...]

    @cached_property
    def names(self) -> list[str]:
        return [image.name for image in self.images]

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        letters = "".join(self.names)
        bare = letters.isascii() and "/" not in letters and "\\" not in letters
        if bare and "" not in self.names and "." not in self.names:
            return tuple(zip(self.names, strict=True))  # as a rule, and in one go
        return tuple(map(path_parts, self.names))

    @cached_property
    def distinct(self) -> bool:
        """Whether every image has a path of its own."""
        return all(self.paths) and len(set(self.paths)) == len(self.paths)

    def spelt(self, spelling: Callable[[Path], Path]) -> "ImageNames":
        """The same images by another spelling of their paths."""
        other = ImageNames(self.images)
        other.__dict__["paths"] = tuple(map(spelling, self.paths))
        return other

    def by_ending(self, parts: int | None) -> dict[Path, int]:
        """The last parts of a path -> its image, for endings that only one image has; None takes whole paths."""
        endings = [path if parts is None else path[-parts:] for path in self.paths]
        counts = Counter(endings)
        return {
            ending: index
            for index, ending in enumerate(endings)
            if ending and counts[ending] == 1 and (parts is None or len(ending) == parts)
        }


def path_parts(name: str) -> Path:
    """The folders and the file of an image's name, whatever the system it comes from.

    >>> path_parts(r".\\Train\\img0.jpg")
    ('Train', 'img0.jpg')
    """
    parts = normalize("NFC", name).replace("\\", "/").split("/")
    return tuple([part for part in parts if part not in ("", ".")])


def whatever_case(path: Path) -> Path:
    """The path in small letters, without blanks around its parts: file systems and people differ in both."""
    return tuple(part.casefold().strip() for part in path)


def without_ending(path: Path) -> Path:
    """The path in any case, without the ending of an image: some tools leave it out, or write that of a copy.

    >>> without_ending(("Train", "IMG_1.JPG")), without_ending(("frame_000001",)), without_ending(("scan.v2",))
    (('train', 'img_1'), ('frame_000001',), ('scan.v2',))
    """
    plain = whatever_case(path)
    return (*plain[:-1], ENDING.sub("", plain[-1]) or plain[-1]) if plain else plain


def without_marks(path: Path) -> Path:
    """The same without what Label Studio and Roboflow add to the names of uploads, differently in each project.

    >>> without_marks(("0a1b2c3d-img.jpg",)), without_marks(("img_jpg.rf.0f9e8d7c6b5a.jpg",))
    (('img',), ('img',))
    """
    plain = without_ending(path)
    return (*plain[:-1], MARK_OF_ROBOFLOW.sub("", MARK_OF_LABEL_STUDIO.sub("", plain[-1]))) if plain else plain


SPELLINGS: tuple[Callable[[Path], Path], ...] = (whatever_case, without_ending, without_marks)
"""How names are compared once they do not meet as they are written, the nearest first."""


def pair_images(truth: ImageNames, student: ImageNames) -> Places:
    """For each image of the submission, its place in the ground truth; -1 when it is not there.

    By whole path; then by as many of the last parts of the path as tell an image apart on both sides, down to the
    bare file name; what is left, in the same way by SPELLINGS; by position only when one of the files names no images
    at all. Two different images of one name (Train/img0.jpg, Test/img0.jpg) are never taken for each other.
    """
    n, m = len(truth.images), len(student.images)
    if truth.distinct and truth.names == student.names:
        return np.arange(n, dtype=np.intp)  # the usual case
    if any(truth.paths) and any(student.paths):
        pairing = np.full(m, ABSENT, dtype=np.intp)
        taken: set[int] = set()
        otherwise = ((truth.spelt(spelling), student.spelt(spelling)) for spelling in SPELLINGS)
        for ours, theirs in chain([(truth, student)], otherwise):
            if (pairing != ABSENT).all() or len(taken) == n:
                break
            _pair_by_endings(ours, theirs, pairing, taken)
        return pairing
    if n and m and n != m:
        raise InputError(
            f"The images have no names and cannot be told apart: the ground truth has {n}, the submission {m}",
            remedy="Export both with file names.",
        )
    return np.arange(m) if n else np.full(m, ABSENT, dtype=np.intp)


def _pair_by_endings(truth: ImageNames, student: ImageNames, pairing: Places, taken: set[int]) -> None:
    """Fill in the pairing what the paths tell, from the whole path to its last part."""
    depth = max(len(path) for path in (*truth.paths, *student.paths))
    for parts in (None, *range(depth, 0, -1)):
        if (pairing != ABSENT).all():
            return
        ours = truth.by_ending(parts)
        for ending, index in student.by_ending(parts).items():
            place = ours.get(ending)
            if pairing[index] == ABSENT and place is not None and place not in taken:
                pairing[index] = place
                taken.add(place)


def spelt_otherwise(truth: Sequence[Image], student: Sequence[Image], pairing: Places) -> list[tuple[str, str]]:
    """Names of paired images, the submission's and the ground truth's, whose file names are not written alike."""
    pairs = [(student[i].name, truth[place].name) for i, place in enumerate(pairing.tolist()) if place != ABSENT]
    return [(a, b) for a, b in pairs if a != b and path_parts(a)[-1:] != path_parts(b)[-1:]]


def resized(truth: Sequence[Image], student: Sequence[Image], pairing: Places) -> Places:
    """Images of the submission whose size differs from the ground truth's; unstated sizes do not count."""
    paired = np.flatnonzero(pairing != ABSENT)
    ours, theirs = image_sizes(truth)[pairing[paired]], image_sizes(student)[paired]
    stated = (ours > 0).all(axis=1) & (theirs > 0).all(axis=1)
    return np.asarray(paired[stated & (ours != theirs).any(axis=1)])


def at_size(truth: Sequence[Image], submission: AnnotationSet, pairing: Places, *, refuse: bool) -> AnnotationSet:
    """The submission at the sizes of the ground truth's images; InputError where they differ, if these are refused."""
    student, wrong = submission.images, resized(truth, submission.images, pairing)
    if not wrong.size:
        return submission
    if refuse:
        shown = [
            f"{student[i].name} is {student[i].width:g} x {student[i].height:g} and should be "
            f"{truth[pairing[i]].width:g} x {truth[pairing[i]].height:g}"
            for i in wrong[:3]
        ]
        more = f", and {wrong.size - 3} more" if wrong.size > 3 else ""
        problem = f"Resized images: {'; '.join(shown)}{more}"
        remedy = 'Draw on the original images, or set resized_images = "scale" in the rules.'
        raise InputError(problem, field="resized_images", remedy=remedy)
    factors = np.ones((len(student), 2))
    factors[wrong] = image_sizes(truth)[pairing[wrong]] / image_sizes(student)[wrong]
    return rescaled(submission, factors)


def rescaled(annotations: AnnotationSet, factors: Scores) -> AnnotationSet:
    """The annotations with x and y stretched by their image's factors, (images, 2).

    Masks, and turned shapes on images stretched unevenly, cannot be stretched exactly and are refused.
    """
    own = factors[annotations.image]  # (n, 2)
    changed = (own != 1).any(axis=1)
    turned = annotations.rotation % 90 != 0
    impossible = changed & ((annotations.kind == shapes.ShapeKind.MASK) | (turned & (own[:, 0] != own[:, 1])))
    if impossible.any():
        index = int(np.flatnonzero(impossible)[0])
        problem = (
            f"{annotations.images[annotations.image[index]].name}: annotation {annotations.ids[index]} is a mask or a "
            f"turned shape on a resized image and cannot be scaled"
        )
        raise InputError(problem, source=annotations.source, remedy="Draw it on the original image.")
    area = None if annotations.area is None else annotations.area * own.prod(axis=1)
    bounds = annotations.bounds * np.tile(own, (1, 2))
    # a partial, since a score is sent to workers and kept on a disk, which a function made here could not be
    return replace(annotations, bounds=bounds, shape_of=partial(_stretched_shape, annotations, own), area=area)


def _stretched_shape(annotations: AnnotationSet, factors: Scores, index: int) -> shapes.Shape:
    return stretched(annotations.shape_of(index), factors[index])


def stretched(shape: shapes.Shape, factor: Scores) -> shapes.Shape:
    """A shape stretched by (x, y)."""
    x, y = float(factor[0]), float(factor[1])
    match shape:
        case shapes.Box(left, top, right, bottom, rotation):
            return shapes.Box(left * x, top * y, right * x, bottom * y, rotation)
        case shapes.Polygon(rings, holes):
            return shapes.Polygon(tuple(ring * factor for ring in rings), tuple(hole * factor for hole in holes))
        case shapes.Polyline() | shapes.Points() | shapes.Skeleton():
            return replace(shape, points=shape.points * factor)
        case shapes.Cuboid(corners):
            return shapes.Cuboid(corners * factor)
        case shapes.Ellipse() if shape.rotation % 180 and x != y:
            problem = "A turned ellipse on an unevenly resized image cannot be scaled"
            raise InputError(problem, remedy="Draw it on the original image.")
        case shapes.Ellipse():
            return shapes.Ellipse(shape.x * x, shape.y * y, shape.radius_x * x, shape.radius_y * y, shape.rotation)
        case shapes.Mask() if x != 1 or y != 1:
            raise InputError("A mask on a resized image cannot be scaled", remedy="Draw it on the original image.")
    return shape
