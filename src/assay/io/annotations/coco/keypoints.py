"""The keypoints of COCO's annotations, stacked: those of one label and length lie in one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import read_only
from assay.annotations.shapes.columns import SkeletonTable
from assay.annotations.shapes.shapes import Coordinates
from assay.io.annotations.coco.document import Annotation, WholeAnnotation, first_of
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.shape_validation import FARTHEST

Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Poses:
    """The skeletons of a file: skeleton k is annotation `owner[k]`."""

    owner: Whole
    table: SkeletonTable
    bounds: Coordinates
    """Of the points that are labelled, of all where none is."""
    labelled: Flags
    """Whether any point is."""


def poses_of(
    annotations: Sequence[Annotation], label: NDArray[np.int32], joints: Sequence[tuple[str, ...]], tally: ProblemTally
) -> Poses:
    """The skeletons of all annotations that have keypoints; `joints` are the names of each label's keypoints."""
    stated = {i: _whole_body(a) for i, a in enumerate(annotations) if a.keypoints}
    halves = [i for i, numbers in stated.items() if len(numbers) % 3]
    tally.repaired(
        "keypoints are not triples x, y, v: they were left aside", first_of(annotations, halves), len(halves)
    )
    for i in halves:
        del stated[i]
    owner = np.fromiter(stated, np.int64, len(stated))
    count = np.fromiter(map(len, stated.values()), np.int64, len(stated)) // 3
    rows = np.fromiter(chain.from_iterable(stated.values()), np.float64, 3 * int(count.sum())).reshape(-1, 3)
    if rows.size and max(rows.max(), -rows.min()) > FARTHEST:
        far = np.unique(np.repeat(owner, count)[(np.abs(rows) > FARTHEST).any(axis=1)])
        tally.repaired(f"a keypoint lies beyond {FARTHEST:.0f}: left aside", first_of(annotations, far), len(far))
        near = ~np.isin(owner, far)
        rows, owner, count = rows[np.repeat(near, count)], owner[near], count[near]
    return _stacked(rows, owner, count, label[owner], joints)


def mark_unflagged(results: Sequence[Annotation], tally: ProblemTally) -> None:
    """Keypoints of results whose flags are all 0 are marked where they lie: COCO does not use the flags of results."""
    unflagged = [i for i, a in enumerate(results) if a.keypoints and not any(a.keypoints[2::3])]
    marked = [i for i in unflagged if any(results[i].keypoints or ())]
    for i in marked:
        stated = results[i].keypoints or []
        stated[2::3] = [2.0 if x or y else 0.0 for x, y in zip(stated[::3], stated[1::3], strict=False)][
            : len(stated) // 3
        ]
    tally.repaired(
        "keypoints of results state no visibility: those that are not at 0, 0 are visible",
        first_of(results, marked),
        len(marked),
    )


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
        names.append(_names(joints[of_label], length))
        points.append(read_only(np.ascontiguousarray(stack[:, :, :2])))
        visibility.append(read_only(np.where(seen, np.where(stack[:, :, 2] == 1, 1, 2), 0).astype(np.int8)))
    table = SkeletonTable(tuple(names), tuple(points), tuple(visibility), layout, row)
    return Poses(owner, table, bounds, labelled)


def _extents(points: NDArray[np.float64], counted: Flags) -> Coordinates:
    """Left, top, right, bottom of the points of each skeleton that count: (n, 4)."""
    bounds = np.empty((len(points), 4))
    for axis in (0, 1):
        along, left_out = (
            np.ascontiguousarray(points[:, :, axis].T),
            ~counted.T,
        )  # (points, n): many short rows are slow
        bounds[:, axis] = np.where(left_out, np.inf, along).min(axis=0)
        bounds[:, axis + 2] = np.where(left_out, -np.inf, along).max(axis=0)
    return bounds


def _names(joints: Sequence[str], count: int) -> tuple[str, ...]:
    """The names of so many keypoints; those beyond the label's names are called by their number.

    >>> _names(("nose",), 3)
    ('nose', '2', '3')
    """
    return (*joints[:count], *(str(k + 1) for k in range(len(joints), count)))
