"""Transformations of features as RSMTool names them, and the one that suits best."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.rsm.types import Scores

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
