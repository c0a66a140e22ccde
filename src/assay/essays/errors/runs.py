"""How expected a word is after the two before it: a trigram model of US English with back-off, in arrays.

The counts come from CMU Sphinx (BSD-2-Clause; training/word_runs.py, lexicons/NOTICE.txt). The model has no marks of
punctuation; a sentence begins with `<s>` and ends with `</s>`.

log p(c | a b) = log p3(abc) if stored, else backoff(ab) + (log p2(bc) if stored, else backoff(b) + log p1(c))
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

STEP, SHIFT = -20.0, 50
UNKNOWN_WORD = -7.0
"""log10 of the probability of a word that the model does not have."""

Numbers = NDArray[np.int64]
Logs = NDArray[np.float32]


@dataclass(frozen=True, eq=False, slots=True)
class WordRuns:
    """Words by number; `two` holds first * size + second, `three` the place of a pair in `two` * size + third."""

    numbers: Mapping[str, int]
    one: Logs
    one_backoff: Logs
    two: Numbers
    two_p: Logs
    two_backoff: Logs
    three: Numbers
    three_p: Logs

    @property
    def size(self) -> int:
        return len(self.one) - 1

    def numbered(self, words: Iterable[str]) -> Numbers:
        """The number of each word in lower case; `size` for one that the model does not have."""
        return np.fromiter((self.numbers.get(word, self.size) for word in words), np.int64)

    def pair(self, a: Numbers, b: Numbers) -> Numbers:
        """Where each pair is stored, -1 where it is not."""
        return _places(self.two, np.where((a < self.size) & (b < self.size), a * self.size + b, -1))

    def log_p(self, a: Numbers, b: Numbers, c: Numbers) -> Logs:
        """log10 of the probability of c after a and b, entry by entry."""
        return self.log_p_between(self.pair(a, b), self.pair(b, c), b, c)

    def log_p_between(self, before: Numbers, after: Numbers, b: Numbers, c: Numbers) -> Logs:
        """The same where it is known at which places the pairs a b and b c are stored."""
        runs = _places(self.three, np.where((before >= 0) & (c < self.size), before * self.size + c, -1))
        less = np.where(before >= 0, self.two_backoff[before], np.float32(0))
        backed = less + np.where(after >= 0, self.two_p[after], self.one_backoff[b] + self.one[c])
        return np.where(runs >= 0, self.three_p[runs], backed).astype(np.float32)


def _places(keys: Numbers, keys_sought: Numbers) -> Numbers:
    """The place of each keys_sought key among sorted ones, -1 where it is missing."""
    places = np.full(len(keys_sought), -1, np.int64)
    order = np.argsort(keys_sought)  # in order, neighbours are looked for in the same part of memory
    order = order[np.searchsorted(keys_sought, 0, sorter=order) :]
    ascending = keys_sought[order]
    near = np.searchsorted(keys, ascending)
    near[near == len(keys)] = 0
    places[order] = np.where(keys[near] == ascending, near, -1)
    return places


@cache
def word_runs() -> WordRuns:
    """The model shipped with the package, read once."""
    with files("assay.essays.errors").joinpath("lexicons", "word_runs.npz").open("rb") as file, np.load(file) as stored:
        columns = {name: stored[name] for name in stored.files}
    names = bytes(columns["words"]).decode("utf-8").split("\n")
    logs = {name: columns[name].astype(np.float32) / STEP for name in ("one", "two_p", "three_p")}
    backoff = {name: (columns[name].astype(np.float32) - SHIFT) / STEP for name in ("one_backoff", "two_backoff")}
    return WordRuns(
        numbers={name: k for k, name in enumerate(names)},
        one=np.append(logs["one"], np.float32(UNKNOWN_WORD)),
        one_backoff=np.append(backoff["one_backoff"], np.float32(0)),
        two=np.cumsum(columns["two"].astype(np.int64)),
        two_p=logs["two_p"],
        two_backoff=backoff["two_backoff"],
        three=np.cumsum(columns["three"].astype(np.int64)),
        three_p=logs["three_p"],
    )
