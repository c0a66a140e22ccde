"""`FeatureModel`: a trained model with all that is needed to score responses from their raw features."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite, log, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.learners.fitted import FittedModel
from assay.rsm.preprocess import FeatureParameters, Preparation, prepared
from assay.rsm.transformations import TRANSFORMATIONS
from assay.rsm.types import FeatureTable, Matrix, Scores

VARIANTS = ("raw", "scale", "raw_trim", "raw_trim_round", "scale_trim", "scale_trim_round")
"""The six variants of a score, in the order of RSMTool's prediction files."""


@dataclass(frozen=True, slots=True)
class Postprocessing:
    """What was learned in training about the scale of scores. Standard deviations are over N - 1.

    A model that gave every training response one score has no spread to scale by: its scaled variants are NaN.
    """

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
        if len(raw) < 2:
            raise InputError("one training response is too few to learn the scale of scores from", field="train_file")
        spread = 0.0 if np.ptp(raw) == 0 else float(raw.std(ddof=1))  # not the noise of rounding
        return cls(low, high, tolerance, float(human.mean()), float(human.std(ddof=1)), float(raw.mean()), spread)

    @property
    def scales(self) -> bool:
        """Whether scaled variants are defined."""
        return self.train_predictions_sd > 0

    @property
    def ratio(self) -> float:
        """How much wider human scores spread than predictions; NaN where these do not vary."""
        return self.h1_sd / self.train_predictions_sd if self.scales else nan

    def variants(self, raw: Scores) -> Mapping[str, Scores]:
        """Raw scores as they are, scaled to the human ones, trimmed to just outside the scale, and rounded.

        Rounding lands trimmed scores on the ends of the scale; halves go to the even point, as in RSMTool.
        """
        spread = self.train_predictions_sd if self.scales else nan
        scale = (raw - self.train_predictions_mean) / spread * self.h1_sd + self.h1_mean
        low, high = self.trim_min - self.trim_tolerance, self.trim_max + self.trim_tolerance
        variants = {"raw": raw, "scale": scale}
        for name, scores in tuple(variants.items()):
            variants[f"{name}_trim"] = np.asarray(np.maximum(np.minimum(scores, high), low))
            variants[f"{name}_trim_round"] = np.rint(variants[f"{name}_trim"])
        return variants


@dataclass(frozen=True, eq=False, slots=True)
class FeatureModel:
    """How features are prepared, the model, and what becomes of its raw scores."""

    parameters: tuple[FeatureParameters, ...]
    preparation: Preparation
    model: FittedModel
    postprocessing: Postprocessing
    trained_on: Mapping[str, str | int | float] = field(default_factory=dict)
    """What the model was trained on: name of the table, its digest, responses, the date."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.feature for parameter in self.parameters)

    def raw(self, matrix: Matrix) -> Scores:
        """Raw scores from prepared features, columns in the order of `names`."""
        return self.model.predict(matrix[:, self.model.columns_of(self.names)])


@dataclass(frozen=True, eq=False, slots=True)
class Predicted:
    """Responses scored by a model."""

    table: FeatureTable
    """The responses that could be scored, in the order of the input."""
    preprocessed: Matrix
    variants: Mapping[str, Scores]
    left_out: NDArray[np.int64]
    """Places in the input of responses without a usable feature value, by the first such feature."""
    filled: int = 0
    """How many feature values were missing and filled in."""


def predict(
    model: FeatureModel,
    table: FeatureTable,
    *,
    raw: Callable[[FeatureModel, Matrix], Scores] = FeatureModel.raw,
    part: bool = False,
) -> Predicted:
    """Scores of responses from their raw features; responses without a usable feature value are left out.

    `raw` works out the raw scores of prepared features; where it can be spread over many, a caller gives its own.
    Raises InputError when the table lacks a feature of the model, and when no response can be scored, unless these are
    `part` of the responses only.
    """
    if not model.names:
        raise InputError("the model has no features, so it scores nothing", field="model")
    missing = [name for name in model.names if name not in table.names]
    if missing:
        raise InputError(f"the table lacks features that the model needs: {', '.join(missing)}", field="features")
    values = table.with_features(model.names).matrix
    given = np.isfinite(values)
    present = given | np.array([parameter.fill is not None for parameter in model.parameters])
    whole = present.all(axis=1)
    if not whole.any() and not part:
        raise InputError("no response has a number for every feature of the model, so none can be scored")
    matrix = np.full(values.shape, np.nan)
    if whole.any():
        matrix[whole] = prepared(values[whole], model.parameters, model.preparation, strict=False)
    usable = np.isfinite(matrix)
    keep = usable.all(axis=1)
    if not keep.any() and not part:
        raise InputError("no response has a value for every feature once it is transformed, so none can be scored")
    out = np.flatnonzero(~keep)
    # those with a missing value first, each kind by its first such feature
    first_missing, first_unusable = (np.argmin(known[out], axis=1) for known in (present, usable))
    order = np.lexsort((out, np.where(whole[out], first_unusable, first_missing), whole[out]))
    # learners refuse a table without rows
    scores = raw(model, matrix[keep]) if keep.any() else np.empty(0)
    variants = model.postprocessing.variants(scores)
    return Predicted(table.where(keep), matrix[keep], variants, out[order], int(np.count_nonzero(~given[keep])))


_ONE_VALUE = {**TRANSFORMATIONS, "sqrt": sqrt, "log": log, "addOneLn": lambda x: log(x + 1)}
"""The transformations of `preprocess` for one number; an error where there is no value."""


@dataclass(frozen=True, slots=True)
class LinearScorer:
    """A linear model that scores one response in some microseconds: features in, the six variants of its score out."""

    intercept: float
    steps: tuple[tuple[str, float, float, Callable[[float], float], float, float, float | None], ...]
    """All that happens to a feature: its name, ends, transformation, centre, weight, and what stands for a gap."""
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
            ends = p.bounds if how.truncate else (float("-inf"), float("inf"))
            centre, spread = (p.train_transformed_mean, p.train_transformed_sd) if how.standardize else (0.0, 1.0)
            weight = weights[p.feature] * p.sign / spread
            steps.append((p.feature, *ends, _ONE_VALUE[p.transform], centre, weight, p.fill))
        return cls(float(fitted.intercept), tuple(steps), model.postprocessing)

    def raw(self, features: Mapping[str, float]) -> float:
        """The raw score of one response. InputError for a feature that is missing or cannot be transformed."""
        score = self.intercept
        for feature, low, high, transform, centre, weight, fill in self.steps:
            value = features.get(feature, float("nan"))
            if not isfinite(value):
                if fill is None:
                    problem = f"feature {feature!r} is missing or no number: the response has no score"
                    raise InputError(problem, field="features")
                value = fill
            value = min(max(value, low), high)
            try:
                score += (transform(value) - centre) * weight
            except (ValueError, ZeroDivisionError):
                problem = f"feature {feature!r} is {value:g}, which cannot be transformed"
                raise InputError(problem, field="features") from None
        return score

    def score(self, features: Mapping[str, float]) -> dict[str, float]:
        """All six variants: raw and scaled; as they are, trimmed, trimmed and rounded."""
        after = self.postprocessing
        raw = self.raw(features)
        spread = after.train_predictions_sd if after.scales else nan
        scale = (raw - after.train_predictions_mean) / spread * after.h1_sd + after.h1_mean
        low, high = after.trim_min - after.trim_tolerance, after.trim_max + after.trim_tolerance
        raw_trim, scale_trim = min(max(raw, low), high), min(max(scale, low), high)
        rounded = float(round(raw_trim)), float(round(scale_trim)) if after.scales else nan
        return dict(zip(VARIANTS, (raw, scale, raw_trim, rounded[0], scale_trim, rounded[1]), strict=True))
