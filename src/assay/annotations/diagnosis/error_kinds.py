"""The one list of things that can be wrong with an annotation, and the findings of a submission in columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.annotations.shapes.arrays import FrozenArrays
from assay.metrics.pairs import Scores


class ErrorKind(IntEnum):
    """What is wrong. Every missed object and every extra annotation has exactly one kind; a match may have several."""

    word: str
    meaning: str

    NOT_FOUND = 0, "missed", "An object of the ground truth that nothing was drawn for."
    NOTHING_THERE = 1, "extra", "An annotation where the ground truth has no object."
    NEAR_MISS = 2, "near miss", "Drawn, but not closely enough to count: both a missed object and an extra."
    DUPLICATE = 3, "duplicate", "A second annotation of an object that is already matched."
    MERGED = 4, "merged", "One annotation drawn around several objects."
    SPLIT = 5, "split", "One object drawn as several annotations."
    WRONG_TOOL = 6, "wrong tool", "The right place, drawn with another kind of shape."
    WRONG_CLASS = 7, "wrong class", "The right place, under the label of something else."
    MISSPELT_LABEL = 8, "misspelt label", "A label that is no known class, but close to the right one."
    WRONG_ATTRIBUTE = 9, "wrong attribute", "An attribute with another value than the ground truth."
    FORGOTTEN_ATTRIBUTE = 10, "forgotten attribute", "An attribute left empty that the ground truth fills."
    TOO_LARGE = 11, "too large", "Matched, but drawn loosely around the object."
    TOO_SMALL = 12, "too small", "Matched, but cutting parts of the object off."
    SHIFTED = 13, "shifted", "Matched, of about the right size, but beside the object."
    KEY_ELSEWHERE = 14, "key elsewhere", "Matched by its key, but drawn in another place."
    KEY_TWICE = 15, "key used twice", "A key that names several annotations of one image and so matches none."

    def __new__(cls, number: int, word: str, meaning: str) -> "ErrorKind":
        kind = int.__new__(cls, number)
        kind._value_, kind.word, kind.meaning = number, word, meaning
        return kind


KINDS = tuple(ErrorKind)
"""By their numbers."""


@dataclass(frozen=True, slots=True)
class AnnotationFinding:
    """One error: where, and between what. `truth` and `student` are places in their sets."""

    kind: ErrorKind
    truth: int | None
    student: int | None
    similarity: float
    """Of the two shapes, 0 to 1; 0 when there is only one."""
    attribute: str = ""


@dataclass(frozen=True, eq=False)
class Findings(FrozenArrays):
    """All errors of a submission in columns; -1 stands for none."""

    kind: NDArray[np.uint8]
    truth: NDArray[np.int64]
    student: NDArray[np.int64]
    similarity: Scores
    attribute: NDArray[np.int16]
    """Place in `attributes`."""
    attributes: tuple[str, ...]
    miss_rows: NDArray[np.int64]
    """For each row that explains a missed object, that object; -1 for the others."""
    extra_rows: NDArray[np.int64]
    """For each row that explains an extra annotation, that annotation; -1 for the others."""

    def __len__(self) -> int:
        return self.kind.size

    def finding(self, row: int) -> AnnotationFinding:
        truth, student, attribute = int(self.truth[row]), int(self.student[row]), int(self.attribute[row])
        between = (None if truth < 0 else truth, None if student < 0 else student)
        name = "" if attribute < 0 else self.attributes[attribute]
        return AnnotationFinding(KINDS[int(self.kind[row])], *between, float(self.similarity[row]), name)

    def counts(self) -> dict[ErrorKind, int]:
        numbers = np.bincount(self.kind, minlength=len(ErrorKind))
        counts = {kind: int(numbers[kind]) for kind in ErrorKind if numbers[kind]}
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def examples(self, kind: ErrorKind, most: int) -> tuple[AnnotationFinding, ...]:
        return tuple(self.finding(int(row)) for row in np.flatnonzero(self.kind == kind)[:most])

    @cached_property
    def of_miss(self) -> Mapping[int, AnnotationFinding]:
        """Missed object -> why."""
        return {int(self.miss_rows[row]): self.finding(int(row)) for row in np.flatnonzero(self.miss_rows >= 0)}

    @cached_property
    def of_extra(self) -> Mapping[int, AnnotationFinding]:
        """Extra annotation -> why."""
        return {int(self.extra_rows[row]): self.finding(int(row)) for row in np.flatnonzero(self.extra_rows >= 0)}
