"""COCO JSON (instances, keypoints, LVIS, exports of CVAT and Roboflow) and COCO results -> `AnnotationSet`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.shapes import ShapeKind
from assay.errors import InputError
from assay.io.annotations.coco import document as coco_document
from assay.io.annotations.coco.attributes import crowd_regions, read_attributes
from assay.io.annotations.coco.boxes import plain_boxes
from assay.io.annotations.coco.document import Annotation, Segmentation, WholeAnnotation, note_each
from assay.io.annotations.coco.images import References, TextIds, ids_of, indices, references_of, references_of_truth
from assay.io.annotations.coco.plain_shapes import plain_shapes
from assay.io.annotations.coco.remarks import (
    self_intersections_of,
    warn_of_flat_boxes,
    warn_of_mask_sizes,
    warn_of_other_parts,
)
from assay.io.annotations.coco.shapes import NONE, CocoShapes, boxes_of, mark_unflagged, shapes_of
from assay.io.annotations.columns import Prefer, ProblemTally
from assay.io.json_text import Stream, as_utf8, broken_json_named, no_garbage_collection


def read_coco(
    content: bytes, *, source: str, like: AnnotationSet | None = None, prefer: Prefer = "shape"
) -> AnnotationSet:
    """All annotations of a COCO file.

    A bare list of results has neither images nor categories: `like`, the ground truth it was made for, gives them.
    """
    text = as_utf8(content)
    # around all of it, so that what was read is gone again when the collector wakes
    with no_garbage_collection(), broken_json_named(text, source):
        plain = _plain(BytesIO(text), source, like, prefer)
        if plain is not None:
            return plain
        tally, outlines = ProblemTally(), prefer == "shape"
        if text.lstrip()[:1] != b"[":
            document = coco_document.read_document(text, source, outlines=outlines, tally=tally)
            references = references_of(document.images, document.categories, source, tally)
            return _columns(document.annotations, references, source, prefer, tally, is_results=False)
        references = references_of_truth(like, source)
        annotations = coco_document.read_results(text, source, outlines=outlines, tally=tally)
        return _columns(annotations, references, source, prefer, tally, is_results=True)


def read_plain_coco(
    stream: Stream, *, source: str, like: AnnotationSet | None = None, prefer: Prefer = "shape"
) -> AnnotationSet | None:
    """All annotations of a file that is plainly COCO; None when a closer look is needed at what it is.

    Looking first and reading then would go through a large file twice.
    """
    with no_garbage_collection():  # as above
        plain = _plain(stream, source, like, prefer)
        if plain is not None:
            return plain
        stream.seek(0)
        content = stream.read()
        results = coco_document.plain_results(content, outlines=prefer == "shape") if like is not None else None
        if results:
            references = references_of_truth(like, source)
            return _columns(results, references, source, prefer, ProblemTally(), is_results=True)
        document, tally = coco_document.plain_document(content, outlines=prefer == "shape"), ProblemTally()
        if document is None:
            return None
        references = references_of(document.images, document.categories, source, tally)
        return _columns(document.annotations, references, source, prefer, tally, is_results=False)


def _plain(stream: Stream, source: str, like: AnnotationSet | None, prefer: Prefer) -> AnnotationSet | None:
    """The annotations of a file in which all is as it should be; None otherwise."""
    return plain_boxes(stream, source, like) if prefer == "box" else plain_shapes(stream, source, like)


def _columns(
    stated: list[Annotation],
    references: References,
    source: str,
    prefer: Prefer,
    tally: ProblemTally,
    *,
    is_results: bool,
) -> AnnotationSet:
    annotations, image = _placed(stated, references, source, tally)
    if is_results:
        mark_unflagged(annotations, tally)
    label, labels = _labelled(annotations, references, tally)
    joints = [references.joints.get(name, ()) for name in labels]
    shapes = _shapes(annotations, label, joints, prefer, tally)
    what = "an annotation has no box, outline or keypoints that can be used"
    note_each(tally.lost, what, annotations, shapes.kind == NONE)
    scored = np.flatnonzero(shapes.kind != NONE)
    for annotation in annotations:
        if isinstance(annotation, WholeAnnotation) and annotation.metadata and annotation.attributes is None:
            annotation.attributes = annotation.metadata if isinstance(annotation.metadata, dict) else None
    used = annotations if scored.size == len(annotations) else [annotations[i] for i in scored.tolist()]
    stated_values = {i: a.attributes for i, a in enumerate(used) if a.attributes}
    attributes = read_attributes(stated_values, used, shapes.kind[scored], tally)
    unlabelled = np.zeros(len(annotations), np.bool_)
    if not is_results:  # skeletons without a single labelled point: an object COCO knows of and does not score
        unlabelled[shapes.poses.owner] = ~shapes.poses.labelled
    what = "keypoints are all unlabelled: the annotation is not scored, as in COCO"
    note_each(tally.repaired, what, annotations, unlabelled)
    warn_of_other_parts(annotations, shapes.poses, np.array([len(names) for names in joints])[label], tally)
    ids = ids_of(annotations, scored, tally)
    crowd, painted = crowd_regions(used)
    what = "iscrowd is set as CVAT sets it on every mask: the mask is scored as an object"
    note_each(tally.repaired, what, used, painted)
    crowd |= unlabelled[scored]
    result = AnnotationSet(
        images=references.images,
        labels=labels,
        image=read_only(image[scored]),
        label=read_only(label[scored]),
        kind=read_only(shapes.kind[scored].astype(np.uint8)),
        bounds=read_only(shapes.bounds[scored]),
        shape_of=shapes.of(scored),
        ids=ids,
        crowd=read_only(crowd) if crowd.any() else None,
        area=None if prefer == "box" else _numbers([a.area for a in used]),  # an outline's, and not the box's
        confidence=_numbers([a.score for a in used]),
        definitions=references.definitions,
        image_ids=TextIds(references.image_index),
        label_ids=TextIds(references.label_index),
        source=source,
        format=coco_document.RESULTS if is_results else coco_document.FORMAT,
        **attributes,
    )
    warn_of_flat_boxes(result, tally)
    warn_of_mask_sizes(result, tally)
    return replace(result, problems=(*tally.problems(), *self_intersections_of(result)))


def _placed(
    annotations: list[Annotation], references: References, source: str, tally: ProblemTally
) -> tuple[list[Annotation], NDArray[np.int32]]:
    image = indices([a.image_id for a in annotations], references.image_index)
    unknown = image < 0
    if not unknown.any():
        return annotations, image
    if unknown.all():
        problem = (
            f"not one of its {len(annotations):,} annotations belongs to an image that is listed (the first has "
            f"image_id {annotations[0].image_id!r})"
        )
        raise InputError(problem, source=source, remedy="Is it for other images?")
    note_each(tally.lost, "an annotation's image_id is not listed", annotations, unknown)
    return [a for a, left_out in zip(annotations, unknown.tolist(), strict=True) if not left_out], image[~unknown]


def _labelled(
    annotations: Sequence[Annotation], references: References, tally: ProblemTally
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The label of each annotation; one that no category defines is named after its number."""
    label = indices([a.category_id for a in annotations], references.label_index)
    labels = {name: i for i, name in enumerate(references.labels)}
    unknown = np.flatnonzero(label < 0)
    what = "an annotation's category is not defined: its label is the number"
    note_each(tally.repaired, what, annotations, unknown)
    for i in unknown.tolist():
        label[i] = labels.setdefault(f"category {coco_document.id_text(annotations[i].category_id)}", len(labels))
    return label, tuple(labels)


def _shapes(
    annotations: Sequence[Annotation],
    label: NDArray[np.int32],
    joints: Sequence[tuple[str, ...]],
    prefer: Prefer,
    tally: ProblemTally,
) -> CocoShapes:
    boxes = boxes_of(annotations, tally)
    if prefer == "shape":
        outlines: Mapping[int, Segmentation] = {
            i: a.segmentation
            for i, a in enumerate(annotations)  # not one that only repeats its box
            if a.segmentation and not (isinstance(a, WholeAnnotation) and a.isbbox and a.bbox)
        }
        return shapes_of(annotations, outlines, boxes, label, joints, tally)
    for i in np.flatnonzero(np.isnan(boxes[:, 0])).tolist():
        if annotations[i].segmentation is None and not annotations[i].keypoints:
            continue
        outline = coco_document.outline_of(annotations[i], f"annotation {annotations[i].id}", tally)
        drawn = {0: outline} if outline else {}
        alone = shapes_of([annotations[i]], drawn, np.full((1, 4), np.nan), label[i : i + 1], joints, tally)
        boxes[i] = alone.bounds[0]
    none = shapes_of([], {}, np.zeros((0, 4)), label[:0], joints, tally)
    kind = np.where(np.isnan(boxes[:, 0]), NONE, ShapeKind.BOX).astype(np.int16)
    return replace(none, kind=kind, bounds=boxes)


def _numbers(stated: list[float | None]) -> NDArray[np.float64] | None:
    """The numbers with NaN for those not stated; None when none is."""
    lacking = stated.count(None)
    if lacking == len(stated):
        return None
    numbers = [np.nan if number is None else number for number in stated] if lacking else stated
    return read_only(np.array(numbers, np.float64))
