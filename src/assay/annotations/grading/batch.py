"""Many submissions against one ground truth: who stands where, and which objects and images are hard for all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from assay.annotations.grading.class_scores import Confusion, confusion
from assay.annotations.grading.intervals import intervals
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import Scores


@dataclass(frozen=True, slots=True)
class RankedStudent:
    """A student's place; equal scores share one, and the next place counts them all (1, 1, 3)."""

    place: int
    name: str
    score: Estimate


@dataclass(frozen=True, slots=True)
class HardObject:
    """An object of the ground truth and how many students missed it."""

    truth: int
    truth_id: str
    label: str
    image: str
    missed_by: int
    of: int
    mean_score: float
    """Of the students who matched it; NaN when none did."""


@dataclass(frozen=True, slots=True)
class HardImage:
    """An image and the students' mean score on it."""

    image: str
    mean_score: float
    missed_share: float
    of: int


@dataclass(frozen=True, eq=False)
class Batch:
    """All submissions of a task."""

    truth: PreparedTruth
    scores: Mapping[str, SubmissionScore]

    @cached_property
    def ranking(self) -> tuple[RankedStudent, ...]:
        """Students by overall score, best first; equal scores in the order of their names."""
        scores = {name: intervals(score)["overall"] for name, score in self.scores.items()}
        order = sorted(scores, key=lambda name: (-round(scores[name].value, 9), name))
        places: dict[float, int] = {}
        for position, name in enumerate(order, start=1):
            places.setdefault(round(scores[name].value, 9), position)
        return tuple(RankedStudent(places[round(scores[name].value, 9)], name, scores[name]) for name in order)

    @cached_property
    def confusion(self) -> Confusion:
        """Which class was taken for which, over all students."""
        return reduce(add, (confusion(score) for score in self.scores.values()))

    @cached_property
    def missed_by(self) -> NDArray[np.int64]:
        """For each object of the ground truth, how many students missed it."""
        return _counted(len(self.truth.annotations), (score.missed for score in self.scores.values()))

    @cached_property
    def matched_by(self) -> NDArray[np.int64]:
        """For each object of the ground truth, how many students matched it."""
        return _counted(len(self.truth.annotations), (score.match_truth for score in self.scores.values()))

    def hardest_objects(self, most: int = 10) -> tuple[HardObject, ...]:
        """Objects that were missed by the largest share of students who were to find them; none that nobody missed."""
        truth = self.truth.annotations
        asked = self.missed_by + self.matched_by
        share = self.missed_by / np.maximum(asked, 1)
        order = np.lexsort((np.arange(len(truth)), -self.missed_by, -share))[:most]
        points = np.zeros(len(truth))
        for score in self.scores.values():
            np.add.at(points, score.match_truth, score.match_scores)
        return tuple(
            HardObject(
                int(t),
                truth.ids[t],
                truth.labels[truth.label[t]],
                truth.images[truth.image[t]].name,
                int(self.missed_by[t]),
                int(asked[t]),
                float(points[t] / self.matched_by[t]) if self.matched_by[t] else float("nan"),
            )
            for t in order
            if self.missed_by[t]
        )

    def hardest_images(self, most: int = 10) -> tuple[HardImage, ...]:
        """Images with objects, by the students' mean score on them, lowest first."""
        lines = sorted((line for line in self._image_lines if line.of), key=lambda line: (line.mean_score, line.image))
        return tuple(lines[:most])

    @cached_property
    def _image_lines(self) -> tuple[HardImage, ...]:
        """Every image with objects. One student after the other: their scores may come from a disk."""
        with_objects = np.unique(self.truth.annotations.image[self.truth.to_be_found])
        points = np.zeros((with_objects.size, len(self.scores)))  # (images, students)
        asked = np.zeros(points.shape, bool)
        counts = np.zeros((with_objects.size, 2), np.int64)  # matched and missed
        for column, score in enumerate(self.scores.values()):
            asked[:, column] = score.in_scope[with_objects]
            for row in np.flatnonzero(asked[:, column]):
                tally = score.tally_of(score.image_sums[:, with_objects[row]])
                points[row, column] = tally.score
                counts[row] += (tally.matched, tally.missed)
        names = (self.truth.annotations.images[i].name for i in with_objects)
        lines = zip(names, points, asked, counts, strict=True)
        return tuple(_image_line(name, own[whose], int(m), int(n)) for name, own, whose, (m, n) in lines)


def _image_line(name: str, points: Scores, matched: int, missed: int) -> HardImage:
    if not points.size:
        return HardImage(name, float("nan"), float("nan"), 0)
    share = missed / (matched + missed) if matched + missed else 0.0
    return HardImage(name, float(np.mean(points)), share, points.size)


def _counted(size: int, places: Iterable[NDArray[np.intp]]) -> NDArray[np.int64]:
    total = np.zeros(size, dtype=np.int64)
    for own in places:
        total += np.bincount(own, minlength=size)
    return total
