"""Regions of the truth that are not to be scored, and how far the student's annotations lie inside them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.bbox_join import touching_pairs
from assay.annotations.geometry.geometry import Geometry
from assay.annotations.geometry.similarity import shared_areas
from assay.annotations.shapes.shapes import ShapeKind


def inside_share(truth: Geometry, student: Geometry, image_of: NDArray[np.int32]) -> NDArray[np.float64]:
    """For each annotation of the student, the largest share of it that lies inside one crowd region of the truth.

    intersection / area of the student's shape: COCO's rule for what is not to be counted as extra. Lines, points and
    skeletons count by their bounding box; what has no area has no share, nor has a tag, nor a
    crowd region of the student.
    """
    share = np.zeros(len(student.annotations))
    crowd = truth.annotations.crowd
    image = np.asarray(image_of)[student.annotations.image].astype(np.int64)
    if crowd is None or not crowd.any() or not len(share):
        return share
    student = _as_regions(student)
    regions = np.flatnonzero(crowd & truth.covers)
    of_region = truth.annotations.image[regions].astype(np.int64)
    has_region = np.zeros(len(truth.annotations.images) + 1, np.bool_)  # the last for images that are not there
    has_region[of_region] = True
    rows = np.flatnonzero(
        has_region[image] if student.annotations.crowd is None else has_region[image] & ~student.annotations.crowd
    )
    a, b = touching_pairs(truth.extent[regions], of_region, student.extent[rows], image[rows])
    common, _, own = shared_areas(truth, student, regions[a], rows[b])
    inside = np.divide(common, own, out=np.zeros_like(own), where=own > 0)
    np.maximum.at(share, rows[b], np.minimum(inside, 1.0))
    return share


def _as_regions(student: Geometry) -> Geometry:
    """The set with lines, points and skeletons as the boxes around them."""
    if student.covers.all():
        return student
    kind = np.where(student.covers, student.annotations.kind, np.uint8(ShapeKind.BOX))
    return Geometry(replace(student.annotations, kind=kind), student.sigmas)
