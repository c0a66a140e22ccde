"""Rules that count some labels only: what is left out of a scene once it is matched.

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
    """The part of a scene and of its pairs that counts, and which annotations their label leaves out."""

    scene: AlignedSets
    pairing: Pairing
    truth_left_out: Flags
    student_left_out: Flags


def counted_only(scene: AlignedSets, pairing: Pairing) -> CountedLabels:
    """What counts by the rules; all of it when they name no labels."""
    rubric = scene.rubric
    if not rubric.only_labels:
        nothing = np.zeros(len(scene.truth), bool), np.zeros(len(scene.submission), bool)
        return CountedLabels(scene, pairing, *nothing)
    _check_known(rubric, scene.truth)
    other_truth = ~label_counts(scene.truth.labels, rubric)[scene.truth.label]
    named = [normalised(name, separators_alike=rubric.separators_alike) for name in scene.submission.labels]
    known = np.array([name in scene.known_labels for name in named], bool)
    other_student = (known & ~label_counts(scene.submission.labels, rubric))[scene.submission.label]
    kept = np.flatnonzero(~other_truth[pairing.truth])
    pairs = Pairing(pairing.truth[kept], pairing.student[kept], pairing.similarity[kept], pairing.by_key[kept])
    other_student[pairs.student] = False  # whatever it is called, it was drawn for an object that counts
    counts = scene.truth_counts & ~other_truth, scene.student_counts & ~other_student
    return CountedLabels(
        replace(scene, truth_counts=counts[0], student_counts=counts[1]),
        pairs,
        scene.truth_counts & other_truth,
        scene.student_counts & other_student,
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
        wanted = ", ".join(repr(label) for label in rubric.only_labels)
        raise InputError(
            f"The rules count only {wanted}, and the ground truth has no such label: nothing would be scored. "
            f"It has {there}. Mend only_labels in the rules."
        )
