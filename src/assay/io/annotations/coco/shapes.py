"""The shapes of COCO's annotations in columns: boxes, rings, masks and keypoints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import Rings, ShapeColumns, SkeletonTable
from assay.annotations.shapes.shapes import Coordinates, Mask, ShapeKind
from assay.errors import InputError
from assay.io.annotations.coco.document import Annotation, Rle, Segmentation, first_of
from assay.io.annotations.coco.keypoints import Poses, poses_of
from assay.io.annotations.columns import ProblemTally, bounds_of
from assay.io.annotations.masks import check_runs, runs_of_text
from assay.io.annotations.shape_validation import FARTHEST, self_intersections

Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]
NONE = -1


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
        tally.repaired("a box has not four numbers: it was left aside", first_of(annotations, wrong), len(wrong))
        stated = [box if len(box) == 4 else (np.nan,) * 4 for box in stated]
    boxes = np.fromiter(chain.from_iterable(stated), np.float64, 4 * len(stated)).reshape(-1, 4)
    if boxes.size and not (boxes.min() >= -FARTHEST and boxes.max() <= FARTHEST and boxes[:, 2:].min() >= 0):
        _leave_aside(boxes, annotations, tally)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def _leave_aside(boxes: Coordinates, annotations: Sequence[Annotation], tally: ProblemTally) -> None:
    """Boxes (left, top, width, height) that cannot be: they become NaN."""
    with np.errstate(invalid="ignore"):
        far = (np.abs(boxes) > FARTHEST).any(axis=1)
        negative = (boxes[:, 2:] < 0).any(axis=1) & ~far
    for which, what in (
        (far, f"a box has a number beyond {FARTHEST:.0f}: it was left aside"),
        (negative, "a box has a negative width or height: it was left aside"),
    ):
        tally.repaired(what, first_of(annotations, np.flatnonzero(which)), int(which.sum()))
    boxes[far | negative] = np.nan


def rings_of(outlines: Mapping[int, list[list[float]]], where: Sequence[Annotation], tally: ProblemTally) -> Rings:
    """The rings of a file's polygons, put right; those with half a point or a point far away are left out."""
    owner = np.repeat(
        np.fromiter(outlines, np.int64, len(outlines)),
        np.fromiter(map(len, outlines.values()), np.int64, len(outlines)),
    )
    flat = list(chain.from_iterable(outlines.values()))
    numbers = np.fromiter(map(len, flat), np.int64, len(flat))
    if (numbers == 2).any() and (pairs := _lists_of_points(outlines)):
        tally.repaired(
            "an outline is a list of points [x, y]: it was taken as one ring", first_of(where, pairs), len(pairs)
        )
        whole = {i: [list(chain.from_iterable(outlines[i]))] for i in pairs}
        return rings_of({**outlines, **whole}, where, tally)
    halves = np.unique(owner[numbers % 2 == 1])
    if halves.size:
        tally.repaired("an outline has half a point: it was left aside", first_of(where, halves), len(halves))
        return rings_of({i: outlines[i] for i in outlines if i not in set(halves.tolist())}, where, tally)
    points = np.fromiter(chain.from_iterable(flat), np.float64, int(numbers.sum())).reshape(-1, 2)
    return _put_right(Rings(points, numbers // 2, owner, np.zeros(len(owner), np.bool_)), where, tally)


def _lists_of_points(outlines: Mapping[int, list[list[float]]]) -> list[int]:
    """Outlines whose rings are single points: they are one ring, written point by point."""
    return [i for i, rings in outlines.items() if len(rings) > 2 and all(len(ring) == 2 for ring in rings)]


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
        tally.repaired(what, first_of(where, rings.owner[wrong]), len(np.unique(rings.owner[wrong])))
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
    """The masks whose run lengths add up."""
    masks = {}
    for i, rle in outlines.items():
        try:
            masks[i] = mask_of(rle)
        except InputError as problem:
            tally.repaired(f"{problem}: it was left aside", first_of(where, [i]))
    return masks


def mask_of(rle: Rle) -> Mask:
    """A mask of the whole image, column by column."""
    height, width = rle.size
    try:
        runs = runs_of_text(rle.counts) if isinstance(rle.counts, str) else np.array(rle.counts, dtype=np.int64)
    except OverflowError:
        raise InputError("the mask has a run that is negative or longer than the mask") from None
    check_runs(runs, width, height)
    runs.flags.writeable = False
    return Mask(0, 0, width, height, runs, by_column=True)


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


def no_shapes() -> ShapeColumns:
    """The shapes of a set that holds boxes only, which need none."""
    nothing = np.zeros(0, np.int64)
    rings = Rings(np.zeros((0, 2)), nothing, nothing, np.zeros(0, np.bool_))
    return ShapeColumns(rings, None, SkeletonTable((), (), (), nothing, nothing), nothing, {})
