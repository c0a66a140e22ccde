"""The two features of prompt-specific vocabulary, for training essays and for new ones.

Source: Attali & Burstein (2005), Prompt-Specific Vocabulary Usage. Three departures, all by default and all dropped by
`PAPER_VOCABULARY` (decision 0203): max. cos. is smoothed over score points (`ContentSimilarity.smoothed_max_cos`), a
word counts once for an essay, however often it is used, and pairs of neighbouring words count beside words.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from assay.essays.features.content import (
    LEAST_ESSAYS,
    ContentModel,
    ContentSimilarity,
    _floors,
    content_words,
    train_content,
)
from assay.essays.models.arrays import Floats, Rows, rounded
from assay.essays.text.text import word_form

Contents = Sequence[Mapping[str, int]]
"""The words of each essay with their counts."""

WORDS = re.compile(r"@?[^\W_]+(?:['\u2019][^\W_]+)*")
"""A word or number; with @ in front it is the mark of a name taken out."""
PAIR = "_"
"""Joins the two words of a pair; no word has it."""
VOCABULARY_FEATURES = ("max_cos", "cos_highest")
INNER_FOLDS = 5
LEAST_WITH_WORD = 2
"""Essays a word must stand in to be kept: a word of one essay says nothing of others, and may be a person's name."""


@dataclass(frozen=True, slots=True)
class VocabularyRule:
    """How prompt-specific vocabulary is measured."""

    sharpness: float = 30.0
    """How sharply max. cos. picks the most similar score point; infinite: that point alone, as the paper does."""
    presence: bool = True
    """Whether a word counts once for an essay."""
    pairs: bool = True
    """Whether pairs of neighbouring words count too."""
    least_essays: int = LEAST_ESSAYS
    """Essays a score point needs for a vector of its own."""

    def counted(self, content: Mapping[str, int]) -> Mapping[str, int]:
        """What counts of the words and pairs of an essay."""
        if not self.pairs:
            content = {word: count for word, count in content.items() if PAIR not in word}
        return dict.fromkeys(content, 1) if self.presence else content

    def values(self, similarity: ContentSimilarity) -> tuple[float, float]:
        """max. cos. and cos. w/highest."""
        nearest = similarity.smoothed_max_cos(self.sharpness) if np.isfinite(self.sharpness) else similarity.max_cos()
        return nearest, similarity.cos_highest()


SMOOTHED = VocabularyRule()
PAPER_VOCABULARY = VocabularyRule(sharpness=float("inf"), presence=False, pairs=False, least_essays=1)


def essay_content(text: str) -> Counter[str]:
    """The content words of an essay with their counts, from its plain text: no parser is needed.

    >>> essay_content("@PERSON1's dog saw the other dog.")
    Counter({'dog': 2, 'saw': 1})
    """
    return content_words(WORDS.findall(text))


def essay_vocabulary(text: str) -> Counter[str]:
    """The content words of an essay and its pairs of neighbouring words, function words among them.

    >>> sorted(essay_vocabulary("The dog saw the dog."))
    ['dog', 'dog_saw', 'saw', 'saw_the', 'the_dog']
    """
    words = WORDS.findall(text)
    pairs = pairwise(map(word_form, words))
    return content_words(words) + Counter(f"{first}{PAIR}{second}" for first, second in pairs)


def content_vectors(contents: Contents, scores: Floats, rule: VocabularyRule = SMOOTHED) -> ContentModel:
    """The content vectors of one prompt, by score point, without the words of a single essay."""
    counted = [rule.counted(content) for content in contents]
    model = train_content(counted, scores.tolist(), least_essays=rule.least_essays)
    shared = np.flatnonzero(model.essays_with >= LEAST_WITH_WORD)
    words = tuple(model.words[i] for i in shared.tolist())
    return replace(model, words=words, frequencies=model.frequencies[:, shared], essays_with=model.essays_with[shared])


def vocabulary_of(contents: Contents, model: ContentModel, rule: VocabularyRule = SMOOTHED) -> Floats:
    """(essays, 2): max. cos. and cos. w/highest of essays that are not among the training essays."""
    cosines = [rule.values(model.similarity(rule.counted(content))) for content in contents]
    return rounded(np.array(cosines, dtype=np.float64).reshape(len(contents), 2))


def vocabulary_out_of_fold(contents: Contents, scores: Floats, rule: VocabularyRule = SMOOTHED) -> Floats:
    """(essays, 2): the same for training essays, each compared with those of the other folds only.

    Folds are dealt out in order of score, so that each holds every score point and nothing depends on chance. NaN with
    fewer than two essays.
    """
    values = np.full((len(contents), 2), np.nan)
    if len(contents) < 2:
        return values
    fold = dealt_folds(scores, INNER_FOLDS)
    packed = PackedWords.of([rule.counted(content) for content in contents])
    for number in range(min(INNER_FOLDS, len(contents))):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        points, cosines = packed.cosines(outside, scores[outside], inside, rule.least_essays)
        values[inside] = [rule.values(ContentSimilarity(points, row)) for row in cosines]
    return rounded(values)


def dealt_folds(scores: Floats, folds: int) -> Rows:
    """The fold of each essay: dealt out like cards in order of score, ties in the order of the essays."""
    order = np.argsort(scores, kind="stable")
    fold = np.empty(len(scores), dtype=np.intp)
    fold[order] = np.arange(len(scores)) % folds
    return fold


@dataclass(frozen=True, eq=False, slots=True)
class PackedWords:
    """Word counts of essays in three long columns: essay i has the entries from `first[i]` to `first[i + 1]`.

    So the cosines of `ContentModel` take a second for thousands of essays.
    """

    words: Rows
    """The number of the word of each entry."""
    counts: Floats
    first: Rows
    vocabulary: int

    @classmethod
    def of(cls, contents: Contents) -> "PackedWords":
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
        weight = np.where(with_word >= LEAST_WITH_WORD, np.log(len(train) / np.maximum(with_word, 1)), 0.0)
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
