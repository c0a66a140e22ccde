"""What a teacher decided about notes: words to accept, rules that are off, and notes that were dismissed.

They change what a writer is told, never a score: a model counts errors as it did when it was trained.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from assay.errors import InputError
from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES, Finding
from assay.essays.feedback.levels import Level

SPELLED = frozenset({"spelling", "proper_capital", "fused", "compound", "hyphen", "nonstandard"})
"""Types of error that a list of words answers."""


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A note that a person dismissed: its type and its words, so that it is known again wherever they stand."""

    type: str
    words: str

    @property
    def key(self) -> tuple[str, str]:
        return self.type, _plain(self.words)


@dataclass(frozen=True, slots=True)
class CoursePreferences:
    """What is not marked, and for whom feedback is written."""

    accept: tuple[str, ...] = ()
    """Words that are right here, in any case of letters."""
    off: tuple[str, ...] = ()
    """Types or categories of error that are not looked for."""
    dismissed: tuple[Dismissed, ...] = ()
    level: Level | None = None

    def __post_init__(self) -> None:
        if unknown := [name for name in self.off if name not in CATALOGUE and name not in CATEGORIES]:
            problem = f"no rule is called {unknown[0]!r}"
            known = f"Rules are {', '.join(CATEGORIES)}, or one of: {', '.join(CATALOGUE)}."
            raise InputError(problem, field="preferences", remedy=known)

    def kept_findings(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings without those that a person does not want to see."""
        off, accepted = set(self.off), {_plain(word) for word in self.accept}
        gone = {one.key for one in self.dismissed}
        return [
            finding
            for finding in findings
            if finding.type not in off
            and finding.category not in off
            and not (finding.type in SPELLED and _plain(finding.words) in accepted)
            and (finding.type, _plain(finding.words)) not in gone
        ]

    def dismissing(self, *notes: Dismissed) -> "CoursePreferences":
        """The same with further notes dismissed, each once."""
        known = {one.key for one in self.dismissed}
        return replace(self, dismissed=(*self.dismissed, *(note for note in notes if note.key not in known)))


def _plain(words: str) -> str:
    return " ".join(words.casefold().replace("’", "'").split())
