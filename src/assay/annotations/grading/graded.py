"""`Graded`: all submissions of a task with their figures and advice; `StudentGrade`: one of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.annotations.diagnosis.check import HabitAdvice
from assay.annotations.diagnosis.feedback import Feedback, give_feedback
from assay.annotations.diagnosis.shared_errors import SharedErrors, shared_errors
from assay.annotations.grading.batch import Batch, RankedStudent
from assay.annotations.grading.intervals import intervals
from assay.annotations.grading.parts import ImageScore
from assay.annotations.grading.result import SubmissionScore
from assay.metrics.intervals import Estimate

MOST_READABLE = 20_000
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
    def of_score(cls, name: str, result: SubmissionScore) -> "StudentGrade":
        """The grade of one submission by itself."""
        return cls(name, result, intervals(result), give_feedback(result))

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

    @classmethod
    def of(cls, batch: Batch, failed: Mapping[str, str]) -> "Graded":
        figures = {name: intervals(score) for name, score in batch.scores.items()}
        return cls(batch, failed, figures, {name: give_feedback(score) for name, score in batch.scores.items()})

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
        return len(self.batch.scores) == 1 and not self.failed

    @cached_property
    def shared(self) -> tuple[SharedErrors, ...]:
        """Pairs of students to ask about errors in common; every two are compared, so only once."""
        return shared_errors(self.batch)

    @cached_property
    def readable(self) -> bool:
        """Whether results.json is short enough to be read by people."""
        return sum(len(score.submission) for score in self.batch.scores.values()) <= MOST_READABLE
