"""The runs of letters and of words in a text, as numbered buckets: what word and character statistics are made of.

Runs are hashed by a polynomial of their letters, so that no list of them has to be kept and the same run has the same
bucket on every machine. Two runs in one bucket count as one; with half a million buckets few that matter do.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Buckets = NDArray[np.int32]

CHARACTER_BITS = 19
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
SPACE = re.compile(r"\s+")
WORD = re.compile(r"@?[^\W_]+(?:['\u2019][^\W_]+)*|[.,!?;:\"]")
"""A word, a number, the mark of a name taken out, or a mark of punctuation."""


def character_runs(text: str, longest: int, *, bits: int = CHARACTER_BITS) -> Buckets:
    """The buckets of all runs of 1 to `longest` characters, each once, ascending; any white space is one blank."""
    letters = np.array([ord(c) for c in f" {SPACE.sub(' ', text).strip()} "], dtype=np.uint64)
    found = []
    hashes = np.zeros(len(letters), dtype=np.uint64)
    for length in range(1, min(longest, len(letters)) + 1):
        hashes = hashes[: len(letters) - length + 1] * MULTIPLIER + letters[length - 1 :] + np.uint64(1)
        found.append(_mixed(hashes, bits))
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int32)


def _mixed(hashes: NDArray[np.uint64], bits: int) -> Buckets:
    """The highest bits after another round of mixing: the lowest bits of a polynomial repeat."""
    mixed = (hashes ^ (hashes >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed >> np.uint64(64 - bits)).astype(np.int32)


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
