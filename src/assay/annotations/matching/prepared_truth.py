"""`PreparedTruth`: the ground truth with all that can be worked out before a submission is seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.geometry import Geometry, prepare
from assay.annotations.matching.labels import label_counts
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ImageNames


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
    geometry = prepare(truth, sigmas=rules.sigmas or None)
    return PreparedTruth(
        truth, rules, geometry, ImageNames.of(truth.images), AttributeColumns.of(truth), crowd_of(truth)
    )


def crowd_of(annotations: AnnotationSet) -> NDArray[np.bool_]:
    """Which annotations are marked as crowd or ignore regions: on either side, these are not scored."""
    return np.zeros(len(annotations), bool) if annotations.crowd is None else annotations.crowd
