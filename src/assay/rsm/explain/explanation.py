"""`Explanation`: the share of each feature in each score."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.errors import InputError
from assay.rsm.types import Matrix, Scores, Texts

Method = Literal["linear", "trees", "sampled"]


@dataclass(frozen=True, eq=False, slots=True)
class Background:
    """Responses a score is compared with, perhaps weighted: what a feature is replaced by when it is taken away."""

    matrix: Matrix
    weights: Scores
    """Not negative, sum 1."""

    @classmethod
    def of(cls, matrix: Matrix, weights: Scores | None = None) -> "Background":
        """InputError when there is no response, or a value that is no number."""
        if not len(matrix):
            raise InputError("there is no background response to compare with", field="background_data")
        if not np.isfinite(matrix).all():
            raise InputError("a background response has a feature that is no number", field="background_data")
        given = np.ones(len(matrix)) if weights is None else weights
        return cls(matrix, given / given.sum())


@dataclass(frozen=True, eq=False, slots=True)
class Explanation:
    """The share of each feature in each score. Base value and shares of a response add up to its score.

    A share is a Shapley value: how much the score changes when the feature is added to others, averaged over all
    orders in which features can be added, and over background responses that stand in for features not yet added.
    Source: Lundberg & Lee (2017); Janzing, Minorics & Blöbaum (2020) on replacing features independently.
    """

    ids: Texts
    features: tuple[str, ...]
    matrix: Matrix
    """(responses, features), as the model sees them."""
    values: Matrix
    """(responses, features): the shares."""
    base: float
    """The mean score of the background responses."""
    predictions: Scores
    method: Method
    errors: Matrix | None = None
    """Standard errors of sampled shares."""
    backgrounds: int = 0
    """How many background responses there were."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def mean_size(self) -> Scores:
        """Per feature the mean of the absolute shares."""
        return np.asarray(np.abs(self.values).mean(axis=0))

    def ranked(self) -> list[int]:
        """The features by mean absolute share, the largest first."""
        return [int(i) for i in np.argsort(-self.mean_size, kind="stable")]
