"""A text laid out for rules: tokens found by word, tag and relation, so that a rule visits only what concerns it."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.essays.text.text import Text

PLACEHOLDER = re.compile(r"@[A-Za-z]+\d*")
MARKUP = re.compile(r"<[^<>\n]{1,200}>|https?://\S+|www\.\S+|\S+@\S+\.\w+|&[a-z]+;|&#\d+;")

Positions = Sequence[int]
ARTICLES = ("the", "a", "an")
PREPOSITIONS = ("in", "on", "at", "for", "to", "of", "with", "by", "from", "about", "into")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a rule reports: the type, the tokens first to last (both included) and a better wording, if there is one."""

    type: str
    first: int
    last: int
    suggestion: str | None = None
    confidence: float | None = None
    """How likely it is right; None: as likely as others of its type."""


@dataclass(frozen=True, slots=True)
class WordChange:
    """A change of the tokens first to last, and what speaks for it."""

    kind: str
    """verb, noun, preposition, article, alternative, drop, or insert and what."""
    first: int
    last: int
    """Tokens; of an insertion those on both sides."""
    word: str
    better: str
    """What to write instead or between; empty to leave the word out."""
    gain: float
    """log10 of how much likelier the words around are."""
    before: float
    """log10 of how likely they are as written."""
    pairs: int
    better_pairs: int
    """How many of the two pairs around the place are stored: as written, and changed."""
    unknown: int
    """Words around that the model does not have."""
    stops: int
    """Whether punctuation stands next to it."""
    rarity: float
    better_rarity: float


@dataclass(frozen=True, slots=True)
class Placed:
    """What is found by characters rather than by tokens: the type, the place in the raw text, a better wording."""

    type: str
    start: int
    end: int
    suggestion: str | None
    confidence: float | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RuleContext:
    """The columns of a `Text` as lists, and where each word, tag and relation occurs."""

    text: Text
    lower: list[str]
    tags: tuple[str, ...]
    deps: tuple[str, ...]
    heads: list[int]
    children: list[list[int]]
    starts: list[int]
    ends: list[int]
    sentence_of: list[int]
    bounds: list[int]
    by_word: Mapping[str, Positions]
    by_tag: Mapping[str, Positions]
    by_dep: Mapping[str, Positions]
    silent: frozenset[int]
    """Tokens nothing is said about: names replaced by @CAPS1 and the like, markup, addresses, other scripts."""

    def words(self, words: Iterable[str]) -> Iterator[int]:
        """Where any of the lower-case words occurs."""
        for word in words:
            yield from self.by_word.get(word, ())

    def sentence(self, i: int) -> tuple[int, int]:
        """First token of the sentence of token i, and the first after it."""
        s = self.sentence_of[i]
        return self.bounds[s], self.bounds[s + 1]

    def same_sentence(self, i: int, j: int) -> bool:
        return 0 <= i < len(self.lower) and 0 <= j < len(self.lower) and self.sentence_of[i] == self.sentence_of[j]

    def word(self, i: int) -> str:
        """The lower-case word at i, empty beyond the ends of the text."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def tag(self, i: int) -> str:
        return self.tags[i] if 0 <= i < len(self.tags) else ""

    def child(self, i: int, *deps: str) -> int | None:
        """The first child of i with one of the relations."""
        return next((c for c in self.children[i] if self.deps[c] in deps), None)

    def has_finite_verb(self, verb: int) -> bool:
        """Whether a verb or one of its auxiliaries carries tense."""
        auxiliaries = [c for c in self.children[verb] if self.deps[c].startswith("aux")]
        return any(self.tags[i] in FINITE for i in [verb, *auxiliaries])


FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
"""Tags of words that carry tense."""


def read(text: Text) -> RuleContext:
    """Lay out a text; about 1 microsecond a token."""
    heads, bounds = text.heads.tolist(), text.sentence_starts.tolist()
    starts, ends = text.starts.tolist(), text.ends.tolist()
    lower = [word.lower().replace("’", "'") for word in text.words]
    children: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if head != i:
            children[head].append(i)
    indexes: list[defaultdict[str, list[int]]] = []
    for column in (lower, text.tags, text.deps):
        indexes.append(defaultdict(list))
        for i, value in enumerate(column):
            indexes[-1][value].append(i)
    silent = {i for i, word in enumerate(text.words) if not word.isascii() and is_foreign(word)}
    for start, end in silent_spans(text.raw):
        silent.update(range(bisect_right(ends, start), bisect_left(starts, end)))  # both rise from token to token
    return RuleContext(
        text=text,
        lower=lower,
        tags=text.tags,
        deps=text.deps,
        heads=heads,
        children=children,
        starts=starts,
        ends=ends,
        sentence_of=[s for s in range(len(bounds) - 1) for _ in range(bounds[s], bounds[s + 1])],
        bounds=bounds,
        by_word=indexes[0],
        by_tag=indexes[1],
        by_dep=indexes[2],
        silent=frozenset(silent),
    )


def silent_spans(raw: str) -> list[tuple[int, int]]:
    """Character spans of placeholders, markup and addresses."""
    if "@" not in raw and "<" not in raw and "&" not in raw and "http" not in raw and "www." not in raw:
        return []
    return sorted(m.span() for pattern in (PLACEHOLDER, MARKUP) for m in pattern.finditer(raw))


def is_foreign(word: str) -> bool:
    """Whether a word holds a letter or a sign that English does not: beyond Latin, not typographic punctuation."""
    return any(c > "\u024f" and not "\u2010" <= c <= "\u2044" for c in word)
