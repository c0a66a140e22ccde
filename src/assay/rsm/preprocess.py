"""How features are prepared for a model: parameters learned once on training responses, and reused on any others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.errors import InputError
from assay.rsm.transformations import transformed
from assay.rsm.types import FeatureSpec, Matrix, Missing, Scores

SMALLEST_SD = 1e-7
"""A feature that spreads no more than this does not vary (RSMTool 12)."""
OUTLIER_SDS = 4
"""Values further from the mean than so many standard deviations are pulled in."""


@dataclass(frozen=True, slots=True)
class FeatureParameters:
    """What was learned about one feature on the training responses. Standard deviations are over N - 1."""

    feature: str
    transform: str
    sign: float
    train_mean: float
    train_sd: float
    train_transformed_mean: float
    train_transformed_sd: float
    low: float | None = None
    """Values below are raised to it: given by the user. None: four standard deviations below the mean."""
    high: float | None = None
    fill: float | None = None
    """What stands for a missing value; None: a response without the value is left out."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which values the feature is kept when outliers are truncated."""
        low, high = (self.train_mean + side * OUTLIER_SDS * self.train_sd for side in (-1, 1))
        return (low if self.low is None else self.low), (high if self.high is None else self.high)


@dataclass(frozen=True, slots=True)
class Preparation:
    """The choices that hold for all features."""

    standardize: bool = True
    truncate: bool = True
    compat: bool = False
    """As RSMTool: where the training mean is exactly 0, outliers are told by the mean of the responses at hand."""


def learned(
    values: Scores, spec: FeatureSpec, how: Preparation, *, missing: Missing = "drop"
) -> tuple[FeatureParameters, Scores]:
    """The parameters of one feature, and its prepared training values. InputError when it cannot be used."""
    fill = None if missing == "drop" else 0.0
    if missing in ("mean", "median"):
        present = values[np.isfinite(values)]
        fill = float(present.mean() if missing == "mean" else np.median(present))
    if fill is not None:
        values = np.where(np.isfinite(values), values, fill)
    mean, sd = float(values.mean()), _sd(values)
    bare = FeatureParameters(spec.feature, spec.transform, spec.sign, mean, sd, 0.0, 1.0, spec.low, spec.high, fill)
    changed = transformed(_truncated(values, bare, how), spec.transform, spec.feature, strict=True)
    spread = _sd(changed)
    if spread <= SMALLEST_SD:
        problem = f"feature {spec.feature!r} does not vary once it is prepared"
        raise InputError(problem, field="features", remedy="Leave it out and run the experiment again.")
    parameters = replace(bare, train_transformed_mean=float(changed.mean()), train_transformed_sd=spread)
    return parameters, _finished(changed, parameters, how)


def prepared(matrix: Matrix, parameters: Sequence[FeatureParameters], how: Preparation, *, strict: bool) -> Matrix:
    """Features of other responses, prepared with what was learned; columns in the order of the parameters.

    Where a transformation has no value, the result is NaN or infinite; with `strict` that is an InputError.
    """
    columns = []
    for number, parameter in enumerate(parameters):
        values = matrix[:, number]
        if parameter.fill is not None:
            values = np.where(np.isfinite(values), values, parameter.fill)
        values = _truncated(values, parameter, how)
        values = transformed(values, parameter.transform, parameter.feature, strict=strict)
        columns.append(_finished(values, parameter, how))
    return np.column_stack(columns) if columns else np.empty((len(matrix), 0))


def _sd(values: Scores) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else float("nan")


def _truncated(values: Scores, parameter: FeatureParameters, how: Preparation) -> Scores:
    if not how.truncate:
        return values
    low, high = parameter.bounds
    if how.compat and parameter.train_mean == 0 and parameter.low is None and parameter.high is None:
        shift = float(values.mean())
        low, high = low + shift, high + shift
    return np.asarray(np.maximum(np.minimum(values, high), low))


def _finished(values: Scores, parameter: FeatureParameters, how: Preparation) -> Scores:
    with np.errstate(all="ignore"):  # a damaged model may state a deviation of 0: no number comes of it
        if how.standardize:
            values = (values - parameter.train_transformed_mean) / parameter.train_transformed_sd
        return np.asarray(values * parameter.sign)
