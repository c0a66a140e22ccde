"""Annotations collected one by one into the columns of an `AnnotationSet`, and what went wrong with them.

Last, what formats with a file for each image share: every file read, and every image with a name of its own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Image, LabelDefinition, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import (
    Box,
    Cuboid,
    Ellipse,
    Mask,
    Polygon,
    Shape,
    ShapeKind,
    Skeleton,
    Tag,
    bounds_of_runs,
)
from assay.errors import InputError

Bounds = tuple[float, float, float, float]
Prefer: TypeAlias = Literal["shape", "box"]
"""What to score of an annotation that has both: its exact shape, or its box, for which outlines are not even read."""
KIND_OF: Mapping[type, ShapeKind] = {shape: ShapeKind[shape.__name__.upper()] for shape in get_args(Shape)}
Read = TypeVar("Read")
ABSENT = {"crowd": False, "area": np.nan, "confidence": np.nan, "track": -1, "group": 0, "occluded": False}
"""Column that a set may lack -> what stands for it."""


@dataclass(slots=True)
class ProblemTally:
    """Counts by kind of trouble; the place of the first is kept as the example."""

    _counts: dict[tuple[str, bool], tuple[str, int]] = field(default_factory=dict)

    def lost(self, what: str, where: str, count: int = 1) -> None:
        """Something that cannot be scored."""
        self.repaired(what, where, count, lost=True)

    def repaired(self, what: str, where: str, count: int = 1, *, lost: bool = False) -> None:
        """Something that is scored, though not as it stands."""
        if count:
            first, so_far = self._counts.get((what, lost), (where, 0))
            self._counts[what, lost] = (first, so_far + count)

    def problems(self) -> tuple[FileProblem, ...]:
        """All of them, in order of first appearance."""
        return tuple(FileProblem(where, what, count, lost) for (what, lost), (where, count) in self._counts.items())


@dataclass(slots=True)
class AnnotationColumns:
    """For formats whose annotations are read one at a time; `finished` makes the frozen set."""

    problems: ProblemTally = field(default_factory=ProblemTally)
    images: list[Image] = field(default_factory=list)
    _labels: dict[str, int] = field(default_factory=dict)
    _shapes: list[Shape] = field(default_factory=list)
    _rows: list[tuple[int, int, str, int, int, bool]] = field(default_factory=list)
    """Image, label, id, track, group and occlusion of each shape."""
    _attributes: dict[int, Mapping[str, Value]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._shapes)

    def add_image(self, image: Image) -> int:
        """The index of a new image."""
        self.images.append(image)
        return len(self.images) - 1

    def add_images(self, files: Sequence[tuple[str, Image]]) -> list[int]:
        """The indices of the images of files, each given as its path and the image it says it is about."""
        names = names_apart([(path, image.name) for path, image in files], self.problems)
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
        self._rows.append((image, self.label(label), name or str(len(self)), track, group, occluded))

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
        image, label, ids, tracks, groups, flags = zip(*self._rows, strict=True) if self._rows else ((),) * 6
        track, group, occluded = np.array(tracks, np.int64), np.array(groups, np.int64), np.array(flags, np.bool_)
        return AnnotationSet(
            images=tuple(self.images),
            labels=tuple(self._labels),
            image=read_only(np.array(image, np.int32)),
            label=read_only(np.array(label, np.int32)),
            kind=read_only(np.array([KIND_OF[type(shape)] for shape in shapes], np.uint8)),
            bounds=read_only(bounds),
            rotation=read_only(np.array(rotation, np.float64)),
            shape_of=shapes.__getitem__,
            ids=ids,
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
    match shape:
        case Box():
            return shape.left, shape.top, shape.right, shape.bottom
        case Polygon():
            points = np.concatenate(shape.rings)
        case Tag():
            return 0.0, 0.0, 0.0, 0.0
        case Mask():
            lines, length = (shape.width, shape.height) if shape.by_column else (shape.height, shape.width)
            first, past, low, high = bounds_of_runs(shape.runs, lines, length) or (0, 0, 0, 0)
            left, right, top, bottom = (first, past, low, high) if shape.by_column else (low, high, first, past)
            x, y = float(shape.left), float(shape.top)
            return x + left, y + top, x + right, y + bottom
        case Ellipse():
            c, s = cos(radians(shape.rotation)), sin(radians(shape.rotation))
            half_width = round(hypot(shape.radius_x * c, shape.radius_y * s), 9)
            half_height = round(hypot(shape.radius_x * s, shape.radius_y * c), 9)
            return shape.x - half_width, shape.y - half_height, shape.x + half_width, shape.y + half_height
        case Skeleton():
            seen = shape.visibility > 0
            points = shape.points[seen] if seen.any() else shape.points
        case _:
            points = shape.corners if isinstance(shape, Cuboid) else shape.points
    if not len(points):
        return 0.0, 0.0, 0.0, 0.0
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


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


def names_apart(files: Sequence[tuple[str, str]], problems: ProblemTally) -> list[str]:
    """A name for the image of each file, given as its path and the image it says it is about; no two the same.

    Images of one name in several folders get the folder before their name. When files of one folder name the same
    image, as copies with an old name inside do, each goes by its own file's name.
    """
    times = Counter(image for _, image in files)
    parents = [str(PurePosixPath(path).parent) for path, _ in files]
    top = commonpath(parents) if len({parent.startswith("/") for parent in parents}) == 1 else ""
    names = []
    for (_, image), parent in zip(files, parents, strict=True):
        apart = times[image] > 1 and parent != top  # by where it lies, from where the files part
        names.append(f"{PurePosixPath(parent).relative_to(top)}/{image}" if apart else image)
    times = Counter(names)
    what = "several files say they are about the same image: each is taken for the image of its own name"
    for i, (path, image) in enumerate(files):
        if times[names[i]] > 1:
            problems.repaired(what, f"{path}, image {image!r}")
            name = PurePosixPath(names[i])
            names[i] = str(name.with_name(PurePosixPath(path).stem + name.suffix))
    return names
