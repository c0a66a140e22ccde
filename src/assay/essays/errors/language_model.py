"""How expected a sequence of tags and function words is: a trigram model small enough to ship.

Content words are seen as their part of speech, function words as themselves: the model knows grammar and no texts.
The counts come from essays of the PERSUADE corpus (training/train_errors.py; see lexicons/NOTICE.txt).

p(c | a b) = 0.70 n(abc)/n(ab) + 0.25 n(bc)/n(b) + 0.05 (n(c) + 1)/(N + V)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log10

import numpy as np

from assay.essays.errors.lexicon import words

BOUNDARY = "<s>"
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

    def log_p(self, a: int, b: int, c: int) -> float:
        """log10 of the probability of c after a and b."""
        size = len(self.one)
        key = (a * size + b) * size + c
        if key not in self.seen:
            p = WEIGHTS[2] * (self.one[c] + 1) / (self.total + size)
            if pairs := self.two.get(a * size + b, 0):
                p += WEIGHTS[0] * self.three.get(key, 0) / pairs
            if self.one[b]:
                p += WEIGHTS[1] * self.two.get(b * size + c, 0) / self.one[b]
            self.seen[key] = log10(p)
        return self.seen[key]

    def surprise(self, lowered: Sequence[str], tags: Sequence[str]) -> float:
        """Mean of -log10 p over the tokens of a sentence: its words in lower case, and their tags."""
        unknown, boundary = self.symbols.get("XX", 0), self.symbols[BOUNDARY]
        known = [self.symbols.get(symbol(*token), unknown) for token in zip(lowered, tags, strict=True)]
        before = [boundary, boundary, *known]
        return -sum(map(self.log_p, before, before[1:], known)) / len(known)


def symbol(word: str, tag: str) -> str:
    """A function word as itself, any other token as its tag.

    >>> symbol("their", "PRP$"), symbol("house", "NN")
    ('their', 'NN')
    """
    return word if word in words("function_words.txt") else tag


@cache
def trigram_model() -> TrigramModel:
    """The model shipped with the package, read once."""
    with files("assay.essays.errors").joinpath("lexicons", "trigrams.npz").open("rb") as file, np.load(file) as stored:
        names = bytes(stored["symbols"]).decode("utf-8").split("\n")
        two = dict(zip(np.cumsum(stored["two"]).tolist(), stored["two_counts"].tolist(), strict=True))
        three = dict(zip(np.cumsum(stored["three"]).tolist(), stored["three_counts"].tolist(), strict=True))
        one = stored["one"].tolist()
    return TrigramModel({name: k for k, name in enumerate(names)}, one, two, three, sum(one), {})
