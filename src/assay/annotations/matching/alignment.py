"""A submission aligned with the ground truth: images paired, sizes checked, and all pairs of shapes that touch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.aligned_sets import AlignedSets, families_of
from assay.annotations.matching.candidates import find_candidates
from assay.annotations.matching.labels import known_labels
from assay.annotations.matching.prepared_truth import PreparedTruth, crowd_of, inside_share
from assay.annotations.rubric.rubric import FAMILIES, Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ABSENT, ImageNames, pair_images, refuse_resized, resized
from assay.annotations.shapes.rescale import rescaled

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Scope:
    """The images of both sides: the ground truth's, then those that only the submission has."""

    images: tuple[Image, ...]
    number: Places
    """For each image of the submission, its place in `images`."""
    listed: NDArray[np.bool_]
    """Whether the submission lists the image."""
    counts: NDArray[np.bool_]
    """Whether the image is scored."""


def scope_of(truth: tuple[Image, ...], student: tuple[Image, ...], place: Places, rubric: Rubric) -> Scope:
    """Which images there are and which are scored; `place` is what `pair_images` gave."""
    known = len(truth)
    alone = np.flatnonzero(place == ABSENT)
    number = place.copy()
    number[alone] = known + np.arange(alone.size)
    listed = np.zeros(known + alone.size, bool)
    listed[number] = True
    counts = np.ones(known + alone.size, bool)
    if rubric.missing_images == "skip":
        counts[:known] = listed[:known]
    if rubric.extra_images == "ignore":
        counts[known:] = False
    return Scope((*truth, *(student[i] for i in alone)), number, listed, counts)


def align(truth: PreparedTruth, submission: AnnotationSet, rubric: Rubric) -> tuple[AlignedSets, Scope]:
    """Both sets with all pairs that touch."""
    place = pair_images(truth.names, ImageNames.of(submission.images))
    submission = _at_size(truth.annotations, submission, place, rubric)
    scope = scope_of(truth.annotations.images, submission.images, place, rubric)
    geometry = truth.geometry if rubric.sigmas == truth.rubric.sigmas else Geometry(truth.annotations, rubric.sigmas)
    drawn = Geometry(submission, rubric.sigmas)
    student_image = scope.number[submission.image]
    across = rubric.across_families or _mixed(truth.annotations, submission)
    image_of = place.astype(np.int32)
    crowd_share = inside_share(geometry, drawn, image_of) if truth.crowd.any() else np.zeros(len(submission))
    aligned = AlignedSets(
        rubric=rubric,
        truth=truth.annotations,
        submission=submission,
        truth_attributes=truth.attributes,
        student_attributes=AttributeColumns.of(submission),
        known_labels=known_labels(rubric, truth.annotations.labels),
        student_image=student_image,
        truth_counts=~truth.crowd & scope.counts[truth.annotations.image],
        student_counts=scope.counts[student_image] & ~crowd_of(submission),
        candidates=find_candidates(geometry, drawn, image_of, across_families=across),
        crowd_share=crowd_share,
        areas=(geometry.area, drawn.area),
    )
    return aligned, scope


def _at_size(truth: AnnotationSet, submission: AnnotationSet, place: Places, rubric: Rubric) -> AnnotationSet:
    """The submission at the sizes of the ground truth's images."""
    wrong = resized(truth.images, submission.images, place)
    if not wrong.size:
        return submission
    if rubric.resized_images == "error":
        raise refuse_resized(truth.images, submission.images, place, wrong)
    factors = np.ones((len(submission.images), 2))
    for index in wrong:
        ours, theirs = truth.images[place[index]], submission.images[index]
        factors[index] = ours.width / theirs.width, ours.height / theirs.height
    return rescaled(submission, factors)


def _mixed(truth: AnnotationSet, submission: AnnotationSet) -> bool:
    """Whether the two sets hold several families of shapes, so that a wrong tool is possible."""
    counts = np.bincount(families_of(truth), minlength=len(FAMILIES))
    counts += np.bincount(families_of(submission), minlength=len(FAMILIES))
    return int(np.count_nonzero(counts)) > 1
