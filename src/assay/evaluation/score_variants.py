"""The six forms of a system score: raw or scaled; as it is, trimmed, trimmed and rounded."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale

TRIMMED, ROUNDED = "_trim", "_trim_round"


@dataclass(frozen=True, slots=True)
class Scaling:
    """The straight line that gives system scores the mean and spread of human scores, learned on training data.

    scale = (raw - mean of training predictions) / their sd * sd of training human scores + their mean, sds over N - 1
    """

    system_mean: float
    system_sd: float
    human_mean: float
    human_sd: float

    @classmethod
    def learned(cls, human: Scores, system: Scores) -> "Scaling":
        """From the human scores and the engine's predictions on training responses."""
        if len(human) < 2 or np.ptp(system) == 0:
            problem = "the scores to scale with must hold at least two responses and predictions that differ"
            remedy = "Give the training predictions of the same engine."
            raise InputError(problem, field="scale_with", remedy=remedy)
        return cls(float(system.mean()), float(system.std(ddof=1)), float(human.mean()), float(human.std(ddof=1)))

    def apply(self, raw: Scores) -> Scores:
        return (raw - self.system_mean) / self.system_sd * self.human_sd + self.human_mean


def score_forms(
    raw: Scores,
    *,
    scale: ScoreScale | None,
    tolerance: float | None = None,
    scaling: Scaling | None = None,
    name: str = "raw",
) -> Mapping[str, Scores]:
    """Every form by name, in report order. Without a scale of points there is nothing to trim to."""
    variants: dict[str, Scores] = {}
    bases = {name: raw} if scaling is None else {name: raw, "scale": scaling.apply(raw)}
    for base, scores in bases.items():
        variants[base] = scores
        if scale is not None:
            variants[base + TRIMMED] = scale.trim(scores, tolerance)
            variants[base + ROUNDED] = scale.round(variants[base + TRIMMED])
    return variants
