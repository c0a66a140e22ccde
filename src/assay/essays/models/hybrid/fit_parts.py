"""Fitting kernel parts: Gram matrices once, a kernel ridge on a mix of them, and its weights per input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.hybrid.kernel_ridge import centred, fit_kernel_ridge
from assay.essays.models.hybrid.kernels import gram
from assay.essays.models.hybrid.parts import KernelPart, Nearness

Floats = NDArray[np.float64]

KINDS = ("features", "characters", "words", "nearness")


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
    middle = {kind: centred(matrix) for kind, matrix in raw.items()}
    scales = {kind: max(float(np.trace(matrix)) / len(z), 1e-12) for kind, matrix in middle.items()}
    return Kernels(vectors, {kind: matrix / scales[kind] for kind, matrix in middle.items()}, scales)


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
    shares = {kind: mix.get(kind, 0.0) / total for kind in KINDS}
    return _part(kernels, shares, [fit.dual * layer for layer in layers], fit.intercept), fit.left_out


def _part(kernels: Kernels, shares: Mapping[str, float], duals: Sequence[Floats], mean: float) -> KernelPart:
    """Dual weights turned into weights per input: w = sum_i a_i (x_i - mean x), and -w . mean x to the intercept."""
    intercepts = np.zeros(len(duals))
    intercepts[0] = mean
    layers: dict[str, Floats] = {}
    for kind, share in shares.items():
        if not share:
            layers[kind] = np.empty((len(duals), 0))
            continue
        factor = share / kernels.scales[kind]
        rows, offsets = zip(*(_weights(kernels.vectors[kind], dual * factor, kind) for dual in duals), strict=True)
        intercepts += offsets
        layers[kind] = np.array(rows)
    return KernelPart(intercepts, **{kind: compact(layers[kind]) for kind in KINDS})


def _weights(vectors: Any, dual: Floats, kind: str) -> tuple[Floats, float]:
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
