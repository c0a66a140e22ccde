"""Content vectors of many essays at once: the cosines of `ContentModel`, for thousands of essays in a second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.content import _floors

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Packed:
    """Word counts of essays in three long columns: essay i has the entries from `first[i]` to `first[i + 1]`."""

    words: NDArray[np.intp]
    """The number of the word of each entry."""
    counts: Floats
    first: Rows
    vocabulary: int

    @classmethod
    def of(cls, contents: Sequence[Mapping[str, int]]) -> "Packed":
        position: dict[str, int] = {}
        words = [position.setdefault(word, len(position)) for content in contents for word in content]
        counts = np.array([count for content in contents for count in content.values()], dtype=np.float64)
        first = np.concatenate([[0], np.cumsum([len(content) for content in contents])]).astype(np.intp)
        return cls(np.array(words, dtype=np.intp), counts, first, len(position))

    def cosines(self, train: Rows, scores: Floats, new: Rows, least_essays: int) -> tuple[Floats, Floats]:
        """The score points of the training essays, and the (new, points) cosines of others with them.

        As `train_content(...).similarity(...)` has them, without the words of a single training essay. NaN where an
        essay has no known word.
        """
        floors = _floors(scores, least_essays)
        point = np.searchsorted(floors, scores, side="right") - 1
        points = np.array([scores[point == k].mean() for k in range(len(floors))])
        entries, owner = self._entries(train)
        with_word = np.bincount(self.words[entries], minlength=self.vocabulary)
        kept = with_word >= 2
        weight = np.where(kept, np.log(len(train) / np.maximum(with_word, 1)), 0.0)
        at = point[owner] * self.vocabulary + self.words[entries]
        sums = np.bincount(at, self.counts[entries], minlength=len(points) * self.vocabulary)
        vectors = sums.reshape(len(points), self.vocabulary) * weight  # (points, words)
        own, holder = self._entries(new)
        essay = self.counts[own] * weight[self.words[own]]
        sizes = np.sqrt(np.bincount(holder, essay**2, minlength=len(new)))
        norms = np.sqrt((vectors**2).sum(axis=1))
        products = [np.bincount(holder, essay * row[self.words[own]], minlength=len(new)) for row in vectors]
        scale = np.outer(sizes, norms)
        cosines = np.full(scale.shape, np.nan)
        np.divide(np.stack(products, axis=1), scale, out=cosines, where=scale > 1e-9)
        return points, cosines

    def _entries(self, rows: Rows) -> tuple[Rows, Rows]:
        """The entries of some essays, and for each the place of its essay among `rows`."""
        sizes = self.first[rows + 1] - self.first[rows]
        owner = np.repeat(np.arange(len(rows)), sizes)
        start = np.repeat(self.first[rows] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        return start + np.arange(len(owner)), owner
