"""What a reader of the text is told: one finding, and the mark a rule makes before it becomes one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """What a rule reports: the type, the tokens first to last (both included) and a better wording, if there is one."""

    type: str
    first: int
    last: int
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """What is found by characters rather than by tokens: the type, the place in the raw text, a better wording."""

    type: str
    start: int
    end: int
    suggestion: str | None


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
