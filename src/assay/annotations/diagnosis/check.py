"""`Check`: one thing that may be systematically wrong, with its evidence; `HabitAdvice`: one that is, in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.annotations.diagnosis.evidence import Evidence
from assay.annotations.grading.result import SubmissionScore
from assay.metrics.pairs import Scores

USUAL_SLIPS = 0.02
"""The rate of chance slips that nobody need be told about."""
FEWEST = 8
"""Fewer cases are not checked: nothing could be said."""
MOST_IMAGES = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One question asked of a submission."""

    kind: str
    """left edge, right edge, top edge, bottom edge, size, confusion, ..."""
    evidence: Evidence
    sentence: str
    images: tuple[str, ...]
    """Where to look, the clearest cases first."""
    cases: int = 0
    """How many there are; the evidence may count images instead, where cases on one may be alike."""


@dataclass(frozen=True, slots=True)
class HabitAdvice:
    """What a student is told."""

    kind: str
    sentence: str
    evidence: Evidence
    """Its p value is adjusted for all checks made."""
    images: tuple[str, ...]
    reworded: str = ""
    """The sentence in a language model's words, where one was asked and kept every fact."""


def per_cent(evidence: Evidence) -> str:
    """The interval of a share, as it is shown.

    >>> per_cent(Evidence(50, 0.9, 0.786, 0.957, 0.0))
    '79 to 96 %'
    """
    return f"{100 * evidence.low:.0f} to {100 * evidence.high:.0f} %"


def images_with_most(
    score: SubmissionScore, image: NDArray[np.integer], weight: Scores | None = None
) -> tuple[str, ...]:
    """The images that occur most often among these cases, or weigh most."""
    total = np.bincount(image, weight, len(score.images)) if image.size else np.zeros(len(score.images))
    order = np.argsort(-total, kind="stable")[:MOST_IMAGES]
    return tuple(score.images[i].name for i in order if total[i] > 0)


def counted(cases: Sequence[object] | int, word: str) -> str:
    """A number with its noun.

    >>> counted(1, "object"), counted(3, "object")
    ('1 object', '3 objects')
    """
    count = cases if isinstance(cases, int) else len(cases)
    return f"{count} {word}{'' if count == 1 else 's'}"
