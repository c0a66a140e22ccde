"""COCO JSON (instances, keypoints, LVIS, exports of CVAT and Roboflow) and COCO results -> `AnnotationSet`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem, Value
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import ShapeColumns
from assay.annotations.shapes.shapes import Mask, ShapeKind
from assay.errors import InputError
from assay.io.annotations.coco import document as coco_document
from assay.io.annotations.coco.boxes import plain_boxes, warn_of_flat_boxes
from assay.io.annotations.coco.document import Annotation, Segmentation, WholeAnnotation, note_each
from assay.io.annotations.coco.images import References, TextIds, ids_of, indices, references_of, references_of_truth
from assay.io.annotations.coco.shapes import NONE, CocoShapes, boxes_of, mark_unflagged, shapes_of, warn_of_other_parts
from assay.io.annotations.columns import Prefer, ProblemTally
from assay.io.annotations.shape_validation import self_intersection_problem
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
        plain = plain_boxes(BytesIO(text), source, like) if prefer == "box" else None
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
        plain = plain_boxes(stream, source, like) if prefer == "box" else None
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
    attributes = read_attributes(used, shapes.kind[scored], tally)
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


def read_attributes(annotations: Sequence[Annotation], kinds: NDArray[np.int16], tally: ProblemTally) -> dict[str, Any]:
    """The columns `attributes` (attribute -> value of each annotation), `rotation`, `occluded` and `track`.

    CVAT and Datumaro write the turn of a box, its occlusion and its track as attributes. Turn and track are no
    attributes of the label, so they go where the other formats have them; occlusion is both.
    """
    n = len(annotations)
    attributes: dict[int, dict[str, Value]] = {}
    rotation, occluded, track = np.zeros(n), np.zeros(n, np.bool_), np.full(n, -1, np.int64)
    for i in [i for i, annotation in enumerate(annotations) if annotation.attributes]:
        annotation = annotations[i]
        rest = dict(annotation.attributes or {})
        turn: Any = rest.get("rotation")
        is_number = isinstance(turn, int | float) and not isinstance(turn, bool)
        if is_number and (kinds[i] == ShapeKind.BOX or turn == 0) and isfinite(turn):
            rotation[i] = float(rest.pop("rotation")) % 360.0
        if isinstance(rest.get("occluded"), bool):
            occluded[i] = rest["occluded"]  # stays an attribute too: the scoring plan scores it as one
        if isinstance(number := rest.get("track_id"), int) and 0 <= number < 1 << 62:
            track[i] = rest.pop("track_id")
            rest.pop("keyframe", None)
        if rest:
            attributes[i] = {name: _value(value, f"annotation {annotation.id}", tally) for name, value in rest.items()}
    return {
        "attributes": attributes,
        "rotation": read_only(rotation),
        "occluded": read_only(occluded) if occluded.any() else None,
        "track": read_only(track) if (track >= 0).any() else None,
    }


def _value(value: Any, where: str, tally: ProblemTally) -> Value:
    """A value as it is; empty text is None, and a list or object is compared as its text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return value.strip() or None
    tally.repaired("an attribute holds a list or an object: it is compared as text", where)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def crowd_regions(annotations: Sequence[Annotation]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each annotation is a region that is not to be scored; and whether it is a mask of CVAT instead.

    CVAT and Datumaro set iscrowd on everything they write as run lengths, so that a task painted with the brush would
    hold no object at all. Such a mask is known by CVAT's own attribute `occluded`, which COCO's files do not have.
    Source: convert_instance in Datumaro's COCO exporter.
    """
    stated = np.array([bool(a.iscrowd or a.is_crowd or a.ignore) for a in annotations], np.bool_)
    painted = np.zeros(len(annotations), np.bool_)
    for i in np.flatnonzero(stated).tolist():
        a = annotations[i]
        by_cvat = not a.ignore and isinstance((a.attributes or {}).get("occluded"), bool)
        painted[i] = by_cvat and coco_document.has_run_lengths(a)
    return stated & ~painted, painted


def warn_of_mask_sizes(annotations: AnnotationSet, tally: ProblemTally) -> None:
    """Tell of masks that are not of their image's size, as after resizing one of the two."""
    others = annotations.shape_of.others if isinstance(annotations.shape_of, ShapeColumns) else {}
    what = "a mask is not of its image's size: it is laid at the image's upper left corner"
    for i, mask in others.items():
        image = annotations.images[int(annotations.image[i])]
        size = image.width, image.height
        if isinstance(mask, Mask) and all(size) and (mask.width, mask.height) != size:
            tally.repaired(what, f"image {image.name!r}, annotation {annotations.ids[i]}")


def self_intersections_of(annotations: AnnotationSet) -> list[FileProblem]:
    """The line that tells of outlines that cross themselves, if there are any."""
    shapes = annotations.shape_of
    if not isinstance(shapes, ShapeColumns) or shapes.crossing is None or not shapes.crossing.any():
        return []
    owners = np.unique(shapes.rings.owner[shapes.crossing])
    return [self_intersection_problem(annotations, int(owners[0]), len(owners))]
