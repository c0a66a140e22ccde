"""What workers do for `assay rsm predict`: raw scores of a stretch of responses."""

from assay.execution.executor import Executor
from assay.rsm.feature_model import FeatureModel
from assay.rsm.types import Matrix, Scores

ROWS_AT_ONCE = 20_000
"""Responses handed out together. Fixed, whatever the number of workers, so that results do not depend on it."""


def spread_raw(executor: Executor, model: FeatureModel, matrix: Matrix) -> Scores:
    """The raw scores of prepared features, by an executor; those of a line are worked out here, sooner than sent."""
    import numpy as np

    if model.model.linear:
        return model.raw(matrix)
    stretches = (matrix[first : first + ROWS_AT_ONCE] for first in range(0, len(matrix), ROWS_AT_ONCE))
    return np.concatenate(list(executor.map_ordered(raw_scores, stretches, model)))


def raw_scores(matrix: Matrix, model: FeatureModel) -> Scores:
    """The raw scores of one stretch; what a worker does."""
    return model.raw(matrix)
