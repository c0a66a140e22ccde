"""How many reviews a figure needs before it is known as closely as asked."""

from math import ceil, isfinite, sqrt

import numpy as np
from scipy.special import ndtri, stdtrit

from assay.errors import InputError
from assay.metrics.intervals import EVEN_SCALES, Estimate, EvenScale

MOST = 10_000_000
"""Beyond so many reviews the answer is: not by reviewing."""


def half_width(estimate: Estimate) -> float:
    """Half the length of the interval; NaN without one."""
    return (estimate.high - estimate.low) / 2


def reviews_needed(estimate: Estimate, n: int, within: float, even: str = "same") -> int | None:
    """Reviews in all until the half-width of the interval is `within`, if figure and spread stay what they are now.

    On the scale on which the figure varies evenly, the reach of its interval is t(n - 1) s / sqrt(n). s is taken from
    the interval of now, and n grows until the interval, taken back to the figure's own scale, is short enough. Shares
    are taken on their own scale (`even="same"`), where Wilson's interval is nearly even unless they are close to 0 or
    100. None when there is no interval to go by, or when more than `MOST` would be needed.

    >>> reviews_needed(Estimate(0.74, 0.64, 0.82), 100, 0.05, "fisher")
    322
    """
    if not 0 < within < float("inf"):
        raise InputError(f"the half-width must be above 0, got {within:g}", field="within")
    if n < 2 or not isfinite(half_width(estimate)) or half_width(estimate) == 0:
        return None
    if half_width(estimate) <= within:
        return n
    scale = EVEN_SCALES[even]
    with np.errstate(divide="ignore", invalid="ignore"):  # an interval may end where the scale does
        ends = scale.there(np.array([estimate.low, estimate.high]))
        centre, reach = float(scale.there(np.asarray(estimate.value))), float(ends[1] - ends[0]) / 2
    if not (isfinite(centre) and isfinite(reach)):
        return None
    return _smallest(n, _student(n) / reach * _allowed(scale, centre, within))


def _student(n: int) -> float:
    """The reach of an interval in units of the spread: t(n - 1) / sqrt(n)."""
    return float(stdtrit(n - 1, 0.975)) / sqrt(n)


def _allowed(scale: EvenScale, centre: float, within: float) -> float:
    """The reach on the even scale whose interval has that half-width."""

    def half(reach: float) -> float:
        low, high = scale.back(np.array([centre - reach, centre + reach]))
        return float(high - low) / 2

    low, high = 0.0, 1.0
    while half(high) < within and high < 64:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if half(middle) < within else (low, middle)
    return high


def _smallest(n: int, reach: float) -> int | None:
    """The least number of reviews, n or more, whose reach is that small."""
    low, high = n, 2 * n
    while _student(high) > reach:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _student(middle) > reach else (low, middle)
    return high


def planned_reviews(expected: float, within: float) -> int:
    """Reviews to plan for before there is any, for a correlation that is expected to be about so high.

    n = 3 + (1.96 / reach)^2 with the reach on Fisher's z that gives the half-width. Source: Fisher (1921); the error
    of z is 1 / sqrt(n - 3) for scores that are about normal.

    >>> planned_reviews(0.7, 0.1)
    105
    """
    reach = _allowed(EVEN_SCALES["fisher"], float(np.arctanh(expected)), within)
    return 3 + ceil((float(ndtri(0.975)) / reach) ** 2)
