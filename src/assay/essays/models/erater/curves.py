"""`Curves`: what a feature is worth, value by value, where a straight line says too little.

Each feature gets a broken line with bends at one standard deviation below the mean, at the mean, and one above. All are
fitted at once by least squares, held back by a ridge, the bends more than the slopes:

    worth_j(x) = a_j z + sum over bends k of c_jk max(z - k, 0),   z = (x - mean_j) / sd_j

A model adds up what its features are worth; where the share of a feature is fixed in advance, it weighs what they are
worth as it would their values. Weights and shares mean what they did. The pull of the ridge was chosen on training
essays alone (decision 0217).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BENDS = (-1.0, 0.0, 1.0)
"""In standard deviations from the mean."""
SLOPE_RIDGE = 10.0
BEND_RIDGE = 30.0
"""Essays' worth of pull to zero."""
SMALLEST_SPREAD = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class Curves:
    """The broken line of each feature, in units of the human score."""

    mean: Floats
    sd: Floats
    """0 for a feature that is the same for every training essay; it stays as it is."""
    slopes: Floats
    """(features, 1 + bends): the slope below the first bend, then what each bend adds to it."""

    def __post_init__(self) -> None:
        for column in (self.mean, self.sd, self.slopes):
            column.flags.writeable = False

    def worth(self, values: Floats) -> Floats:
        """(essays, features): what each value is worth against an average one, in score points; NaN stays NaN.

        >>> curves = Curves(np.array([10.0]), np.array([2.0]), np.array([[1.0, 0.0, -0.5, 0.0]]))
        >>> curves.worth(np.array([[8.0], [10.0], [12.0]])).ravel().tolist()
        [-1.0, 0.0, 0.5]
        """
        varies = self.sd > 0
        z = (values - self.mean) / np.where(varies, self.sd, 1.0)
        worth = _lines(z, self.slopes) - _lines(np.zeros((1, z.shape[1])), self.slopes)
        return np.where(varies, worth, values)


def fit_curves(values: Floats, human: Floats) -> Curves:
    """The curves that go with human scores best, from (essays, features); NaN counts as the mean of its feature."""
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, values, mean)
    sd = filled.std(axis=0)
    sd = np.where(sd > SMALLEST_SPREAD * np.maximum(1.0, np.abs(mean)), sd, 0.0)
    z = (filled - mean) / np.where(sd > 0, sd, 1.0)
    columns = np.hstack([z, *(np.maximum(z - bend, 0.0) for bend in BENDS)])
    columns -= columns.mean(axis=0)
    pull = np.repeat([SLOPE_RIDGE, *[BEND_RIDGE] * len(BENDS)], z.shape[1])
    found = np.linalg.solve(columns.T @ columns + np.diag(pull), columns.T @ (human - human.mean()))
    return Curves(mean, sd, found.reshape(1 + len(BENDS), z.shape[1]).T.copy())


def _lines(z: Floats, slopes: Floats) -> Floats:
    total = z * slopes[:, 0]
    for place, bend in enumerate(BENDS, start=1):
        total = total + np.maximum(z - bend, 0.0) * slopes[:, place]
    return np.asarray(total)
