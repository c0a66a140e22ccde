"""Exact shares of a linear model."""

from assay.rsm.explain.explanation import Background
from assay.rsm.types import Matrix, Scores


def linear_shares(coefficients: Scores, matrix: Matrix, background: Background) -> Matrix:
    """The share of feature j: b_j (x_j - mean of the background). (responses, features).

    >>> import numpy as np
    >>> linear_shares(np.array([2.0, -1.0]), np.array([[3.0, 1.0]]), Background.of(np.array([[1.0, 1.0], [1.0, 5.0]])))
    array([[4., 2.]])
    """
    centre = background.weights @ background.matrix
    shares: Matrix = coefficients * (matrix - centre)
    return shares
