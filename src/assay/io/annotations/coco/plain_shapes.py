"""The annotations of a COCO file that the kernel has walked, as a set: shapes of all kinds, straight from columns."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.arrays import read_only
from assay.io.annotations.coco.attributes import painted_masks, read_attributes
from assay.io.annotations.coco.boxes import looked_up
from assay.io.annotations.coco.document import FORMAT, RESULTS, note_each
from assay.io.annotations.coco.images import NumberIds, References, TextIds, are_distinct, references_of
from assay.io.annotations.coco.images import references_of_truth as truth_references
from assay.io.annotations.coco.remarks import (
    self_intersections_of,
    warn_of_flat_boxes,
    warn_of_mask_sizes,
    warn_of_outlines,
    warn_of_unnamed_points,
)
from assay.io.annotations.coco.scanned import (
    HAS_BOX,
    HAS_OUTLINE,
    IS_CROWD,
    IS_IGNORED,
    ScannedAnnotations,
    scan_dataset,
    scan_results,
)
from assay.io.annotations.coco.shapes import NONE, CocoShapes, put_right, stacked, together
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import FARTHEST
from assay.io.json_text import Stream
from assay.kernel import kernel


def plain_shapes(stream: Stream, source: str, like: AnnotationSet | None) -> AnnotationSet | None:
    """The annotations of a dataset or, with `like`, of a list of results; None when they are out of the ordinary.

    None, too, where the kernel was not built. InputError as the reader for all of COCO raises it.
    """
    compiled = kernel()
    if compiled is None:
        return None
    start = stream.read(1)
    stream.seek(0)
    tally = ProblemTally()
    if start == b"[" and like is not None:
        results = scan_results(compiled, stream, source)
        return None if results is None else _set(results, truth_references(like, source), source, tally, RESULTS)
    dataset = scan_dataset(compiled, stream, source) if start == b"{" else None
    if dataset is None:
        return None
    annotations, images, categories = dataset
    return _set(annotations, references_of(images, categories, source, tally), source, tally, FORMAT)


def _set(
    stated: ScannedAnnotations, references: References, source: str, tally: ProblemTally, form: str
) -> AnnotationSet | None:
    """The set, as `reader._columns` makes it of records."""
    n = len(stated)
    image, label = (
        looked_up(stated.image_id, references.image_index),
        looked_up(stated.category_id, references.label_index),
    )
    if min(image.min(), label.min()) < 0 or (stated.ids is not None and not are_distinct(stated.ids)):
        return None
    flags = _marked(stated, tally) if form == RESULTS else stated.visibility
    joints = [references.joints.get(name, ()) for name in references.labels]
    shapes = _shapes(stated, flags, label, joints, tally)
    if shapes is None or (shapes.kind == NONE).any():
        return None
    attributes = read_attributes(stated.attributes, stated, shapes.kind, tally)
    unlabelled = np.zeros(n, np.bool_)
    if form != RESULTS:
        unlabelled[shapes.poses.owner] = ~shapes.poses.labelled
    what = "keypoints are all unlabelled: the annotation is not scored, as in COCO"
    note_each(tally.repaired, what, stated, unlabelled)
    if shapes.poses.owner.size:
        warn_of_outlines(stated, shapes.poses.owner[stated.has(HAS_OUTLINE)[shapes.poses.owner]], tally)
        warn_of_unnamed_points(stated, shapes.poses, np.array([len(names) for names in joints])[label], tally)
    crowd = _crowd(stated, tally) | unlabelled
    result = AnnotationSet(
        images=references.images,
        labels=references.labels,
        image=read_only(image),
        label=read_only(label),
        kind=read_only(shapes.kind.astype(np.uint8)),
        bounds=read_only(shapes.bounds),
        shape_of=shapes.of(np.arange(n)),
        ids=NumberIds(np.arange(1, n + 1) if stated.ids is None else stated.ids),
        crowd=read_only(crowd) if crowd.any() else None,
        area=None if stated.area is None else read_only(stated.area),
        confidence=None if stated.score is None else read_only(stated.score),
        definitions=references.definitions,
        image_ids=TextIds(references.image_index),
        label_ids=TextIds(references.label_index),
        source=source,
        format=form,
        **attributes,
    )
    warn_of_flat_boxes(result, tally)
    warn_of_mask_sizes(result, tally)
    return replace(result, problems=(*tally.problems(), *self_intersections_of(result)))


def _marked(results: ScannedAnnotations, tally: ProblemTally) -> NDArray[np.int8]:
    """Keypoints of results whose flags are all 0 are marked where they lie: COCO does not use the flags of results."""
    flags, count = results.visibility, results.keypoint_count
    if not len(flags) or flags.all():
        return flags
    first = np.cumsum(count) - count
    placed = np.asarray(results.points.any(axis=1))
    marked = np.asarray(~np.logical_or.reduceat(flags != 0, first) & np.logical_or.reduceat(placed, first))
    if marked.any():
        chosen = np.repeat(marked, count)
        flags = flags.copy()
        flags[chosen] = np.where(placed[chosen], 2, 0)
    what = "keypoints of results state no visibility: those that are not at 0, 0 are visible"
    note_each(tally.repaired, what, results, results.keypoint_owner[np.flatnonzero(marked)])
    return flags


def _shapes(
    stated: ScannedAnnotations,
    flags: NDArray[np.int8],
    label: NDArray[np.int32],
    joints: list[tuple[str, ...]],
    tally: ProblemTally,
) -> CocoShapes | None:
    """Kind, bounds and shape of each; None where a box is out of bounds. The boxes become edges where they lie."""
    boxes, boxed, owner = stated.box, stated.has(HAS_BOX), stated.keypoint_owner
    usable = boxes if boxed.all() else boxes[boxed]
    if usable.size and not (usable.min() >= -FARTHEST and usable.max() <= FARTHEST and usable[:, 2:].min() >= 0):
        return None
    boxes[:, 2:] += boxes[:, :2]
    if len(flags) and flags.min() < 0:
        flags = np.maximum(flags, 0)
    poses = stacked(stated.points, flags, owner, stated.keypoint_count, label[owner], joints)
    rings, masked, masks = stated.rings, stated.mask_owner, stated.masks
    if len(owner) and (len(rings.count) or len(masked)):  # the keypoints are scored
        rings = rings.where(~np.isin(rings.owner, owner))
        free = np.flatnonzero(~np.isin(masked, owner))
        masked, masks = masked[free], masks.chosen(free)
    return together(len(stated), boxes, put_right(rings, stated, tally), masked, masks, poses)


def _crowd(stated: ScannedAnnotations, tally: ProblemTally) -> NDArray[np.bool_]:
    """Whether each annotation is a region that is not to be scored: see `crowd_regions`."""
    crowd, ignored = stated.has(IS_CROWD), stated.has(IS_IGNORED)
    may_be = stated.mask_owner[(crowd & ~ignored)[stated.mask_owner]].tolist()
    painted = painted_masks(len(stated), {i: stated.attributes.get(i, {}) for i in may_be})
    what = "iscrowd is set as CVAT sets it on every mask: the mask is scored as an object"
    note_each(tally.repaired, what, stated, painted)
    return (crowd | ignored) & ~painted
