"""`AlignedSets`: a submission aligned with the ground truth, before anything is matched."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.candidates import Candidates
from assay.annotations.matching.labels import common_names
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import FAMILIES, Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.shapes import FAMILY, ShapeKind
from assay.metrics.pairs import Scores

Places = NDArray[np.intp]

FAMILY_NUMBER = np.array([FAMILIES.index(FAMILY[kind]) for kind in ShapeKind], dtype=np.uint8)
"""Kind -> number of its family."""


def families_of(annotations: AnnotationSet) -> NDArray[np.uint8]:
    """The family of each annotation, as a place in `FAMILIES`."""
    return FAMILY_NUMBER[annotations.kind]


@dataclass(frozen=True, eq=False)
class AlignedSets:
    """Both sets, what may count of them, and all pairs that touch."""

    rubric: Rubric
    truth: AnnotationSet
    submission: AnnotationSet
    truth_attributes: AttributeColumns
    student_attributes: AttributeColumns
    known_labels: frozenset[str]
    student_image: Places
    """For each annotation of the submission, its image in the numbering of the ground truth."""
    truth_counts: NDArray[np.bool_]
    """Objects to be found: not crowd, and on a scored image."""
    student_counts: NDArray[np.bool_]
    candidates: Candidates
    crowd_share: Scores
    """Of each annotation of the submission, how much lies inside a crowd or ignore region, 0 to 1."""
    areas: tuple[Scores, Scores]
    """Area of every annotation of the ground truth and of the submission; 0 for shapes that cover none."""

    @cached_property
    def least(self) -> Scores:
        """The similarity each object asks of its partner: that of its label, else that of its family."""
        by_family = np.array([getattr(self.rubric.thresholds, name) for name in FAMILIES])
        least = by_family[families_of(self.truth)]
        own = {normalised(rule.name): rule.least for rule in self.rubric.labels if rule.least is not None}
        if own and self.truth.labels:
            of_label = np.array([own.get(normalised(label), np.nan) for label in self.truth.labels])[self.truth.label]
            least = np.where(np.isnan(of_label), least, of_label)
        return np.asarray(least)

    @cached_property
    def comparable(self) -> NDArray[np.bool_]:
        """For each candidate, whether its two kinds of shape may match."""
        if self.rubric.across_families:
            return np.ones(len(self.candidates), bool)
        return self.candidates.same_family

    @cached_property
    def near_enough(self) -> NDArray[np.bool_]:
        """For each candidate, whether it reaches the threshold (and more than nothing)."""
        similarity = self.candidates.similarity
        # a share of exactly one half must not fail by its last bit
        return (similarity >= self.least[self.candidates.truth] - 1e-12) & (similarity > 0)

    @cached_property
    def fit(self) -> NDArray[np.bool_]:
        """For each candidate, whether it may become a match by its place."""
        return self.comparable & self.near_enough

    @cached_property
    def common_labels(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The label of every annotation of both sets, numbered alike."""
        alike = self.rubric.separators_alike
        _, places = common_names(self.truth.labels, self.submission.labels, separators_alike=alike)
        return _looked_up(places[0], self.truth.label), _looked_up(places[1], self.submission.label)

    @cached_property
    def same_label(self) -> NDArray[np.bool_]:
        """For each candidate, whether the labels are the same."""
        truth, student = self.common_labels
        return np.asarray(truth[self.candidates.truth] == student[self.candidates.student])

    @cached_property
    def intersection(self) -> Scores:
        """For each candidate, the area both shapes share: IoU = I / (A + B - I), so I = IoU (A + B) / (1 + IoU)."""
        similarity = self.candidates.similarity
        both = self.areas[0][self.candidates.truth] + self.areas[1][self.candidates.student]
        return np.asarray(similarity * both / (1 + similarity))


def _looked_up(table: NDArray[np.int32], places: NDArray[np.int32]) -> NDArray[np.int32]:
    return table[places] if table.size else np.empty(0, np.int32)
