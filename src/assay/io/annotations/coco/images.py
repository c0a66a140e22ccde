"""The images and categories of COCO files, which annotations name by id, and the ids of annotations themselves."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from math import isnan
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.errors import InputError
from assay.io.annotations.coco.document import Annotation, CocoCategory, CocoImage, Id, id_text
from assay.io.annotations.shape_validation import CORRECT_SIZE, FARTHEST, listed_twice

if TYPE_CHECKING:
    from assay.io.annotations.columns import ProblemTally


@dataclass(frozen=True, eq=False, slots=True)
class References:
    """The images and labels that annotations refer to by id."""

    images: tuple[Image, ...]
    image_index: Mapping[Id, int]
    labels: tuple[str, ...]
    label_index: Mapping[Id, int]
    joints: Mapping[str, tuple[str, ...]]
    definitions: tuple[LabelDefinition, ...]


def references_of(
    images: Sequence[CocoImage], categories: Sequence[CocoCategory], source: str, tally: "ProblemTally"
) -> References:
    named, image_index = _images(images, source, tally)
    labels: dict[str, int] = {}
    label_index: dict[Id, int] = {}
    definitions: dict[str, LabelDefinition] = {}
    for category in categories:
        name, key = str(category.name), id_key(category.id)
        if label_index.get(key, labels.get(name)) != labels.get(name):
            problem = f"two categories have the id {category.id!r}"
            raise InputError(problem, source=source, remedy="Give each an id of its own.")
        label_index[key] = labels.setdefault(name, len(labels))
        if category.keypoints or name not in definitions:
            definitions[name] = LabelDefinition(name, (), tuple(category.keypoints or ()), _bones(category))
    repeated = len(label_index) - len(labels)
    tally.repaired("categories have the same name: they are one label", "categories", repeated)
    joints = {name: definition.keypoints for name, definition in definitions.items()}
    return References(named, image_index, tuple(labels), label_index, joints, tuple(definitions.values()))


def _bones(category: CocoCategory) -> tuple[tuple[str, str], ...]:
    names = dict(enumerate(category.keypoints or (), start=1))
    pairs = category.skeleton if isinstance(category.skeleton, list) else []
    ends = [tuple(pair) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    whole = [(a, b) for a, b in ends if isinstance(a, int) and isinstance(b, int)]
    return tuple((names[a], names[b]) for a, b in whole if a in names and b in names)


def _images(images: Sequence[CocoImage], source: str, tally: "ProblemTally") -> tuple[tuple[Image, ...], dict[Id, int]]:
    """The images by id. The same name twice is one image; the same id for two names is an error."""
    plain = _plain_images(images) or [_image(stated, source, tally) for stated in images]
    if len({image.name for image in plain}) == len(plain):
        ids = [stated.id for stated in images]
        by_id = dict(zip(ids if set(map(type, ids)) == {int} else map(id_key, ids), range(len(ids)), strict=True))
        if len(by_id) == len(plain):
            return tuple(plain), by_id
    by_name: dict[str, tuple[int, Image]] = {}
    index: dict[Id, int] = {}
    for stated, image in zip(images, plain, strict=True):
        position, known = by_name.setdefault(image.name, (len(by_name), image))
        if known != image:
            raise listed_twice(known, image, source)
        if index.setdefault(id_key(stated.id), position) != position:
            problem = f"two images have the id {stated.id!r}"
            raise InputError(problem, source=source, remedy="Give each image an id of its own.")
    repeated = len(images) - len(by_name)
    tally.repaired("an image is listed twice: its annotations were put together", "images", repeated)
    return tuple(image for _, image in by_name.values()), index


def _plain_images(images: Sequence[CocoImage]) -> list[Image]:
    """The images when all have a name and a size that makes sense, as they should; else none."""
    names = [image.file_name or "" for image in images]
    widths, heights = [image.width or 0.0 for image in images], [image.height or 0.0 for image in images]
    if not images or not all(names) or not all(widths) or not all(heights):
        return []
    if not (min(widths) > 0 and max(widths) <= FARTHEST and min(heights) > 0 and max(heights) <= FARTHEST):
        return []
    if isnan(sum(widths) + sum(heights)):  # of which min and max say nothing
        return []
    return list(map(Image, names, widths, heights))


def _image(stated: CocoImage, source: str, tally: "ProblemTally") -> Image:
    name = stated.file_name or (stated.coco_url or "").rsplit("/", 1)[-1]  # LVIS 1.0 has URLs only
    if not name:
        name = id_text(stated.id)
        tally.repaired("an image has no file name: it is known by its id", f"image {name}")
    width, height = stated.width or 0.0, stated.height or 0.0
    if not (0 <= width <= FARTHEST and 0 <= height <= FARTHEST):
        problem = f"image {name!r}: the size {width:g} x {height:g} makes no sense"
        raise InputError(problem, source=source, remedy=CORRECT_SIZE)
    return Image(name, width, height)


def references_of_truth(like: AnnotationSet | None, source: str) -> References:
    images, labels = (_by_key(like.image_ids), _by_key(like.label_ids)) if like is not None else ({}, {})
    if like is None or not images or not labels:
        problem = "it is a list of COCO results, which names images and categories by number only"
        remedy = "Read it beside the COCO ground truth that defines these numbers."
        raise InputError(problem, source=source, remedy=remedy)
    joints = {definition.name: definition.keypoints for definition in like.definitions}
    return References(like.images, images, like.labels, labels, joints, like.definitions)


class TextIds(Mapping[str, int]):
    """The places of images or categories by their ids as text, which is made when it is asked for."""

    def __init__(self, index: Mapping[Id, int]) -> None:
        self.index = index

    @cached_property
    def _texts(self) -> dict[str, int]:
        return {id_text(key): place for key, place in self.index.items()}

    def __getitem__(self, text: str) -> int:
        return self._texts[text]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts) if self.index else 0


def _by_key(ids: Mapping[str, int]) -> Mapping[Id, int]:
    return ids.index if isinstance(ids, TextIds) else {id_key(text): place for text, place in ids.items()}


def indices(ids: Sequence[Id], index: Mapping[Id, int]) -> NDArray[np.int32]:
    places = np.fromiter(map(index.get, ids, repeat(-1)), np.int32, len(ids))
    for i in np.flatnonzero(places < 0).tolist():
        places[i] = index.get(id_key(ids[i]), -1)
    return places


def id_key(stated: Id) -> Id:
    """An id such that 7, 7.0 and "7" are the same."""
    if isinstance(stated, str):
        short = stated.isdecimal() and len(stated) < 19
        return int(stated) if short and str(int(stated)) == stated else stated
    return stated


class NumberIds(Sequence[str]):
    """Numbers that are read as text: few are ever asked for, so the text is made then."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        chosen = self._numbers[index]
        return NumberIds(chosen) if isinstance(chosen, np.ndarray) else str(chosen)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._numbers.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def ids_of(annotations: Sequence[Annotation], used: NDArray[np.int64], tally: "ProblemTally") -> Sequence[str]:
    """The ids of the annotations that are kept; an annotation without one goes by its position, from 1."""
    stated = [a.id for a in annotations]
    numbers, types = None, set(map(type, stated))
    if types == {type(None)}:
        numbers = np.arange(1, len(stated) + 1)
    elif types == {int}:
        with suppress(OverflowError):
            numbers = np.array(stated, np.int64)
    if numbers is not None and are_distinct(numbers):
        return NumberIds(numbers[used])
    ids = [str(i) if name is None else id_text(name) for i, name in enumerate(stated, start=1)]
    if repeated := len(ids) - len(set(ids)):
        seen: set[str] = set()
        first = next(name for name in ids if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        tally.repaired("an annotation's id is not its own: others have it too", f"annotation {first}", repeated)
    return tuple(ids[i] for i in used.tolist())


def are_distinct(numbers: NDArray[np.int64]) -> bool:
    """Whether no number occurs twice."""
    rising = bool((numbers[1:] > numbers[:-1]).all())  # as a rule, and quicker than a sort
    return rising or bool(np.diff(np.sort(numbers)).all())
