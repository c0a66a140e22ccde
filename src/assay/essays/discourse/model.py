"""A trained labeller: a small network scores the states of every sentence, a chain joins them.

    x_i    features of sentence i that are present (`discourse_features`)
    h_i    = relu(sum of the embeddings of x_i + a)
    z_i    = h_(i-2), h_(i-1), h_i, h_(i+1), h_(i+2), mean of h over the essay, mean of h over the paragraph
    node_i = relu(z_i V + b) U + sum of the direct weights of x_i + c

    links: one table of scores for neighbours in a paragraph, one across a paragraph break (`crf`)

Neighbours outside the essay are 0. Eight states, the element types of the corpus; their probabilities add up to those
of the six labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.discourse.crf import Marginals, marginals
from assay.essays.discourse.labels import LABEL_OF_STATE, LABELS, STATES
from assay.essays.discourse.positions import places
from assay.essays.discourse.sentence_features import (
    Names,
    layout_features,
    read_sentences,
    sentence_features,
    topic_shares,
    wording_features,
)
from assay.essays.text.text import Text

Weights = NDArray[np.float32]
WINDOW = 2
POOLED = 2
"""Means that stand beside the window: over the essay and over the paragraph."""


@dataclass(frozen=True, eq=False, slots=True)
class DiscourseModel:
    """All that labelling needs; f feature names, h and g hidden units, 8 states."""

    common: frozenset[str]
    """Words the model may see as themselves."""
    names: Mapping[str, int]
    """The row of each known feature in `embedding`. `bias`, which every sentence has, is one of them."""
    embedding: Weights
    """(f, h + 8): the embedding of each feature and, last, its direct weight for each state."""
    embedding_bias: Weights
    """(h + 8,)"""
    mixing: Weights
    """(7 h, g)"""
    mixing_bias: Weights
    output: Weights
    """(g, 8)"""
    links: Weights
    """(2, 8, 8): from row to column, within a paragraph and across a break."""
    start: Weights
    end: Weights

    def __post_init__(self) -> None:
        if "bias" not in self.names or len(self.names) != len(self.embedding):
            raise InputError(
                f"the discourse model names {len(self.names)} features for {len(self.embedding)} rows of weights, "
                f"or lacks the feature bias: write it anew with training/train_discourse.py"
            )


def label_marginals(model: DiscourseModel, text: Text) -> Marginals:
    """The probabilities of the six labels, and of neighbouring labels, for every sentence of a text with sentences."""
    summed = summed_features(model, known_features(model, text))
    return merged(marginals(*chain_scores(model, summed, text.sentence_paragraph)))


def two_readings(model: DiscourseModel, text: Text) -> tuple[Marginals, Marginals]:
    """`label_marginals` of a text as written, and those of the same sentences in one paragraph.

    Costs less than two calls, since the wording is the same in both.
    """
    flat = replace(text, sentence_paragraph=np.zeros_like(text.sentence_paragraph))
    sentences = read_sentences(text, model.common)
    topic = topic_shares(sentences)
    wording = summed_features(model, known(model, wording_features(sentences, topic)))
    nodes, links = [], []
    for reading in (text, flat):
        layout = summed_features(model, known(model, layout_features(sentences, places(reading), topic)))
        node, link = chain_scores(model, wording + layout, reading.sentence_paragraph)
        nodes.append(node)
        links.append(link)
    both = merged(marginals(np.stack(nodes, axis=1), np.stack(links, axis=1)))
    as_written, in_one = (Marginals(both.single[:, k], both.pair[:, k], both.log_z[k]) for k in (0, 1))
    return as_written, in_one


def chain_scores(
    model: DiscourseModel, summed: Weights, paragraph: NDArray[np.integer]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `crf.marginals` takes: scores of the eight states (n, 8) and of their pairs (n, 8, 8).

    `summed` is that of `summed_features`.
    """
    node = node_scores(model, summed, paragraph).astype(float)
    node[0] += model.start
    node[-1] += model.end
    breaks = (np.diff(paragraph, prepend=paragraph[:1]) > 0).astype(np.intp)
    return node, model.links[breaks].astype(float)


def merged(states: Marginals) -> Marginals:
    """Probabilities of states as those of labels."""
    to_label = np.zeros((len(STATES), len(LABELS)))
    to_label[np.arange(len(STATES)), LABEL_OF_STATE] = 1
    return Marginals(states.single @ to_label, to_label.T @ states.pair @ to_label, states.log_z)


def known_features(model: DiscourseModel, text: Text) -> list[list[int]]:
    """The rows of the features present in each sentence."""
    return known(model, sentence_features(text, model.common))


def known(model: DiscourseModel, features: Names) -> list[list[int]]:
    """The rows of features by name; those the model does not know are left out."""
    rows = model.names
    return [[rows[name] for name in found if name in rows] for found in features]


def summed_features(model: DiscourseModel, features: Sequence[Sequence[int]]) -> Weights:
    """The embeddings of the features of each sentence, added up, (n, h + 8); zeros for a sentence without any."""
    sizes = [len(found) for found in features]
    rows = np.fromiter(chain.from_iterable(features), dtype=np.intp, count=sum(sizes))
    summed = np.zeros((len(features), model.embedding.shape[1]), dtype=np.float32)
    some = np.flatnonzero(sizes)
    if len(some):
        firsts = np.cumsum([0, *sizes[:-1]])[some]
        summed[some] = np.add.reduceat(model.embedding[rows], firsts, axis=0)
    return summed


def node_scores(model: DiscourseModel, summed: Weights, paragraph: NDArray[np.integer]) -> Weights:
    """The score of each state for each sentence, (n, 8), before the chain; `summed` is that of `summed_features`."""
    summed = summed + model.embedding_bias
    hidden, direct = np.maximum(summed[:, : -len(STATES)], 0), summed[:, -len(STATES) :]
    mixed = np.maximum(surroundings(hidden, paragraph) @ model.mixing + model.mixing_bias, 0)
    return np.asarray(mixed @ model.output + direct, dtype=np.float32)


def surroundings(hidden: Weights, paragraph: NDArray[np.integer]) -> Weights:
    """Each sentence's window of hidden units, then their means over the essay and over its paragraph, (n, 7 h)."""
    n, h = hidden.shape
    padded = np.zeros((n + 2 * WINDOW, h), dtype=np.float32)
    padded[WINDOW : n + WINDOW] = hidden
    window = [padded[k : k + n] for k in range(2 * WINDOW + 1)]
    firsts = np.flatnonzero(np.diff(paragraph, prepend=-1))
    sizes = np.diff(firsts, append=n)
    by_paragraph = np.add.reduceat(hidden, firsts, axis=0) / sizes[:, None]
    essay = np.broadcast_to(hidden.mean(axis=0), (n, h))
    return np.concatenate([*window, essay, np.repeat(by_paragraph, sizes, axis=0)], axis=1, dtype=np.float32)
