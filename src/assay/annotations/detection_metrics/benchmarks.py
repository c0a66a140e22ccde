"""`benchmarks_of`: what benchmarks would say of a submission, from sets that are aligned; only what applies."""

import numpy as np

from assay.annotations.detection_metrics.average_precision import (
    DetectionFigures,
    Labeled,
    Overlaps,
    average_precision,
    box_overlaps,
)
from assay.annotations.detection_metrics.conflicts import Conflicts, covered_boxes, group_conflicts, is_reversed
from assay.annotations.detection_metrics.figures import Benchmarks
from assay.annotations.detection_metrics.tracking import TrackingFigures, frames_of, tracking_figures
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.candidates import overlapping_pairs
from assay.annotations.matching.pairing import AlignedSets, Pairing
from assay.annotations.matching.prepared_truth import inside_pairs
from assay.annotations.matching.text_similarity import common_names
from assay.annotations.shapes.shapes import FAMILIES, Polyline, ShapeKind

OUTLINES = FAMILIES.index("area")
LINE_SCALE = 0.1
"""Of a line's length: how far points may lie apart before their order is looked at."""


def benchmarks_of(aligned: AlignedSets, pairing: Pairing) -> Benchmarks:
    """All that applies."""
    boxes, shapes = _detection(aligned)
    return Benchmarks(boxes, shapes, _tracking(aligned), _conflicts(aligned, pairing))


def _detection(aligned: AlignedSets) -> tuple[DetectionFigures | None, DetectionFigures | None]:
    """By bounding boxes, and by outlines and masks where the ground truth has them."""
    confidence = aligned.submission.confidence
    if confidence is None or np.isnan(confidence).all():
        return None, None
    truth, own = aligned.truth, aligned.submission
    names, places = common_names(truth.labels, own.labels, separators_alike=aligned.rubric.separators_alike)
    labels = [label.astype(np.int64) for label in aligned.common_labels]
    crowd = np.zeros(len(truth), bool) if truth.crowd is None else truth.crowd
    drawn = aligned.student_counts & (aligned.student_image < len(truth.images))
    # what does not count is of no class
    ours = Labeled(truth.image.astype(np.int64), np.where(aligned.truth_counts | crowd, labels[0], -1))
    theirs = Labeled(aligned.student_image.astype(np.int64), np.where(drawn, labels[1], -2))
    pairs = overlapping_pairs(truth.bounds, ours.image, own.bounds, theirs.image)
    by_box = box_overlaps((ours, truth.bounds), crowd, (theirs, own.bounds), pairs)
    known = names if places else ()
    boxes = average_precision(ours, crowd, theirs, confidence, by_box, known)
    if not np.isin(truth.families()[~crowd], OUTLINES).any():
        return boxes, None
    by_shape = _shape_overlaps(aligned, ours, theirs)
    return boxes, average_precision(ours, crowd, theirs, confidence, by_shape, known)


def _shape_overlaps(aligned: AlignedSets, ours: Labeled, theirs: Labeled) -> Overlaps:
    pairs = aligned.candidates
    usable = aligned.comparable
    t, d, overlap = pairs.truth[usable].astype(np.intp), pairs.student[usable].astype(np.intp), pairs.similarity[usable]
    if aligned.truth.crowd is not None and aligned.truth.crowd.any():
        truth, student = (Geometry(one, aligned.rubric.sigmas) for one in (aligned.truth, aligned.submission))
        image_of = np.full(len(aligned.submission.images), -1, np.int32)
        image_of[aligned.submission.image] = aligned.student_image
        image_of[image_of >= len(aligned.truth.images)] = -1
        columns = inside_pairs(truth, student, image_of)
        t, d, overlap = (np.concatenate(both) for both in zip((t, d, overlap), columns, strict=True))
    return Overlaps(t, d, overlap).where(ours.label[t] == theirs.label[d])


def _tracking(aligned: AlignedSets) -> TrackingFigures | None:
    ours, theirs = aligned.truth.track, aligned.submission.track
    if ours is None or theirs is None or (ours < 0).all():
        return None
    usable = aligned.comparable
    pairs = aligned.candidates.truth[usable].astype(np.intp), aligned.candidates.student[usable].astype(np.intp)
    frames = frames_of(
        np.where(aligned.truth_counts, ours, -1),
        np.where(aligned.student_counts, theirs, -1),
        (aligned.truth.image.astype(np.intp), aligned.student_image),
        pairs,
        aligned.candidates.similarity[usable],
    )
    return tracking_figures(frames)


def _conflicts(aligned: AlignedSets, pairing: Pairing) -> Conflicts | None:
    truth, own = aligned.truth, aligned.submission
    lines = np.flatnonzero(truth.kind[pairing.truth] == ShapeKind.POLYLINE)
    if truth.group is None and not lines.size:
        return None
    none = [np.zeros(len(one), np.int64) for one in (truth, own)]
    groups = truth.group if truth.group is not None else none[0]
    theirs = own.group if own.group is not None else none[1]
    images = truth.image.astype(np.int64), aligned.student_image.astype(np.int64)
    grouped = group_conflicts(groups, theirs, images, (pairing.truth, pairing.student))
    turned = [int(pairing.student[row]) for row in lines.tolist() if _is_turned(aligned, pairing, row)]
    boxes = np.flatnonzero((own.kind == ShapeKind.BOX) & (own.rotation == 0) & aligned.student_counts)
    covered = [int(boxes[i]) for i in covered_boxes(own.bounds[boxes], images[1][boxes])]
    return Conflicts(tuple(grouped), tuple(sorted(turned)), tuple(covered))


def _is_turned(aligned: AlignedSets, pairing: Pairing, row: int) -> bool:
    ours = aligned.truth.shape(int(pairing.truth[row]))
    theirs = aligned.submission.shape(int(pairing.student[row]))
    if not isinstance(ours, Polyline) or not isinstance(theirs, Polyline):
        return False
    length = float(np.hypot(*np.diff(ours.points, axis=0).T).sum())
    return is_reversed(ours.points, theirs.points, LINE_SCALE * length)
