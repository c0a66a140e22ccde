"""Words and pairs of words as tf-idf vectors: (1 + log count) (log((1 + N) / (1 + N_i)) + 1), of length 1."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.hybrid.ngrams import word_runs

Floats = NDArray[np.float64]

LEAST_ESSAYS = 3
"""Essays a word or pair must stand in to be kept: one of fewer says little of others, and may be a name."""


@dataclass(frozen=True, eq=False, slots=True)
class WordStatistics:
    """The words and pairs of the training essays and how rare each is among them."""

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
        found = np.array([counts[place] for place in places.tolist()], dtype=np.float64)
        weights = (1 + np.log(found)) * self.rarity[places]
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
