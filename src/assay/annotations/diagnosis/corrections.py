"""What a submission would be without a habit.

Annotations keep their places in the set: what should not be there is marked as not to be scored, what is missing comes
at the end. So several habits can be undone one after the other, and what people changed stays changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.annotations.diagnosis.evidence import Places
from assay.annotations.matching.prepared_truth import PreparedTruth, crowd_of
from assay.annotations.matching.text_similarity import as_text, normalised, truth_value
from assay.annotations.shapes import shapes
from assay.annotations.shapes.annotation_set import AnnotationSet, Value
from assay.annotations.shapes.images import ABSENT, ImageNames, pair_images, stretched
from assay.errors import InputError
from assay.metrics.pairs import Scores


@dataclass(frozen=True, eq=False, slots=True)
class _Placed:
    """`shape_of` of annotations that were stretched and then moved; a class, so that it can be sent to workers."""

    annotations: AnnotationSet
    factor: Scores
    offset: Scores

    def __call__(self, index: int) -> shapes.Shape:
        shape, factor = self.annotations.shape_of(index), self.factor[index]
        if (factor != 1).any():
            try:
                shape = stretched(shape, factor)
            except InputError:  # a mask, or a turned ellipse: it stays as it is
                return shape
        return moved(shape, self.offset[index])


def moved(shape: shapes.Shape, by: Scores) -> shapes.Shape:
    """A shape moved by (x, y); a mask by whole pixels."""
    x, y = float(by[0]), float(by[1])
    match shape:
        case shapes.Box(left, top, right, bottom, rotation):
            return shapes.Box(left + x, top + y, right + x, bottom + y, rotation)
        case shapes.Polygon(rings, holes):
            return shapes.Polygon(tuple(ring + by for ring in rings), tuple(hole + by for hole in holes))
        case shapes.Polyline() | shapes.Points() | shapes.Skeleton():
            return replace(shape, points=shape.points + by)
        case shapes.Cuboid(corners):
            return shapes.Cuboid(corners + by)
        case shapes.Ellipse():
            return replace(shape, x=shape.x + x, y=shape.y + y)
        case shapes.Mask():
            return replace(shape, left=max(shape.left + round(x), 0), top=max(shape.top + round(y), 0))
    return shape


def with_bounds(own: AnnotationSet, bounds: Scores) -> AnnotationSet:
    """The annotations stretched and moved so that they fill other bounds, (n, 4)."""
    before, after = own.bounds[:, 2:] - own.bounds[:, :2], bounds[:, 2:] - bounds[:, :2]
    factor = np.divide(after, before, out=np.ones_like(before), where=(before > 0) & (np.abs(after - before) > 1e-9))
    offset = bounds[:, :2] - own.bounds[:, :2] * factor
    return replace(own, bounds=bounds, shape_of=_Placed(own, factor, offset), area=None)


def without(own: AnnotationSet, students: Places) -> AnnotationSet:
    """The submission without certain annotations."""
    left_out = crowd_of(own).copy()
    left_out[students] = True
    return replace(own, crowd=left_out)


def with_labels(own: AnnotationSet, students: Places, labels: tuple[str, ...]) -> AnnotationSet:
    """The submission with other labels on certain annotations."""
    names = tuple(dict.fromkeys((*own.labels, *labels)))
    label = own.label.copy()
    label[students] = [names.index(name) for name in labels]
    return replace(own, labels=names, label=label)


def with_values(own: AnnotationSet, name: str, students: Places, values: Sequence[Value]) -> AnnotationSet:
    """The submission with other values of an attribute on certain annotations."""
    key = normalised(name)
    if key == "occluded" and own.occluded is not None:
        occluded = own.occluded.copy()
        occluded[students] = [bool(truth_value(as_text(value))) for value in values]
        own = replace(own, occluded=occluded)
    attributes = dict(own.attributes)
    for student, value in zip(students.tolist(), values, strict=True):
        others = attributes.get(student, {})
        attributes[student] = {**{k: v for k, v in others.items() if normalised(k) != key}, name: value}
    return replace(own, attributes=attributes)


@dataclass(frozen=True, eq=False, slots=True)
class _Borrowed:
    """`shape_of` of a set some of whose shapes are those of the ground truth."""

    own: AnnotationSet
    truth: AnnotationSet
    place: Mapping[int, int]

    def __call__(self, index: int) -> shapes.Shape:
        return self.truth.shape(self.place[index]) if index in self.place else self.own.shape_of(index)


def with_tools(own: AnnotationSet, truth: AnnotationSet, students: Places, objects: Places) -> AnnotationSet:
    """The submission with the kind of shape that was asked for: a box as large as what was drawn, else the truth's."""
    kind, bounds, rotation = own.kind.copy(), own.bounds.copy(), own.rotation.copy()
    boxes = (truth.kind[objects] == shapes.ShapeKind.BOX) & (truth.rotation[objects] == 0)
    kind[students] = truth.kind[objects]
    rotation[students] = truth.rotation[objects]
    bounds[students[~boxes]] = truth.bounds[objects[~boxes]]
    place = dict(zip(students[~boxes].tolist(), objects[~boxes].tolist(), strict=True))
    return replace(own, kind=kind, bounds=bounds, rotation=rotation, shape_of=_Borrowed(own, truth, place))


def with_objects(own: AnnotationSet, truth: PreparedTruth, objects: Places) -> AnnotationSet:
    """The submission with further annotations: objects of the ground truth, as they are there."""
    ours = truth.annotations
    place = pair_images(truth.names, ImageNames(own.images))
    known = {int(number): index for index, number in enumerate(place.tolist()) if number != ABSENT}
    images = [*own.images]
    for number in np.unique(ours.image[objects]).tolist():
        if number not in known:
            known[number] = len(images)
            images.append(ours.images[number])
    names = tuple(dict.fromkeys((*own.labels, *ours.labels)))
    further = {len(own) + row: t for row, t in enumerate(objects.tolist())}
    values = {index: ours.attributes[t] for index, t in further.items() if t in ours.attributes}
    occluded = None
    if own.occluded is not None:
        flags = np.zeros(len(ours), bool) if ours.occluded is None else ours.occluded
        occluded = np.concatenate([own.occluded, flags[objects]])
    of_label = np.array([names.index(label) for label in ours.labels], np.int32)
    return replace(
        own,
        images=tuple(images),
        labels=names,
        image=np.concatenate([own.image, [known[n] for n in ours.image[objects].tolist()]]).astype(np.int32),
        label=np.concatenate([own.label, of_label[ours.label[objects]]]),
        kind=np.concatenate([own.kind, ours.kind[objects]]),
        bounds=np.concatenate([own.bounds, ours.bounds[objects]]),
        rotation=np.concatenate([own.rotation, ours.rotation[objects]]),
        shape_of=_Borrowed(own, ours, further),
        ids=[*own.ids, *(ours.ids[t] for t in objects.tolist())],
        attributes={**own.attributes, **values},
        crowd=np.concatenate([crowd_of(own), np.zeros(objects.size, bool)]),
        occluded=occluded,
        area=None,
        confidence=None,
        track=None,
        group=None,
    )
