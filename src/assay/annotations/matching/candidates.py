"""Which annotations of a student could be which of the truth: the pairs on one image that have something in common."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.bbox_join import overlapping_pairs
from assay.annotations.geometry.common_area import common_box_areas, highest_iou
from assay.annotations.geometry.geometry import FAMILIES, Geometry
from assay.annotations.geometry.similarity import SIMILARITY, region_similarity
from assay.annotations.shapes.arrays import Positions, spread
from assay.annotations.shapes.shapes import ShapeKind

Pairs = tuple[Positions, Positions, NDArray[np.float64]]
"""Truth, student, similarity."""


@dataclass(frozen=True, eq=False, slots=True)
class Candidates:
    """Pairs of annotations on the same image whose shapes touch, with their similarity in 0..1.

    In order of truth, then student. `same_family` is False for pairs of different families, which are compared by the
    areas they cover.
    """

    truth: NDArray[np.int32]
    student: NDArray[np.int32]
    similarity: NDArray[np.float64]
    same_family: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.truth)


def find_candidates(
    truth: Geometry,
    student: Geometry,
    image_of: NDArray[np.int32],
    *,
    across_families: bool = False,
    least: float = 0.0,
) -> Candidates:
    """All pairs on one image with a similarity above 0 and not below `least`, except with crowd regions of either.

    `image_of[j]` is the truth's image that the student's image j is, -1 for none. With `across_families` also pairs of
    regions of different families (a box and a polygon, a mask and a cuboid), so that a wrong tool can be told from
    a missed object.
    """
    image = np.asarray(image_of)[student.annotations.image].astype(np.int64)
    crowd = truth.annotations.crowd
    rows_t = np.arange(len(truth.annotations)) if crowd is None else np.flatnonzero(~crowd)
    theirs = student.annotations.crowd
    rows_s = np.flatnonzero(image >= 0 if theirs is None else (image >= 0) & ~theirs)
    groups = [_regions(truth, student, image, rows_t, rows_s, across_families=across_families, least=least)]
    if not (truth.covers.all() or student.covers.all()):
        groups += [_others(truth, student, image, rows_t, rows_s, family) for family in range(len(FAMILIES))]
    t, s, similarity = (np.concatenate([pairs[k] for pairs in groups]) for k in range(3))
    return _ordered(truth, student, t, s, similarity, least)


def _regions(
    truth: Geometry,
    student: Geometry,
    image: Positions,
    rows_t: Positions,
    rows_s: Positions,
    *,
    across_families: bool,
    least: float,
) -> Pairs:
    """Pairs of boxes, polygons, masks, ellipses, cuboids that can reach the least similarity, with their IoU."""
    upright = truth.upright.all() and student.upright.all()
    group_t, group_s = truth.annotations.image.astype(np.int64), image
    if not across_families and not upright:
        group_t, group_s = group_t * len(FAMILIES) + truth.family, group_s * len(FAMILIES) + student.family
    if upright and len(rows_t) == len(group_t) and len(rows_s) == len(group_s):  # nothing to leave out: no copies
        t, s = overlapping_pairs(truth.extent, group_t, student.extent, group_s)
    else:
        rows_t, rows_s = rows_t[truth.covers[rows_t]], rows_s[student.covers[rows_s]]
        a, b = overlapping_pairs(truth.extent[rows_t], group_t[rows_t], student.extent[rows_s], group_s[rows_s])
        t, s = rows_t[a], rows_s[b]
    if least > 0 and not upright:  # for boxes the bound costs as much as IoU
        hopeful = _may_reach(truth, student, t, s, least)
        t, s = t[hopeful], s[hopeful]
    return t, s, region_similarity(truth, student, t, s)


def _may_reach(truth: Geometry, student: Geometry, t: Positions, s: Positions, least: float) -> NDArray[np.bool_]:
    """Pairs whose bounding boxes and areas do not rule out the least IoU."""
    bound = highest_iou(common_box_areas(truth.extent[t], student.extent[s]), truth.area[t], student.area[s])
    # counted in pixels, a shape may have more area than its outline
    masks = (truth.annotations.kind[t] == ShapeKind.MASK) | (student.annotations.kind[s] == ShapeKind.MASK)
    return np.asarray(masks | (bound >= least))


def _others(
    truth: Geometry, student: Geometry, image: Positions, rows_t: Positions, rows_s: Positions, family: int
) -> Pairs:
    """All pairs of one family without area that are on one image."""
    rows_t = rows_t[(truth.family[rows_t] == family) & ~truth.covers[rows_t]]
    rows_s = rows_s[(student.family[rows_s] == family) & ~student.covers[rows_s]]
    rows_s = rows_s[np.argsort(image[rows_s], kind="stable")]
    low = np.searchsorted(image[rows_s], truth.annotations.image[rows_t], side="left")
    high = np.searchsorted(image[rows_s], truth.annotations.image[rows_t], side="right")
    a, b = spread(low, high - low)
    t, s = rows_t[a], rows_s[b]
    return t, s, SIMILARITY[FAMILIES[family]](truth, student, t, s) if len(t) else np.empty(0)


def _ordered(
    truth: Geometry, student: Geometry, t: Positions, s: Positions, similarity: NDArray[np.float64], least: float
) -> Candidates:
    order = np.flatnonzero((similarity > 0) & (similarity >= least))
    order = order[np.argsort(t[order] * len(student.annotations) + s[order], kind="stable")]
    t, s = t[order], s[order]
    columns = t.astype(np.int32), s.astype(np.int32), similarity[order], truth.family[t] == student.family[s]
    for column in columns:
        column.flags.writeable = False
    return Candidates(*columns)
