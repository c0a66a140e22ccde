"""A submission by class: one line per label, and which class was taken for which."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.parts import ClassScore, Tally
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.labels import common_names
from assay.annotations.shapes.arrays import freeze_arrays


@dataclass(frozen=True, eq=False, slots=True)
class Confusion:
    """Which label the objects of each class received.

    `counts[i, j]`: objects of class i that were labelled j. The last column holds missed objects, the last row extra
    annotations; so every object and every annotation is counted exactly once.
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        freeze_arrays(self)

    def __add__(self, other: "Confusion") -> "Confusion":
        names, places = common_names(self.labels, other.labels)
        total = np.zeros((len(names) + 1, len(names) + 1), dtype=np.int64)
        for one, own in zip((self, other), places, strict=True):
            index = np.array([*own, len(names)])
            total[np.ix_(index, index)] += one.counts
        return Confusion(names, total)


@dataclass(frozen=True, eq=False, slots=True)
class _ByLabel:
    """Labels of both sets numbered alike, for matches, misses and extras."""

    names: tuple[str, ...]
    truth: NDArray[np.int32]
    student: NDArray[np.int32]
    missed: NDArray[np.int32]
    extra: NDArray[np.int32]


def _by_label(score: SubmissionScore) -> _ByLabel:
    alike = score.rubric.separators_alike
    names, (ours, theirs) = common_names(score.truth.labels, score.submission.labels, separators_alike=alike)
    return _ByLabel(
        names,
        ours[score.truth.label[score.match_truth]] if ours.size else ours,
        theirs[score.submission.label[score.match_student]] if theirs.size else theirs,
        ours[score.truth.label[score.missed[score.missed_counts]]] if ours.size else ours,
        theirs[score.submission.label[score.extra[score.extra_counts]]] if theirs.size else theirs,
    )


def confusion(score: SubmissionScore) -> Confusion:
    """Which label the objects of each class received."""
    labels = _by_label(score)
    n = len(labels.names)
    rows = np.concatenate([labels.truth, labels.missed, np.full(labels.extra.size, n)]).astype(np.int64)
    columns = np.concatenate([labels.student, np.full(labels.missed.size, n), labels.extra]).astype(np.int64)
    counts = np.bincount(rows * (n + 1) + columns, minlength=(n + 1) ** 2).reshape(n + 1, n + 1)
    return Confusion(labels.names, counts)


def class_scores(score: SubmissionScore) -> tuple[ClassScore, ...]:
    """One line for each label that occurs, in the order of the ground truth's labels.

    A match belongs to the class of its object, whatever the student called it; `named` counts those called right.
    """
    labels = _by_label(score)
    n = len(labels.names)
    sums = np.array(
        [
            np.bincount(labels.truth, score.match_scores, n),
            np.bincount(labels.truth, minlength=n),
            np.bincount(labels.missed, minlength=n),
            np.bincount(labels.extra, minlength=n),
            np.zeros(n),
        ]
    )
    named = np.bincount(labels.truth[labels.truth == labels.student], minlength=n)
    places = np.bincount(labels.truth, score.localisation, n)
    return tuple(
        ClassScore(
            labels.names[i],
            score.tally_of(sums[:, i]),
            int(named[i]),
            100 * float(places[i] / sums[1, i]) if sums[1, i] else float("nan"),
        )
        for i in range(n)
        if sums[1:4, i].any()
    )


def macro_average(tallies: Iterable[Tally]) -> float:
    """The mean score of classes or images, each counting alike; NaN without any."""
    scores = [tally.score for tally in tallies]
    return float(np.mean(scores)) if scores else float("nan")
