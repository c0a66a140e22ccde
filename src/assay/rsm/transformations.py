"""The transformations of a feature, and the choice of the one that goes best with human scores."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from assay.errors import InputError
from assay.rsm.types import Scores

UNCHANGED = ("raw", "org")
INVERTING = ("inv", "addOneInv")
"""Transformations that turn the order of responses around: the sign is flipped when one of them is chosen."""
SAME = 1e-12
"""Correlations no further apart than this differ by rounding."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """A function of feature values, and what it cannot be applied to."""

    apply: Callable[[Scores], Scores]
    forbids: Callable[[Scores], str | None] = lambda _: None
    """What is wrong with the values, or None."""


def _has_negative(values: Scores) -> str | None:
    return "negative values" if (values < 0).any() else None


def _has_zero(values: Scores) -> str | None:
    return "values of 0" if (values == 0).any() else None


def _has_both_signs(values: Scores) -> str | None:
    return "values of different signs" if (values < 0).any() and (values > 0).any() else None


TRANSFORMATIONS: Mapping[str, Transformation] = {
    "raw": Transformation(lambda x: x),
    "org": Transformation(lambda x: x),
    "inv": Transformation(lambda x: 1 / x, lambda x: _has_zero(x) or _has_both_signs(x)),
    "sqrt": Transformation(np.sqrt, _has_negative),
    "log": Transformation(np.log, lambda x: _has_zero(x) or _has_negative(x)),
    "addOneInv": Transformation(lambda x: 1 / (x + 1), _has_negative),
    "addOneLn": Transformation(lambda x: np.log(x + 1), _has_negative),
}


def transformation(name: str, feature: str) -> Transformation:
    """The transformation of this name. InputError lists those there are."""
    if name not in TRANSFORMATIONS:
        problem = f"there is no transformation {name!r} for feature {feature!r}"
        raise InputError(problem, field="features", remedy=f"Use one of {', '.join(TRANSFORMATIONS)}.")
    return TRANSFORMATIONS[name]


def transformed(values: Scores, name: str) -> Scores:
    """The values transformed; NaN or infinite where the transformation has no value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(TRANSFORMATIONS[name].apply(values))


def transformed_strictly(values: Scores, name: str, feature: str) -> Scores:
    """The values transformed. InputError when the transformation does not suit them."""
    problem = transformation(name, feature).forbids(values)
    if problem:
        raise InputError(
            f"feature {feature!r} has {problem}: the transformation {name} cannot be applied",
            field="features",
            remedy="Choose another in the feature file, or set select_transformations.",
        )
    return transformed(values, name)


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
    strengths = [0.0 if TRANSFORMATIONS[n].forbids(values) else _strength(transformed(values, n), human) for n in names]
    return names[int(np.argmax(np.array(strengths) >= max(strengths) - SAME))]


def _strength(values: Scores, human: Scores) -> float:
    x, y = values - values.mean(), human - human.mean()
    spread = np.sqrt((x @ x) * (y @ y))
    return float(abs(x @ y) / spread) if spread > 0 else 0.0
