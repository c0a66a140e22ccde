"""A submission by class: one line per label, which class was taken for which; and the points of its skeletons."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.parts import ClassScore, Tally
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.text_similarity import common_names, normalised
from assay.annotations.shapes.arrays import FrozenArrays
from assay.annotations.shapes.shapes import ShapeKind, Skeleton


@dataclass(frozen=True, eq=False, slots=True)
class Confusion(FrozenArrays):
    """Which label the objects of each class received.

    `counts[i, j]`: objects of class i that were labelled j. The last column holds missed objects, the last row extra
    annotations; so every object and every annotation is counted exactly once.
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]

    def __add__(self, other: "Confusion") -> "Confusion":
        names, places = common_names(self.labels, other.labels)
        total = np.zeros((len(names) + 1, len(names) + 1), dtype=np.int64)
        for one, own in zip((self, other), places, strict=True):
            index = np.array([*own, len(names)])
            total[np.ix_(index, index)] += one.counts
        return Confusion(names, total)


def _by_label(score: SubmissionScore) -> tuple[tuple[str, ...], list[NDArray[np.int32]]]:
    """Labels of both sets numbered alike: of matches in the truth and in the submission, of misses, of extras."""
    alike = score.rubric.separators_alike
    names, (ours, theirs) = common_names(score.truth.labels, score.submission.labels, separators_alike=alike)
    columns = (
        (ours, score.truth.label[score.match_truth]),
        (theirs, score.submission.label[score.match_student]),
        (ours, score.truth.label[score.missed[score.missed_counts]]),
        (theirs, score.submission.label[score.extra[score.extra_counts]]),
    )
    return names, [number[label] if number.size else number for number, label in columns]


def confusion(score: SubmissionScore) -> Confusion:
    """Which label the objects of each class received."""
    names, (truth, student, missed, extra) = _by_label(score)
    n = len(names)
    rows = np.concatenate([truth, missed, np.full(extra.size, n)]).astype(np.int64)
    columns = np.concatenate([student, np.full(missed.size, n), extra]).astype(np.int64)
    counts = np.bincount(rows * (n + 1) + columns, minlength=(n + 1) ** 2).reshape(n + 1, n + 1)
    return Confusion(names, counts)


def class_scores(score: SubmissionScore) -> tuple[ClassScore, ...]:
    """One line for each label that occurs, in the order of the ground truth's labels.

    A match belongs to the class of its object, whatever the student called it; `named` counts those called right.
    """
    names, (truth, student, missed, extra) = _by_label(score)
    n = len(names)
    counts = [np.bincount(labels, minlength=n) for labels in (truth, missed, extra)]
    costs = score.missed_costs[score.missed_counts], score.extra_costs[score.extra_counts]
    by_class = ((truth, score.match_counts_as), (missed, costs[0]), (extra, costs[1]))
    weighed = [np.bincount(labels, weights, n) for labels, weights in by_class]
    points = np.bincount(truth, score.match_counts_as * score.match_scores, n)
    sums = np.array([points, *weighed, np.zeros(n), *counts])
    named = np.bincount(truth[truth == student], minlength=n)
    places = np.bincount(truth, score.localisation, n)
    means = [
        100 * float(place / count) if count else float("nan") for place, count in zip(places, counts[0], strict=True)
    ]
    used = [i for i in range(n) if sums[5:, i].any()]
    return tuple(ClassScore(names[i], score.tally_of(sums[:, i]), int(named[i]), means[i]) for i in used)


LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9)


def counts_by_threshold(score: SubmissionScore) -> list[dict[str, float]]:
    """What would be right, of a wrong class, missed and extra if a pair needed this overlap, from 0.5 to 0.9.

    Of the pairs that were matched: below a threshold, a pair is a missed object and an extra annotation.
    """
    objects = score.match_truth.size + int(score.missed_counts.sum())
    drawn = score.match_student.size + int(score.extra_counts.sum())
    rows = []
    for level in LEVELS:
        near = score.localisation >= level - 1e-9
        right = int((near & (score.label == 1)).sum())
        matched = int(near.sum())
        row = {"overlap": level, "right": right, "wrong_class": matched - right}
        rows.append(row | {"missed": objects - matched, "extra": drawn - matched})
    return rows


def macro_average(tallies: Iterable[Tally]) -> float:
    """The mean score of classes or images, each counting alike; NaN without any."""
    scores = [tally.score for tally in tallies]
    return float(np.mean(scores)) if scores else float("nan")


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
