"""The runs of letters and of words in a text, as numbered buckets: what word and character statistics are made of.

Runs are hashed by a polynomial of their letters, so that no list of them has to be kept and the same run has the same
bucket on every machine. Two runs in one bucket count as one; with half a million buckets few that matter do.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.arrays import Floats

Buckets = NDArray[np.int32]

CHARACTER_BITS = 19
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
SPACE = re.compile(r"\s+")
WORD = re.compile(r"@?[^\W_]+(?:['\u2019][^\W_]+)*|[.,!?;:\"]")
"""A word, a number, the mark of a name taken out, or a mark of punctuation."""
LEAST_ESSAYS = 3
"""Essays a word or pair must stand in to be kept: one of fewer says little of others, and may be a name."""


def character_runs(text: str, longest: int, *, bits: int = CHARACTER_BITS) -> Buckets:
    """The buckets of all runs of 1 to `longest` characters, each once, ascending; any white space is one blank."""
    letters = np.array([ord(c) for c in f" {SPACE.sub(' ', text).strip()} "], dtype=np.uint64)
    buckets = []
    hashes = np.zeros(len(letters), dtype=np.uint64)
    for length in range(1, min(longest, len(letters)) + 1):
        hashes = hashes[: len(letters) - length + 1] * MULTIPLIER + letters[length - 1 :] + np.uint64(1)
        # the highest bits after another round of mixing: the lowest bits of a polynomial repeat
        mixed = (hashes ^ (hashes >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        buckets.append((mixed >> np.uint64(64 - bits)).astype(np.int32))
    return np.unique(np.concatenate(buckets)) if buckets else np.empty(0, dtype=np.int32)


def word_runs(text: str) -> list[str]:
    """The words of a text and the pairs of neighbours, in lower case, as often as they occur.

    >>> word_runs("Dogs bark.")
    ['dogs', 'bark', '.', 'dogs bark', 'bark .']
    """
    words = [word.casefold().replace("\u2019", "'") for word in WORD.findall(text)]
    return [*words, *(f"{a} {b}" for a, b in pairwise(words))]


def run_matrix(rows: Sequence[Buckets], columns: int) -> Any:
    """A sparse matrix with a row per text: equal entries in its buckets, every row of length 1."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    sizes = np.array([len(row) for row in rows])
    values = np.repeat(1.0 / np.sqrt(np.maximum(sizes, 1)), sizes)
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    places = np.concatenate([np.empty(0, dtype=np.int32), *rows])
    return csr_matrix((values, places, pointers), shape=(len(rows), columns))


@dataclass(frozen=True, eq=False, slots=True)
class WordStatistics:
    """The words and pairs of the training essays and how rare each is among them.

    Tf-idf: (1 + log count) (log((1 + N) / (1 + N_i)) + 1), of length 1.
    """

    runs: tuple[str, ...]
    rarity: Floats
    position: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", {run: place for place, run in enumerate(self.runs)})
        self.rarity.flags.writeable = False

    def vector(self, text: str) -> tuple[NDArray[np.int32], Floats]:
        """The places of the known words of a text, ascending, and their weights."""
        counts = Counter(place for run in word_runs(text) if (place := self.position.get(run)) is not None)
        places = np.array(sorted(counts), dtype=np.int32)
        occurrences = np.array([counts[place] for place in places.tolist()], dtype=np.float64)
        weights = (1 + np.log(occurrences)) * self.rarity[places]
        norm = float(np.sqrt(weights @ weights))
        return places, weights / norm if norm > 0 else weights

    def matrix(self, texts: Sequence[str]) -> Any:
        """A sparse matrix with a row per text."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415

        rows = [self.vector(text) for text in texts]
        pointers = np.concatenate(([0], np.cumsum([len(places) for places, _ in rows])))
        places = np.concatenate([np.empty(0, dtype=np.int32), *(places for places, _ in rows)])
        values = np.concatenate([np.empty(0), *(weights for _, weights in rows)])
        return csr_matrix((values, places, pointers), shape=(len(texts), len(self.runs)))


def learn_words(texts: Sequence[str]) -> WordStatistics:
    """The statistics of the training essays."""
    spread = Counter(run for text in texts for run in set(word_runs(text)))
    runs = tuple(sorted(run for run, essays in spread.items() if essays >= LEAST_ESSAYS))
    return WordStatistics(runs, np.array([np.log((1 + len(texts)) / (1 + spread[run])) + 1 for run in runs]))
