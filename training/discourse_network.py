"""Fitting the discourse model: gradients of the network and the chain, and Adam, in numpy.

Follows `assay.essays.discourse.model`, whose formulas it differentiates; the two agree by a test. Batches are essays of
like length side by side, padded at the end by steps that change nothing: score 0, and a link that keeps the state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.essays.discourse.model import POOLED, STATES, WINDOW, Marginals, marginals

K = len(STATES)
Array = NDArray[np.float32]
Weights = dict[str, Array]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the network is built and fitted; chosen on held-out topics (see accuracy/discourse.py)."""

    units: int = 72
    passes: int = 8
    essays_per_batch: int = 32
    rate: float = 0.0015
    """Highest learning rate: reached after `WARM_UP` steps, then falling in a line to a twentieth."""
    drop_features: float = 0.3
    drop_units: float = 0.5
    decay: float = 1e-5


WARM_UP = 100
DECAYED = ("embedding", "direct", "mixing", "output")


@dataclass(frozen=True, eq=False, slots=True)
class Examples:
    """Sentences of many essays, one after the other."""

    features: sparse.csr_matrix
    """(sentences, names): 1 where a feature is present."""
    states: NDArray[np.int8]
    opens_paragraph: NDArray[np.bool_]
    firsts: NDArray[np.intp]
    """First sentence of each essay and, last, the number of sentences."""

    def __len__(self) -> int:
        return len(self.firsts) - 1


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Some essays: their sentences one after the other, and where each stands in the padded grid."""

    features: sparse.csr_matrix
    states: NDArray[np.intp]
    opens_paragraph: NDArray[np.bool_]
    essay: NDArray[np.intp]
    paragraph: NDArray[np.intp]
    """Number of the essay and of the paragraph within the batch, for each sentence."""
    grid: NDArray[np.intp]
    """(longest essay, essays): the sentence at each place; any where there is none."""
    real: NDArray[np.bool_]
    sizes: NDArray[np.intp]


def fit(examples: Examples, settings: Settings, seed: int) -> Weights:
    """The weights of the network and the chain; the same for the same seed."""
    rng = np.random.default_rng(seed)
    weights = first_weights(examples.features.shape[1], settings.units, rng)
    adam = Adam(weights, settings)
    steps = settings.passes * -(-len(examples) // settings.essays_per_batch)
    for _ in range(settings.passes):
        for batch in batches(examples, settings.essays_per_batch, rng):
            adam.step(gradient(weights, batch, settings, rng), steps)
    return weights


def first_weights(names: int, units: int, rng: np.random.Generator) -> Weights:
    around = (2 * WINDOW + 1 + POOLED) * units
    shapes = {
        "embedding": rng.normal(0, 0.1, (names, units)),
        "embedding_bias": np.zeros(units),
        "direct": np.zeros((names, K)),
        "direct_bias": np.zeros(K),
        "mixing": rng.normal(0, around**-0.5, (around, units)),
        "mixing_bias": np.zeros(units),
        "output": rng.normal(0, 0.5 * units**-0.5, (units, K)),
        "links": np.zeros((2, K, K)),
        "start": np.zeros(K),
        "end": np.zeros(K),
    }
    return {name: value.astype(np.float32) for name, value in shapes.items()}


class Adam:
    """Kingma & Ba (2015), with decoupled weight decay; changes the weights in place."""

    def __init__(self, weights: Weights, settings: Settings) -> None:
        self.weights, self.settings, self.done = weights, settings, 0
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}

    def step(self, gradients: Weights, steps: int) -> None:
        self.done += 1
        rate = self.settings.rate * min(1, self.done / WARM_UP) * (1 - 0.95 * self.done / steps)
        for name, slope in gradients.items():
            mean, square, weight = self.mean[name], self.square[name], self.weights[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            size = np.sqrt(square / (1 - 0.999**self.done)) + 1e-8
            weight -= np.float32(rate / (1 - 0.9**self.done)) * mean / size
            if name in DECAYED:
                weight *= np.float32(1 - rate * self.settings.decay)


def batches(examples: Examples, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """All essays once, in random order, those of like length together."""
    lengths = np.diff(examples.firsts)
    order = np.argsort(lengths + rng.uniform(0, 6, len(lengths)), kind="stable")
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    rng.shuffle(groups)
    for group in groups:
        yield batch_of(examples, group)


def batch_of(examples: Examples, essays: Sequence[int] | NDArray[np.intp]) -> Batch:
    spans = [np.arange(examples.firsts[e], examples.firsts[e + 1]) for e in essays]
    rows, sizes = np.concatenate(spans), np.array([len(span) for span in spans])
    place = np.arange(sizes.max())[:, None]
    real = place < sizes
    offsets = np.cumsum(sizes) - sizes
    opens = examples.opens_paragraph[rows]
    return Batch(
        features=examples.features[rows],
        states=examples.states[rows].astype(np.intp),
        opens_paragraph=opens,
        essay=np.repeat(np.arange(len(sizes)), sizes),
        paragraph=np.cumsum(opens) - 1,
        grid=np.where(real, offsets + place, 0),
        real=real,
        sizes=sizes,
    )


def gradient(weights: Weights, batch: Batch, settings: Settings, rng: np.random.Generator) -> Weights:
    """The gradient of the mean negative log likelihood of a batch's states, under fresh dropout."""
    passed = forward(weights, batch, settings, rng)
    chain = chain_marginals(weights, passed.node, batch)
    slope = node_gradient(chain, batch)
    last = batch.grid[batch.sizes - 1, np.arange(len(batch.sizes))]
    ends = {"start": slope[batch.grid[0]].sum(axis=0), "end": slope[last].sum(axis=0)}
    return {"links": link_gradient(chain, batch), **ends, **network_gradient(weights, passed, slope)}


@dataclass(frozen=True, eq=False, slots=True)
class Forward:
    """A forward pass and what the backward pass needs of it; masks are 0 for dropped units."""

    features: sparse.csr_matrix
    hidden: Array
    hidden_mask: Array
    seen: list[sparse.csr_matrix]
    around: Array
    mixed: Array
    mixed_mask: Array
    node: Array


def forward(weights: Weights, batch: Batch, settings: Settings, rng: np.random.Generator) -> Forward:
    features = batch.features.copy()
    features.data = features.data * _mask(features.data.shape, settings.drop_features, rng)
    hidden = np.maximum(features @ weights["embedding"] + weights["embedding_bias"], 0)
    hidden_mask = _mask(hidden.shape, settings.drop_units, rng)
    hidden = hidden * hidden_mask
    seen = surroundings(batch)
    around = np.concatenate([part @ hidden for part in seen], axis=1)
    mixed = np.maximum(around @ weights["mixing"] + weights["mixing_bias"], 0)
    mixed_mask = _mask(mixed.shape, settings.drop_units, rng)
    mixed = mixed * mixed_mask
    node = mixed @ weights["output"] + features @ weights["direct"] + weights["direct_bias"]
    return Forward(features, hidden, hidden_mask, seen, around, mixed, mixed_mask, node)


def _mask(shape: tuple[int, ...], drop: float, rng: np.random.Generator) -> Array:
    """1 / (1 - drop) for what is kept, 0 for what is dropped."""
    return (rng.random(shape, dtype=np.float32) >= drop).astype(np.float32) / np.float32(1 - drop)


def surroundings(batch: Batch) -> list[sparse.csr_matrix]:
    """What a sentence sees of others, as matrices: each neighbour in the window, essay mean, paragraph mean."""
    n = len(batch.essay)
    rows = np.arange(n)
    parts = []
    for offset in range(-WINDOW, WINDOW + 1):
        other = rows + offset
        inside = (other >= 0) & (other < n) & (batch.essay[np.clip(other, 0, n - 1)] == batch.essay)
        parts.append(_selection(rows[inside], other[inside], np.ones(int(inside.sum())), n))
    for group in (batch.essay, batch.paragraph):
        member = _selection(group, rows, np.ones(n), n)
        share = sparse.diags(1 / np.bincount(group)[group]).astype(np.float32)
        parts.append(sparse.csr_matrix(share @ member[group]))
    return parts


def _selection(
    rows: NDArray[np.intp], columns: NDArray[np.intp], values: NDArray[np.float64], n: int
) -> sparse.csr_matrix:
    return sparse.csr_matrix((values.astype(np.float32), (rows, columns)), shape=(n, n))


def chain_marginals(weights: Weights, node: Array, batch: Batch) -> Marginals:
    """Probabilities in the padded grid."""
    scores = np.where(batch.real[..., None], node[batch.grid], 0).astype(float)  # (longest, essays, k)
    scores[0] += weights["start"]
    scores[batch.sizes - 1, np.arange(len(batch.sizes))] += weights["end"]
    stay = np.where(np.eye(K, dtype=bool), 0, -np.inf)
    tables = np.concatenate([weights["links"].astype(float), stay[None]])
    return marginals(scores, tables[link_kinds(batch)])


def link_kinds(batch: Batch) -> NDArray[np.intp]:
    """0 within a paragraph, 1 across a break, 2 for padding."""
    return np.where(batch.real, batch.opens_paragraph[batch.grid].astype(np.intp), 2)


def node_gradient(chain: Marginals, batch: Batch) -> Array:
    """Probability of each state minus 1 for the right one, per sentence of the batch."""
    n = len(batch.states)
    slope = np.zeros((n, K))
    slope[batch.grid[batch.real]] = chain.single[batch.real]
    slope[np.arange(n), batch.states] -= 1
    return (slope / n).astype(np.float32)


def link_gradient(chain: Marginals, batch: Batch) -> Array:
    states, kinds = batch.states[batch.grid], link_kinds(batch)[1:]
    slope = np.zeros((2, K, K))
    for kind in (0, 1):
        chosen = kinds == kind
        slope[kind] = chain.pair[1:][chosen].sum(axis=0)
        np.add.at(slope[kind], (states[:-1][chosen], states[1:][chosen]), -1)
    return (slope / len(batch.states)).astype(np.float32)


def network_gradient(weights: Weights, passed: Forward, slope: Array) -> Weights:
    """Backward through the two layers; slope (sentences, k) is that of the node scores."""
    mixed_slope = slope @ weights["output"].T * (passed.mixed > 0) * passed.mixed_mask
    around_slope = mixed_slope @ weights["mixing"].T
    parts = np.split(around_slope, 2 * WINDOW + 1 + POOLED, axis=1)
    hidden_slope = sum(matrix.T @ part for matrix, part in zip(passed.seen, parts, strict=True))
    hidden_slope = hidden_slope * (passed.hidden > 0) * passed.hidden_mask
    return {
        "direct": passed.features.T @ slope,
        "direct_bias": slope.sum(axis=0),
        "output": passed.mixed.T @ slope,
        "mixing": passed.around.T @ mixed_slope,
        "mixing_bias": mixed_slope.sum(axis=0),
        "embedding": passed.features.T @ hidden_slope,
        "embedding_bias": hidden_slope.sum(axis=0),
    }
