"""How alike each two essays are, and kernel ridge regression on it, with leave-one-out predictions in closed form.

With K the centred kernel of the training essays, A = K + lambda I and y their centred scores, the dual weights are
a = A^-1 y, and the error made on essay i by a fit without it is

    e_i = a_i / (A^-1)_ii,

the mean of y and of the kernel taken as given. Source: Hastie, Tibshirani & Friedman (2009), Elements of Statistical
Learning, 7.10.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import lapack

from assay.errors import InputError
from assay.essays.models.arrays import Floats

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
    mean = float(target.mean())
    best: RidgeFit | None = None
    least = np.inf
    for ridge in ridges:
        inverse = _inverse(kernel, ridge)
        dual = inverse @ (target - mean)
        errors = dual / np.diagonal(inverse)
        if not (error := float(errors @ errors)) < least:
            break
        least, best = error, RidgeFit(dual, mean, ridge, target - errors)
    if best is None:
        raise InputError("the essays are too few or too much alike for a kernel regression")
    return best


def _inverse(kernel: Floats, ridge: float) -> Floats:
    """(K + ridge I)^-1, by Cholesky."""
    shifted = np.array(kernel, dtype=np.float64, order="F")
    shifted[np.diag_indices_from(shifted)] += ridge
    factor, failed = lapack.dpotrf(shifted, lower=1, overwrite_a=1)
    if failed:
        raise InputError("the essays are too much alike for a kernel regression")
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    lower = np.tril(inverse)
    return np.asarray(lower + np.tril(lower, -1).T)
