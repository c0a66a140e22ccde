"""Where a character stands in a text, as editors count: line and character from 0, in units of UTF-16.

That is how the Language Server Protocol counts unless told otherwise: a letter beyond the first 65,536 is two units.
"""

from bisect import bisect_right
from typing import TypedDict


class Position(TypedDict):
    """Both from 0."""

    line: int
    character: int


class Range(TypedDict):
    """From a first character to the one after the last."""

    start: Position
    end: Position


class TextPositions:
    """Positions in one text.

    >>> TextPositions("One.\\nTwo 😀 words.").range_of(11, 16)
    {'start': {'line': 1, 'character': 7}, 'end': {'line': 1, 'character': 12}}
    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.line_starts = [0, *(at + 1 for at, letter in enumerate(raw) if letter == "\n")]

    def at(self, offset: int) -> Position:
        """The position of a character."""
        line = bisect_right(self.line_starts, offset) - 1
        before = self.raw[self.line_starts[line] : offset]
        return {"line": line, "character": len(before) + sum(letter > "\uffff" for letter in before)}

    def range_of(self, start: int, end: int) -> Range:
        """The positions of a place."""
        return {"start": self.at(start), "end": self.at(end)}
