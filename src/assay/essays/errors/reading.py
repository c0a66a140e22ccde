"""A text laid out for rules: tokens found by word, tag and relation, so that a rule visits only what concerns it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.essays.text.text import Text

PLACEHOLDER = re.compile(r"@[A-Za-z]+\d*")
MARKUP = re.compile(r"<[^<>\n]{1,200}>|https?://\S+|www\.\S+|\S+@\S+\.\w+|&[a-z]+;|&#\d+;")

Positions = Sequence[int]


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

    def __len__(self) -> int:
        return len(self.lower)

    def words(self, words: Iterable[str]) -> Iterator[int]:
        """Where any of the lower-case words occurs."""
        for word in words:
            yield from self.by_word.get(word, ())

    def tagged(self, *tags: str) -> Iterator[int]:
        for tag in tags:
            yield from self.by_tag.get(tag, ())

    def related(self, *deps: str) -> Iterator[int]:
        for dep in deps:
            yield from self.by_dep.get(dep, ())

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


def read(text: Text) -> RuleContext:
    """Lay out a text; about 1 microsecond a token."""
    heads = text.heads.tolist()
    children: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if head != i:
            children[head].append(i)
    bounds = text.sentence_starts.tolist()
    lower = [word.lower().replace("’", "'") for word in text.words]
    starts, ends = text.starts.tolist(), text.ends.tolist()
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
        by_word=places(lower),
        by_tag=places(text.tags),
        by_dep=places(text.deps),
        silent=silent_tokens(text, starts, ends),
    )


def places(column: Sequence[str]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for i, value in enumerate(column):
        found[value].append(i)
    return found


def silent_spans(raw: str) -> list[tuple[int, int]]:
    """Character spans of placeholders, markup and addresses."""
    if "@" not in raw and "<" not in raw and "&" not in raw and "http" not in raw and "www." not in raw:
        return []
    return sorted(m.span() for pattern in (PLACEHOLDER, MARKUP) for m in pattern.finditer(raw))


def silent_tokens(text: Text, starts: Sequence[int], ends: Sequence[int]) -> frozenset[int]:
    """Tokens inside a silent span, and tokens written in another script (letters beyond Latin)."""
    spans = silent_spans(text.raw)
    inside = {i for i, word in enumerate(text.words) if not word.isascii() and foreign(word)}
    if spans:
        inside |= {
            i
            for i, (start, end) in enumerate(zip(starts, ends, strict=True))
            if any(s < end and start < e for s, e in spans)
        }
    return frozenset(inside)


def foreign(word: str) -> bool:
    """Whether a word holds a letter or a sign that English does not: beyond Latin, not typographic punctuation."""
    return any(c > "\u024f" and not "\u2010" <= c <= "\u2044" for c in word)
