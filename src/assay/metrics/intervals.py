"""Confidence interval of any figure and of any difference.

Responses are gathered in blocks (a response each while there are few, or all responses of a candidate), and the
figure is computed again without each block. The spread of these gives the standard error, on a scale on which the
figure varies evenly (Fisher's z for correlations and kappas, the logarithm for errors), and a t interval.
Decision 0004 has the measured coverage, beside that of the bootstrap, which can be had instead.
Sources: Tukey (1958) and Shao & Wu (1989) for the jackknife by groups; Wilson (1927) for shares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, isnan, nan, sqrt
from typing import Any, Self

import numpy as np

from assay.metrics.bins import Scores, Totals, bootstrap_draws, drawn, leaving_out_each
from assay.metrics.distributions import normal_quantile, t_quantile

BLOCKS = 499
"""Most blocks of responses. A prime, so that a pattern in the order of the file does not meet one in the blocks."""


class Estimate(float):
    """A figure with its 95 % interval; NaN with a reason where it has none.

    It is a float, so it can be computed with, compared and formatted like one: equality, order and hash are those of
    the value, whatever the interval. What is computed from it is a plain float, which has no interval.

    Parameters
    ----------
    value, low, high
        The figure and the ends of its interval.
    reason
        Why there is no value, or no interval.

    Examples
    --------
    >>> qwk = Estimate(0.74, 0.64, 0.82)
    >>> qwk
    Estimate(0.74, 0.64 to 0.82)
    >>> qwk > 0.7, round(1 - qwk, 2), f"{qwk:.1f}"
    (True, 0.26, '0.7')
    >>> Estimate(reason="only one response")
    Estimate(nan: only one response)
    """

    __slots__ = ("high", "low", "reason", "value")
    value: float
    low: float
    high: float
    reason: str

    def __new__(cls, value: float = nan, low: float = nan, high: float = nan, reason: str = "") -> Self:
        estimate = super().__new__(cls, value)
        for name, part in (("value", value), ("low", low), ("high", high), ("reason", reason)):
            object.__setattr__(estimate, name, part)
        return estimate

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return isfinite(self.value)

    @property
    def has_interval(self) -> bool:
        return not (isnan(self.low) or isnan(self.high))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Estimate cannot be changed: make another one with its own {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Estimate cannot lose its {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.low, self.high, self.reason)

    def __repr__(self) -> str:
        interval = f", {self.low:.4g} to {self.high:.4g}" if self.has_interval else ""
        return f"{type(self).__name__}({self.value:.4g}{interval}{f': {self.reason}' if self.reason else ''})"

    def __str__(self) -> str:
        return float.__repr__(self)


@dataclass(frozen=True, slots=True)
class EvenScale:
    """A scale on which a figure varies evenly, there and back, and how steeply it rises at a figure."""

    there: Callable[[Scores], Scores]
    back: Callable[[Scores], Scores]
    slope: Callable[[float], float]


EVEN_SCALES: Mapping[str, EvenScale] = {
    "same": EvenScale(lambda x: x, lambda z: z, lambda x: 1.0),
    "fisher": EvenScale(np.arctanh, np.tanh, lambda x: 1 / (1 - x * x)),
    "log": EvenScale(np.log, np.exp, lambda x: 1 / x),
    "log of rest": EvenScale(lambda x: -np.log1p(-x), lambda z: -np.expm1(-z), lambda x: 1 / (1 - x)),
}

FARTHEST = 3.0
"""How far one block may move a figure on its even scale: beyond, the even scale is no guide to its spread."""


@dataclass(frozen=True, eq=False, slots=True)
class Resampling:
    """How intervals are made: replicates of the whole, and what their spread says."""

    totals: Totals
    draws: int = 0
    """Bootstrap draws; 0 for the jackknife."""
    level: float = 0.95
    item: str = "response"
    """What is left out or drawn, as reasons call it."""

    @classmethod
    def jackknife(cls, *, item: str = "response") -> "Resampling":
        return cls(leaving_out_each, item=item)

    @classmethod
    def bootstrapped(
        cls, rng: "np.random.Generator", *, draws: int = 2000, blocks: int = BLOCKS, item: str = "response"
    ) -> "Resampling":
        return cls(drawn(bootstrap_draws(rng, blocks, draws)), draws, item=item)

    @property
    def no_spread(self) -> str:
        """Why a figure has no interval that comes out the same each time."""
        return f"the same whichever {self.item} is left out"

    def estimate(
        self,
        value: float,
        replicates: Scores,
        occupied: Scores,
        *,
        even: str = "same",
        units: int | None = None,
        reason: str = "",
    ) -> Estimate:
        """The figure with its interval, from its replicates: Student's t on the even scale.

        `occupied` says how many responses each block has; `units`, when given, how many blocks really bear on the
        figure (those of a small group, say, while the replicates leave out each block of everyone).
        """
        spread = self._spread(value, replicates, occupied, units=units, least=3, reason=reason)
        if isinstance(spread, Estimate):
            return spread
        scale = EVEN_SCALES[even]
        with np.errstate(divide="ignore", invalid="ignore"):
            centre = float(scale.there(np.asarray(value)))
        if not isfinite(centre):  # a perfect correlation, an error of exactly 0: no spread to tell from
            return Estimate(value, reason="at the end of its range")
        if value and np.ptp(spread) <= 1e-12 * abs(value):
            return Estimate(value, reason=self.no_spread)
        freedom = (spread.size if units is None else min(spread.size, units)) - 1
        reach = t_quantile(freedom, (1 + self.level) / 2) * _even_error(scale, value, spread)
        with np.errstate(over="ignore"):  # one stray score may make an interval endless, and so it should be
            low, high = scale.back(np.array([centre - reach, centre + reach]))
        return Estimate(value, float(low), float(high))

    def standard_error(self, replicates: Scores, occupied: Scores) -> float:
        """How much the figure varies from sample to sample; NaN where some replicates are undefined."""
        if self.draws:
            return float(replicates.std(ddof=1))
        spread = replicates[occupied > 0]
        return _jackknife_error(spread) if spread.size else nan

    def share(self, value: float, replicates: Scores, occupied: Scores, *, reason: str = "") -> Estimate:
        """The same for a per cent figure: Wilson's interval, with the sample size that the spread amounts to."""
        spread = self._spread(value, replicates, occupied, least=2, reason=reason)
        if isinstance(spread, Estimate):
            return spread
        variance = _jackknife_error(spread) ** 2 / 100**2
        p = value / 100
        responses = float(occupied.sum())
        if variance > 1e-20:  # below, it is the rounding of shares that are equal in all blocks
            size = p * (1 - p) / variance + 1
        else:
            size = min(responses, spread.size) if spread.size < BLOCKS else responses
        low, high = wilson_interval(p, size, level=self.level)
        return Estimate(value, 100 * low, 100 * high)

    def _spread(
        self, value: float, replicates: Scores, occupied: Scores, *, units: int | None = None, least: int, reason: str
    ) -> Scores | Estimate:
        """The figure without each filled block; or the estimate, where it needs none or cannot have an interval."""
        if not isfinite(value):
            return Estimate(nan, reason=reason or "undefined")
        if self.draws:
            return self._percentiles(value, replicates)
        spread = replicates[occupied > 0]
        if (spread.size if units is None else min(spread.size, units)) < least:
            return Estimate(value, reason=f"too few {self.item}s")
        if not np.isfinite(spread).all():
            return Estimate(value, reason=f"undefined without some of the {self.item}s")
        return spread

    def _percentiles(self, value: float, replicates: Scores) -> Estimate:
        defined = replicates[np.isfinite(replicates)]
        if defined.size < 0.9 * replicates.size:
            return Estimate(value, reason="undefined in too many bootstrap draws")
        low, high = np.percentile(defined, [50 * (1 - self.level), 50 * (1 + self.level)])
        return Estimate(value, float(low), float(high))


def _jackknife_error(spread: Scores) -> float:
    """The standard error of a figure, from the figure without each block."""
    blocks = spread.size
    return sqrt((blocks - 1) / blocks * float(np.square(spread - spread.mean()).sum()))


def _even_error(scale: EvenScale, value: float, spread: Scores) -> float:
    """The standard error on the even scale.

    When one block makes almost all of the error, the figure without it lies at the end of its range, or so near that
    the even scale has no room for it (r without the only miss is 1). Then the plain standard error is taken there by
    the slope of the scale: leaving that block out of the sum instead would hide all doubt.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        there = scale.there(spread)
        if (np.abs(there - scale.there(np.asarray(value))) < FARTHEST).all():
            return _jackknife_error(there)
    return _jackknife_error(spread) * scale.slope(value)


def wilson_interval(share: float, size: float, *, level: float = 0.95) -> tuple[float, float]:
    """Interval of a share seen in `size` independent responses.

    Source: Wilson (1927). Never empty, also at 0 and 1.

    >>> [round(end, 3) for end in wilson_interval(0.9, 50)]
    [0.786, 0.957]
    """
    z = float(normal_quantile((1 + level) / 2))
    centre = share + z * z / (2 * size)
    reach = z * sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    low, high = (centre - reach) / (1 + z * z / size), (centre + reach) / (1 + z * z / size)
    return min(max(0.0, low), share), max(min(1.0, high), share)  # rounding must not leave the share itself outside


def holm(p_values: Scores) -> Scores:
    """p values adjusted for several comparisons, so that one false alarm among all stays rare.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = p_values[order] * np.arange(p_values.size, 0, -1)
    adjusted = np.empty_like(steps)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
