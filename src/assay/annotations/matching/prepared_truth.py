"""`PreparedTruth`: the ground truth with all that can be worked out before a submission is seen; its crowd regions."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.candidates import overlapping_pairs, shared_areas
from assay.annotations.matching.text_similarity import label_counts
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ImageNames
from assay.annotations.shapes.shapes import ShapeKind


@dataclass(frozen=True, eq=False, slots=True)
class PreparedTruth:
    """Made once and used for all students."""

    annotations: AnnotationSet
    rubric: Rubric
    geometry: Geometry
    names: ImageNames
    attributes: AttributeColumns
    crowd: NDArray[np.bool_]

    @property
    def to_be_found(self) -> NDArray[np.bool_]:
        """Which annotations are objects to be found: no crowd regions, and of labels that count."""
        if not len(self.annotations):
            return ~self.crowd
        return np.asarray(~self.crowd & label_counts(self.annotations.labels, self.rubric)[self.annotations.label])


def prepare_truth(truth: AnnotationSet, rubric: Rubric | None = None) -> PreparedTruth:
    """The ground truth, ready for any number of submissions; without a rubric, with the one its content suggests."""
    rules = suggest_rubric(truth) if rubric is None else rubric
    names, attributes = ImageNames(truth.images), AttributeColumns.of(truth)
    return PreparedTruth(truth, rules, Geometry(truth, rules.sigmas), names, attributes, crowd_of(truth))


def crowd_of(annotations: AnnotationSet) -> NDArray[np.bool_]:
    """Which annotations are marked as crowd or ignore regions: on either side, these are not scored."""
    return np.zeros(len(annotations), bool) if annotations.crowd is None else annotations.crowd


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
    if not student.covers.all():  # lines, points and skeletons as the boxes around them
        kind = np.where(student.covers, student.annotations.kind, np.uint8(ShapeKind.BOX))
        student = Geometry(replace(student.annotations, kind=kind), student.sigmas)
    regions = np.flatnonzero(crowd & truth.covers)
    of_region = truth.annotations.image[regions].astype(np.int64)
    has_region = np.zeros(len(truth.annotations.images) + 1, np.bool_)  # the last for images that are not there
    has_region[of_region] = True
    rows = np.flatnonzero(
        has_region[image] if student.annotations.crowd is None else has_region[image] & ~student.annotations.crowd
    )
    a, b = overlapping_pairs(truth.extent[regions], of_region, student.extent[rows], image[rows])
    common, _, own = shared_areas(truth, student, regions[a], rows[b])
    inside = np.divide(common, own, out=np.zeros_like(own), where=own > 0)
    np.maximum.at(share, rows[b], np.minimum(inside, 1.0))
    return share
