"""What becomes of raw predictions: scaled to the human scores, trimmed to the score scale, rounded."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.rsm.types import Scores

FORMS = ("raw", "scale", "raw_trim", "raw_trim_round", "scale_trim", "scale_trim_round")
"""In the order of RSMTool's prediction files."""


@dataclass(frozen=True, slots=True)
class Postprocessing:
    """What was learned in training about the scale of scores. Standard deviations are over N - 1."""

    trim_min: float
    trim_max: float
    trim_tolerance: float
    h1_mean: float
    h1_sd: float
    train_predictions_mean: float
    train_predictions_sd: float

    @classmethod
    def learned(cls, human: Scores, raw: Scores, *, low: float, high: float, tolerance: float) -> "Postprocessing":
        """From the human scores and the raw predictions of the training responses."""
        if len(raw) < 2 or np.ptp(raw) == 0:
            raise InputError(
                "the model gives every training response the same score, so its scores cannot be scaled",
                field="model",
                remedy="Choose other features or another model.",
            )
        return cls(low, high, tolerance, _mean(human), float(human.std(ddof=1)), _mean(raw), float(raw.std(ddof=1)))

    def forms(self, raw: Scores) -> Mapping[str, Scores]:
        """The six forms of the scores; halves are rounded to the even point, as RSMTool does."""
        scale = (raw - self.train_predictions_mean) / self.train_predictions_sd * self.h1_sd + self.h1_mean
        variants = {"raw": raw, "scale": scale}
        for name, scores in tuple(variants.items()):
            variants[f"{name}_trim"] = self.trimmed(scores)
            variants[f"{name}_trim_round"] = np.rint(variants[f"{name}_trim"])
        return variants

    def trimmed(self, scores: Scores) -> Scores:
        """Scores pulled to just outside the scale, so that rounding lands them on its ends."""
        low, high = self.trim_min - self.trim_tolerance, self.trim_max + self.trim_tolerance
        return np.asarray(np.maximum(np.minimum(scores, high), low))


def _mean(values: Scores) -> float:
    return float(values.mean())
