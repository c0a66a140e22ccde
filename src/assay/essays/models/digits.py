"""How many digits of a feature count: the same essay must be the same numbers on every machine."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIGITS = 6
"""Significant digits of a feature that models see.

Some features come out of matrix products whose last bits depend on the machine and on how many essays are read
together. Rounded here, the same essay is the same row everywhere.
"""


def rounded(values: Floats, digits: int = DIGITS) -> Floats:
    """The values to so many significant digits; NaN and 0 stay.

    >>> rounded(np.array([1234.56789, -0.00012345678])).tolist()
    [1234.57, -0.000123457]
    """
    # through text: the only rounding to significant digits that is the same on every machine
    flat = [float(f"{value:.{digits - 1}e}") for value in values.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(values.shape)
