"""`KernelPart`: a kernel regression in a form that scores one essay at once and tells what each input adds.

Kernels of words, characters and features are products, so their regressions become a weight per word, per bucket of
characters and per feature. Only the kernel of nearness keeps the training essays. A part may hold a second layer of
weights for each prompt: the kernel of two essays then counts twice if they share a prompt (multi-task regression).

How alike each two essays are, and kernel ridge regression on it, with leave-one-out predictions in closed form.

With K the centred kernel of the training essays, A = K + lambda I and y their centred scores, the dual weights are
a = A^-1 y, and the error made on essay i by a fit without it is

    e_i = a_i / (A^-1)_ii,

the mean of y and of the kernel taken as given. Source: Hastie, Tibshirani & Friedman (2009), Elements of Statistical
Learning, 7.10.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.arrays import Floats, ReadOnlyArrays

DENSE_SHARE = 0.06
"""Columns that more essays than this share have are multiplied densely: several times as fast for frequent ones."""


def gram(rows: Any) -> Floats:
    """(essays, essays): products of the rows of a sparse matrix."""
    essays, columns = rows.shape
    spread = np.bincount(rows.indices, minlength=columns)
    dense = rows[:, np.flatnonzero(spread > DENSE_SHARE * essays)].toarray()
    sparse = rows[:, np.flatnonzero((spread > 1) & (spread <= DENSE_SHARE * essays))]
    product = np.asarray(dense @ dense.T + (sparse @ sparse.T).toarray(), dtype=np.float64)
    # columns of a single essay were left out; they count for that essay alone
    product[np.diag_indices_from(product)] = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return product


def squared_distances(a: Floats, b: Floats) -> Floats:
    """(len a, len b)."""
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2 * a @ b.T
    return np.asarray(np.maximum(squares, 0.0))


def median_distance(z: Floats) -> float:
    """The median squared distance of two different essays; 1 for fewer than two."""
    distances = squared_distances(z, z)[np.triu_indices(len(z), 1)]
    middle = float(np.median(distances)) if len(distances) else 0.0
    return middle if middle > 0 else 1.0


@dataclass(frozen=True, eq=False, slots=True)
class RidgeFit:
    """Dual weights for the centred kernel, the mean they are added to, and what each essay gets without itself."""

    dual: Floats
    intercept: float
    ridge: float
    left_out: Floats


def centred(kernel: Floats) -> Floats:
    """The kernel of the training essays after the mean of their (unseen) vectors is taken off."""
    rows = kernel.mean(axis=0)
    return np.asarray(kernel - rows[None, :] - rows[:, None] + rows.mean())


def scaled(kernel: Floats) -> tuple[Floats, float]:
    """The centred kernel with mean diagonal 1, and what it was divided by."""
    middle = centred(kernel)
    scale = max(float(np.trace(middle)) / len(middle), 1e-12)
    return middle / scale, scale


def fit_kernel_ridge(kernel: Floats, target: Floats, ridges: Sequence[float]) -> RidgeFit:
    """The fit of a centred kernel with mean diagonal 1; the first lambda after which leave-one-out errors grow.

    >>> x = np.array([-2.0, -1, 0, 1, 2])
    >>> fit = fit_kernel_ridge(np.outer(x, x) / 2, 3 * x + 1, ridges=[0.1])
    >>> fit.left_out.round(3).tolist()
    [-4.806, -1.935, 1.0, 3.935, 6.806]
    """
    from scipy.linalg import lapack  # noqa: PLC0415 - takes a fifth of a second, and a model that scores needs none

    mean = float(target.mean())
    best: RidgeFit | None = None
    least = np.inf
    for ridge in ridges:
        shifted = np.array(kernel, dtype=np.float64, order="F")
        shifted[np.diag_indices_from(shifted)] += ridge
        factor, failed = lapack.dpotrf(shifted, lower=1, overwrite_a=1)
        if failed:
            raise InputError("the essays are too much alike for a kernel regression")
        lower = np.tril(lapack.dpotri(factor, lower=1, overwrite_c=1)[0])
        inverse = lower + np.tril(lower, -1).T  # (K + ridge I)^-1, by Cholesky
        dual = inverse @ (target - mean)
        errors = dual / np.diagonal(inverse)
        if not (error := float(errors @ errors)) < least:
            break
        least, best = error, RidgeFit(dual, mean, ridge, target - errors)
    if best is None:
        raise InputError("the essays are too few or too much alike for a kernel regression")
    return best


STEPS = 12
"""Points at which the way from the average essay to this one is looked at, for shares in nearness."""
KINDS = ("features", "characters", "words", "nearness")


@dataclass(frozen=True, eq=False, slots=True)
class Terms:
    """A sum that is known term by term, one a field: scaled and added up, every term follows."""

    def times(self, factor: float) -> Self:
        return replace(self, **{term.name: getattr(self, term.name) * factor for term in fields(self)})

    def plus(self, other: Self) -> Self:
        return replace(self, **{t.name: getattr(self, t.name) + getattr(other, t.name) for t in fields(self)})


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
class Shares(Terms):
    """What a part adds up from: prediction = start + sum of the rest."""

    start: float
    features: Floats
    characters: float
    words: Floats
    """Of each word of the essay, in the order of `Inputs.words`."""

    @property
    def total(self) -> float:
        return float(self.start + self.features.sum() + self.characters + self.words.sum())


@dataclass(frozen=True, eq=False, slots=True)
class Nearness(ReadOnlyArrays):
    """The training essays a kernel exp(-distance^2 / width) refers to."""

    z: Floats
    """(essays, features): weighted."""
    weights: Floats
    """(features,): how much each counts."""
    width: float

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
class KernelPart(ReadOnlyArrays):
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


@dataclass(frozen=True, eq=False, slots=True)
class Kernels:
    """The vectors of the training essays and their centred Gram matrices, each with mean diagonal 1."""

    vectors: Mapping[str, Any]
    """(essays, columns) by kind: sparse for characters and words; for nearness the kernel itself."""
    grams: Mapping[str, Floats]
    scales: Mapping[str, float]
    """What each Gram matrix was divided by."""


def training_kernels(near: Nearness, characters: Any, words: Any) -> Kernels:
    """The kernels of the training essays; features enter with the weights that nearness gives them."""
    z = near.z
    vectors = {"features": z, "characters": characters, "words": words, "nearness": near.kernel_of(z)}
    raw = {"features": z @ z.T, "characters": gram(characters), "words": gram(words), "nearness": vectors["nearness"]}
    both = {kind: scaled(matrix) for kind, matrix in raw.items()}
    scales = {kind: scale for kind, (_, scale) in both.items()}
    return Kernels(vectors, {kind: matrix for kind, (matrix, _) in both.items()}, scales)


def fit_part(
    kernels: Kernels,
    target: Floats,
    mix: Mapping[str, float],
    ridges: Sequence[float],
    *,
    prompts: NDArray[np.intp],
    by_prompt: bool,
) -> tuple[KernelPart, Floats]:
    """A part for a mix of kernels, and what each training essay gets from a fit without it.

    `by_prompt` counts essays of the same prompt twice.
    """
    total = sum(mix.values())
    kernel = sum((share / total * kernels.grams[kind] for kind, share in mix.items()), np.zeros((len(target),) * 2))
    layers = [np.ones(len(target))]
    if by_prompt and len(np.unique(prompts)) > 1:
        kernel = kernel * (1 + (prompts[:, None] == prompts[None, :]))
        layers += [(prompts == prompt).astype(np.float64) for prompt in np.unique(prompts).tolist()]
    fit = fit_kernel_ridge(kernel, target, ridges)
    duals = [fit.dual * layer for layer in layers]
    intercepts = np.zeros(len(duals))
    intercepts[0] = fit.intercept
    weights = {kind: np.empty((len(duals), 0)) for kind in KINDS}
    for kind in [kind for kind in KINDS if mix.get(kind)]:
        factor = mix[kind] / total / kernels.scales[kind]
        rows, offsets = zip(*(_weights(kernels.vectors[kind], dual * factor, kind) for dual in duals), strict=True)
        intercepts += offsets
        weights[kind] = np.array(rows)
    return KernelPart(intercepts, **{kind: compact(weights[kind]) for kind in KINDS}), fit.left_out


def _weights(vectors: Any, dual: Floats, kind: str) -> tuple[Floats, float]:
    """Dual weights as weights per input: w = sum_i a_i (x_i - mean x), and -w . mean x to the intercept."""
    if kind == "nearness":  # the vectors are the kernel: centring takes a constant off each dual weight
        means = vectors.mean(axis=0)
        return dual - dual.mean(), float(dual.sum() * means.mean() - dual @ means)
    middle = np.asarray(vectors.mean(axis=0)).ravel()
    weights = np.asarray(vectors.T @ dual).ravel() - dual.sum() * middle
    return weights, -float(weights @ middle)


def compact(weights: Floats) -> Floats:
    """Each row to 65,535 steps, which a model file keeps in two bytes a weight.

    >>> compact(np.array([[1.0, 0.1, 0.00001]])).tolist()
    [[1.0, 0.1000091555528428, 0.0]]
    """
    if not weights.size:
        return weights
    step = np.abs(weights).max(axis=1, keepdims=True) / 32767
    step[step == 0] = 1.0
    return np.asarray(np.rint(weights / step) * step)
