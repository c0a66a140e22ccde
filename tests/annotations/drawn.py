"""Small annotation sets for tests, written as people would draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition, Value
from assay.annotations.shapes.shapes import Polygon, Shape, ShapeKind, Skeleton


@dataclass(frozen=True)
class Drawn:
    """One annotation: a box by its edges, or another shape with its bounds."""

    image: str
    label: str
    box: tuple[float, float, float, float]
    attributes: Mapping[str, Value] = field(default_factory=dict)
    kind: ShapeKind = ShapeKind.BOX
    shape: Shape | None = None
    crowd: bool = False
    track: int = -1
    id: str = ""


def box(image: str, label: str, *edges: float, crowd: bool = False, track: int = -1, **attributes: Value) -> Drawn:
    """A box: left, top, right, bottom."""
    left, top, right, bottom = edges
    return Drawn(image, label, (left, top, right, bottom), attributes, crowd=crowd, track=track)


def polygon(image: str, label: str, *points: tuple[float, float], **attributes: Value) -> Drawn:
    """A polygon through points."""
    ring = np.array(points, dtype=float)
    edges = (*ring.min(axis=0), *ring.max(axis=0))
    return Drawn(image, label, edges, attributes, ShapeKind.POLYGON, Polygon((ring,)))


def rectangle(image: str, label: str, left: float, top: float, right: float, bottom: float) -> Drawn:
    """A polygon that looks like a box."""
    return polygon(image, label, (left, top), (right, top), (right, bottom), (left, bottom))


def skeleton(image: str, label: str, points: Mapping[str, tuple[float, float, int]]) -> Drawn:
    """Named points with their visibility."""
    where = np.array([point[:2] for point in points.values()], dtype=float)
    seen = np.array([point[2] for point in points.values()], dtype=np.int8)
    edges = (*where[seen > 0].min(axis=0), *where[seen > 0].max(axis=0))
    return Drawn(image, label, edges, {}, ShapeKind.SKELETON, Skeleton(tuple(points), where, seen))


def annotation_set(
    *drawn: Drawn,
    images: Sequence[str | Image] = (),
    definitions: tuple[LabelDefinition, ...] = (),
    labels: Sequence[str] = (),
) -> AnnotationSet:
    """The set of these annotations; `images` lists further images, or the order of all."""
    given = [image if isinstance(image, Image) else Image(image, 1000, 1000) for image in images]
    names = [image.name for image in given]
    given += [Image(name, 1000, 1000) for name in dict.fromkeys(d.image for d in drawn) if name not in names]
    place = {image.name: index for index, image in enumerate(given)}
    known = list(dict.fromkeys([*labels, *(d.label for d in drawn)]))
    n = len(drawn)
    return AnnotationSet(
        images=tuple(given),
        labels=tuple(known),
        image=np.array([place[d.image] for d in drawn], dtype=np.int32),
        label=np.array([known.index(d.label) for d in drawn], dtype=np.int32),
        kind=np.array([d.kind for d in drawn], dtype=np.uint8),
        bounds=np.array([d.box for d in drawn], dtype=float).reshape(n, 4),
        rotation=np.zeros(n),
        shape_of=lambda index: _shape(drawn[index]),
        ids=[d.id or str(i + 1) for i, d in enumerate(drawn)],
        attributes={i: d.attributes for i, d in enumerate(drawn) if d.attributes},
        crowd=np.array([d.crowd for d in drawn], dtype=bool),
        track=np.array([d.track for d in drawn], dtype=np.int64) if any(d.track >= 0 for d in drawn) else None,
        definitions=definitions,
    )


def _shape(drawn: Drawn) -> Shape:
    assert drawn.shape is not None
    return drawn.shape
