"""Findings as numbered notes: one for each place, but one for all places of a word that is repeated."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import nan

from assay.essays.errors.catalogue import CATALOGUE, Finding

Place = tuple[int, int]
"""First character, and the one after the last."""

GATHERED = frozenset(["repetition"])
"""Types of which one note stands for all places with the same word."""

FEWEST_JUDGED = 10
"""Findings read by hand below which a share says nothing."""


@dataclass(frozen=True, slots=True)
class WritingNote:
    """What a writer is told about one thing, numbered from 1 in reading order."""

    number: int
    type: str
    category: str
    title: str
    places: tuple[Place, ...]
    words: str
    explanation: str
    suggestion: str | None = None
    right: int = 0
    judged: int = 0

    @property
    def precision(self) -> float:
        """The share of findings of this type that were right when read by hand; NaN if too few were."""
        return self.right / self.judged if self.judged >= FEWEST_JUDGED else nan


def numbered(findings: Iterable[Finding]) -> tuple[WritingNote, ...]:
    """The notes of an essay, by first place."""
    return tuple(_note(number, group) for number, group in enumerate(_gathered(findings), start=1))


def _gathered(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    groups: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        key = (finding.type, finding.words.casefold()) if finding.type in GATHERED else number
        groups.setdefault(key, []).append(finding)
    yield from groups.values()


def _note(number: int, group: list[Finding]) -> WritingNote:
    first, kind = group[0], CATALOGUE[group[0].type]
    times = f" It is marked {len(group)} times." if len(group) > 1 else ""
    return WritingNote(
        number=number,
        type=first.type,
        category=first.category,
        title=kind.title,
        places=tuple((finding.start, finding.end) for finding in group),
        words=first.words,
        explanation=first.explanation + times,
        suggestion=first.suggestion,
        right=kind.right,
        judged=kind.judged,
    )
