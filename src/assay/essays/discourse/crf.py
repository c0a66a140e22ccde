"""A linear-chain conditional random field: the probability of every state of a sequence, and of every pair in a row.

    P(y | x) = exp(sum_i node[i, y_i] + sum_{i>0} link[i, y_(i-1), y_i]) / Z

Source: Lafferty, McCallum & Pereira (2001); forward-backward with scaling as in Rabiner (1989), section V.A.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


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
    forward, scale = _forward(local, step)
    backward = _backward(local, step, scale)
    single = forward * backward
    pair = np.zeros_like(step)
    after = local[1:] * backward[1:] / scale[1:]
    pair[1:] = forward[:-1, ..., :, None] * step[1:] * after[..., None, :]
    return Marginals(single, pair, (np.log(scale) + shift).sum(axis=(0, -1)))


def _forward(local: Floats, step: Floats) -> tuple[Floats, Floats]:
    """The probability of each state given what stands before and at its place, and the scale taken out at each."""
    forward, scale = np.empty_like(local), np.empty_like(local[..., :1])
    for i in range(len(local)):
        reached = local[i] if i == 0 else (forward[i - 1][..., None, :] @ step[i])[..., 0, :] * local[i]
        scale[i] = reached.sum(axis=-1, keepdims=True)
        forward[i] = reached / scale[i]
    return forward, scale


def _backward(local: Floats, step: Floats, scale: Floats) -> Floats:
    """How much more likely what follows becomes by each state; `forward * backward` is the probability of the state."""
    backward = np.ones_like(local)
    for i in range(len(local) - 2, -1, -1):
        after = local[i + 1] * backward[i + 1] / scale[i + 1]
        backward[i] = (step[i + 1] @ after[..., :, None])[..., 0]
    return backward
