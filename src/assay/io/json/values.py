"""Numbers and points from JSON that may hold anything; InputError, without file and place, when they are none."""

from typing import Any

import numpy as np

from assay.annotations.shapes.shapes import Coordinates
from assay.errors import InputError
from assay.io.annotations.shape_validation import FARTHEST, usable


def number(value: Any, name: str) -> float:
    """A coordinate or size.

    >>> number(3, "x")
    3.0
    """
    if value is None:
        raise InputError(f"{name} is missing or null")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} is not a number")
    if not abs(value) <= FARTHEST:  # NaN compares as False
        raise InputError(f"{name} is not finite or beyond {FARTHEST:.0f}")
    return float(value)


def point_list(value: Any, name: str = "points") -> Coordinates:
    """Points from [[x, y], [x, y]].

    >>> point_list([[1, 2], [3, 4]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if not isinstance(value, list) or not value:
        raise InputError(f"{name} is missing or empty")
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise InputError(f"{name} holds something else than pairs [x, y]")
    if not all(type(v) in {int, float} for pair in value for v in pair):
        raise InputError(f"{name} holds something that is not a number")
    try:
        points = np.array(value, np.float64)
    except OverflowError:
        points = np.full((1, 2), np.nan)
    if not usable(points):
        raise InputError(f"{name} holds a number that is not finite or beyond {FARTHEST:.0f}")
    points.flags.writeable = False
    return points
