"""`PreparedTruth`: the ground truth, worked out before a submission is seen; `align`: a submission set against it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.annotations.geometry.geometry import Geometry
from assay.annotations.matching.candidates import find_candidates, overlapping_pairs, shared_areas
from assay.annotations.matching.pairing import AlignedSets, Pairing
from assay.annotations.matching.text_similarity import (
    as_text,
    known_labels,
    label_counts,
    normalised,
    same_text,
    truth_value,
)
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.attributes import AttributeColumns
from assay.annotations.shapes.images import ABSENT, ImageNames, at_size, pair_images
from assay.annotations.shapes.shapes import FAMILIES, ShapeKind
from assay.errors import InputError


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
        """Which annotations are objects to be found: no crowd regions, and none that the rules leave out."""
        if not len(self.annotations):
            return ~self.crowd
        counted = ~self.crowd & label_counts(self.annotations.labels, self.rubric)[self.annotations.label]
        for flags in rule_exceptions(self.annotations, self.attributes, self.rubric).values():
            counted &= ~flags
        return np.asarray(counted)


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
    _, rows, inside = inside_pairs(truth, student, image_of)
    np.maximum.at(share, rows, inside)
    return share


def inside_pairs(
    truth: Geometry, student: Geometry, image_of: NDArray[np.int32]
) -> tuple["Places", "Places", NDArray[np.float64]]:
    """Crowd regions of the truth, annotations of the student that touch them, and the share that lies inside."""
    crowd = truth.annotations.crowd
    image = np.asarray(image_of)[student.annotations.image].astype(np.int64)
    if crowd is None or not crowd.any():
        return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
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
    return regions[a], rows[b], np.minimum(inside, 1.0)


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
    ours = truth.annotations
    place = pair_images(truth.names, ImageNames(submission.images))
    submission = at_size(ours.images, submission, place, refuse=rubric.resized_images == "error")
    scope = scope_of(ours.images, submission.images, place, rubric)
    geometry = truth.geometry if rubric.sigmas == truth.rubric.sigmas else Geometry(ours, rubric.sigmas)
    drawn = Geometry(submission, rubric.sigmas)
    student_image = scope.number[submission.image]
    families = sum(np.bincount(one.families(), minlength=len(FAMILIES)) for one in (ours, submission))
    # where there are several families of shapes a wrong tool is possible
    across = rubric.across_families or np.count_nonzero(families) > 1
    image_of = place.astype(np.int32)
    aligned = AlignedSets(
        rubric=rubric,
        truth=ours,
        submission=submission,
        truth_attributes=truth.attributes,
        student_attributes=AttributeColumns.of(submission),
        known_labels=known_labels(rubric, ours.labels),
        student_image=student_image,
        truth_counts=~truth.crowd & scope.counts[ours.image],
        student_counts=scope.counts[student_image] & ~crowd_of(submission),
        candidates=find_candidates(
            geometry, drawn, image_of, across_families=bool(across), least_pose=least_pose(rubric)
        ),
        crowd_share=inside_share(geometry, drawn, image_of) if truth.crowd.any() else np.zeros(len(submission)),
        areas=(geometry.area, drawn.area),
    )
    return aligned, scope


def least_pose(rubric: Rubric) -> float:
    """The similarity below which a pair of skeletons is neither a match nor a near miss; objects with keys need all."""
    if rubric.match_key is not None:
        return 0.0
    own = [rule.least for rule in rubric.labels if rule.least is not None]
    return min(rubric.near_miss, rubric.thresholds.skeleton, *own)


Flags = NDArray[np.bool_]


def rule_exceptions(annotations: AnnotationSet, attributes: AttributeColumns, rubric: Rubric) -> dict[str, Flags]:
    """Reason -> the objects of the ground truth that the rules leave out for their size or for an attribute."""
    reasons: dict[str, Flags] = {}
    if rubric.smallest:
        reasons["smaller than the rules count"] = _smaller(annotations, rubric.smallest)
    for name, value in rubric.ignore_where:
        column, flag = attributes.column(name), truth_value(value)
        texts = [as_text(own) for own in column.values]
        same = [same_text(text, value) if flag is None else truth_value(text) == flag for text in texts]
        hit = np.array([*map(bool, same), False])[column.codes]  # the last for annotations without a value
        reasons[f"{name} is {value}"] = hit
    return reasons


def _smaller(annotations: AnnotationSet, least: float) -> Flags:
    """Which shapes are shorter than this on their longer side; a tag has no size, a point none to speak of."""
    bounds = annotations.bounds
    longer = np.maximum(bounds[:, 2] - bounds[:, 0], bounds[:, 3] - bounds[:, 1])
    sized = ~np.isin(annotations.kind, (ShapeKind.TAG, ShapeKind.POINTS))
    return np.asarray(sized & (longer < least))


def counted_only(aligned: AlignedSets, pairing: Pairing) -> tuple[AlignedSets, Pairing, dict[str, Flags]]:
    """The part of the aligned sets and of their pairs that counts, and which annotations are left out, by reason.

    Matching sees everything, so that the box around a truck goes to the truck and not to a car behind it. Then objects
    of other labels need not be found, and annotations of other labels are no extras. An annotation whose label nobody
    knows may be a misspelt one that counts, so it is not left out.
    """
    rubric, truth, submission = aligned.rubric, aligned.truth, aligned.submission
    if not (rubric.only_labels or rubric.smallest or rubric.ignore_where):
        return aligned, pairing, {}
    counts = label_counts(truth.labels, rubric)
    if rubric.only_labels and not counts.any():
        there = ", ".join(repr(label) for label in truth.labels[:8]) + (", ..." if len(truth.labels) > 8 else "")
        asked = ", ".join(repr(label) for label in rubric.only_labels)
        problem = f"The rules count only {asked}, and the ground truth has no such label: nothing would be scored"
        remedy = f"It has {there}. Correct only_labels in the rules."
        raise InputError(problem, source=truth.source, field="only_labels", remedy=remedy)
    other_truth = ~counts[truth.label]
    named = [normalised(name, separators_alike=rubric.separators_alike) for name in submission.labels]
    known = np.array([name in aligned.known_labels for name in named], bool)
    other_student = (known & ~label_counts(submission.labels, rubric))[submission.label]
    exceptions = rule_exceptions(truth, aligned.truth_attributes, rubric)
    excepted = np.any([np.zeros(len(truth), bool), *exceptions.values()], axis=0)
    small = _smaller(submission, rubric.smallest) if rubric.smallest else np.zeros(len(submission), bool)
    counted = np.flatnonzero(~(other_truth | excepted)[pairing.truth])
    # what was drawn for an object that is left out is no extra
    drawn_for = np.zeros(len(submission), bool)
    drawn_for[pairing.student[excepted[pairing.truth] & ~other_truth[pairing.truth]]] = True
    similarity, by_key = pairing.similarity[counted], pairing.by_key[counted]
    pairs = Pairing(pairing.truth[counted], pairing.student[counted], similarity, by_key)
    # whatever it is called and however small it is, it was drawn for an object that counts
    other_student[pairs.student] = small[pairs.student] = False
    ours, theirs = aligned.truth_counts, aligned.student_counts
    left_out = {"ground truth: a label that the rules do not count": ours & other_truth}
    rest = ours & ~other_truth
    for reason, flags in exceptions.items():
        left_out[f"ground truth: {reason}"] = rest & flags
        rest = rest & ~flags
    left_out["submission: a label that the rules do not count"] = theirs & other_student
    left_out["submission: drawn for an object that the rules leave out"] = theirs & ~other_student & drawn_for
    left_out["submission: smaller than the rules count"] = theirs & ~other_student & ~drawn_for & small
    student_counts = theirs & ~other_student & ~drawn_for & ~small
    return replace(aligned, truth_counts=rest, student_counts=student_counts), pairs, left_out


def without_other_labels(annotations: AnnotationSet, rubric: Rubric) -> AnnotationSet:
    """The set with what the rules leave out marked as not to be scored, where no side is the ground truth."""
    if not (rubric.only_labels or rubric.smallest or rubric.ignore_where) or not len(annotations):
        return annotations
    other = ~label_counts(annotations.labels, rubric)[annotations.label]
    for flags in rule_exceptions(annotations, AttributeColumns.of(annotations), rubric).values():
        other |= flags
    return replace(annotations, crowd=crowd_of(annotations) | other)
