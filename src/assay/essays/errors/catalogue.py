"""The types of error, in report order: what each is called, what a writer is told, and how often it is right."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

CATEGORIES = ("grammar", "usage", "mechanics", "style")
QUESTION_BELOW = 0.8
"""Confidence from which on a finding is stated; below, the writer is asked."""


@dataclass(frozen=True, slots=True)
class ErrorType:
    """One row of the catalogue.

    `right` of `judged` findings on student essays were right when read by hand (docs/accuracy.md); types below 0.70 are
    off unless asked for by name.
    """

    name: str
    category: str
    title: str
    explanation: str
    right: int
    judged: int
    sentence: bool = False
    """Whether a finding is about a sentence or a stretch of text rather than about its words."""
    question: str = ""
    """What the writer is asked where a finding is not certain."""
    confidence: float = 1.0
    """How likely a finding is right of which nothing more is known than its type."""

    @property
    def precision(self) -> float:
        return self.right / self.judged if self.judged else float("nan")


@dataclass(frozen=True, slots=True)
class Finding:
    """One error or remark; `raw[start:end] == words`."""

    type: str
    """A key of `CATALOGUE`."""
    category: str
    """grammar, usage, mechanics or style."""
    start: int
    end: int
    words: str
    explanation: str
    suggestion: str | None = None
    confidence: float = 1.0
    """How likely it is right, 0 to 1."""

    @property
    def is_question(self) -> bool:
        """Whether the writer is to be asked (`CATALOGUE[type].question`) rather than corrected."""
        return self.confidence < QUESTION_BELOW


_LINES = files("assay.essays.errors").joinpath("catalogue.tsv").read_text(encoding="utf-8").splitlines()
CATALOGUE: Mapping[str, ErrorType] = {
    name: ErrorType(name, category, title, why, int(right), int(judged), about == "sentence", question, float(sure))
    for name, category, title, why, question, right, judged, sure, about in (line.split("\t") for line in _LINES[1:])
}
