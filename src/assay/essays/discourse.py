"""FRONT of the discourse analysis: the label of every sentence, and what follows from the labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.essays.crf import Marginals
from assay.essays.discourse_labels import LABELS
from assay.essays.discourse_model import DiscourseModel, sharp_and_soft
from assay.essays.discourse_rules import rule_labels
from assay.essays.organization import (
    Element,
    average_element_length,
    development,
    elements,
    expected_average_element_length,
    expected_development,
)
from assay.essays.text import Text

SOFTNESS = 1.3
"""How far probabilities are softened before development is counted from them.

Chosen on ASAP 2.0 as a low value that brings the mean correlation of expected development with human scores, on unseen
topics, to .59. It is no calibration: probabilities describe the human labels best at 1. What it adds is mostly essay
length; held constant, length leaves less of the correlation than at 1 (accuracy/discourse.py prints both).
"""


@dataclass(frozen=True, eq=False)
class Discourse:
    """What each sentence of an essay does, as far as the labeller can tell."""

    labels: NDArray[np.int64]
    """(n,): the most probable label of each sentence, as an index into `LABELS`."""
    posteriors: NDArray[np.floating]
    """(n, 6): the probability of each label."""
    pairs: NDArray[np.floating]
    """(n, 6, 6): the probability of each label after each label of the sentence before."""
    softened: Marginals
    """Both again, from scores divided by `SOFTNESS`: what expected development is counted from."""
    words: NDArray[np.integer]
    """(n,): words in each sentence."""

    @property
    def label_names(self) -> list[str]:
        return [LABELS[label] for label in self.labels.tolist()]

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The runs of sentences with one label."""
        return tuple(elements(self.labels))

    @cached_property
    def development(self) -> float:
        """By the labels shown: for feedback."""
        return development(self.labels)

    @cached_property
    def average_element_length(self) -> float:
        """By the labels shown: for feedback."""
        return average_element_length(self.labels, self.words)

    @cached_property
    def expected_development(self) -> float:
        """By the softened probabilities: for scoring."""
        return expected_development(self.softened.single, self.softened.pair)

    @cached_property
    def expected_average_element_length(self) -> float:
        """By the probabilities: for scoring."""
        return expected_average_element_length(self.posteriors, self.pairs, self.words)


def label_sentences(text: Text, model: DiscourseModel | None) -> Discourse:
    """The discourse of a text by a trained model, or by rules of place and cue words without one.

    A text without sentences has no labels; its development is -8 and its average element length NaN. By rules, every
    probability is 0 or 1, so that expected and counted development agree.
    """
    if text.sentence_count and model is not None:
        sharp, soft = sharp_and_soft(model, text, SOFTNESS)
    else:
        sharp = soft = _certain(rule_labels(text))
    labels = sharp.single.argmax(axis=1)
    words = words_by_sentence(text)
    for column in (labels, sharp.single, sharp.pair, soft.single, soft.pair, words):
        column.flags.writeable = False
    return Discourse(labels, sharp.single, sharp.pair, soft, words)


def words_by_sentence(text: Text) -> NDArray[np.int64]:
    """Words and numbers in each sentence; punctuation is left out."""
    before = np.cumsum([0, *(any(letter.isalnum() for letter in word) for word in text.words)])
    return np.asarray(np.diff(before[text.sentence_starts]), dtype=np.int64)


def _certain(labels: NDArray[np.int64]) -> Marginals:
    """Labels as probabilities of 0 and 1."""
    single = np.eye(len(LABELS))[labels]
    pair = np.zeros((len(labels), len(LABELS), len(LABELS)))
    pair[1:] = single[:-1, :, None] * single[1:, None, :]
    return Marginals(single, pair, np.zeros(()))
