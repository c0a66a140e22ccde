"""Annotations collected one by one into the columns of an `AnnotationSet`, and what went wrong with them.

Last, what formats with a file for each image share: every file read, and every image with a name of its own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Image, LabelDefinition, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import (
    Box,
    Coordinates,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    ShapeKind,
    Skeleton,
    Tag,
)
from assay.errors import InputError
from assay.io.annotations.masks import bounds_of_runs


@dataclass(slots=True)
class ProblemTally:
    """Counts by kind of trouble; the place of the first is kept as the example."""

    _counts: dict[tuple[str, bool], tuple[str, int]] = field(default_factory=dict)

    def lost(self, what: str, where: str, count: int = 1) -> None:
        """Something that cannot be scored."""
        self._add(what, where, count, lost=True)

    def repaired(self, what: str, where: str, count: int = 1) -> None:
        """Something that is scored, though not as it stands."""
        self._add(what, where, count, lost=False)

    def problems(self) -> tuple[FileProblem, ...]:
        """All of them, in order of first appearance."""
        return tuple(FileProblem(where, what, count, lost) for (what, lost), (where, count) in self._counts.items())

    def _add(self, what: str, where: str, count: int, *, lost: bool) -> None:
        if count:
            first, so_far = self._counts.get((what, lost), (where, 0))
            self._counts[what, lost] = (first, so_far + count)


Bounds = tuple[float, float, float, float]
Prefer: TypeAlias = Literal["shape", "box"]
"""What to score of an annotation that has both: its exact shape, or its box, for which outlines are not even read."""

KIND_OF: Mapping[type, ShapeKind] = {
    Box: ShapeKind.BOX,
    Polygon: ShapeKind.POLYGON,
    Mask: ShapeKind.MASK,
    Polyline: ShapeKind.POLYLINE,
    Points: ShapeKind.POINTS,
    Skeleton: ShapeKind.SKELETON,
    Ellipse: ShapeKind.ELLIPSE,
    Cuboid: ShapeKind.CUBOID,
    Tag: ShapeKind.TAG,
}


@dataclass(slots=True)
class AnnotationColumns:
    """For formats whose annotations are read one at a time; `finished` makes the frozen set."""

    problems: ProblemTally = field(default_factory=ProblemTally)
    images: list[Image] = field(default_factory=list)
    _labels: dict[str, int] = field(default_factory=dict)
    _image: list[int] = field(default_factory=list)
    _label: list[int] = field(default_factory=list)
    _shapes: list[Shape] = field(default_factory=list)
    _ids: list[str] = field(default_factory=list)
    _attributes: dict[int, Mapping[str, Value]] = field(default_factory=dict)
    _track: list[int] = field(default_factory=list)
    _group: list[int] = field(default_factory=list)
    _occluded: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._shapes)

    def add_image(self, image: Image) -> int:
        """The index of a new image."""
        self.images.append(image)
        return len(self.images) - 1

    def add_images(self, files: Sequence[tuple[str, Image]]) -> list[int]:
        """The indices of the images of files, each given as its path and the image it says it is about."""
        names = names_apart([ImageFile(path, image.name) for path, image in files], self.problems)
        return [self.add_image(replace(image, name=name)) for (_, image), name in zip(files, names, strict=True)]

    def label(self, name: str) -> int:
        """The index of a label, new or known."""
        return self._labels.setdefault(name, len(self._labels))

    def add(
        self,
        shape: Shape,
        *,
        image: int,
        label: str,
        attributes: Mapping[str, Value] | None = None,
        track: int = -1,
        group: int = 0,
        occluded: bool = False,
        name: str = "",
    ) -> None:
        """One annotation more; `name` is its id in the file, its position when the file has none."""
        if attributes:
            self._attributes[len(self)] = attributes
        self._shapes.append(shape)
        self._image.append(image)
        self._label.append(self.label(label))
        self._ids.append(name or str(len(self)))
        self._track.append(track)
        self._group.append(group)
        self._occluded.append(occluded)

    def finished(
        self,
        *,
        source: str,
        format: str,
        definitions: Sequence[LabelDefinition] = (),
        image_ids: Mapping[str, int] | None = None,
    ) -> AnnotationSet:
        """All of it as a frozen set."""
        shapes = self._shapes
        bounds = np.array([bounds_of(shape) for shape in shapes], dtype=np.float64).reshape(-1, 4)
        rotation = [shape.rotation if isinstance(shape, Box) else 0.0 for shape in shapes]
        track, group = np.array(self._track, np.int64), np.array(self._group, np.int64)
        occluded = np.array(self._occluded, np.bool_)
        return AnnotationSet(
            images=tuple(self.images),
            labels=tuple(self._labels),
            image=read_only(np.array(self._image, np.int32)),
            label=read_only(np.array(self._label, np.int32)),
            kind=read_only(np.array([KIND_OF[type(shape)] for shape in shapes], np.uint8)),
            bounds=read_only(bounds),
            rotation=read_only(np.array(rotation, np.float64)),
            shape_of=shapes.__getitem__,
            ids=tuple(self._ids),
            attributes=self._attributes,
            track=read_only(track) if (track >= 0).any() else None,
            group=read_only(group) if group.any() else None,
            occluded=read_only(occluded) if occluded.any() else None,
            definitions=tuple(definitions),
            image_ids=image_ids or {},
            problems=self.problems.problems(),
            source=source,
            format=format,
        )


def bounds_of(shape: Shape) -> Bounds:
    """Left, top, right, bottom; of a box before it is turned, of a skeleton's labelled points; zeros for a tag.

    >>> bounds_of(Ellipse(10, 10, 4, 2, rotation=90))
    (8.0, 6.0, 12.0, 14.0)
    """
    return _BOUNDS[type(shape)](shape)


def _extent(points: Coordinates) -> Bounds:
    if not len(points):
        return 0.0, 0.0, 0.0, 0.0
    left, top = map(float, points.min(axis=0))
    right, bottom = map(float, points.max(axis=0))
    return left, top, right, bottom


def _ellipse_bounds(ellipse: Ellipse) -> Bounds:
    c, s = cos(radians(ellipse.rotation)), sin(radians(ellipse.rotation))
    half_width = round(hypot(ellipse.radius_x * c, ellipse.radius_y * s), 9)
    half_height = round(hypot(ellipse.radius_x * s, ellipse.radius_y * c), 9)
    return ellipse.x - half_width, ellipse.y - half_height, ellipse.x + half_width, ellipse.y + half_height


def _mask_bounds(mask: Mask) -> Bounds:
    lines, length = (mask.width, mask.height) if mask.by_column else (mask.height, mask.width)
    extent = bounds_of_runs(mask.runs, lines, length)
    if extent is None:
        return float(mask.left), float(mask.top), float(mask.left), float(mask.top)
    first, past, low, high = extent
    left, right, top, bottom = (first, past, low, high) if mask.by_column else (low, high, first, past)
    return float(mask.left + left), float(mask.top + top), float(mask.left + right), float(mask.top + bottom)


def _skeleton_bounds(skeleton: Skeleton) -> Bounds:
    seen = skeleton.visibility > 0
    return _extent(skeleton.points[seen] if seen.any() else skeleton.points)


_BOUNDS: Mapping[type, Callable[[Any], Bounds]] = {
    Box: lambda box: (box.left, box.top, box.right, box.bottom),
    Polygon: lambda polygon: _extent(np.concatenate(polygon.rings)),
    Polyline: lambda line: _extent(line.points),
    Points: lambda points: _extent(points.points),
    Skeleton: _skeleton_bounds,
    Cuboid: lambda cuboid: _extent(cuboid.corners),
    Ellipse: _ellipse_bounds,
    Mask: _mask_bounds,
    Tag: lambda tag: (0.0, 0.0, 0.0, 0.0),
}


Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A file of annotations and the image it says it is about."""

    path: str
    image: str


def read_each(
    files: Iterable[tuple[str, bytes]], read: Callable[[str, bytes], Read], problems: ProblemTally
) -> list[Read]:
    """What `read` makes of each file; a file that is broken becomes a problem unless all of them are."""
    contents: list[Read] = []
    broken: list[InputError] = []
    for path, content in files:
        try:
            contents.append(read(path, content))
        except InputError as problem:
            broken.append(problem)
            problems.lost(f"a file cannot be read: {problem}", path)
    if broken and not contents:
        raise broken[0]
    return contents


def plain_name(stated: str) -> str:
    """The name of an image without the parts of its path that lead nowhere.

    >>> plain_name(r"..\\img\\a.jpg"), plain_name("C:/x/a.jpg")
    ('img/a.jpg', 'x/a.jpg')
    """
    parts = stated.strip().replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."} and not part.endswith(":"))


def names_apart(files: Sequence[ImageFile], problems: ProblemTally) -> list[str]:
    """A name for the image of each file, no two the same.

    Images of one name in several folders get the folder before their name. When files of one folder name the same
    image, as copies with an old name inside do, each goes by its own file's name.
    """
    times = Counter(file.image for file in files)
    parents = [str(PurePosixPath(file.path).parent) for file in files]
    top = commonpath(parents) if len({parent.startswith("/") for parent in parents}) == 1 else ""
    names = []
    for file, parent in zip(files, parents, strict=True):
        apart = times[file.image] > 1 and parent != top  # by where it lies, from where the files part
        names.append(f"{PurePosixPath(parent).relative_to(top)}/{file.image}" if apart else file.image)
    times = Counter(names)
    for i, file in enumerate(files):
        if times[names[i]] > 1:
            problems.repaired(
                "several files say they are about the same image: each is taken for the image of its own name",
                f"{file.path}, image {file.image!r}",
            )
            path = PurePosixPath(names[i])
            names[i] = str(path.with_name(PurePosixPath(file.path).stem + path.suffix))
    return names
