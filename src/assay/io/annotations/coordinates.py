"""Numbers that can be a place in an image."""

from math import isfinite

import numpy as np

from assay.annotations.shapes.shapes import Coordinates
from assay.errors import InputError

FARTHEST = 1e7
"""No image is 10 million pixels wide: a coordinate beyond it is a mistake, and squares of it lose all precision."""


def place(text: str | None, name: str) -> float:
    """A coordinate from text; InputError when it is none."""
    if text is None:
        raise InputError(f"{name} is missing")
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{name} is not a number") from None
    if not isfinite(number) or abs(number) > FARTHEST:
        raise InputError(f"{name} is not finite or beyond {FARTHEST:.0f}")
    return number


def places(text: str | None, name: str = "points") -> Coordinates:
    """Points from "x,y;x,y".

    >>> places("1.0,2;3,4").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if not text or not text.strip():
        raise InputError(f"{name} is missing or empty")
    pairs = [pair.split(",") for pair in text.strip().strip(";").split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{name} holds something else than pairs x,y")
    try:
        numbers = np.array([[float(x), float(y)] for x, y in pairs])
    except ValueError:
        raise InputError(f"{name} holds something that is not a number") from None
    if not usable(numbers):
        raise InputError(f"{name} holds a number that is not finite or beyond {FARTHEST:.0f}")
    numbers.flags.writeable = False
    return numbers


def usable(numbers: Coordinates) -> bool:
    """Whether all are finite and near enough to be in an image."""
    return bool((np.abs(numbers) <= FARTHEST).all())  # NaN compares as False


def without_closing_point(ring: Coordinates) -> Coordinates:
    """A ring whose last point does not repeat the first."""
    return ring[:-1] if len(ring) > 3 and bool((ring[0] == ring[-1]).all()) else ring
