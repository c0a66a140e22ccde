"""How features are prepared for a model: parameters learned once on training responses, and reused on any others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.rsm.types import FeatureSpec, Matrix, Missing, Scores

SMALLEST_SD = 1e-7
"""A feature that spreads no more than this does not vary (RSMTool 12)."""
OUTLIER_SDS = 4
"""Values further from the mean than so many standard deviations are pulled in."""
INVERTING = ("inv", "addOneInv")
"""Transformations that turn the order of responses around: the sign is flipped when one of them is chosen."""
SAME = 1e-12
"""Correlations no further apart than this differ by rounding."""

TRANSFORMATIONS: Mapping[str, Callable[[Any], Any]] = {
    "raw": lambda x: x,
    "org": lambda x: x,
    "inv": lambda x: 1 / x,
    "sqrt": np.sqrt,
    "log": np.log,
    "addOneInv": lambda x: 1 / (x + 1),
    "addOneLn": lambda x: np.log(x + 1),
}


def unsuitable(values: Scores, name: str) -> str | None:
    """What keeps a transformation from being applied to the values, or None."""
    if name in ("inv", "log") and (values == 0).any():
        return "values of 0"
    if name == "inv":
        return "values of different signs" if (values < 0).any() and (values > 0).any() else None
    return "negative values" if name not in ("raw", "org") and (values < 0).any() else None


def transformed(values: Scores, name: str, feature: str = "", *, strict: bool = False) -> Scores:
    """The values transformed; NaN or infinite where the transformation has no value, with `strict` an InputError.

    InputError lists the transformations there are if this is none.
    """
    if name not in TRANSFORMATIONS:
        problem = f"there is no transformation {name!r} for feature {feature!r}"
        raise InputError(problem, field="features", remedy=f"Use one of {', '.join(TRANSFORMATIONS)}.")
    if strict and (obstacle := unsuitable(values, name)):
        problem = f"feature {feature!r} has {obstacle}: the transformation {name} cannot be applied"
        remedy = "Choose another in the feature file, or set select_transformations."
        raise InputError(problem, field="features", remedy=remedy)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(TRANSFORMATIONS[name](values))


def best_transformation(values: Scores, human: Scores) -> str:
    """The transformation after which a feature correlates most with the human scores, up or down.

    Features with negative values are left alone or inverted; others are left alone, or their square root, 1/(x+1)
    or ln(x+1) is taken. The first of equals is chosen, also where rounding makes one look better by a hair: after any
    transformation a feature of two values correlates the same. Source: RSMTool 12, select_transformations, which lets
    rounding decide.

    >>> x = np.array([1.0, 4.0, 9.0, 16.0])
    >>> best_transformation(x, np.array([1.0, 2.0, 3.0, 4.0]))
    'sqrt'
    """
    names = ("org", "inv") if (values < 0).any() else ("org", "sqrt", "addOneInv", "addOneLn")
    strengths = np.zeros(len(names))
    for number, name in enumerate(names):
        if not unsuitable(values, name):
            changed = transformed(values, name)
            x, y = changed - changed.mean(), human - human.mean()
            spread = np.sqrt((x @ x) * (y @ y))
            strengths[number] = abs(x @ y) / spread if spread > 0 else 0.0
    return names[int(np.argmax(strengths >= strengths.max() - SAME))]


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
    if how.standardize:
        values = (values - parameter.train_transformed_mean) / parameter.train_transformed_sd
    return np.asarray(values * parameter.sign)
