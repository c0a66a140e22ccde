"""`Rescaled`: a regressor whose scores get the mean and spread of the human scores, as SKLL's Rescaled... learners."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone

from assay.rsm.types import Scores


class Rescaled(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A regressor of scikit-learn, rescaled and kept within the range of the human scores."""

    def __init__(self, regressor: Any = None, constrain: bool = True, rescale: bool = True) -> None:
        self.regressor = regressor
        self.constrain = constrain
        self.rescale = rescale

    def fit(self, matrix: Any, human: Scores) -> "Rescaled":
        """Train the regressor, and learn the line from its scores to the human ones (spreads over N)."""
        self.regressor_ = clone(self.regressor).fit(matrix, human)
        given = self.regressor_.predict(matrix)
        self.range_ = (float(np.min(human)), float(np.max(human)))
        self.given_ = (float(np.mean(given)), float(np.std(given)))
        self.human_ = (float(np.mean(human)), float(np.std(human)))
        return self

    def predict(self, matrix: Any) -> Scores:
        scores = np.asarray(self.regressor_.predict(matrix))
        if self.rescale:
            with np.errstate(divide="ignore", invalid="ignore"):
                scores = (scores - self.given_[0]) / self.given_[1] * self.human_[1] + self.human_[0]
        if not self.constrain:
            return scores
        # a regressor that gives everyone the same score cannot be rescaled. As in SKLL its scores become the highest
        # one, so that such settings lose the search; a model that still wins is refused, since its scores do not vary
        return np.asarray(np.where(np.isnan(scores), self.range_[1], np.clip(scores, *self.range_)))
