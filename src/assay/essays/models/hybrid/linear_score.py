"""`LinearScore`: a score of a pool of essays as a sum of trees, features and characters, kept term by term.

Scores are standardised, weighed and added up; the terms follow, so that the result can score a new essay.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class LinearScore:
    """A score of the pool as a sum: constant + tree_factor * trees + features + characters."""

    pool: Floats
    """(essays,): its values, what characters say of an essay learned without it."""
    constant: float
    trees: float
    features: Floats
    """(twice the features,): weights of `curved` features."""
    characters: Floats
    """(buckets,)."""

    def times(self, factor: float) -> "LinearScore":
        return LinearScore(
            self.pool * factor,
            self.constant * factor,
            self.trees * factor,
            self.features * factor,
            self.characters * factor,
        )

    def plus(self, other: "LinearScore") -> "LinearScore":
        return LinearScore(
            self.pool + other.pool,
            self.constant + other.constant,
            self.trees + other.trees,
            self.features + other.features,
            self.characters + other.characters,
        )

    def shifted(self, by: float) -> "LinearScore":
        return LinearScore(self.pool + by, self.constant + by, self.trees, self.features, self.characters)

    def standardised(self) -> "LinearScore":
        spread = float(self.pool.std())
        return self.shifted(-float(self.pool.mean())).times(1 / spread if spread > 1e-12 else 1.0)
