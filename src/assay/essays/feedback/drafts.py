"""Two drafts of one essay: which errors of the first the writer resolved, which remain, and which are new.

An error is known again by what it is and by its words, wherever they have moved to. Where the words around it are as
they were, it is the same place; otherwise the same kind of error about the same words, each counted once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from assay.essays.feedback.notes import Place, WritingNote

MOST_WORDS = 4_000
"""Longer drafts are aligned without their most common words: the time would grow with the square of the length."""


@dataclass(frozen=True, slots=True)
class DraftError:
    """One place of an error in a draft."""

    type: str
    category: str
    title: str
    place: Place
    words: str
    number: int
    """Of its note, in the draft it is in."""


@dataclass(frozen=True, slots=True)
class DraftChanges:
    """What became of the errors marked in a draft, in the draft after it."""

    resolved: tuple[DraftError, ...]
    """Marked before, and no more, in sentences that were revised."""
    cut: tuple[DraftError, ...]
    """Marked before, in sentences that are gone."""
    remaining: tuple[DraftError, ...]
    """Marked in both; places and numbers are those of the later draft."""
    introduced: tuple[DraftError, ...]
    """Marked now, and not before."""

    @property
    def marked_before(self) -> int:
        return len(self.resolved) + len(self.cut) + len(self.remaining)


def compare_drafts(
    before: str, notes_before: Sequence[WritingNote], after: str, notes_after: Sequence[WritingNote]
) -> DraftChanges:
    """What became of the errors of one draft in the next."""
    old, new = _errors(notes_before), _errors(notes_after)
    moved = _alignment(before, after)
    by_place = {(error.type, error.place): error for error in new}
    remaining: dict[DraftError, DraftError] = {}
    for error in old:
        place = moved.get(error.place[0]), moved.get(error.place[1] - 1)
        if place[0] is not None and place[1] is not None:
            same = by_place.get((error.type, (place[0], place[1] + 1)))
            if same is not None:
                remaining[error] = same
    taken = set(remaining.values())
    elsewhere: dict[tuple[str, str], list[DraftError]] = {}
    for error in reversed(new):
        if error not in taken:
            elsewhere.setdefault(_key(error), []).append(error)
    for error in old:
        if error not in remaining and elsewhere.get(_key(error)):
            remaining[error] = elsewhere[_key(error)].pop()
            taken.add(remaining[error])
    gone = [error for error in old if error not in remaining]
    lost = {error for error in gone if not _survives(error, before, moved)}
    return DraftChanges(
        tuple(error for error in gone if error not in lost),
        tuple(error for error in gone if error in lost),
        tuple(remaining.values()),
        tuple(error for error in new if error not in taken),
    )


def _errors(notes: Sequence[WritingNote]) -> list[DraftError]:
    places = ((place, note) for note in notes for place in note.places)
    return [
        DraftError(n.type, n.category, n.title, place, n.words, n.number) for place, n in sorted(places, key=_first)
    ]


def _first(pair: tuple[Place, WritingNote]) -> tuple[Place, int]:
    return pair[0], pair[1].number


def _key(error: DraftError) -> tuple[str, str]:
    return error.type, " ".join(error.words.casefold().split())


def _alignment(before: str, after: str) -> dict[int, int]:
    """The characters of words that both drafts have in the same order: where each stands before, and after."""
    old, new = _words(before), _words(after)
    common = max(len(old), len(new)) > MOST_WORDS
    matcher = SequenceMatcher(None, [w for w, _ in old], [w for w, _ in new], autojunk=common)
    moved: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        for i in range(block.size):
            (word, start), (_, other) = old[block.a + i], new[block.b + i]
            moved.update(zip(range(start, start + len(word)), range(other, other + len(word)), strict=True))
    return moved


def _words(text: str) -> list[tuple[str, int]]:
    return [(match[0], match.start()) for match in re.finditer(r"\S+", text)]


def _survives(error: DraftError, before: str, moved: dict[int, int]) -> bool:
    """Whether a third of the letters around an error, to the ends of its sentence, are still there."""
    start = max(before.rfind(mark, 0, error.place[0]) for mark in ".!?\n") + 1
    ends = [at for mark in ".!?\n" if (at := before.find(mark, error.place[1])) >= 0]
    around = [i for i in range(start, min(ends, default=len(before))) if not before[i].isspace()]
    return sum(i in moved for i in around) * 3 >= len(around)
