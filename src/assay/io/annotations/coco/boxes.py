"""The boxes of a COCO file in which every annotation is as it should be: the common case, in half the time.

Anything out of the ordinary (a box that is missing or odd, text for a number, an attribute, an unknown image) is no
matter for this reader: it gives None, and the reader for all of COCO takes over. Where both read, they read the same.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import Rings, ShapeColumns, SkeletonTable
from assay.annotations.shapes.shapes import ShapeKind
from assay.errors import MissingExtra
from assay.io.annotations.coco import images as coco_images
from assay.io.annotations.coco.document import FORMAT, RESULTS, CocoCategory, CocoImage, Id
from assay.io.annotations.coco.images import NumberIds, References, TextIds, are_distinct
from assay.io.annotations.coco.remarks import warn_of_flat_boxes
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import FARTHEST
from assay.io.json_text import NotInPieces, Stream, one_of, read_list, read_list_within

try:
    import msgspec
except ImportError as absent:
    raise MissingExtra("Reading COCO", "annotations") from absent

No: TypeAlias = Literal[0]
FourNumbers: TypeAlias = tuple[float, float, float, float]
Whole: TypeAlias = NDArray[np.int64]

WIDEST_TABLE = 1_000_000


class PlainBox(msgspec.Struct, gc=False):
    """An annotation of a dataset; what may not be stated, or only as 0, makes reading fail when it is."""

    image_id: int
    bbox: FourNumbers
    category_id: int
    id: int
    iscrowd: int = 0
    is_crowd: No = 0
    ignore: No = 0
    score: None = None
    attributes: None = None


class PlainResult(msgspec.Struct, gc=False):
    """A row of a list of results."""

    image_id: int
    category_id: int
    bbox: FourNumbers
    score: float
    id: None = None
    iscrowd: No = 0
    is_crowd: No = 0
    ignore: No = 0
    attributes: None = None


class PlainFile(msgspec.Struct):
    """A dataset, or the beginning or end of one."""

    images: list[CocoImage] | None = None
    categories: list[CocoCategory] | None = None
    annotations: list[PlainBox] | None = None


@dataclass(slots=True)
class BoxColumns:
    """The columns of the annotations read so far, a piece of each per piece of the file."""

    image_id: list[Whole] = field(default_factory=list)
    category_id: list[Whole] = field(default_factory=list)
    box: list[NDArray[np.float64]] = field(default_factory=list)
    id: list[Whole] = field(default_factory=list)
    crowd: list[Whole] = field(default_factory=list)
    score: list[NDArray[np.float64]] = field(default_factory=list)

    def take(self, annotations: Sequence[PlainBox] | Sequence[PlainResult]) -> None:
        self.image_id.append(_whole([a.image_id for a in annotations]))
        self.category_id.append(_whole([a.category_id for a in annotations]))
        self.box.append(_numbers(list(chain.from_iterable([a.bbox for a in annotations]))).reshape(-1, 4))

    def take_annotations(self, annotations: Sequence[PlainBox]) -> None:
        self.take(annotations)
        self.id.append(_whole([a.id for a in annotations]))
        crowd = [a.iscrowd for a in annotations]
        self.crowd.append(_whole(crowd) if any(crowd) else np.zeros(len(crowd), np.int64))

    def take_results(self, results: Sequence[PlainResult]) -> None:
        self.take(results)
        self.score.append(_numbers([a.score for a in results]))


def _whole(values: list[int]) -> Whole:
    """Packed in one call, which takes three quarters of the time of numpy's fromiter."""
    return np.frombuffer(struct.pack(f"{len(values)}q", *values), np.int64)


def _numbers(values: list[float]) -> NDArray[np.float64]:
    return np.frombuffer(struct.pack(f"{len(values)}d", *values), np.float64)


def plain_boxes(stream: Stream, source: str, like: AnnotationSet | None) -> AnnotationSet | None:
    """The boxes of a dataset or, with `like`, of a list of results; None when anything in it is out of the ordinary.

    Raises InputError as the reader for all of COCO does for images or categories that contradict each other.
    """
    start = stream.read(1)
    stream.seek(0)
    try:
        if start == b"{":
            return _dataset(stream, source)
        return _results(stream, source, like) if start == b"[" and like is not None else None
    except (NotInPieces, struct.error):  # an id may be beyond 64 bits
        return None


def _dataset(stream: Stream, source: str) -> AnnotationSet | None:
    columns = BoxColumns()
    head, tail = read_list_within(stream, b"annotations", PlainBox, PlainFile, columns.take_annotations)
    columns.take_annotations(tail.annotations or [])
    images, categories = one_of(head.images, tail.images), one_of(head.categories, tail.categories)
    tally = ProblemTally()
    annotations = _in_columns(columns, coco_images.references_of(images, categories, source, tally), source)
    ids, crowd = np.concatenate(columns.id), np.concatenate(columns.crowd)
    if annotations is None or not are_distinct(ids):
        return None
    flags = read_only(crowd != 0) if crowd.any() else None
    annotations = replace(annotations, ids=NumberIds(ids), crowd=flags, format=FORMAT)
    warn_of_flat_boxes(annotations, tally)
    return replace(annotations, problems=tally.problems())


def _results(stream: Stream, source: str, like: AnnotationSet) -> AnnotationSet | None:
    columns = BoxColumns()
    read_list(stream, PlainResult, columns.take_results)
    annotations = _in_columns(columns, coco_images.references_of_truth(like, source), source)
    if annotations is None:
        return None
    tally = ProblemTally()
    warn_of_flat_boxes(annotations, tally)
    return replace(annotations, confidence=read_only(np.concatenate(columns.score)), problems=tally.problems())


def _in_columns(columns: BoxColumns, references: References, source: str) -> AnnotationSet | None:
    """What datasets and results have in common, with ids by position; None when an image or category is not known."""
    bounds = np.concatenate(columns.box)
    n = len(bounds)
    if not n or not (bounds.min() >= -FARTHEST and bounds.max() <= FARTHEST and bounds[:, 2:].min() >= 0):
        return None
    bounds[:, 2:] += bounds[:, :2]
    image = looked_up(np.concatenate(columns.image_id), references.image_index)
    label = looked_up(np.concatenate(columns.category_id), references.label_index)
    if min(image.min(), label.min()) < 0:
        return None
    return AnnotationSet(
        images=references.images,
        labels=references.labels,
        image=read_only(image),
        label=read_only(label),
        kind=read_only(np.full(n, ShapeKind.BOX, np.uint8)),
        bounds=read_only(bounds),
        rotation=read_only(np.zeros(n)),
        shape_of=no_shapes(),
        ids=NumberIds(np.arange(1, n + 1)),
        definitions=references.definitions,
        image_ids=TextIds(references.image_index),
        label_ids=TextIds(references.label_index),
        source=source,
        format=RESULTS,
    )


def looked_up(ids: Whole, index: Mapping[Id, int]) -> NDArray[np.int32]:
    """The place of each id, -1 for those not known; by a table where the ids are small numbers."""
    keys = [key for key in index if isinstance(key, int) and 0 <= key < WIDEST_TABLE]
    if not keys or len(keys) < len(index):
        return coco_images.indices(ids.tolist(), index)
    table = np.full(max(keys) + 2, -1, np.int32)  # the last entry for ids beyond
    table[keys] = list(index.values())
    beyond = (ids < 0) | (ids >= len(table))
    return table[np.where(beyond, len(table) - 1, ids)]


def no_shapes() -> ShapeColumns:
    """The shapes of a set that holds boxes only, which need none."""
    nothing = np.zeros(0, np.int64)
    rings = Rings(np.zeros((0, 2)), nothing, nothing, np.zeros(0, np.bool_))
    return ShapeColumns(rings, None, SkeletonTable((), (), (), nothing, nothing), nothing, {})
