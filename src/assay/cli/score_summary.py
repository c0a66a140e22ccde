"""What scores were given, counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.essays.scoring.score import EssayScore

Told = tuple["EssayScore", Mapping[str, float]]
"""A score, and what single words add to it."""


class ScoreSummary:
    """How many essays got which score, and what stood against some."""

    def __init__(self) -> None:
        self.essays = 0
        self.given: Counter[float] = Counter()
        self.doubts: Counter[str] = Counter()

    def count(self, score: "EssayScore") -> None:
        """One more score."""
        self.essays += 1
        self.given.update([score.score] if score.scored else [])
        self.doubts.update(doubt.name for doubt in score.advisories)

    def add(self, scores: Iterable["EssayScore"]) -> None:
        """More scores."""
        for score in scores:
            self.count(score)

    def counting(self, told: Iterable[Told]) -> Iterator[Told]:
        """The same scores, counted as they pass."""
        for score, words in told:
            self.count(score)
            yield score, words
