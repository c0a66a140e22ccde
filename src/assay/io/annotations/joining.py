"""Several annotation files of one person as one set."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, LabelDefinition
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import Shape
from assay.errors import InputError
from assay.io.annotations.columns import ABSENT

SUBSET_FOLLOWS = ("instances_", "person_keypoints_", "annotations_", "stuff_", "keypoints_")
"""Names of files that end in the subset they hold, as CVAT and COCO name them."""
NO_SUBSET = frozenset({"annotations", "annotation", "instances", "_annotations.coco", "labels", "result", "export"})


def joined(sets: Sequence[AnnotationSet], *, source: str) -> AnnotationSet:
    """One set of all; labels of one name are one label. InputError when two sets are about the same image.

    Each file counts images and tracks for itself: ids of images are dropped, numbers of tracks moved apart. A name
    that several subsets have, as img0.jpg of Train and of Test, gets its subset before it, as in CVAT's XML.
    """
    if len(sets) == 1:
        return sets[0]
    sets = _with_subsets(sets)
    seen: dict[str, str] = {}
    for one in sets:
        for image in one.images:
            if image.name in seen:
                both = f"{image.name!r} is in {seen[image.name]} and in {one.source}"
                problem = f"it holds several files about the same images: {both}"
                raise InputError(problem, source=source, remedy="Hand in one of them.")
        seen |= {image.name: one.source for image in one.images}
    labels = tuple(dict.fromkeys(chain.from_iterable(s.labels for s in sets)))
    place = {name: i for i, name in enumerate(labels)}
    first_image = [0, *accumulate(len(s.images) for s in sets)]
    first = [0, *accumulate(len(s) for s in sets)]
    definitions: dict[str, LabelDefinition] = {}
    for definition in chain.from_iterable(s.definitions for s in sets):
        definitions.setdefault(definition.name, definition)
    optional: dict[str, Any] = {name: _optional(sets, name) for name in ABSENT}
    return AnnotationSet(
        images=tuple(chain.from_iterable(s.images for s in sets)),
        labels=labels,
        image=read_only(np.concatenate([s.image + np.int32(k) for s, k in zip(sets, first_image, strict=False)])),
        label=read_only(np.concatenate([np.array([place[n] for n in s.labels], np.int32)[s.label] for s in sets])),
        kind=read_only(np.concatenate([s.kind for s in sets])),
        bounds=read_only(np.concatenate([s.bounds for s in sets])),
        rotation=read_only(np.concatenate([s.rotation for s in sets])),
        shape_of=partial(_shape_of, sets, first),  # sent to workers, which a function made here could not be
        ids=tuple(chain.from_iterable(s.ids for s in sets)),
        attributes={i + k: values for s, k in zip(sets, first, strict=False) for i, values in s.attributes.items()},
        **optional,
        definitions=tuple(definitions.values()),
        problems=tuple(chain.from_iterable(s.problems for s in sets)),
        source=source,
        format=sets[0].format,
    )


def _with_subsets(sets: Sequence[AnnotationSet]) -> Sequence[AnnotationSet]:
    """The sets with the subset before the names that occur in several of them, if each is of a subset of its own."""
    subsets = [_subset(one.source) for one in sets]
    times = Counter(name for one in sets for name in {image.name for image in one.images})
    if len(set(subsets)) < len(sets) or max(times.values(), default=0) < 2:
        return sets
    renamed = []
    for one, subset in zip(sets, subsets, strict=True):
        names = (f"{subset}/{i.name}" if times[i.name] > 1 else i.name for i in one.images)
        images = tuple(replace(i, name=name) for i, name in zip(one.images, names, strict=True))
        renamed.append(replace(one, images=images))
    return renamed


def _subset(source: str) -> str:
    """The subset that a file says it holds, by its name or else its folder's.

    >>> _subset("a.zip/annotations/instances_Train.json"), _subset("a.zip/valid/_annotations.coco.json")
    ('Train', 'valid')
    """
    path = PurePosixPath(source)
    stem = path.name.removesuffix(path.suffix)
    if stem.lower() in NO_SUBSET:
        return path.parent.name
    before = next((start for start in SUBSET_FOLLOWS if stem.lower().startswith(start)), "")
    return stem[len(before) :]


def _optional(sets: Sequence[AnnotationSet], name: str) -> NDArray[Any] | None:
    """A column that some sets have, with what stands for it where they have not; None when none has it."""
    stated = [getattr(s, name) for s in sets]
    known = next((column for column in stated if column is not None), None)
    if known is None:
        return None
    filled = [
        np.full(len(s), ABSENT[name], known.dtype) if column is None else column
        for s, column in zip(sets, stated, strict=True)
    ]
    if name == "track":  # no two files share a number
        highest = [0, *accumulate(int(t.max(initial=-1)) + 1 for t in filled)]
        filled = [np.where(t >= 0, t + k, t) for t, k in zip(filled, highest, strict=False)]
    return read_only(np.concatenate(filled))


def _shape_of(sets: Sequence[AnnotationSet], first: Sequence[int], index: int) -> Shape:
    which = bisect_right(first, index) - 1
    return sets[which].shape_of(index - first[which])
