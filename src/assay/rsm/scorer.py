"""`LinearScorer`: a linear model that scores one response at a time in some microseconds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, log, sqrt

from assay.errors import InputError
from assay.rsm.feature_model import FeatureModel
from assay.rsm.postprocess import Postprocessing

_ONE_VALUE: Mapping[str, Callable[[float], float]] = {
    "raw": lambda x: x,
    "org": lambda x: x,
    "inv": lambda x: 1 / x,
    "sqrt": sqrt,
    "log": log,
    "addOneInv": lambda x: 1 / (x + 1),
    "addOneLn": lambda x: log(x + 1),
}
"""The transformations of `transformations` for one number; an error where there is no value."""


@dataclass(frozen=True, slots=True)
class _Step:
    """All that happens to one feature, its weight included."""

    feature: str
    low: float
    high: float
    transform: Callable[[float], float]
    centre: float
    weight: float
    fill: float | None


@dataclass(frozen=True, slots=True)
class LinearScorer:
    """Features of one response in, the six forms of its score out."""

    intercept: float
    steps: tuple[_Step, ...]
    postprocessing: Postprocessing

    @classmethod
    def of(cls, model: FeatureModel) -> "LinearScorer":
        """From a stored model. InputError when the model is no line."""
        fitted, how = model.model, model.preparation
        if fitted.coefficients is None or fitted.intercept is None:
            raise InputError(f"{fitted.name} is no linear model", remedy="Score tables with `predict` instead.")
        weights = dict(zip(fitted.features, fitted.coefficients.tolist(), strict=True))
        steps = []
        for p in model.parameters:
            low, high = p.bounds if how.truncate else (float("-inf"), float("inf"))
            centre, spread = (p.train_transformed_mean, p.train_transformed_sd) if how.standardize else (0.0, 1.0)
            weight = weights[p.feature] * p.sign / spread
            steps.append(_Step(p.feature, low, high, _ONE_VALUE[p.transform], centre, weight, p.fill))
        return cls(float(fitted.intercept), tuple(steps), model.postprocessing)

    def raw(self, features: Mapping[str, float]) -> float:
        """The raw score of one response. InputError for a feature that is missing or cannot be transformed."""
        score = self.intercept
        for step in self.steps:
            value = features.get(step.feature, float("nan"))
            if not isfinite(value):
                if step.fill is None:
                    problem = f"feature {step.feature!r} is missing or no number: the response has no score"
                    raise InputError(problem, field="features")
                value = step.fill
            value = min(max(value, step.low), step.high)
            try:
                score += (step.transform(value) - step.centre) * step.weight
            except (ValueError, ZeroDivisionError):
                problem = f"feature {step.feature!r} is {value:g}, which cannot be transformed"
                raise InputError(problem, field="features") from None
        return score

    def score(self, features: Mapping[str, float]) -> dict[str, float]:
        """All six forms: raw and scaled; as they are, trimmed, trimmed and rounded."""
        after = self.postprocessing
        raw = self.raw(features)
        scale = (raw - after.train_predictions_mean) / after.train_predictions_sd * after.h1_sd + after.h1_mean
        low, high = after.trim_min - after.trim_tolerance, after.trim_max + after.trim_tolerance
        raw_trim, scale_trim = min(max(raw, low), high), min(max(scale, low), high)
        return {
            "raw": raw,
            "scale": scale,
            "raw_trim": raw_trim,
            "raw_trim_round": float(round(raw_trim)),
            "scale_trim": scale_trim,
            "scale_trim_round": float(round(scale_trim)),
        }
