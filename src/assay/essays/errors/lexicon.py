"""What the package ships for rules: word lists (tab-separated lines, `#` starts a remark) and a trigram model.

The model says how expected a sequence of tags and function words is. Content words are seen as their part of speech,
function words as themselves: it knows grammar and no texts. The counts come from essays (training/train_errors.py; see
`data_files` and lexicons/NOTICE.txt).

p(c | a b) = 0.70 n(abc)/n(ab) + 0.25 n(bc)/n(b) + 0.05 (n(c) + 1)/(N + V)
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gzip import decompress
from importlib.resources import files
from math import log10

import numpy as np

from assay.essays.data_files import data_file

PACKAGE = "assay.essays.errors"
BASE, THIRD, PAST, PARTICIPLE, GERUND = range(5)
"""The forms of a verb, as columns of `verb_forms.tsv`, which has some 3,900 verbs."""
LEAST_USES = 25
"""Uses of a noun from which its share of bare ones says something."""


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a word list, split at tabs."""
    stored = (data_file(name) or files(PACKAGE).joinpath("lexicons", name)).read_bytes()
    lines = (decompress(stored) if name.endswith(".gz") else stored).decode("utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """The first column of a word list."""
    return frozenset(row[0] for row in rows(name))


@cache
def pairs(name: str) -> Mapping[str, str]:
    """First column -> second column; an empty second column says that there is no suggestion."""
    return {row[0]: row[1] if len(row) > 1 else "" for row in rows(name)}


def word_class(name: str) -> frozenset[str]:
    """The words of a class that a rule asks about, from `word_classes.tsv`."""
    return word_set(pairs("word_classes.tsv")[name])


def word_set(line: str) -> frozenset[str]:
    """Words written in one line, with blanks between."""
    return frozenset(line.split())


@dataclass(frozen=True, slots=True)
class VerbForms:
    """`readings[word]` holds (base, form) of a word; `bases[base]` its five forms, alternatives included."""

    readings: Mapping[str, frozenset[tuple[str, int]]]
    bases: Mapping[str, tuple[tuple[str, ...], ...]]

    def is_form(self, word: str, form: int) -> bool:
        return any(kind == form for _, kind in self.readings.get(word, ()))

    def to(self, word: str, form: int) -> str | None:
        """The same verb in another form; the base that the word is no other form of wins (`found` is of `find`)."""
        if word not in self.readings:
            return None
        base, _ = min(self.readings[word], key=lambda reading: (reading[1], len(reading[0])))
        return self.bases[base][form][0]


@cache
def verb_forms() -> VerbForms:
    """The table shipped with the package, read once."""
    readings: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    bases: dict[str, tuple[tuple[str, ...], ...]] = {}
    for row in rows("verb_forms.tsv"):
        bases[row[0]] = tuple(tuple(cell.split("/")) for cell in row)
        for kind, alternatives in enumerate(bases[row[0]]):
            for word in alternatives:
                readings[word].add((row[0], kind))
    return VerbForms({word: frozenset(pairs) for word, pairs in readings.items()}, bases)


@cache
def bare_shares() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """Per noun and frame: uses, and the share of them that are bare."""
    table = {}
    for noun, *cells in rows("bare_nouns.tsv"):
        counts = [int(cell) for cell in cells]
        table[noun] = tuple(
            (uses, bare / uses if uses else 0.0) for uses, bare in zip(counts[::2], counts[1::2], strict=True)
        )
    return table


def is_countable(noun: str) -> bool:
    """Whether a noun is hardly ever bare in the singular; when it is, an article is missing and the tag is right."""
    frames = bare_shares().get(noun, ())
    uses = sum(n for n, _ in frames)
    return uses >= LEAST_USES and sum(n * share for n, share in frames) <= 0.2 * uses


BOUNDARY = "<s>"
BOUNDARIES = (BOUNDARY, "</s>")
WEIGHTS = (0.70, 0.25, 0.05)


@dataclass(frozen=True, eq=False, slots=True)
class TrigramModel:
    """Counts of one, two and three symbols in a row; a symbol is its place in `symbols`."""

    symbols: Mapping[str, int]
    one: Sequence[int]
    two: Mapping[int, int]
    three: Mapping[int, int]
    total: int
    seen: dict[int, float]
    """Probabilities asked for before."""

    def surprise(self, lowered: Sequence[str], tags: Sequence[str]) -> float:
        """Mean of -log10 p over the tokens of a sentence: its words in lower case, and their tags."""
        unknown, boundary = self.symbols.get("XX", 0), self.symbols[BOUNDARY]
        known = [self.symbols.get(symbol(*token), unknown) for token in zip(lowered, tags, strict=True)]
        return -self.log_p([boundary, boundary, *known]) / len(known)

    def log_p(self, row: Sequence[int]) -> float:
        """The sum of log10 p over the symbols of a row from the third on."""
        size, total = len(self.one), 0.0
        for a, b, c in zip(row, row[1:], row[2:], strict=False):
            key = (a * size + b) * size + c
            if key not in self.seen:
                p = WEIGHTS[2] * (self.one[c] + 1) / (self.total + size)
                if pairs := self.two.get(a * size + b, 0):
                    p += WEIGHTS[0] * self.three.get(key, 0) / pairs
                if self.one[b]:
                    p += WEIGHTS[1] * self.two.get(b * size + c, 0) / self.one[b]
                self.seen[key] = log10(p)
            total += self.seen[key]
        return total


def symbol(word: str, tag: str) -> str:
    """A function word as itself, any other token as its tag.

    >>> symbol("their", "PRP$"), symbol("house", "NN")
    ('their', 'NN')
    """
    return word if word in words("function_words.txt") else tag


@cache
def trigram_model() -> TrigramModel:
    """The model, read once."""
    place = data_file("trigrams.npz") or files(PACKAGE).joinpath("lexicons", "trigrams.npz")
    with place.open("rb") as file, np.load(file) as stored:
        names = bytes(stored["symbols"]).decode("utf-8").split("\n")
        two = dict(zip(np.cumsum(stored["two"]).tolist(), stored["two_counts"].tolist(), strict=True))
        three = dict(zip(np.cumsum(stored["three"]).tolist(), stored["three_counts"].tolist(), strict=True))
        one = stored["one"].tolist()
    return TrigramModel({name: k for k, name in enumerate(names)}, one, two, three, sum(one), {})


def plural(noun: str) -> str:
    """The plural of a noun, by table or by rule.

    >>> [plural(noun) for noun in ("child", "city", "day", "box", "idea")]
    ['children', 'cities', 'days', 'boxes', 'ideas']
    """
    irregular = pairs("irregular_plurals.tsv")
    if noun in irregular:
        return irregular[noun]
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def singular(noun: str) -> str | None:
    """The singular of a regular or listed plural; None when in doubt."""
    irregular = {p: s for s, p in pairs("irregular_plurals.tsv").items()}
    if noun in irregular:
        return irregular[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None
