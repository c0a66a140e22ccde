"""The content words of many essays in little memory: some 1 kB each instead of 15 kB."""

from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray


class PackedContents(Sequence[Mapping[str, int]]):
    """Word counts kept as numbers of words in one common list; each comes back as the mapping it was.

    >>> contents = PackedContents()
    >>> contents.append({"dog": 2, "cat": 1})
    >>> contents[0]
    {'dog': 2, 'cat': 1}
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._position: dict[str, int] = {}
        self._packed: list[NDArray[np.int32]] = []

    def append(self, content: Mapping[str, int]) -> None:
        """One essay more."""
        pairs = [(self._place(word), count) for word, count in content.items()]
        self._packed.append(np.array(pairs, dtype=np.int32).reshape(-1, 2))

    def at(self, rows: Sequence[int]) -> "PackedContents":
        """The essays of some rows, nothing copied."""
        chosen = PackedContents()
        chosen._words, chosen._position = self._words, self._position
        chosen._packed = [self._packed[row] for row in rows]
        return chosen

    def _place(self, word: str) -> int:
        place = self._position.setdefault(word, len(self._words))
        if place == len(self._words):
            self._words.append(word)
        return place

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, int]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, int]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, int] | Sequence[Mapping[str, int]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return {self._words[place]: count for place, count in self._packed[index].tolist()}
