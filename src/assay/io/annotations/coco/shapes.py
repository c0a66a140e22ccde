"""The shapes of COCO's annotations in columns: boxes, rings, masks, and keypoints, stacked by label and length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.common_area import given_rings
from assay.annotations.geometry.masks import mask_figures
from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import MaskRuns, Rings, ShapeColumns, SkeletonTable
from assay.annotations.shapes.shapes import Coordinates, ShapeKind
from assay.errors import InputError
from assay.io.annotations.coco.document import (
    Annotation,
    Identified,
    Rle,
    Segmentation,
    WholeAnnotation,
    first_of,
    note_each,
)
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.masks import Runs, check_runs, runs_of_text
from assay.io.annotations.shape_validation import FARTHEST, self_intersections
from assay.kernel import kernel

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
    masked: Whole
    """The annotation of each mask."""
    masks: MaskRuns
    poses: Poses

    def of(self, scored: Whole) -> ShapeColumns:
        """The shapes of the annotations that are kept, all that have one among them."""
        rings = self.rings
        if len(scored) < len(self.kind):
            rings = replace(rings, owner=np.searchsorted(scored, rings.owner))
        crossing = self_intersections(rings.points, rings.count) if len(rings.count) else None
        posed, masked = np.searchsorted(scored, self.poses.owner), np.searchsorted(scored, self.masked)
        return ShapeColumns(rings, crossing, self.poses.table, posed, masks=self.masks, masked=masked)


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
            given = np.array([len(a.bbox or ()) == 4 for a in annotations])
            far = np.flatnonzero(given & ~(np.abs(boxes) <= FARTHEST).all(axis=1))  # "nan" is read as one
            negative = np.setdiff1d(np.flatnonzero((boxes[:, 2:] < 0).any(axis=1)), far)
        note_each(tally.repaired, f"a box has a number beyond {FARTHEST:.0f}: it was left aside", annotations, far)
        what = "a box's right or lower edge lies before its left or upper edge: the edges were swapped"
        note_each(tally.repaired, what, annotations, negative)
        boxes[far] = np.nan
    boxes[:, 2:] += boxes[:, :2]
    return np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], axis=1)


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
    return put_right(Rings(points, numbers // 2, owner, np.zeros(len(owner), np.bool_)), where, tally)


def put_right(rings: Rings, where: Sequence[Identified], tally: ProblemTally) -> Rings:
    """The rings without closing points, and without those that are too short or far away."""
    points, start, count = rings.points, rings.start, rings.count
    filled = count > 0
    closed = np.zeros(len(count), np.bool_)
    closed[filled] = (points[start[filled]] == points[(start + count)[filled] - 1]).all(axis=1) & (count[filled] > 3)
    short = (count - closed < 3) & filled
    far = np.zeros(len(count), np.bool_)
    if points.size and not max(points.max(), -points.min()) <= FARTHEST:  # NaN compares as False
        beyond = np.flatnonzero(~(np.abs(points) <= FARTHEST).all(axis=1))
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
    if compiled := kernel():
        compiled.bounds(given_rings(rings, n), bounds)
    elif len(rings.owner):
        heads = np.flatnonzero(np.diff(rings.owner, prepend=-1))
        owners, first = rings.owner[heads], rings.start[heads]
        for low, high in ((0, 2), (1, 3)):
            along = np.ascontiguousarray(rings.points[:, low])
            bounds[owners, low] = np.minimum.reduceat(along, first)
            bounds[owners, high] = np.maximum.reduceat(along, first)
    return bounds


def masks_of(outlines: Mapping[int, Rle], where: Sequence[Annotation], tally: ProblemTally) -> tuple[Whole, MaskRuns]:
    """The masks whose run lengths add up, and their annotations: of the whole image, column by column."""
    runs_of: dict[int, Runs] = {}
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
        runs_of[i] = runs
    sizes = np.array([outlines[i].size for i in runs_of], np.int64).reshape(-1, 2)
    together = np.concatenate([np.zeros(0, np.uint32), *(runs.astype(np.uint32) for runs in runs_of.values())])
    count, nowhere = np.array([len(runs) for runs in runs_of.values()], np.int64), np.zeros(len(runs_of), np.int64)
    masks = MaskRuns(read_only(together), count, nowhere, nowhere, sizes[:, 1].copy(), sizes[:, 0].copy())
    return np.fromiter(runs_of, np.int64, len(runs_of)), masks


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
    masked, masks = masks_of({i: o for i, o in drawn.items() if isinstance(o, Rle)}, annotations, tally)
    return together(n, boxes, rings, masked, masks, poses)


def together(n: int, boxes: Coordinates, rings: Rings, masked: Whole, masks: MaskRuns, poses: Poses) -> CocoShapes:
    """Kind and bounds of n annotations from what they have: rings and masks only of those without keypoints."""
    kind = np.where(np.isnan(boxes[:, 0]), np.int16(NONE), np.int16(ShapeKind.BOX))
    if not len(rings.count) and not len(masked) and not len(poses.owner):
        return CocoShapes(kind, boxes, rings, masked, masks, poses)
    bounds = ring_bounds(rings, n)
    kind[~np.isnan(bounds[:, 0])] = ShapeKind.POLYGON
    kind[masked], bounds[masked] = ShapeKind.MASK, mask_figures(masks)[1]
    kind[poses.owner] = ShapeKind.SKELETON
    unboxed = np.isnan(boxes[poses.owner, 0])
    bounds[poses.owner[unboxed]] = poses.bounds[unboxed]
    by_box = np.isnan(bounds[:, 0])
    bounds[by_box] = boxes[by_box]
    return CocoShapes(kind, bounds, rings, masked, masks, poses)


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
    if rows.size and not max(rows.max(), -rows.min()) <= FARTHEST:
        far = np.unique(np.repeat(owner, count)[~(np.abs(rows) <= FARTHEST).all(axis=1)])
        note_each(tally.repaired, f"a keypoint lies beyond {FARTHEST:.0f}: left aside", annotations, far)
        near = ~np.isin(owner, far)
        rows, owner, count = rows[np.repeat(near, count)], owner[near], count[near]
    # results put a score in place of the visibility: any above 0 makes the point visible
    flags = np.where(rows[:, 2] > 0, np.where(rows[:, 2] == 1, 1, 2), 0).astype(np.int8)
    return stacked(np.ascontiguousarray(rows[:, :2]), flags, owner, count, label[owner], joints)


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


def stacked(
    points: Coordinates,
    flags: NDArray[np.int8],
    owner: Whole,
    count: Whole,
    label: NDArray[np.int32],
    joints: Sequence[tuple[str, ...]],
) -> Poses:
    """Skeletons from their points and visibility end to end; those of one label and length lie in one stack."""
    width = int(count.max(initial=0)) + 1
    key = label.astype(np.int64) * width + count
    alike = len(key) > 0 and bool((key == key[0]).all())  # as a rule
    kinds, layout = (key[:1], np.zeros(len(key), np.int64)) if alike else np.unique(key, return_inverse=True)
    start, row = np.cumsum(count) - count, np.zeros(len(owner), np.int64)
    bounds, labelled = np.zeros((len(owner), 4)), np.zeros(len(owner), np.bool_)
    names, stacks, visibility = [], [], []
    for number, (of_label, length) in enumerate(divmod(kind, width) for kind in kinds.tolist()):
        members = np.flatnonzero(layout == number)
        row[members] = np.arange(len(members))
        if alike:
            stack, seen = points.reshape(-1, length, 2), flags.reshape(-1, length)
        else:
            place = start[members][:, None] + np.arange(length)
            stack, seen = points[place], flags[place]
        labelled[members], bounds[members] = _extents(stack, seen)
        named = joints[of_label][:length]  # those beyond the label's names are called by their number
        names.append((*named, *(str(k + 1) for k in range(len(named), length))))
        stacks.append(read_only(stack))
        visibility.append(read_only(seen))
    table = SkeletonTable(tuple(names), tuple(stacks), tuple(visibility), layout, row)
    return Poses(owner, table, bounds, labelled)


def _extents(points: NDArray[np.float64], visibility: NDArray[np.int8]) -> tuple[Flags, Coordinates]:
    """Whether skeletons (n, points, 2) have a labelled point; left, top, right, bottom of those, of all without any."""
    labelled, bounds = np.empty(len(points), np.bool_), np.empty((len(points), 4))
    if compiled := kernel():
        compiled.poses(points, visibility, labelled, bounds)
        return labelled, bounds
    seen = visibility > 0
    labelled[:] = seen.any(axis=1)
    left_out = ~(seen | ~labelled[:, None]).T
    for low, high in ((0, 2), (1, 3)):
        along = np.ascontiguousarray(points[:, :, low].T)  # (points, n): short rows are slow
        bounds[:, low] = np.where(left_out, np.inf, along).min(axis=0)
        bounds[:, high] = np.where(left_out, -np.inf, along).max(axis=0)
    return labelled, bounds
