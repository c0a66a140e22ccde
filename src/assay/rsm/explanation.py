"""`Explanation`: the share of each feature in each score."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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


MOST_STEPS = 100


def cluster_centres(matrix: Matrix, count: int, *, rng: np.random.Generator) -> Background:
    """At most so many centres, each weighted by the responses nearest to it.

    Lloyd's algorithm from k-means++ seeds: each drawn with the square of its distance to those before it. The mean of
    the weighted centres is that of the responses.
    """
    if len(np.unique(matrix, axis=0)) <= count:
        return Background.of(matrix)
    seeds = [matrix[rng.integers(len(matrix))]]
    distance = ((matrix - seeds[0]) ** 2).sum(axis=1)
    while len(seeds) < count and distance.sum() > 0:
        seeds.append(matrix[rng.choice(len(matrix), p=distance / distance.sum())])
        distance = np.minimum(distance, ((matrix - seeds[-1]) ** 2).sum(axis=1))
    centres = np.array(seeds)
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


def _nearest(matrix: Matrix, centres: Matrix) -> NDArray[np.intp]:
    squares = (centres**2).sum(axis=1) - 2 * matrix @ centres.T  # the square of the response itself is the same for all
    return np.asarray(np.argmin(squares, axis=1))
