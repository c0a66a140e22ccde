"""Hybrids trained once for all tests that score with them."""

from functools import cache

from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.hybrid.train import train_hybrid
from assay.essays.models.resolution import HumanScores
from tests.essays.models.hybrid.made_essays import made_essays


@cache
def hybrid_of(*topics: str) -> HybridModel:
    """A model of 120 essays on these topics."""
    essays, scores = made_essays(120, topics)
    return train_hybrid(essays, HumanScores(scores))
