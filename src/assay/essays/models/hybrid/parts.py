"""`KernelPart`: a kernel regression in a form that scores one essay at once and tells what each input adds.

Kernels of words, characters and features are products, so their regressions become a weight per word, per bucket of
characters and per feature. Only the kernel of nearness keeps the training essays. A part may hold a second layer of
weights for each prompt: the kernel of two essays then counts twice if they share a prompt (multi-task regression).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.hybrid.kernels import squared_distances

Floats = NDArray[np.float64]

STEPS = 12
"""Points at which the way from the average essay to this one is looked at, for shares in nearness."""


@dataclass(frozen=True, eq=False, slots=True)
class Inputs:
    """What the parts read of one essay."""

    z: Floats
    """(features,)."""
    characters: NDArray[np.int32]
    """Buckets, each with the same weight 1 / sqrt(their number)."""
    words: NDArray[np.int32]
    word_weights: Floats
    prompt: int
    """The place of its prompt among those of the model."""


@dataclass(frozen=True, eq=False, slots=True)
class Shares:
    """What a part adds up from: prediction = start + sum of the rest."""

    start: float
    features: Floats
    characters: float
    words: Floats
    """Of each word of the essay, in the order of `Inputs.words`."""

    @property
    def total(self) -> float:
        return float(self.start + self.features.sum() + self.characters + self.words.sum())

    def times(self, factor: float) -> "Shares":
        return Shares(self.start * factor, self.features * factor, self.characters * factor, self.words * factor)

    def plus(self, other: "Shares") -> "Shares":
        return Shares(
            self.start + other.start,
            self.features + other.features,
            self.characters + other.characters,
            self.words + other.words,
        )


@dataclass(frozen=True, eq=False, slots=True)
class Nearness:
    """The training essays a kernel exp(-distance^2 / width) refers to."""

    z: Floats
    """(essays, features): weighted."""
    weights: Floats
    """(features,): how much each counts."""
    width: float

    def __post_init__(self) -> None:
        self.z.flags.writeable = False
        self.weights.flags.writeable = False

    def kernel_of(self, weighted: Floats) -> Floats:
        """(essays asked, training essays), for features that are weighted already."""
        return np.asarray(np.exp(-squared_distances(weighted, self.z) / self.width))

    def shares(self, z: Floats, dual: Floats) -> tuple[Floats, float]:
        """What each weighted feature adds on the way from the average essay (all 0), and the value there.

        Integrated gradients (Sundararajan, Taly & Yan 2017): z_j times the mean slope along the way. What the sum
        misses of the difference, some 1e-6 of it, goes to the largest share.
        """
        nodes, lengths = np.polynomial.legendre.leggauss(STEPS)
        way = (nodes[:, None] + 1) / 2 * z[None, :]  # (steps, features)
        pull = self.kernel_of(way) * dual  # (steps, training essays)
        slopes = -2 / self.width * (pull.sum(axis=1)[:, None] * way - pull @ self.z)
        shares = z * (lengths / 2 @ slopes)
        start, end = (self.kernel_of(np.stack([0 * z, z])) @ dual).tolist()
        shares[np.abs(shares).argmax()] += end - start - shares.sum()
        return shares, start


@dataclass(frozen=True, eq=False, slots=True)
class KernelPart:
    """Weights in layers: the first for all prompts, then one per prompt where the part has them; empty: not used."""

    intercept: Floats
    """(layers,)."""
    features: Floats
    """(layers, features)."""
    characters: Floats
    """(layers, buckets)."""
    words: Floats
    """(layers, words)."""
    nearness: Floats
    """(layers, training essays): dual weights."""

    def __post_init__(self) -> None:
        for layer in (self.intercept, self.features, self.characters, self.words, self.nearness):
            layer.flags.writeable = False

    def shares(self, essay: Inputs, near: Nearness) -> Shares:
        """What the prediction for an essay is made of."""
        layers = [0] if len(self.intercept) == 1 else [0, essay.prompt + 1]
        start = float(self.intercept[layers].sum())
        weighted = essay.z * near.weights
        features = weighted * self.features[layers].sum(axis=0) if self.features.size else np.zeros_like(weighted)
        if self.nearness.size:
            by_feature, at_zero = near.shares(weighted, self.nearness[layers].sum(axis=0))
            features, start = features + by_feature, start + at_zero
        characters = 0.0
        if self.characters.size and len(essay.characters):
            characters = float(self.characters[layers][:, essay.characters].sum() / np.sqrt(len(essay.characters)))
        words = np.zeros(len(essay.words))
        if self.words.size:
            words = self.words[layers][:, essay.words].sum(axis=0) * essay.word_weights
        return Shares(start, features, characters, words)
