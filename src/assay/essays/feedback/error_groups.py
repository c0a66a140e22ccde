"""Errors as a teacher groups them: by what a writer does to mend them, and by how much they hinder a reader."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.essays.feedback.notes import WritingNote

GROUPS: Mapping[str, tuple[str, ...]] = {
    "sentences": ("run_on", "fragment", "final_punctuation", "initial_capital", "question_mark"),
    "clarity": ("garbled", "proofread", "wrong_word"),
    "spelling": ("spelling", "fused", "compound", "hyphen", "duplicate"),
    "verbs": ("agreement", "verb_form"),
    "words": ("confused", "word_form", "pronoun", "preposition", "comparison", "negation"),
    "nouns": ("article", "wrong_article", "noun_number"),
    "capitals": ("proper_capital",),
    "apostrophes": ("apostrophe", "possessive"),
    "commas": ("comma",),
    "repetition": ("repetition",),
    "variety": ("short_sentences", "long_sentences", "conjunction_start"),
    "tone": ("informal", "nonstandard", "passive"),
}
"""Aim -> the types of error it gathers."""
OTHERS = {"style": "tone"}
"""Category -> aim of a type that no group names; `proofreading` for the others."""
GROUP_OF: Mapping[str, str] = {name: group for group, types in GROUPS.items() for name in types}
STYLE = frozenset({"repetition", "variety", "tone"})

HINDRANCE: Mapping[str, float] = {
    **{"garbled": 3.0, "proofread": 3.0, "run_on": 2.0, "wrong_word": 2.0, "fragment": 1.5, "spelling": 1.5},
    **dict.fromkeys(("fused", "confused", "verb_form", "agreement", "word_form", "final_punctuation"), 1.0),
    **dict.fromkeys(("comma", "hyphen", "compound", "duplicate", "question_mark", "wrong_article"), 0.25),
}
"""How much one error stops a reader, beside one that is hardly noticed; see decision 0560."""
USUAL_HINDRANCE = 0.5
BLOCKS = 2.5
"""Hindrance in 100 words from which a group of errors stands between the essay and its reader."""
BLOCKS_TOGETHER = 5.0
"""Hindrance of all groups in 100 words from which the heaviest does."""
FEWEST = 3
"""Errors of a group below which it blocks nothing."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Notes that call for one act."""

    kind: str
    notes: tuple[WritingNote, ...]
    hindrance: float
    """In 100 words."""
    blocks: bool
    """Whether the errors stand between the essay and its reader."""

    @property
    def places(self) -> int:
        return sum(len(note.places) for note in self.notes)

    @property
    def is_certain(self) -> bool:
        """Whether one of the notes is a correction and no question."""
        return any(not note.question for note in self.notes)


def error_groups(notes: Iterable[WritingNote], words: int) -> list[ErrorGroup]:
    """The groups of an essay, what hinders a reader most first; style last."""
    gathered: dict[str, list[WritingNote]] = {}
    for note in notes:
        gathered.setdefault(group_of(note), []).append(note)
    weights = {kind: _hindrance(own, words) for kind, own in gathered.items()}
    ranked = sorted(gathered, key=lambda kind: (kind in STYLE, -weights[kind]))
    together = sum(weights.values()) >= BLOCKS_TOGETHER
    groups = []
    for rank, kind in enumerate(ranked):
        own = tuple(gathered[kind])
        heavy = weights[kind] >= BLOCKS or (together and rank == 0)
        blocks = heavy and kind not in STYLE and len(own) >= FEWEST
        groups.append(ErrorGroup(kind, own, weights[kind], blocks))
    return groups


def group_of(note: WritingNote) -> str:
    """The aim that a note belongs to."""
    return GROUP_OF.get(note.type) or OTHERS.get(note.category, "proofreading")


def _hindrance(notes: Iterable[WritingNote], words: int) -> float:
    def each() -> Iterator[float]:
        for note in notes:
            weight = 0.1 if note.category == "style" else HINDRANCE.get(note.type, USUAL_HINDRANCE)
            yield weight * note.confidence

    return 100 * sum(each()) / max(words, 1)
