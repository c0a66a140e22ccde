"""Essays of one prompt compared with each other: prompt-specific features and topic, none meeting itself."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import overload

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.content import ContentModel, train_content
from assay.essays.features.measure import Measured
from assay.essays.feedback.advisories import off_topic

LEAST_SCORED = 2


class PackedContents(Sequence[Mapping[str, int]]):
    """The content words of many essays in little memory: some 1 kB each instead of 15 kB.

    Word counts kept as numbers of words in one common list; each comes back as the mapping it was.

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


def with_content(
    measured: Sequence[Measured], contents: PackedContents, prompts: Sequence[str], scores: Sequence[float]
) -> Iterator[Measured]:
    """The same essays, with max. cos., cos. w/highest and the advisory on topic, leave-one-out within their prompt.

    An essay without a human score is compared with all scored ones of its prompt. With fewer than two scored essays the
    features stay NaN.
    """
    models = _models(contents, prompts, scores)
    for essay, content, prompt, score in zip(measured, contents, prompts, scores, strict=True):
        model = models.get(prompt)
        yield essay if model is None else _compared(essay, content, score, model)


def _models(contents: PackedContents, prompts: Sequence[str], scores: Sequence[float]) -> Mapping[str, ContentModel]:
    scored: defaultdict[str, list[int]] = defaultdict(list)
    for row, (prompt, score) in enumerate(zip(prompts, scores, strict=True)):
        if isfinite(score):
            scored[prompt].append(row)
    return {
        prompt: train_content(contents.at(rows), [scores[row] for row in rows])
        for prompt, rows in scored.items()
        if len(rows) >= LEAST_SCORED
    }


def _compared(essay: Measured, content: Mapping[str, int], score: float, model: ContentModel) -> Measured:
    if isfinite(score):
        similarity = model.similarity_without(content, score)
        familiarity = model.familiarity_without(content)
    else:
        similarity = model.similarity(content)
        familiarity = model.familiarity(content)
    values = {**essay.values, "max_cos": similarity.max_cos(), "cos_highest": similarity.cos_highest()}
    doubts = (*essay.advisories, *off_topic(familiarity, model.least_familiarity))
    return replace(essay, values=values, advisories=doubts)
