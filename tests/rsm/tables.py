"""Made-up feature tables for the tests of models."""

import numpy as np

from assay.rsm.types import FeatureTable

NAMES = ("b", "a", "c")


def feature_table(n: int = 80, *, seed: int = 1, names: tuple[str, ...] = NAMES) -> FeatureTable:
    """Features that go up with a human score from 1 to 6, but the last, which goes down."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, 1, n)
    matrix = np.column_stack([skill + rng.normal(0, 0.7, n) + i for i, _ in enumerate(names)])
    matrix[:, -1] *= -1
    human = np.clip(np.rint(3.5 + skill), 1, 6)
    ids = np.array([f"r{i}" for i in range(n)], dtype=object)
    return FeatureTable(ids, names, matrix, human)
