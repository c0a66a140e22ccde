"""The images and categories of COCO files, which annotations name by id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from assay.annotations.annotation import AnnotationSet, Image, LabelDefinition
from assay.errors import InputError
from assay.files.coco_document import CocoCategory, CocoImage, Id
from assay.files.coordinates import FARTHEST
from assay.files.problem_tally import ProblemTally


@dataclass(frozen=True, eq=False, slots=True)
class Surroundings:
    """The images and labels that annotations refer to by id."""

    images: tuple[Image, ...]
    image_index: Mapping[Id, int]
    labels: tuple[str, ...]
    label_index: Mapping[Id, int]
    joints: Mapping[str, tuple[str, ...]]
    definitions: tuple[LabelDefinition, ...]


def surroundings_of(
    images: Sequence[CocoImage], categories: Sequence[CocoCategory], source: str, tally: ProblemTally
) -> Surroundings:
    named, image_index = _images(images, source, tally)
    labels: dict[str, int] = {}
    label_index: dict[Id, int] = {}
    definitions: dict[str, LabelDefinition] = {}
    for category in categories:
        name, key = str(category.name), id_key(category.id)
        if label_index.get(key, labels.get(name)) != labels.get(name):
            raise InputError(f"{source}: two categories have the id {category.id!r}. Give each an id of its own.")
        label_index[key] = labels.setdefault(name, len(labels))
        if category.keypoints or name not in definitions:
            definitions[name] = LabelDefinition(name, keypoints=tuple(category.keypoints or ()))
    if len(label_index) > len(labels):
        tally.mended("categories have the same name: they are one label", "categories", len(label_index) - len(labels))
    joints = {name: definition.keypoints for name, definition in definitions.items()}
    return Surroundings(named, image_index, tuple(labels), label_index, joints, tuple(definitions.values()))


def _images(images: Sequence[CocoImage], source: str, tally: ProblemTally) -> tuple[tuple[Image, ...], dict[Id, int]]:
    """The images by id. The same name twice is one image; the same id for two names is an error."""
    plain = [_image(stated, source, tally) for stated in images]
    if len({image.name for image in plain}) == len(plain):
        by_id = {id_key(stated.id): position for position, stated in enumerate(images)}
        if len(by_id) == len(plain):
            return tuple(plain), by_id
    return _joined(images, plain, source, tally)


def _joined(
    images: Sequence[CocoImage], plain: Sequence[Image], source: str, tally: ProblemTally
) -> tuple[tuple[Image, ...], dict[Id, int]]:
    """The images by id, where some name or id occurs twice."""
    found: dict[str, tuple[int, Image]] = {}
    index: dict[Id, int] = {}
    for stated, image in zip(images, plain, strict=True):
        position, known = found.setdefault(image.name, (len(found), image))
        if known != image:
            raise InputError(
                f"{source}: image {image.name!r} is listed twice, as {known.width:g} x {known.height:g} and as "
                f"{image.width:g} x {image.height:g} pixels. Give each image a name of its own."
            )
        if index.setdefault(id_key(stated.id), position) != position:
            raise InputError(f"{source}: two images have the id {stated.id!r}. Give each image an id of its own.")
    repeated = len(images) - len(found)
    tally.mended("an image is listed twice: its annotations were put together", "images", repeated)
    return tuple(image for _, image in found.values()), index


def _image(stated: CocoImage, source: str, tally: ProblemTally) -> Image:
    name = stated.file_name or (stated.coco_url or "").rsplit("/", 1)[-1]  # LVIS 1.0 has URLs only
    if not name:
        name = id_text(stated.id)
        tally.mended("an image has no file name: it is known by its id", f"image {name}")
    width, height = stated.width or 0.0, stated.height or 0.0
    if not (0 <= width <= FARTHEST and 0 <= height <= FARTHEST):
        raise InputError(f"{source}, image {name!r}: the size {width:g} x {height:g} makes no sense. Mend it.")
    return Image(name, width, height)


def surroundings_of_truth(like: AnnotationSet | None, source: str) -> Surroundings:
    if like is None or not like.image_ids or not like.label_ids:
        raise InputError(
            f"{source} is a list of COCO results, which names images and categories by number only. It can be read "
            f"beside the COCO ground truth that defines these numbers."
        )
    joints = {definition.name: definition.keypoints for definition in like.definitions}
    images = {id_key(key): i for key, i in like.image_ids.items()}
    labels = {id_key(key): i for key, i in like.label_ids.items()}
    return Surroundings(like.images, images, like.labels, labels, joints, like.definitions)


def indices(ids: Sequence[Id], index: Mapping[Id, int]) -> NDArray[np.int32]:
    found = np.fromiter(map(index.get, ids, repeat(-1)), np.int32, len(ids))
    for i in np.flatnonzero(found < 0).tolist():
        found[i] = index.get(id_key(ids[i]), -1)
    return found


def id_key(stated: Id) -> Id:
    """An id such that 7, 7.0 and "7" are the same."""
    if isinstance(stated, str):
        short = stated.isdecimal() and len(stated) < 19
        return int(stated) if short and str(int(stated)) == stated else stated
    return stated


def id_text(stated: Id) -> str:
    return f"{stated:.0f}" if isinstance(stated, float) and stated.is_integer() else str(stated)
