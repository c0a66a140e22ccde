"""Intervals that allow for the items and for the raters: other items, and other people, would have given other figures.

The spread over items and the spread over raters are each taken by the jackknife, on a scale on which the figure varies
evenly. Both hold the noise of single ratings, which is taken off once, as two-way clustering does (Cameron, Gelbach &
Miller 2011, Robust inference with multiway clustering). Decision 0505 has the measured coverage.
"""

from dataclasses import dataclass
from math import isfinite, nan, sqrt

import numpy as np
from scipy.special import stdtrit

from assay.metrics.bins import Scores
from assay.metrics.intervals import EVEN_SCALES, FARTHEST, Estimate, EvenScale

LEAST_BLOCKS = 3
LEAST_RATERS = 3
"""With fewer people, nothing can be said of people in general: the interval is of these."""


@dataclass(frozen=True, eq=False, slots=True)
class Spread:
    """The replicates of a figure: without each block of items, and without each person."""

    items: Scores
    raters: Scores
    cells: float = 0.0
    """The variance of the figure, had each rating been drawn on its own."""


def crossed_estimate(
    value: float, spread: Spread, *, even: str = "same", reason: str = "", level: float = 0.95
) -> Estimate:
    """The figure with an interval that allows for items, and for raters where there are three or more."""
    if not isfinite(value):
        return Estimate(nan, reason=reason or "undefined")
    scale = EVEN_SCALES[even]
    if spread.items.size < LEAST_BLOCKS:
        return Estimate(value, reason="too few items")
    if not np.isfinite(spread.items).all():
        return Estimate(value, reason="undefined without some of the items")
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = float(scale.there(np.asarray(value)))
    if not isfinite(centre):
        return Estimate(value, reason="at the end of its range")
    variance, freedom = crossed_variance(value, spread, scale)
    if variance <= 1e-24 * max(value * value, 1e-12):
        return Estimate(value, reason="the same whichever item is left out")
    reach = float(stdtrit(freedom, (1 + level) / 2)) * sqrt(variance)
    with np.errstate(over="ignore"):
        low, high = scale.back(np.array([centre - reach, centre + reach]))
    return Estimate(value, float(low), float(high))


def crossed_variance(value: float, spread: Spread, scale: EvenScale) -> tuple[float, float]:
    """The variance of a figure on its even scale, and the degrees of freedom (Satterthwaite 1946)."""
    items = jackknife_variance(spread.items, value, scale)
    known = spread.raters[np.isfinite(spread.raters)]
    raters = jackknife_variance(known, value, scale) if known.size >= LEAST_RATERS else 0.0
    cells = spread.cells * scale.slope(value) ** 2
    variance = max(items, raters, items + raters - cells)
    parts = items**2 / max(spread.items.size - 1, 1) + raters**2 / max(known.size - 1, 1)
    freedom = (items + raters) ** 2 / parts if parts > 0 else 1.0
    return variance, max(freedom, 1.0)


def jackknife_variance(replicates: Scores, value: float, scale: EvenScale) -> float:
    """The variance that leaving out each part gives, on the even scale where there is room."""
    count = replicates.size
    if count < 2:
        return 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        there = scale.there(replicates)
        centre = scale.there(np.asarray(value))
        even = bool((np.abs(there - centre) < FARTHEST).all())
    spread, slope = (there, 1.0) if even else (replicates, scale.slope(value))
    return float((count - 1) / count * np.square(spread - spread.mean()).sum()) * slope**2
