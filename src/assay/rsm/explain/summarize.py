"""Background responses summarised by the centres of their clusters (k-means)."""

import numpy as np
from numpy.typing import NDArray

from assay.rsm.explain.explanation import Background
from assay.rsm.types import Matrix, Scores

MOST_STEPS = 100


def cluster_centres(matrix: Matrix, count: int, *, rng: np.random.Generator) -> Background:
    """At most so many centres, each weighted by the responses nearest to it.

    Lloyd's algorithm from k-means++ seeds. The mean of the weighted centres is that of the responses.
    """
    distinct = np.unique(matrix, axis=0)
    if len(distinct) <= count:
        return Background.of(matrix)
    centres = _seeds(matrix, count, rng)
    nearest = _nearest(matrix, centres)
    for _ in range(MOST_STEPS):
        sizes = np.bincount(nearest, minlength=len(centres))
        sums = np.stack([np.bincount(nearest, column, minlength=len(centres)) for column in matrix.T], axis=1)
        centres = np.divide(sums, sizes[:, None], out=centres.copy(), where=sizes[:, None] > 0)
        again = _nearest(matrix, centres)
        if np.array_equal(again, nearest):
            break
        nearest = again
    weights: Scores = np.bincount(nearest, minlength=len(centres)).astype(float)
    return Background.of(centres[weights > 0], weights[weights > 0])


def _seeds(matrix: Matrix, count: int, rng: np.random.Generator) -> Matrix:
    """Seeds far from each other: each drawn with the square of its distance to those before it."""
    chosen = [matrix[rng.integers(len(matrix))]]
    distance = ((matrix - chosen[0]) ** 2).sum(axis=1)
    while len(chosen) < count and distance.sum() > 0:
        chosen.append(matrix[rng.choice(len(matrix), p=distance / distance.sum())])
        distance = np.minimum(distance, ((matrix - chosen[-1]) ** 2).sum(axis=1))
    return np.array(chosen)


def _nearest(matrix: Matrix, centres: Matrix) -> NDArray[np.intp]:
    squares = (centres**2).sum(axis=1) - 2 * matrix @ centres.T  # the square of the response itself is the same for all
    return np.asarray(np.argmin(squares, axis=1))
