"""What the similarity of two skeletons does not say: points too many, points too few, and hidden taken for visible."""

from dataclasses import dataclass

import numpy as np

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import normalised
from assay.annotations.shapes.shapes import ShapeKind, Skeleton


@dataclass(frozen=True, slots=True)
class KeypointReport:
    """The named points of all matched skeletons."""

    expected: int
    """Points that the ground truth has."""
    absent: tuple[str, ...]
    """Of these, the student lacks: "nose of person 3 on a.jpg"; each counts 0 in the similarity."""
    extra: tuple[str, ...]
    """Points the student has and the ground truth has not; they do not enter the similarity."""
    visibility_agreement: float
    """Per cent of the points both have whose "visible" or "hidden" is the same; NaN when there are none."""


def report_keypoints(score: SubmissionScore) -> KeypointReport:
    """The named points of all matched skeletons; a report, without weight in the score."""
    absent: list[str] = []
    extra: list[str] = []
    expected = both = alike = 0
    for number in np.flatnonzero(score.truth.kind[score.match_truth] == ShapeKind.SKELETON):
        t, s = int(score.match_truth[number]), int(score.match_student[number])
        ours, theirs = _visibility(score.truth.shape(t)), _visibility(score.submission.shape(s))
        label, image = score.truth.labels[score.truth.label[t]], score.images[score.truth.image[t]].name
        where = f"of {label} {score.truth.ids[t]} on {image}"
        expected += len(ours)
        absent += [f"{name} {where}" for name in ours if name not in theirs]
        extra += [f"{name} {where}" for name in theirs if name not in ours]
        common = ours.keys() & theirs.keys()
        both += len(common)
        alike += sum(ours[name] == theirs[name] for name in common)
    return KeypointReport(expected, tuple(absent), tuple(extra), 100 * alike / both if both else float("nan"))


def _visibility(shape: object) -> dict[str, int]:
    """Points that are there, by name."""
    if not isinstance(shape, Skeleton):
        return {}
    return {normalised(name): int(seen) for name, seen in zip(shape.names, shape.visibility, strict=True) if seen > 0}
