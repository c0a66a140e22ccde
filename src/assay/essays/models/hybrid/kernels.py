"""How alike each two essays are: Gram matrices of sparse vectors and of features."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

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
