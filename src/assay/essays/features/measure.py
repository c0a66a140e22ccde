"""What the features table says of each essay, by itself and compared with the others of its prompt."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import overload

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import analyse_all
from assay.essays.features.content import ContentModel, content_words, train_content
from assay.essays.features.features import features_of
from assay.essays.feedback.advisories import Advisory, advisories, off_topic
from assay.essays.text.text import Essay

LEAST_SCORED = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """The features of one essay by name, reasons for doubt, and the content words others are compared by."""

    values: Mapping[str, float]
    advisories: tuple[Advisory, ...]
    content: Mapping[str, int]


def measure_essays(essays: Sequence[Essay], discourse_model: DiscourseModel | None = None) -> Iterator[Measured]:
    """Each essay measured by itself: prompt-specific features are NaN, and nothing is said of the topic."""
    analyses = analyse_all((essay.text for essay in essays), discourse_model)
    for essay, analysis in zip(essays, analyses, strict=True):
        doubts = advisories(analysis.words, prompt=essay.prompt)
        yield Measured(features_of(analysis), doubts, content_words(analysis.words))


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
        for word in content:
            if self._position.setdefault(word, len(self._words)) == len(self._words):
                self._words.append(word)
        pairs = [(self._position[word], count) for word, count in content.items()]
        self._packed.append(np.array(pairs, dtype=np.int32).reshape(-1, 2))

    def at(self, rows: Sequence[int]) -> "PackedContents":
        """The essays of some rows, nothing copied."""
        chosen = PackedContents()
        chosen._words, chosen._position = self._words, self._position
        chosen._packed = [self._packed[row] for row in rows]
        return chosen

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
    scored: defaultdict[str, list[int]] = defaultdict(list)
    for row, (prompt, score) in enumerate(zip(prompts, scores, strict=True)):
        if isfinite(score):
            scored[prompt].append(row)
    models = {
        prompt: train_content(contents.at(rows), [scores[row] for row in rows])
        for prompt, rows in scored.items()
        if len(rows) >= LEAST_SCORED
    }
    for essay, content, prompt, score in zip(measured, contents, prompts, scores, strict=True):
        model = models.get(prompt)
        yield essay if model is None else _compared(essay, content, score, model)


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
