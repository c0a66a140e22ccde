"""The discourse labels of sentences, what follows from them, and a trained labeller.

Source: Attali & Burstein (2005), Organization and Development. An *element* is a longest run of sentences with one
label.

    development = thesis + main points + supporting ideas + conclusion elements - 8

with two exceptions: supporting ideas count only right after a main point, and no more than three main points count.
0 means a thesis, three main points each with support, and a conclusion; -8 means none of these. The paper does not
bound thesis, support and conclusion, and prints 0 as the optimum; we count at most one thesis and one conclusion, and
at most three supports, so that 0 is also the highest value.

A trained labeller: a small network scores the states of every sentence, a chain joins them.

    x_i    features of sentence i that are present (`discourse_features`)
    h_i    = relu(sum of the embeddings of x_i + a)
    z_i    = h_(i-2), h_(i-1), h_i, h_(i+1), h_(i+2), mean of h over the essay, mean of h over the paragraph
    node_i = relu(z_i V + b) U + sum of the direct weights of x_i + c

    links: one table of scores for neighbours in a paragraph, one across a paragraph break

Neighbours outside the essay are 0. Eight states, the element types of the corpus; their probabilities add up to those
of the six labels. The chain is a linear-chain conditional random field:

    P(y | x) = exp(sum_i node[i, y_i] + sum_{i>0} link[i, y_(i-1), y_i]) / Z

Source: Lafferty, McCallum & Pereira (2001); forward-backward with scaling as in Rabiner (1989), section V.A.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.essays.discourse import sentence_features
from assay.essays.text.text import Text

LABELS = ("background", "thesis", "main point", "supporting idea", "conclusion", "other")
"""The categories of Criterion (Burstein, Marcu & Knight 2003), and none of them."""

BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION, OTHER = range(6)

STATES = ("Lead", "Position", "Claim", "Counterclaim", "Rebuttal", "Evidence", "Concluding Statement", "Other")
"""The element types of the PERSUADE corpus, which the model is trained to tell apart."""

LABEL_OF_STATE = (BACKGROUND, THESIS, MAIN_POINT, MAIN_POINT, MAIN_POINT, SUPPORT, CONCLUSION, OTHER)
"""The label of each state. A rebuttal is a point of its own, as a claim is. Read as support, rebuttals would make human
and system labels agree a little better, and development and human scores a little worse."""

MOST_POINTS = 3
OPTIMUM = 8
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Element:
    """A longest run of sentences with one label: first sentence, and the one after the last."""

    label: int
    first: int
    stop: int


def elements(labels: ArrayLike) -> list[Element]:
    """The runs of equal labels, in order; those of `OTHER` among them.

    >>> [(e.label, e.first, e.stop) for e in elements([1, 2, 2, 3])]
    [(1, 0, 1), (2, 1, 3), (3, 3, 4)]
    """
    column = np.asarray(labels, dtype=int)
    firsts = np.flatnonzero(np.diff(column, prepend=-1)).tolist()
    return [Element(int(column[first]), first, stop) for first, stop in pairwise([*firsts, len(column)])]


def development(labels: ArrayLike) -> float:
    """Elements of a developed essay that are there, minus the eight there should be.

    min(1, thesis) + min(1, conclusion) + min(3, main points) + min(3, supports right after a main point) - 8

    -8 for an essay without sentences.

    >>> development([THESIS, MAIN_POINT, SUPPORT, SUPPORT, MAIN_POINT, CONCLUSION])
    -3.0
    """
    runs = [element.label for element in elements(labels)]
    supported = sum(pair == (MAIN_POINT, SUPPORT) for pair in pairwise(runs))
    points = min(runs.count(MAIN_POINT), MOST_POINTS) + min(supported, MOST_POINTS)
    return float(min(runs.count(THESIS), 1) + min(runs.count(CONCLUSION), 1) + points - OPTIMUM)


def element_starts(single: Floats, pair: Floats) -> Floats:
    """The probability that an element of each label begins at each sentence, (n, 6).

    on[i, l] = P(y_i = l) - P(y_(i-1) = l, y_i = l)

    single (n, 6) and pair (n, 6, 6) are the probabilities of labels and of neighbouring labels.
    """
    return np.clip(single - np.diagonal(pair, axis1=-2, axis2=-1), 0.0, 1.0)


def expected_development(single: Floats, pair: Floats) -> float:
    """Development from the labeller's probabilities: an uncertain main point counts in part.

    P(thesis) + P(conclusion) + min(3, E(main points)) + min(3, E(supports after a main point)) - 8

    where an element of l begins at i with the chance on[i, l] of `element_starts`, support after a main point with
    P(y_(i-1) = M, y_i = S), and P = 1 - prod_i (1 - on[i, l]) takes what begins at different sentences as independent.
    Equals `development` when all probabilities are 0 or 1; else it is no true expectation, which would bound each
    labelling before the mean is taken. It follows essay length more closely than the count of labels does.
    """
    on = element_starts(single, pair)
    present = 2 - float(np.prod(1 - on[:, THESIS])) - float(np.prod(1 - on[:, CONCLUSION]))
    points, supports = float(on[:, MAIN_POINT].sum()), float(pair[:, MAIN_POINT, SUPPORT].sum())
    return present + min(points, MOST_POINTS) + min(supports, MOST_POINTS) - OPTIMUM


def expected_average_element_length(single: Floats, pair: Floats, words: ArrayLike) -> float:
    """Expected words inside elements over the expected number of elements, this at least 1. NaN without sentences.

    sum_i words[i] (1 - P(y_i = other)) / max(1, sum_i sum_(l not other) on[i, l])
    """
    if len(single) == 0:
        return float("nan")
    inside = float(np.asarray(words) @ (1 - single[:, OTHER]))
    count = float(np.delete(element_starts(single, pair), OTHER, axis=1).sum())
    return inside / max(1.0, count)


@dataclass(frozen=True, eq=False, slots=True)
class Marginals:
    """Probabilities of the states of n places in a row, each of k states.

    A second axis, one sequence beside another, may stand between place and state.
    """

    single: Floats
    """(n, ..., k): the probability of each state."""
    pair: Floats
    """(n, ..., k, k): `pair[i, a, b]` is the probability of a at i - 1 and b at i; all 0 for i = 0."""
    log_z: Floats
    """(...): the logarithm of Z."""


def marginals(node: Floats, link: Floats) -> Marginals:
    """The probability of every state and every pair of neighbouring states.

    node (n, ..., k) scores each state; link (n, ..., k, k) each pair, its first entry unused. A link of minus infinity
    forbids a pair. n is at least 1.

    >>> m = marginals(np.zeros((2, 2)), np.zeros((2, 2, 2)))
    >>> m.single.tolist(), float(np.exp(m.log_z))
    ([[0.5, 0.5], [0.5, 0.5]], 4.0)
    """
    shift = node.max(axis=-1, keepdims=True)
    local, step = np.exp(node - shift), np.exp(link)
    # the probability of each state given what stands before and at its place, and the scale taken out at each
    forward, scale = np.empty_like(local), np.empty_like(local[..., :1])
    for i in range(len(local)):
        reached = local[i] if i == 0 else (forward[i - 1][..., None, :] @ step[i])[..., 0, :] * local[i]
        scale[i] = reached.sum(axis=-1, keepdims=True)
        forward[i] = reached / scale[i]
    # how much more likely what follows becomes by each state
    backward = np.ones_like(local)
    for i in range(len(local) - 2, -1, -1):
        after = local[i + 1] * backward[i + 1] / scale[i + 1]
        backward[i] = (step[i + 1] @ after[..., :, None])[..., 0]
    pair = np.zeros_like(step)
    after = local[1:] * backward[1:] / scale[1:]
    pair[1:] = forward[:-1, ..., :, None] * step[1:] * after[..., None, :]
    return Marginals(forward * backward, pair, (np.log(scale) + shift).sum(axis=(0, -1)))


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


def two_readings(model: DiscourseModel, text: Text) -> tuple[Marginals, Marginals]:
    """Probabilities of labels and of neighbouring labels: of a text as written, and of the same in one paragraph."""
    flat = replace(text, sentence_paragraph=np.zeros_like(text.sentence_paragraph))
    sentences = sentence_features.read_sentences(text, model.common)
    wording = summed_features(model, sentence_features.wording_features(sentences))
    scores = []
    for reading in (text, flat):
        places = sentence_features.places(reading)
        layout = summed_features(model, sentence_features.layout_features(sentences, places))
        scores.append(chain_scores(model, wording + layout, reading.sentence_paragraph))
    both = merged(marginals(*(np.stack(side, axis=1) for side in zip(*scores, strict=True))))
    as_written, in_one = (Marginals(both.single[:, k], both.pair[:, k], both.log_z[k]) for k in (0, 1))
    return as_written, in_one


def chain_scores(
    model: DiscourseModel, summed: Weights, paragraph: NDArray[np.integer]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `marginals` takes: scores of the eight states (n, 8) and of their pairs (n, 8, 8).

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


def summed_features(model: DiscourseModel, features: sentence_features.Names) -> Weights:
    """The embeddings of the features of each sentence, added up, (n, h + 8); zeros for a sentence without any.

    Those that the model does not know are left out.
    """
    rows = model.names
    known = [[rows[name] for name in present if name in rows] for present in features]
    sizes = [len(present) for present in known]
    flat = np.fromiter(chain.from_iterable(known), dtype=np.intp, count=sum(sizes))
    summed = np.zeros((len(known), model.embedding.shape[1]), dtype=np.float32)
    described = np.flatnonzero(sizes)
    if len(described):
        firsts = np.cumsum([0, *sizes[:-1]])[described]
        summed[described] = np.add.reduceat(model.embedding[flat], firsts, axis=0)
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
