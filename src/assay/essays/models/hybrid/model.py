"""`HybridModel`: all that scoring by words, characters and some 180 features needs, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.calibrated.cross_prompt import CrossPromptModel
from assay.essays.models.cutoffs import Cutoffs
from assay.essays.models.erater.model import ErrorBand, TrainingSummary
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.parts import KernelPart, Nearness
from assay.essays.models.hybrid.space import FeatureSpace
from assay.essays.models.hybrid.word_statistics import WordStatistics
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

LONGEST_RUN = 6
PARTS = ("characters", "words", "combined")


@dataclass(frozen=True, eq=False, slots=True)
class HybridModel:
    """A model of essay scores; raw score = mean + sd * (weighted mean of the combined part and the trees)."""

    scale: ScoreScale
    space: FeatureSpace
    words: WordStatistics
    near: Nearness
    parts: Mapping[str, KernelPart]
    """By the names of `PARTS`."""
    trees: tuple[Trees, ...]
    """On features and on what the parts of characters and of words say."""
    blend: tuple[float, float]
    """Weights of the combined part and of the trees."""
    mean: float
    sd: float
    cutoffs: Cutoffs
    percentiles: Floats
    """(101,): as in `Equation`."""
    errors: ErrorBand
    agreement: Mapping[str, float]
    training: TrainingSummary
    transfer: CrossPromptModel | None = None
    """What `calibrate` takes to a new prompt; models of several prompts have it."""
    extra: Mapping[str, str] = field(default_factory=dict)
    kind: str = "hybrid"

    def __post_init__(self) -> None:
        self.percentiles.flags.writeable = False

    def percentile(self, raw: float) -> float:
        """The share of training essays with a lower raw score, in percent."""
        return float(np.interp(raw, self.percentiles, np.arange(101.0)))
