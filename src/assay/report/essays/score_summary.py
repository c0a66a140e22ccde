"""What scores were given, counted as they pass: all that a report needs of a million essays."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from assay.essays.models.erater.score import EssayScore

ScoredEssay = tuple[EssayScore, Mapping[str, float]]
"""A score, and what single words add to it."""

MOST_ROWS = 200
"""Essays listed in a report; scores.csv has all."""


class ScoreSummary:
    """How many essays got which score, what stood against some, and the first of them."""

    def __init__(self) -> None:
        self.essays = 0
        self.given: Counter[float] = Counter()
        self.doubts: Counter[str] = Counter()
        self.first: list[EssayScore] = []

    def count(self, score: EssayScore) -> None:
        """One more score."""
        self.essays += 1
        self.given.update([score.score] if score.scored else [])
        self.doubts.update(doubt.name for doubt in score.advisories)
        if len(self.first) < MOST_ROWS:
            self.first.append(score)

    def counting(self, told: Iterable[ScoredEssay]) -> Iterator[ScoredEssay]:
        """The same scores, counted as they pass."""
        for score, words in told:
            self.count(score)
            yield score, words
