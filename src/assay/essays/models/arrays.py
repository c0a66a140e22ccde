"""Arrays of numbers as models hold them: read-only, to so many digits, with a mean where values are undefined."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

DIGITS = 6
"""Significant digits of a feature that models see.

Some features come out of matrix products whose last bits depend on the machine and on how many essays are read
together. Rounded here, the same essay is the same row everywhere.
"""


@dataclass(frozen=True, eq=False, slots=True)
class ReadOnlyArrays:
    """A dataclass whose arrays nobody can write to once it exists."""

    def __post_init__(self) -> None:
        for column in fields(self):
            if isinstance(array := getattr(self, column.name), np.ndarray):
                array.flags.writeable = False


def rounded(values: Floats) -> Floats:
    """The values to `DIGITS` significant digits; NaN and 0 stay.

    >>> rounded(np.array([1234.56789, -0.00012345678])).tolist()
    [1234.57, -0.000123457]
    """
    # through text: the only rounding to significant digits that is the same on every machine
    flat = [float(f"{value:.{DIGITS - 1}e}") for value in values.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(values.shape)


def filled_with_mean(values: Floats) -> tuple[Floats, Floats]:
    """The mean of each column without its NaN, 0 where all are, and the values with it in place of NaN."""
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return mean, np.where(known, values, mean)
