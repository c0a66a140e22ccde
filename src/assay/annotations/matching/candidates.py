"""Which annotations of a student could be which of the truth: the pairs on one image that have something in common.

How alike two annotations of one family are, in 0..1, is worked out by one function per family, for many pairs at once.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry import keypoints
from assay.annotations.geometry.common_area import common_areas, common_box_areas, highest_iou, intersection_over_union
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.masks import common_pixels, mask_figures, mask_runs
from assay.annotations.matching.assignment import Candidates
from assay.annotations.shapes.arrays import Positions, offsets, portions, spread
from assay.annotations.shapes.shapes import FAMILIES, ShapeKind
from assay.errors import InputError
from assay.kernel import Kernel, kernel

Bounds = NDArray[np.float64]
"""(n, 4): left, top, right, bottom."""
RECTANGLES_AT_ONCE = 8_000
"""Keeps what is made of them within the processor's cache."""
FEW = 16
"""Pairs for each rectangle up to which it costs less to look at all pairs than to sort."""


MOST_PAIRS = 5_000_000
"""Of annotations that overlap, in one submission: 200 of an annotation where each of 25,000 has so many around it."""
TESTS, TESTS_OF_A_RECTANGLE = 200_000_000, 2_000


def too_many_pairs(truth: int, student: int) -> InputError:
    """The refusal of annotations that lie in heaps."""
    problem = (
        f"more than {MOST_PAIRS:,} pairs of its {student:,} annotations and the {truth:,} of the ground truth overlap: "
        f"they lie on top of each other"
    )
    return InputError(problem, remedy="Check that the annotations are spread over the images they belong to.")


def overlapping_pairs(
    first: Bounds, first_group: Positions, second: Bounds, second_group: Positions
) -> tuple[Positions, Positions]:
    """Indices of all pairs of one group whose rectangles share area, or a stretch if one of them has no area.

    Two intervals overlap when the left end of one lies within the other: sorted by left end, those are neighbours in
    a row. So no pair that is apart in x is ever made: an image with 2,000 objects does not cost 4 million pairs. Where
    groups are small, all of their pairs are looked at instead.
    """
    groups = int(max(first_group.max(initial=-1), second_group.max(initial=-1))) + 1
    if compiled := kernel():
        tests = TESTS + TESTS_OF_A_RECTANGLE * (len(first) + len(second))
        ours, theirs = (np.ascontiguousarray(bounds) for bounds in (first, second))
        pairs = compiled.overlapping(ours, first_group, theirs, second_group, groups, MOST_PAIRS, tests)
        if pairs is None:
            raise too_many_pairs(len(first), len(second))
        return np.frombuffer(pairs[0], np.int64), np.frombuffer(pairs[1], np.int64)
    counts = np.bincount(first_group, minlength=groups), np.bincount(second_group, minlength=groups)
    starts = [np.append(offsets(count), count.sum()) for count in counts]
    by_1, by_2 = _by_group(first_group), _by_group(second_group)
    joined, overlaps = [(by_1[:0], by_2[:0])], 0
    for part in portions(counts[0] + counts[1], RECTANGLES_AT_ONCE):
        one = by_1[starts[0][part.start] : starts[0][part.stop]]
        two = by_2[starts[1][part.start] : starts[1][part.stop]]
        if len(one) and len(two):
            group = first_group[one]
            others = counts[1][group]
            if others.sum() <= FEW * (len(one) + len(two)):
                all_pairs = spread(starts[1][group] - starts[1][part.start], others)
                a, b = _sharing_area(_sides(first[one]), _sides(second[two]), *all_pairs)
            else:
                a, b = _sweep(_sides(first[one]), group, _sides(second[two]), second_group[two])
            joined.append((one[a], two[b]))
            if (overlaps := overlaps + len(a)) > MOST_PAIRS:
                raise too_many_pairs(len(first), len(second))
    return np.concatenate([a for a, _ in joined]), np.concatenate([b for _, b in joined])


def _by_group(group: Positions) -> Positions:
    """The order by group, which as a rule they are in already."""
    rising = bool((group[1:] >= group[:-1]).all())
    return np.arange(len(group)) if rising else np.argsort(group, kind="stable")


def _sides(bounds: Bounds) -> NDArray[np.float64]:
    """(4, n): the lefts, the tops, the rights, the bottoms."""
    return np.ascontiguousarray(bounds.T)


def _sweep(
    one: NDArray[np.float64], first_group: Positions, two: NDArray[np.float64], second_group: Positions
) -> tuple[Positions, Positions]:
    lowest = min(one[0].min(), two[0].min())
    # the groups one after the other on one axis; the margin keeps them apart whatever is lost in rounding
    step = (max(one[2].max(), two[2].max()) - lowest) * (1 + 1e-6) + 1
    begin_1, end_1 = (first_group * step + (one[k] - lowest) for k in (0, 2))
    begin_2, end_2 = (second_group * step + (two[k] - lowest) for k in (0, 2))
    by_1, by_2 = np.argsort(begin_1, kind="stable"), np.argsort(begin_2, kind="stable")
    begin_1, end_1, begin_2, end_2 = begin_1[by_1], end_1[by_1], begin_2[by_2], end_2[by_2]
    a1, b1 = _beginning_within(begin_1, end_1, begin_2, and_with=True)
    b2, a2 = _beginning_within(begin_2, end_2, begin_1, and_with=False)
    return _sharing_area(one, two, by_1[np.concatenate([a1, a2])], by_2[np.concatenate([b1, b2])])


def _beginning_within(
    begin: NDArray[np.float64], end: NDArray[np.float64], other: NDArray[np.float64], *, and_with: bool
) -> tuple[Positions, Positions]:
    """Pairs (interval, other) where the other begins after the interval, or with it if so asked, and before its end.

    Intervals and others come in the order of where they begin: neighbours are searched for one after the other, in
    memory that is at hand. Rounding is monotone, so that what begins before an end can at most be rounded to it: hence
    the end is closed. The few pairs too many are sorted out later.
    """
    low = np.searchsorted(other, begin, side="left" if and_with else "right")
    high = np.searchsorted(other, end, side="right")
    return spread(low, np.maximum(high - low, 0))


def _sharing_area(
    one: NDArray[np.float64], two: NDArray[np.float64], a: Positions, b: Positions
) -> tuple[Positions, Positions]:
    """The pairs that overlap in y and in x."""
    for low, high in ((1, 3), (0, 2)):
        overlapping = np.flatnonzero((one[low][a] < two[high][b]) & (two[low][b] < one[high][a]))
        a, b = a[overlapping], b[overlapping]
    return a, b


Similarity = NDArray[np.float64]
Areas = NDArray[np.float64]
LINES_AT_ONCE = BOXES_AT_ONCE = PAIRS_AT_ONCE = 10_000
"""Keeps what is made of them within the processor's cache."""


def shared_areas(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> tuple[Areas, Areas, Areas]:
    """What each pair of regions has in common, the area of the one, and that of the other.

    Upright boxes and outlines exactly; where a mask takes part, both are counted in pixels.
    """
    common, first, second = np.zeros(len(t)), truth.area[t], student.area[s]
    if truth.upright.all() and student.upright.all():  # the most frequent case
        for begin in range(0, len(t), BOXES_AT_ONCE):
            part = slice(begin, begin + BOXES_AT_ONCE)
            common[part] = common_box_areas(truth.extent[t[part]], student.extent[s[part]])
        return common, first, second
    boxes, masks = truth.upright[t] & student.upright[s], _are_masks(truth, t) | _are_masks(student, s)
    common[boxes] = common_box_areas(truth.extent[t[boxes]], student.extent[s[boxes]])
    drawn = np.flatnonzero(~boxes & ~masks)
    if len(drawn):
        common[drawn] = common_areas(truth.outlines, student.outlines, t[drawn], s[drawn])
    both = _are_masks(truth, t) & _are_masks(student, s)
    if both.any():
        a, b = truth.place_among(ShapeKind.MASK)[t[both]], student.place_among(ShapeKind.MASK)[s[both]]
        common[both] = common_pixels(truth.masks, student.masks, a, b)
    if len(mixed := np.flatnonzero(masks & ~both)):
        shapes_t, a = np.unique(t[mixed], return_inverse=True)
        shapes_s, b = np.unique(s[mixed], return_inverse=True)
        ours = mask_runs([truth.pixels(i) for i in shapes_t.tolist()])
        theirs = mask_runs([student.pixels(i) for i in shapes_s.tolist()])
        common[mixed] = common_pixels(ours, theirs, a, b)
        first[mixed], second[mixed] = mask_figures(ours)[0][a], mask_figures(theirs)[0][b]
    return common, first, second


def _are_masks(side: Geometry, which: Positions) -> NDArray[np.bool_]:
    return np.asarray(side.annotations.kind[which] == ShapeKind.MASK)


def region_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """IoU of boxes, polygons, masks, ellipses and cuboids, across kinds as well."""
    return intersection_over_union(*shared_areas(truth, student, t, s))


def skeleton_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """OKS; 0 where it is undefined because the truth labels no point.

    Points in one line have a box without area: the square of its longer side stands for it, and for a single point
    what stands for the size of one by itself.
    """
    a, b = truth.place_among(ShapeKind.SKELETON)[t], student.place_among(ShapeKind.SKELETON)[s]
    scale = _pose_scale(truth, t)
    return np.nan_to_num(keypoints.oks(truth.skeletons, student.skeletons, a, b, scale=scale, sigmas=truth.sigmas))


def _pose_scale(truth: Geometry, t: Positions) -> Areas:
    scale = truth.object_area[t]
    if (flat := scale <= 0).any():
        side = (truth.annotations.bounds[t, 2:] - truth.annotations.bounds[t, :2]).max(axis=1)
        scale = np.where(flat, np.where(side > 0, side**2, _image_scale(truth)[t]), scale)
    return np.asarray(scale)


def polyline_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """Nearness of lines, scaled by the image, or by the length of the truth's line if the image's size is unknown."""
    a, b = truth.place_among(ShapeKind.POLYLINE)[t], student.place_among(ShapeKind.POLYLINE)[s]
    scale = np.where(np.isnan(truth.image_area[t]), keypoints.lengths(truth.lines)[a] ** 2, truth.image_area[t])
    ours, theirs = truth.annotations.bounds[t], student.annotations.bounds[s]
    apart = np.maximum(np.maximum(ours[:, :2] - theirs[:, 2:], theirs[:, :2] - ours[:, 2:]), 0.0)
    near = np.flatnonzero(keypoints.may_be_near(np.hypot(apart[:, 0], apart[:, 1]), scale))
    result = np.zeros(len(t))
    for part in portions(np.ones(len(near), np.int64), LINES_AT_ONCE):
        p = near[part]
        result[p] = keypoints.line_similarity(truth.lines[a[p]], student.lines[b[p]], scale=scale[p])
    return np.nan_to_num(result)


def _image_scale(truth: Geometry) -> Areas:
    """The area of each annotation's image; without it, of what the truth's annotations reach to."""
    return np.where(np.isnan(truth.image_area), np.abs(truth.extent[:, 2:]).max(axis=0).prod(), truth.image_area)


def point_set_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """Nearness of points, scaled by the truth's bounding box, or by the image for a single point.

    Where neither has a size, by the distance of the truth's annotations from the image's corner: all that is known.
    """
    a, b = truth.place_among(ShapeKind.POINTS)[t], student.place_among(ShapeKind.POINTS)[s]
    scale = np.where(truth.object_area > 0, truth.object_area, _image_scale(truth))[t]
    single_t, single_s = (np.array([len(points) == 1 for points in side.points]) for side in (truth, student))
    single = single_t[a] & single_s[b]
    result = np.zeros(len(t))
    # the most frequent case, and an image may have thousands: the bounds of a single point are the point
    at_t, at_s = truth.annotations.bounds[t[single], :2], student.annotations.bounds[s[single], :2]
    result[single] = keypoints.point_similarity(at_t, at_s, scale=scale[single])
    for p in np.flatnonzero(~single).tolist():
        result[p] = keypoints.points_similarity(truth.points[a[p]], student.points[b[p]], scale=float(scale[p]))
    return result


Compare = Callable[[Geometry, Geometry, Positions, Positions], Similarity]

SIMILARITY: Mapping[str, Compare] = {
    "box": region_similarity,
    "area": region_similarity,
    "cuboid": region_similarity,
    "line": polyline_similarity,
    "points": point_set_similarity,
    "skeleton": skeleton_similarity,
    "tag": lambda truth, student, t, s: np.ones(len(t)),  # it is the image's, and has no place in it
}
"""Family -> how its annotations are compared."""


Pairs = tuple[Positions, Positions, NDArray[np.float64]]
"""Truth, student, similarity."""


def find_candidates(
    truth: Geometry,
    student: Geometry,
    image_of: NDArray[np.int32],
    *,
    across_families: bool = False,
    least: float = 0.0,
    least_pose: float = 0.0,
) -> Candidates:
    """All pairs on one image with a similarity above 0 and not below `least`, except with crowd regions of either.

    On an image all skeletons have some similarity: pairs of them below `least_pose` may be left out.

    `image_of[j]` is the truth's image that the student's image j is, -1 for none. With `across_families` also pairs of
    regions of different families (a box and a polygon, a mask and a cuboid), so that a wrong tool can be told from
    a missed object.
    """
    image = np.asarray(image_of)[student.annotations.image].astype(np.int64)
    ours, theirs = truth.annotations.crowd, student.annotations.crowd
    rows_t = np.arange(len(truth.annotations)) if ours is None else np.flatnonzero(~ours)
    rows_s = np.flatnonzero(image >= 0 if theirs is None else (image >= 0) & ~theirs)
    if (compiled := kernel()) and truth.upright.all() and student.upright.all():  # the most frequent case
        return _box_candidates(compiled, truth, student, image, least)
    groups = [_regions(truth, student, image, rows_t, rows_s, across=across_families, least=least)]
    if not (truth.covers.all() or student.covers.all()):
        groups += [
            _others(truth, student, image, rows_t, rows_s, family, least_pose) for family in range(len(FAMILIES))
        ]
    t, s, similarity = (np.concatenate([pairs[k] for pairs in groups]) for k in range(3))
    order = np.flatnonzero((similarity > 0) & (similarity >= least))
    order = order[np.argsort(t[order] * len(student.annotations) + s[order], kind="stable")]
    t, s = t[order], s[order]
    same_family = truth.family[t] == student.family[s]
    return Candidates(t.astype(np.int32), s.astype(np.int32), similarity[order], same_family)


def _box_candidates(compiled: Kernel, truth: Geometry, student: Geometry, image: Positions, least: float) -> Candidates:
    """Upright boxes alone, all at once: those of images that are not there, and crowd regions, go without a group."""

    def rows(side: Geometry, group: Positions) -> tuple[Bounds, Areas, Positions]:
        crowd = side.annotations.crowd
        return np.ascontiguousarray(side.extent), side.area, group if crowd is None else np.where(crowd, -1, group)

    ours, theirs = rows(truth, truth.annotations.image.astype(np.int64)), rows(student, image)
    tests = TESTS + TESTS_OF_A_RECTANGLE * (len(truth.annotations) + len(student.annotations))
    groups = len(truth.annotations.images)
    columns = compiled.box_candidates(*ours, *theirs, groups, least, MOST_PAIRS, tests)
    if columns is None:
        raise too_many_pairs(len(truth.annotations), len(student.annotations))
    t, s = (np.frombuffer(column, np.int32) for column in columns[:2])
    similarity = np.frombuffer(columns[2], np.float64)
    if len(t) and not ((t[1:] > t[:-1]) | ((t[1:] == t[:-1]) & (s[1:] > s[:-1]))).all():
        order = np.lexsort((s, t))
        t, s, similarity = t[order], s[order], similarity[order]
    return Candidates(t, s, similarity, np.ones(len(t), np.bool_))


def _regions(
    truth: Geometry,
    student: Geometry,
    image: Positions,
    rows_t: Positions,
    rows_s: Positions,
    *,
    across: bool,
    least: float,
) -> Pairs:
    """Pairs of boxes, polygons, masks, ellipses, cuboids that can reach the least similarity, with their IoU."""
    upright = truth.upright.all() and student.upright.all()
    group_t, group_s = truth.annotations.image.astype(np.int64), image
    if not across and not upright:
        group_t, group_s = group_t * len(FAMILIES) + truth.family, group_s * len(FAMILIES) + student.family
    if upright and len(rows_t) == len(group_t) and len(rows_s) == len(group_s):  # nothing to leave out: no copies
        t, s = overlapping_pairs(truth.extent, group_t, student.extent, group_s)
    else:
        rows_t, rows_s = rows_t[truth.covers[rows_t]], rows_s[student.covers[rows_s]]
        a, b = overlapping_pairs(truth.extent[rows_t], group_t[rows_t], student.extent[rows_s], group_s[rows_s])
        t, s = rows_t[a], rows_s[b]
    if least > 0 and not upright:  # for boxes the bound costs as much as IoU
        bound = highest_iou(common_box_areas(truth.extent[t], student.extent[s]), truth.area[t], student.area[s])
        # counted in pixels, as it is beside a mask, a shape may have more area than its outline
        hopeful = (_are_masks(truth, t) ^ _are_masks(student, s)) | (bound >= least)
        t, s = t[hopeful], s[hopeful]
    return t, s, region_similarity(truth, student, t, s)


def _others(
    truth: Geometry,
    student: Geometry,
    image: Positions,
    rows_t: Positions,
    rows_s: Positions,
    family: int,
    least_pose: float,
) -> Pairs:
    """All pairs of one family without area that are on one image."""
    rows_t = rows_t[(truth.family[rows_t] == family) & ~truth.covers[rows_t]]
    rows_s = rows_s[(student.family[rows_s] == family) & ~student.covers[rows_s]]
    rows_s = rows_s[np.argsort(image[rows_s], kind="stable")]
    ours, theirs = truth.annotations.image[rows_t], image[rows_s]
    low, high = np.searchsorted(theirs, ours, side="left"), np.searchsorted(theirs, ours, side="right")
    parts: list[Pairs] = [(rows_t[:0], rows_s[:0], np.empty(0))]
    if not len(rows_t) or not len(rows_s):
        return parts[0]
    near = _near_poses(truth, student, rows_t, rows_s, (low, high), least_pose) if family == SKELETONS else None
    cost = high - low if near is None else np.ones(len(near[0]), np.int64)
    for part in portions(cost, PAIRS_AT_ONCE):
        a, b = spread(low[part], cost[part]) if near is None else (near[0][part], near[1][part])
        t, s = (rows_t[part] if near is None else rows_t)[a], rows_s[b]
        similarity = SIMILARITY[FAMILIES[family]](truth, student, t, s) if len(t) else np.empty(0)
        alike = np.flatnonzero(similarity > 0)
        parts.append((t[alike], s[alike], similarity[alike]))
        if sum(len(one[0]) for one in parts) > MOST_PAIRS:
            raise too_many_pairs(len(rows_t), len(rows_s))
    t, s, similarity = (np.concatenate([one[k] for one in parts]) for k in range(3))
    return t, s, similarity


SKELETONS = FAMILIES.index("skeleton")


def _near_poses(
    truth: Geometry,
    student: Geometry,
    rows_t: Positions,
    rows_s: Positions,
    ranges: tuple[Positions, Positions],
    least: float,
) -> tuple[Positions, Positions] | None:
    """Places among the rows of the skeletons that may be alike; None for all of them."""
    a, b = truth.place_among(ShapeKind.SKELETON)[rows_t], student.place_among(ShapeKind.SKELETON)[rows_s]
    scale = _pose_scale(truth, rows_t)
    return keypoints.near_pairs(
        truth.skeletons, student.skeletons, a, b, ranges, scale=scale, sigmas=truth.sigmas, least=least
    )
