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
from numpy.typing import NDArray

from assay.essays.features.content import LEAST_ESSAYS, ContentModel, ContentSimilarity, content_words, train_content
from assay.essays.models.digits import rounded
from assay.essays.models.erater.content_matrix import Packed
from assay.essays.text.text import word_form

Floats = NDArray[np.float64]

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
        sharp = np.isinf(self.sharpness)
        nearest = similarity.max_cos() if sharp else similarity.smoothed_max_cos(self.sharpness)
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
    forms = [word_form(word) for word in words]
    return content_words(words) + Counter(f"{first}{PAIR}{second}" for first, second in pairwise(forms))


def content_vectors(
    contents: Sequence[Mapping[str, int]], scores: Floats, rule: VocabularyRule = SMOOTHED
) -> ContentModel:
    """The content vectors of one prompt, by score point, without the words of a single essay."""
    counted = [rule.counted(content) for content in contents]
    model = train_content(counted, scores.tolist(), least_essays=rule.least_essays)
    kept = np.flatnonzero(model.essays_with >= LEAST_WITH_WORD)
    words = tuple(model.words[i] for i in kept.tolist())
    frequencies, essays_with = model.frequencies[:, kept], model.essays_with[kept]
    return replace(model, words=words, frequencies=frequencies, essays_with=essays_with)


def vocabulary_of(
    contents: Sequence[Mapping[str, int]], model: ContentModel, rule: VocabularyRule = SMOOTHED
) -> Floats:
    """(essays, 2): max. cos. and cos. w/highest of essays that are not among the training essays."""
    found = [rule.values(model.similarity(rule.counted(content))) for content in contents]
    return rounded(np.array(found, dtype=np.float64).reshape(len(contents), 2))


def vocabulary_out_of_fold(
    contents: Sequence[Mapping[str, int]],
    scores: Floats,
    rule: VocabularyRule = SMOOTHED,
    *,
    folds: int = INNER_FOLDS,
) -> Floats:
    """(essays, 2): the same for training essays, each compared with those of the other folds only.

    Folds are dealt out in order of score, so that each holds every score point and nothing depends on chance. NaN with
    fewer than two essays.
    """
    found = np.full((len(contents), 2), np.nan)
    if len(contents) < 2:
        return found
    fold = dealt_folds(scores, folds)
    packed = Packed.of([rule.counted(content) for content in contents])
    for number in range(min(folds, len(contents))):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        points, cosines = packed.cosines(outside, scores[outside], inside, rule.least_essays)
        found[inside] = [rule.values(ContentSimilarity(points, row)) for row in cosines]
    return rounded(found)


def dealt_folds(scores: Floats, folds: int) -> NDArray[np.intp]:
    """The fold of each essay: dealt out like cards in order of score, ties in the order of the essays."""
    order = np.argsort(scores, kind="stable")
    fold = np.empty(len(scores), dtype=np.intp)
    fold[order] = np.arange(len(scores)) % folds
    return fold
