"""How alike two annotations of one family are, in 0..1: one function per family, for many pairs at once."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.common_area import common_areas, common_box_areas, intersection_over_union
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.keypoints import oks
from assay.annotations.geometry.lines import lengths, line_similarity, may_be_near, point_similarity, points_similarity
from assay.annotations.geometry.masks import common_pixels, stretches
from assay.annotations.shapes.arrays import Positions, portions
from assay.annotations.shapes.shapes import ShapeKind

Similarity = NDArray[np.float64]
Areas = NDArray[np.float64]
LINES_AT_ONCE = BOXES_AT_ONCE = 10_000
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
    boxes = truth.upright[t] & student.upright[s]
    masks = (truth.annotations.kind[t] == ShapeKind.MASK) | (student.annotations.kind[s] == ShapeKind.MASK)
    common[boxes] = common_box_areas(truth.extent[t[boxes]], student.extent[s[boxes]])
    drawn = np.flatnonzero(~boxes & ~masks)
    if len(drawn):
        common[drawn] = common_areas(truth.outlines, student.outlines, t[drawn], s[drawn])
    if masks.any():
        common[masks], first[masks], second[masks] = _pixel_areas(truth, student, t[masks], s[masks])
    return common, first, second


def _pixel_areas(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> tuple[Areas, Areas, Areas]:
    shapes_t, a = np.unique(t, return_inverse=True)
    shapes_s, b = np.unique(s, return_inverse=True)
    first = stretches([truth.pixels(i) for i in shapes_t.tolist()])
    second = stretches([student.pixels(i) for i in shapes_s.tolist()])
    return common_pixels(first, second, a, b), first.area[a], second.area[b]


def region_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """IoU of boxes, polygons, masks, ellipses and cuboids, across kinds as well."""
    return intersection_over_union(*shared_areas(truth, student, t, s))


def skeleton_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """OKS; 0 where it is undefined because the truth labels no point.

    Points in one line have a box without area: the square of its longer side stands for it, and for a single point
    what stands for the size of one by itself.
    """
    a, b = truth.place_among(ShapeKind.SKELETON)[t], student.place_among(ShapeKind.SKELETON)[s]
    scale = truth.object_area[t]
    if (flat := scale <= 0).any():
        side = (truth.annotations.bounds[t, 2:] - truth.annotations.bounds[t, :2]).max(axis=1)
        scale = np.where(flat, np.where(side > 0, side**2, _image_scale(truth)[t]), scale)
    return np.nan_to_num(oks(truth.skeletons, student.skeletons, a, b, scale=scale, sigmas=truth.sigmas))


def polyline_similarity(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Similarity:
    """Nearness of lines, scaled by the image, or by the length of the truth's line if the image's size is unknown."""
    a, b = truth.place_among(ShapeKind.POLYLINE)[t], student.place_among(ShapeKind.POLYLINE)[s]
    scale = np.where(np.isnan(truth.image_area[t]), lengths(truth.lines)[a] ** 2, truth.image_area[t])
    result = np.zeros(len(t))
    near = np.flatnonzero(may_be_near(_gaps(truth, student, t, s), scale))
    for part in portions(np.ones(len(near), np.int64), LINES_AT_ONCE):
        p = near[part]
        result[p] = line_similarity(truth.lines[a[p]], student.lines[b[p]], scale=scale[p])
    return np.nan_to_num(result)


def _gaps(truth: Geometry, student: Geometry, t: Positions, s: Positions) -> Areas:
    """How far apart the bounds of each pair lie; 0 where they touch."""
    ours, theirs = truth.annotations.bounds[t], student.annotations.bounds[s]
    apart = np.maximum(np.maximum(ours[:, :2] - theirs[:, 2:], theirs[:, :2] - ours[:, 2:]), 0.0)
    return np.asarray(np.hypot(apart[:, 0], apart[:, 1]))


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
    result[single] = point_similarity(at_t, at_s, scale=scale[single])
    for p in np.flatnonzero(~single).tolist():
        result[p] = points_similarity(truth.points[a[p]], student.points[b[p]], scale=float(scale[p]))
    return result


def tag_similarity(_truth: Geometry, _student: Geometry, t: Positions, _s: Positions) -> Similarity:
    """1: a tag is the image's, and has no place in it."""
    return np.ones(len(t))


Compare = Callable[[Geometry, Geometry, Positions, Positions], Similarity]

SIMILARITY: Mapping[str, Compare] = {
    "box": region_similarity,
    "area": region_similarity,
    "cuboid": region_similarity,
    "line": polyline_similarity,
    "points": point_set_similarity,
    "skeleton": skeleton_similarity,
    "tag": tag_similarity,
}
"""Family -> how its annotations are compared."""
