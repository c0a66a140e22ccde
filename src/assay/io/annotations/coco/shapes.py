"""The shapes of COCO's annotations in columns: boxes, rings, masks, and keypoints, stacked by label and length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import Rings, ShapeColumns, SkeletonTable
from assay.annotations.shapes.shapes import Coordinates, Mask, ShapeKind
from assay.errors import InputError
from assay.io.annotations.coco.document import Annotation, Rle, Segmentation, WholeAnnotation, first_of, note_each
from assay.io.annotations.columns import ProblemTally, bounds_of
from assay.io.annotations.masks import check_runs, runs_of_text
from assay.io.annotations.shape_validation import FARTHEST, self_intersections

Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]
NONE = -1


@dataclass(frozen=True, eq=False, slots=True)
class Poses:
    """The skeletons of a file: skeleton k is annotation `owner[k]`."""

    owner: Whole
    table: SkeletonTable
    bounds: Coordinates
    """Of the points that are labelled, of all where none is."""
    labelled: Flags
    """Whether any point is."""


@dataclass(frozen=True, eq=False, slots=True)
class CocoShapes:
    """Kind, bounds and exact shape of every annotation of a file; kind NONE where nothing can be scored."""

    kind: NDArray[np.int16]
    bounds: Coordinates
    rings: Rings
    masks: Mapping[int, Mask]
    poses: Poses

    def of(self, scored: Whole) -> ShapeColumns:
        """The shapes of the annotations that are kept, all that have one among them."""
        rings = replace(self.rings, owner=np.searchsorted(scored, self.rings.owner))
        crossing = self_intersections(rings.points, rings.count) if len(rings.count) else None
        masks = dict(zip(np.searchsorted(scored, list(self.masks)).tolist(), self.masks.values(), strict=True))
        return ShapeColumns(rings, crossing, self.poses.table, np.searchsorted(scored, self.poses.owner), masks)


def boxes_of(annotations: Sequence[Annotation], tally: ProblemTally) -> Coordinates:
    """Left, top, right, bottom of the stated boxes, (n, 4); NaN where there is none that can be used."""
    stated: list[Sequence[float]] = [a.bbox or () for a in annotations]
    if set(map(len, stated)) - {4}:
        wrong = [i for i, box in enumerate(stated) if len(box) not in (0, 4)]
        note_each(tally.repaired, "a box has not four numbers: it was left aside", annotations, wrong)
        stated = [box if len(box) == 4 else (np.nan,) * 4 for box in stated]
    boxes = np.fromiter(chain.from_iterable(stated), np.float64, 4 * len(stated)).reshape(-1, 4)
    if boxes.size and not (boxes.min() >= -FARTHEST and boxes.max() <= FARTHEST and boxes[:, 2:].min() >= 0):
        with np.errstate(invalid="ignore"):
            far = np.flatnonzero((np.abs(boxes) > FARTHEST).any(axis=1))
            negative = np.setdiff1d(np.flatnonzero((boxes[:, 2:] < 0).any(axis=1)), far)
        note_each(tally.repaired, f"a box has a number beyond {FARTHEST:.0f}: it was left aside", annotations, far)
        note_each(tally.repaired, "a box has a negative width or height: it was left aside", annotations, negative)
        boxes[far] = boxes[negative] = np.nan
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def rings_of(outlines: Mapping[int, list[list[float]]], where: Sequence[Annotation], tally: ProblemTally) -> Rings:
    """The rings of a file's polygons, put right; those with half a point or a point far away are left out."""
    owner = np.repeat(
        np.fromiter(outlines, np.int64, len(outlines)),
        np.fromiter(map(len, outlines.values()), np.int64, len(outlines)),
    )
    flat = list(chain.from_iterable(outlines.values()))
    numbers = np.fromiter(map(len, flat), np.int64, len(flat))
    pairs: list[int] = []
    if (numbers == 2).any():  # rings that are single points: they are one ring, written point by point
        pairs = [i for i, rings in outlines.items() if len(rings) > 2 and all(len(ring) == 2 for ring in rings)]
    if pairs:
        note_each(tally.repaired, "an outline is a list of points [x, y]: it was taken as one ring", where, pairs)
        whole = {i: [list(chain.from_iterable(outlines[i]))] for i in pairs}
        return rings_of({**outlines, **whole}, where, tally)
    halves = np.unique(owner[numbers % 2 == 1])
    if halves.size:
        note_each(tally.repaired, "an outline has half a point: it was left aside", where, halves)
        return rings_of({i: outlines[i] for i in outlines if i not in set(halves.tolist())}, where, tally)
    points = np.fromiter(chain.from_iterable(flat), np.float64, int(numbers.sum())).reshape(-1, 2)
    return _put_right(Rings(points, numbers // 2, owner, np.zeros(len(owner), np.bool_)), where, tally)


def _put_right(rings: Rings, where: Sequence[Annotation], tally: ProblemTally) -> Rings:
    """The rings without closing points, and without those that are too short or far away."""
    points, start, count = rings.points, rings.start, rings.count
    filled = count > 0
    closed = np.zeros(len(count), np.bool_)
    closed[filled] = (points[start[filled]] == points[(start + count)[filled] - 1]).all(axis=1) & (count[filled] > 3)
    short = (count - closed < 3) & filled
    far = np.zeros(len(count), np.bool_)
    if points.size and max(points.max(), -points.min()) > FARTHEST:
        beyond = np.flatnonzero((np.abs(points) > FARTHEST).any(axis=1))
        far[np.searchsorted(start, beyond, side="right") - 1] = True
    for wrong, what in (
        (closed, "a polygon repeats its first point at the end: the repetition was dropped"),
        (short, "a ring has fewer than three points: it was left aside"),
        (far, f"a ring has a point beyond {FARTHEST:.0f}: it was left aside"),
    ):
        note_each(tally.repaired, what, where, np.unique(rings.owner[wrong]))
    usable = filled & ~short & ~far
    if closed.any() or not usable.all():
        used = np.repeat(usable, count)
        used[(start + count - 1)[closed]] = False
        rings = Rings(points[used], (count - closed)[usable], rings.owner[usable], rings.hole[usable])
    read_only(rings.points)
    return rings


def ring_bounds(rings: Rings, n: int) -> Coordinates:
    """The bounds of each annotation's polygon, (n, 4); NaN for those without."""
    bounds = np.full((n, 4), np.nan)
    if len(rings.owner):
        heads = np.flatnonzero(np.diff(rings.owner, prepend=-1))
        owners, first = rings.owner[heads], rings.start[heads]
        for axis in (0, 1):
            along = np.ascontiguousarray(rings.points[:, axis])
            bounds[owners, axis] = np.minimum.reduceat(along, first)
            bounds[owners, axis + 2] = np.maximum.reduceat(along, first)
    return bounds


def masks_of(outlines: Mapping[int, Rle], where: Sequence[Annotation], tally: ProblemTally) -> dict[int, Mask]:
    """The masks whose run lengths add up: of the whole image, column by column."""
    masks = {}
    for i, rle in outlines.items():
        height, width = rle.size
        try:
            runs = runs_of_text(rle.counts) if isinstance(rle.counts, str) else np.array(rle.counts, dtype=np.int64)
            check_runs(runs, width, height)
        except (InputError, OverflowError) as problem:
            too_long = "the mask has a run that is negative or longer than the mask"
            what = too_long if isinstance(problem, OverflowError) else problem
            tally.repaired(f"{what}: it was left aside", first_of(where, [i]))
            continue
        masks[i] = Mask(0, 0, width, height, read_only(runs), by_column=True)
    return masks


def shapes_of(
    annotations: Sequence[Annotation],
    outlines: Mapping[int, Segmentation],
    boxes: Coordinates,
    label: NDArray[np.int32],
    joints: Sequence[tuple[str, ...]],
    tally: ProblemTally,
) -> CocoShapes:
    """What each annotation is: its keypoints, else its outline, else its box.

    Bounds are those of the outline, whatever box the file states beside it; those of a skeleton are the stated box,
    which holds the whole object and scales the similarity of keypoints, else its labelled points.
    """
    n = len(annotations)
    poses = poses_of(annotations, label, joints, tally)
    posed = set(poses.owner.tolist())
    drawn = {i: o for i, o in outlines.items() if i not in posed} if posed else outlines
    rings = rings_of({i: o for i, o in drawn.items() if isinstance(o, list)}, annotations, tally)
    masks = masks_of({i: o for i, o in drawn.items() if isinstance(o, Rle)}, annotations, tally)
    bounds = ring_bounds(rings, n)
    kind = np.full(n, NONE, np.int16)
    kind[~np.isnan(boxes[:, 0])] = ShapeKind.BOX
    kind[~np.isnan(bounds[:, 0])] = ShapeKind.POLYGON
    for i, mask in masks.items():
        kind[i], bounds[i] = ShapeKind.MASK, bounds_of(mask)
    kind[poses.owner] = ShapeKind.SKELETON
    unboxed = np.isnan(boxes[poses.owner, 0])
    bounds[poses.owner[unboxed]] = poses.bounds[unboxed]
    by_box = np.isnan(bounds[:, 0])
    bounds[by_box] = boxes[by_box]
    return CocoShapes(kind, bounds, rings, masks, poses)


def poses_of(
    annotations: Sequence[Annotation], label: NDArray[np.int32], joints: Sequence[tuple[str, ...]], tally: ProblemTally
) -> Poses:
    """The skeletons of all annotations that have keypoints; `joints` are the names of each label's keypoints."""
    stated = {i: _whole_body(a) for i, a in enumerate(annotations) if a.keypoints}
    halves = [i for i, numbers in stated.items() if len(numbers) % 3]
    note_each(tally.repaired, "keypoints are not triples x, y, v: they were left aside", annotations, halves)
    for i in halves:
        del stated[i]
    owner = np.fromiter(stated, np.int64, len(stated))
    count = np.fromiter(map(len, stated.values()), np.int64, len(stated)) // 3
    rows = np.fromiter(chain.from_iterable(stated.values()), np.float64, 3 * int(count.sum())).reshape(-1, 3)
    if rows.size and max(rows.max(), -rows.min()) > FARTHEST:
        far = np.unique(np.repeat(owner, count)[(np.abs(rows) > FARTHEST).any(axis=1)])
        note_each(tally.repaired, f"a keypoint lies beyond {FARTHEST:.0f}: left aside", annotations, far)
        near = ~np.isin(owner, far)
        rows, owner, count = rows[np.repeat(near, count)], owner[near], count[near]
    return _stacked(rows, owner, count, label[owner], joints)


def mark_unflagged(results: Sequence[Annotation], tally: ProblemTally) -> None:
    """Keypoints of results whose flags are all 0 are marked where they lie: COCO does not use the flags of results."""
    unflagged = [i for i, a in enumerate(results) if a.keypoints and not any(a.keypoints[2::3])]
    marked = [i for i in unflagged if any(results[i].keypoints or ())]
    for i in marked:
        stated = results[i].keypoints or []
        seen = [2.0 if x or y else 0.0 for x, y in zip(stated[::3], stated[1::3], strict=False)]
        stated[2::3] = seen[: len(stated) // 3]
    what = "keypoints of results state no visibility: those that are not at 0, 0 are visible"
    note_each(tally.repaired, what, results, marked)


def _whole_body(annotation: Annotation) -> list[float]:
    """COCO-WholeBody keeps feet, face and hands apart: together they are its 133 keypoints, in its order."""
    a = annotation
    if not isinstance(a, WholeAnnotation) or not (a.foot_kpts or a.face_kpts):
        return a.keypoints or []
    parts = (a.keypoints, a.foot_kpts, a.face_kpts, a.lefthand_kpts, a.righthand_kpts)
    return [number for part in parts if part for number in part]


def _stacked(
    rows: Coordinates, owner: Whole, count: Whole, label: NDArray[np.int32], joints: Sequence[tuple[str, ...]]
) -> Poses:
    """Skeletons from their points (x, y, visibility) end to end; those of one label and length lie in one stack.

    Results put a score in place of the visibility: any above 0 makes the point visible.
    """
    width = int(count.max(initial=0)) + 1
    kinds, layout = np.unique(label.astype(np.int64) * width + count, return_inverse=True)
    start, row = np.cumsum(count) - count, np.zeros(len(owner), np.int64)
    bounds, labelled = np.zeros((len(owner), 4)), np.zeros(len(owner), np.bool_)
    names, points, visibility = [], [], []
    for number, (of_label, length) in enumerate(divmod(kind, width) for kind in kinds.tolist()):
        members = np.flatnonzero(layout == number)
        stack = rows[start[members][:, None] + np.arange(length)]  # (members, points, 3)
        seen = stack[:, :, 2] > 0
        labelled[members], row[members] = seen.any(axis=1), np.arange(len(members))
        bounds[members] = _extents(stack[:, :, :2], seen | ~labelled[members][:, None])
        named = joints[of_label][:length]  # those beyond the label's names are called by their number
        names.append((*named, *(str(k + 1) for k in range(len(named), length))))
        points.append(read_only(np.ascontiguousarray(stack[:, :, :2])))
        visibility.append(read_only(np.where(seen, np.where(stack[:, :, 2] == 1, 1, 2), 0).astype(np.int8)))
    table = SkeletonTable(tuple(names), tuple(points), tuple(visibility), layout, row)
    return Poses(owner, table, bounds, labelled)


def _extents(points: NDArray[np.float64], counted: Flags) -> Coordinates:
    """Left, top, right, bottom of the points of each skeleton that count: (n, 4)."""
    bounds = np.empty((len(points), 4))
    for axis in (0, 1):
        along, left_out = np.ascontiguousarray(points[:, :, axis].T), ~counted.T  # (points, n): short rows are slow
        bounds[:, axis] = np.where(left_out, np.inf, along).min(axis=0)
        bounds[:, axis + 2] = np.where(left_out, -np.inf, along).max(axis=0)
    return bounds


def warn_of_other_parts(
    annotations: Sequence[Annotation], poses: Poses, named: NDArray[np.int64], tally: ProblemTally
) -> None:
    """What annotations hold beside the shape that is scored; `named`: how many keypoints the label of each names."""
    posed = poses.owner.tolist()
    if not posed:
        return
    drawn = [i for i in posed if annotations[i].segmentation]
    what = "an annotation has keypoints and an outline: the keypoints are scored"
    note_each(tally.repaired, what, annotations, drawn)
    boxed = [i for i, a in enumerate(annotations) if isinstance(a, WholeAnnotation) and bytes(a.face_box)]
    note_each(tally.lost, "boxes of face and hands (COCO-WholeBody) are not scored", annotations, boxed)
    points = np.array([len(names) for names in poses.table.names])[poses.table.layout]
    unnamed = poses.owner[named[poses.owner] != points]
    note_each(tally.repaired, "a label does not name all its keypoints: others go by number", annotations, unnamed)
