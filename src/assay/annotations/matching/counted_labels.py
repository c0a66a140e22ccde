"""Rules that count some labels only: what is left out of aligned sets once they are matched.

Matching sees everything, so that the box around a truck goes to the truck and not to a car behind it. Then objects
of other labels need not be found, and annotations of other labels are no extras. An annotation whose label nobody
knows may be a misspelt one that counts, so it is not left out.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.matching.aligned_sets import AlignedSets
from assay.annotations.matching.labels import label_counts
from assay.annotations.matching.pairing import Pairing
from assay.annotations.matching.prepared_truth import crowd_of
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class CountedLabels:
    """The part of the aligned sets and of their pairs that counts, and which annotations their label leaves out."""

    aligned: AlignedSets
    pairing: Pairing
    truth_left_out: Flags
    student_left_out: Flags


def counted_only(aligned: AlignedSets, pairing: Pairing) -> CountedLabels:
    """What counts by the rules; all of it when they name no labels."""
    rubric = aligned.rubric
    if not rubric.only_labels:
        nothing = np.zeros(len(aligned.truth), bool), np.zeros(len(aligned.submission), bool)
        return CountedLabels(aligned, pairing, *nothing)
    _check_known(rubric, aligned.truth)
    other_truth = ~label_counts(aligned.truth.labels, rubric)[aligned.truth.label]
    named = [normalised(name, separators_alike=rubric.separators_alike) for name in aligned.submission.labels]
    known = np.array([name in aligned.known_labels for name in named], bool)
    other_student = (known & ~label_counts(aligned.submission.labels, rubric))[aligned.submission.label]
    counted = np.flatnonzero(~other_truth[pairing.truth])
    pairs = Pairing(
        pairing.truth[counted], pairing.student[counted], pairing.similarity[counted], pairing.by_key[counted]
    )
    other_student[pairs.student] = False  # whatever it is called, it was drawn for an object that counts
    counts = aligned.truth_counts & ~other_truth, aligned.student_counts & ~other_student
    return CountedLabels(
        replace(aligned, truth_counts=counts[0], student_counts=counts[1]),
        pairs,
        aligned.truth_counts & other_truth,
        aligned.student_counts & other_student,
    )


def without_other_labels(annotations: AnnotationSet, rubric: Rubric) -> AnnotationSet:
    """The set with annotations of other labels marked as not to be scored, where no side is the ground truth."""
    if not rubric.only_labels or not len(annotations):
        return annotations
    other = ~label_counts(annotations.labels, rubric)[annotations.label]
    return replace(annotations, crowd=crowd_of(annotations) | other)


def _check_known(rubric: Rubric, truth: AnnotationSet) -> None:
    if not label_counts(truth.labels, rubric).any():
        there = ", ".join(repr(label) for label in truth.labels[:8]) + (", ..." if len(truth.labels) > 8 else "")
        asked = ", ".join(repr(label) for label in rubric.only_labels)
        raise InputError(
            f"The rules count only {asked}, and the ground truth has no such label: nothing would be scored",
            source=truth.source,
            field="only_labels",
            remedy=f"It has {there}. Correct only_labels in the rules.",
        )
