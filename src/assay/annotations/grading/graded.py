"""`Graded`: all submissions of a task with figures and advice; `StudentGrade`: one of them; `Batch`: their ranking.

`intervals`: how far a submission's figures could have come out otherwise, had other images of the same kind been drawn.
Images are left out one by one (in at most 499 blocks): the jackknife over images, with Student's t. No chance enters,
so the same files always give the same interval.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.evidence import HabitAdvice
from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.diagnosis.shared_errors import SharedErrors, shared_errors
from assay.annotations.grading.class_scores import Confusion, confusion
from assay.annotations.grading.parts import ImageScore, f_beta, precision, recall
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.roster import HandIns, RosterEntry, ScoresOf, roster_of
from assay.annotations.matching.prepared_truth import PreparedTruth
from assay.annotations.rubric.rubric import Rubric
from assay.metrics.bins import together
from assay.metrics.intervals import BLOCKS, Estimate, Resampling
from assay.metrics.pairs import Scores

NO_SPREAD = "alike on all images"
"""Why a figure has no interval that comes out the same whichever image is left out."""

FIGURES = ("overall", "quality", "completeness", "precision", "recall", "localisation", "label", "attributes")


def intervals(score: SubmissionScore, *, rng: np.random.Generator | None = None) -> Mapping[str, Estimate]:
    """Every figure of the submission with its 95 % interval over images; ends are kept within 0 to 100.

    With `rng` by the percentile bootstrap, 2,000 draws of as many images; decision 0140 says why not without being
    asked.
    """
    sums = _sums(score)
    used = sums[1:].any(axis=0)
    blocks = sums[:, used]
    if blocks.shape[1] > BLOCKS:  # images i, i + 499, ... are left out together
        number = np.arange(blocks.shape[1]) % BLOCKS
        blocks = np.array([np.bincount(number, row, BLOCKS) for row in blocks])
    values = _figures(together(blocks), score.rubric)
    occupied = np.ones(blocks.shape[1])
    if rng is None or not occupied.size:
        resampling = Resampling.jackknife(item="image")
    else:
        resampling = Resampling.bootstrapped(rng, blocks=occupied.size, item="image")
    replicates = _figures(resampling.totals(blocks), score.rubric)
    figures = {}
    for name in FIGURES:
        estimate = resampling.estimate(
            float(values[name][0]), replicates[name], occupied, reason=_REASONS.get(name, "")
        )
        reason = NO_SPREAD if estimate.reason == resampling.no_spread else estimate.reason
        low, high = (float(np.clip(end, 0.0, 100.0)) for end in (estimate.low, estimate.high))
        figures[name] = Estimate(estimate.value, low, high, reason)
    return figures


_REASONS = dict.fromkeys(("quality", "localisation", "label"), "nothing matched")
_REASONS["attributes"] = "no attribute to compare"


def _sums(score: SubmissionScore) -> Scores:
    """(12, images): the eight of `image_sums`, then localisation, label, attributes, and matches with attributes."""
    n = len(score.images)
    image = score.truth.image[score.match_truth]
    compared = ~np.isnan(score.attributes)
    further = [
        np.bincount(image, score.localisation, n),
        np.bincount(image, score.label, n),
        np.bincount(image[compared], score.attributes[compared], n),
        np.bincount(image[compared], minlength=n),
    ]
    return np.vstack([score.image_sums, *further])


def _figures(sums: Scores, rubric: Rubric) -> dict[str, Scores]:
    points, matched, missed, extra, empty, hits, misses, extras, place, label, attributes, compared = sums
    right, plain = matched + empty, (hits + empty, misses, extras)
    nothing = (hits + misses + extras) == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        quality = points / matched
        means = {"localisation": 100 * place / hits, "label": 100 * label / hits}
        means["attributes"] = 100 * attributes / compared
    counted = np.where(matched > 0, quality, np.where(nothing, 100.0, 0.0))
    completeness = 100 * f_beta(right, missed, extra, beta=rubric.beta)
    q, c = rubric.weights.of_overall
    return {
        "overall": q * counted + c * completeness,
        "quality": quality,
        "completeness": completeness,
        "precision": 100 * precision(*plain),
        "recall": 100 * recall(*plain),
        **means,
    }


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
    empty: frozenset[str] = frozenset()
    """Students whose files hold no annotations."""

    @cached_property
    def counted(self) -> Mapping[str, SubmissionScore]:
        """The scores that figures of the class are made of: those of students who drew something, if any did."""
        return ScoresOf(self.scores, self.empty) if len(self.empty) < len(self.scores) else self.scores

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
        return reduce(add, (confusion(score) for score in self.counted.values()))

    @cached_property
    def missed_by(self) -> NDArray[np.int64]:
        """For each object of the ground truth, how many students missed it."""
        size = len(self.truth.annotations)
        counts = (np.bincount(score.missed, minlength=size) for score in self.counted.values())
        return sum(counts, np.zeros(size, np.int64))

    @cached_property
    def matched_by(self) -> NDArray[np.int64]:
        """For each object of the ground truth, how many students matched it."""
        size = len(self.truth.annotations)
        counts = (np.bincount(score.match_truth, minlength=size) for score in self.counted.values())
        return sum(counts, np.zeros(size, np.int64))

    def hardest_objects(self, most: int = 10) -> tuple[HardObject, ...]:
        """Objects that were missed by the largest share of students who were to find them; none that nobody missed."""
        truth = self.truth.annotations
        asked = self.missed_by + self.matched_by
        share = self.missed_by / np.maximum(asked, 1)
        order = np.lexsort((np.arange(len(truth)), -self.missed_by, -share))[:most]
        points = np.zeros(len(truth))
        for score in self.counted.values():
            np.add.at(points, score.match_truth, score.match_scores)
        hardest = []
        for t in order[self.missed_by[order] > 0].tolist():
            label, image = truth.labels[truth.label[t]], truth.images[truth.image[t]].name
            mean = float(points[t] / self.matched_by[t]) if self.matched_by[t] else float("nan")
            counts = (int(self.missed_by[t]), int(asked[t]))
            hardest.append(HardObject(t, truth.ids[t], label, image, *counts, mean))
        return tuple(hardest)

    def hardest_images(self, most: int = 10) -> tuple[HardImage, ...]:
        """Images with objects, by the students' mean score on them, lowest first."""
        return self._images[:most]

    @cached_property
    def _images(self) -> tuple[HardImage, ...]:
        """Every image with objects that a student was to find. One student after the other: scores may be on a disk."""
        with_objects = np.unique(self.truth.annotations.image[self.truth.to_be_found])
        points = np.zeros((with_objects.size, len(self.counted)))  # (images, students)
        asked = np.zeros(points.shape, bool)
        counts = np.zeros((with_objects.size, 2), np.int64)  # matched and missed
        for column, score in enumerate(self.counted.values()):
            asked[:, column] = score.in_scope[with_objects]
            for row in np.flatnonzero(asked[:, column]):
                tally = score.tally_of(score.image_sums[:, with_objects[row]])
                points[row, column] = tally.score
                counts[row] += (tally.matched, tally.missed)
        images = []
        for place in np.flatnonzero(asked.any(axis=1)).tolist():
            name, own = self.truth.annotations.images[with_objects[place]].name, points[place][asked[place]]
            share = int(counts[place, 1]) / int(counts[place].sum()) if counts[place].any() else 0.0
            images.append(HardImage(name, float(np.mean(own)), share, own.size))
        return tuple(sorted(images, key=lambda image: (image.mean_score, image.image)))


MOST_INDENTED = 20_000
"""Annotations; with more of them results.json is one line."""


@dataclass(frozen=True, eq=False)
class StudentGrade:
    """A scored submission: its figures with their intervals, and what its student should hear."""

    name: str
    result: SubmissionScore
    figures: Mapping[str, Estimate]
    feedback: Feedback
    place: int = 0
    """Among the students of the batch; 0 when there is no batch."""
    of: int = 0

    @classmethod
    def of_score(cls, name: str, result: SubmissionScore, truth: PreparedTruth | None = None) -> "StudentGrade":
        """The grade of one submission by itself."""
        return cls(name, result, intervals(result), give_feedback(result, truth))

    @property
    def score(self) -> Estimate:
        """The overall score, 0 to 100, with its interval over images."""
        return self.figures["overall"]

    @property
    def advice(self) -> tuple[HabitAdvice, ...]:
        """Systematic errors in plain sentences, strongest evidence first."""
        return self.feedback.advice

    @property
    def errors(self) -> dict[str, int]:
        """How often each kind of error occurs, most frequent first."""
        return {kind.word: count for kind, count in self.result.errors().items()}

    @property
    def images(self) -> tuple[ImageScore, ...]:
        """Every image that is scored."""
        return tuple(self.result.image_scores())

    def __repr__(self) -> str:
        tally = self.result.tally
        counts = f"{tally.matched} matched, {tally.missed} missed, {tally.extra} extra"
        return f"StudentGrade: {self.name}, {self.score.value:.1f} of 100 ({counts})"


@dataclass(frozen=True, eq=False)
class Graded:
    """All submissions of a task: those that were scored, and why the others were not."""

    batch: Batch
    failed: Mapping[str, str]
    """Student -> what was wrong with the file."""
    intervals: Mapping[str, Mapping[str, Estimate]]
    feedback: Mapping[str, Feedback]
    hand_ins: HandIns = field(default_factory=HandIns)

    @classmethod
    def of(cls, batch: Batch, failed: Mapping[str, str], hand_ins: HandIns | None = None) -> "Graded":
        figures = {name: intervals(score) for name, score in batch.scores.items()}
        feedback = {name: give_feedback(score, batch.truth) for name, score in batch.scores.items()}
        return cls(batch, failed, figures, feedback, hand_ins or HandIns())

    def students(self) -> Iterator[StudentGrade]:
        """All students who have a score, best first; one is held at a time."""
        return map(self._student, self.batch.ranking)

    def student(self, name: str) -> StudentGrade:
        """One of them."""
        return self._student(next(ranked for ranked in self.batch.ranking if ranked.name == name))

    def _student(self, ranked: RankedStudent) -> StudentGrade:
        name, scores = ranked.name, self.batch.scores
        return StudentGrade(name, scores[name], self.intervals[name], self.feedback[name], ranked.place, len(scores))

    @property
    def alone(self) -> bool:
        """Whether there is nothing but one scored submission."""
        return len(self.batch.scores) == 1 and not self.failed and not self.hand_ins.missing

    @cached_property
    def roster(self) -> tuple[RosterEntry, ...]:
        """Everything that was handed in with what became of it, and who handed in nothing; the important first."""
        return roster_of(self.batch.scores, self.failed, self.hand_ins)

    @cached_property
    def shared(self) -> tuple[SharedErrors, ...]:
        """Pairs of students to ask about errors in common; every two are compared, so only once."""
        others = ScoresOf(self.batch.counted, self.hand_ins.identical)  # the same file twice is said, not asked
        return shared_errors(others, self.batch.truth.annotations)

    @cached_property
    def indented(self) -> bool:
        """Whether results.json is short enough to be read by people, and so is indented."""
        return sum(len(score.submission) for score in self.batch.scores.values()) <= MOST_INDENTED
