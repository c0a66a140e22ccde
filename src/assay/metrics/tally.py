"""`PairTally`: all that the metrics of two raters need to know about their scores, mergeable and small.

Every metric is a formula on a tally, which people call with two lists of scores (`pair_metric`). Tallies of parts add
up to the tally of the whole, so ten responses in memory and ten billion in Parquet give the same number. A tally may
also be an array of tallies (one per group and block of responses, or one per bootstrap draw): the same formula then
gives an array of figures.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import update_wrapper
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.errors import InputError
from assay.metrics.bins import Bins, Totals, together
from assay.metrics.pairs import Scores, paired, response_weights

MOST_POINTS = 1001
"""Scores rounded to points are counted point by point up to this many points (0 to 1000)."""

NO_RESPONSES, ONE_RESPONSE = "no responses", "only one response"

_EXTREMES = {"human_min": np.min, "system_min": np.min, "human_max": np.max, "system_max": np.max}
_PLAIN_SUMS = ("n", "weight", "squared_error", "absolute_error", "exact", "adjacent", "same_point", "point_distance")


@dataclass(frozen=True, eq=False, slots=True)
class PairTally:
    """Counts, means, centred sums of squares and products, extremes and score-point counts of two raters.

    Sums are weighted by the response weights; `n` counts responses. All arrays share one shape, () for a single
    tally; `human_points` and `system_points` have one more axis, the score point, from `lowest_point` upwards.
    """

    n: Scores
    weight: Scores
    human_mean: Scores
    system_mean: Scores
    human_ss: Scores
    system_ss: Scores
    cross: Scores
    """Centred sum of products."""
    squared_error: Scores
    absolute_error: Scores
    exact: Scores
    adjacent: Scores
    same_point: Scores
    """Responses with the same score once both are rounded to points."""
    point_distance: Scores
    """Sum of the distances between the rounded scores, in points."""
    human_min: Scores
    human_max: Scores
    system_min: Scores
    system_max: Scores
    human_points: Scores
    system_points: Scores
    lowest_point: int
    step: float

    @classmethod
    def of(
        cls,
        human: ArrayLike,
        system: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        step: float = 1.0,
        bins: Bins | None = None,
    ) -> "PairTally":
        """The tally of two raters' scores; with `bins`, an array of tallies."""
        h, m = paired(human, system)
        w = None if weights is None else response_weights(weights, h.size)
        return cls.of_checked(h, m, w, step=step, bins=bins or Bins.single(h.size))

    @classmethod
    def of_checked(
        cls, human: Scores, system: Scores, weights: Scores | None, *, step: float, bins: Bins
    ) -> "PairTally":
        """The same for scores already known to be finite and of one length, perhaps none at all."""
        h, m = bins.arranged(human), bins.arranged(system)
        w = None if weights is None else bins.arranged(weights)

        def total(values: Scores | NDArray[np.bool_]) -> Scores:
            return bins.sums(values.astype(np.float64, copy=False) if w is None else values * w)

        weight = total(np.ones_like(h))
        # sums about a value near the means: squares of large scores would swallow their differences
        h_origin, m_origin = (float(x.mean()) if x.size else 0.0 for x in (h, m))
        dh, dm, error = h - h_origin, m - m_origin, np.abs(m - h)
        sum_h, sum_m = total(dh), total(dm)
        filled = np.where(weight > 0, weight, 1.0)
        points = _Points.of(h, m, step)
        return cls(
            n=bins.counts(),
            weight=weight,
            human_mean=h_origin + sum_h / filled,
            system_mean=m_origin + sum_m / filled,
            human_ss=np.maximum(total(dh * dh) - sum_h * sum_h / filled, 0.0),
            system_ss=np.maximum(total(dm * dm) - sum_m * sum_m / filled, 0.0),
            cross=total(dh * dm) - sum_h * sum_m / filled,
            squared_error=total(error * error),
            absolute_error=total(error),
            exact=total(error <= 0),
            adjacent=total(error <= 1),
            same_point=total(points.human == points.system),
            point_distance=total(np.abs(points.human - points.system)),
            human_min=bins.lows(h),
            human_max=bins.highs(h),
            system_min=bins.lows(m),
            system_max=bins.highs(m),
            human_points=points.counted(points.human, bins, w),
            system_points=points.counted(points.system, bins, w),
            lowest_point=points.lowest,
            step=step,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        return self.n.shape

    @property
    def points(self) -> Scores:
        """The score points that were counted."""
        return np.round((self.lowest_point + np.arange(self.human_points.shape[-1])) * self.step, 10)

    @property
    def has_points(self) -> NDArray[np.bool_]:
        """Whether rounded scores could be counted point by point."""
        return np.asarray((self.human_points.shape[-1] > 0) & (self.n > 0))

    @property
    def human_flat(self) -> NDArray[np.bool_]:
        """Whether all human scores are equal. The extremes say so exactly; a tiny variance may be rounding."""
        return np.asarray(self.human_min >= self.human_max)

    @property
    def system_flat(self) -> NDArray[np.bool_]:
        return np.asarray(self.system_min >= self.system_max)

    def human_variance(self, ddof: int = 1) -> Scores:
        return self._variance(self.human_ss, ddof)

    def system_variance(self, ddof: int = 1) -> Scores:
        return self._variance(self.system_ss, ddof)

    def _variance(self, ss: Scores, ddof: int) -> Scores:
        # weights are taken relative to their mean, so that only their proportions matter
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.n > ddof, ss / self.weight * self.n / (self.n - ddof), np.nan)

    def __add__(self, other: "PairTally") -> "PairTally":
        """The tally of both parts together.

        Merged squares after Chan, Golub & LeVeque (1983), Algorithms for computing the sample variance.
        """
        if self.step != other.step:
            steps = f"{self.step:g} and {other.step:g}"
            raise InputError(f"Tallies with score steps {steps} cannot be merged", remedy="Tally both on one scale.")
        sums = {name: getattr(self, name) + getattr(other, name) for name in _PLAIN_SUMS}
        share = other.weight / np.where(sums["weight"] > 0, sums["weight"], 1.0)
        both = self.weight * share
        dh, dm = other.human_mean - self.human_mean, other.system_mean - self.system_mean
        moments = {
            "human_mean": self.human_mean + dh * share,
            "system_mean": self.system_mean + dm * share,
            "human_ss": self.human_ss + other.human_ss + dh * dh * both,
            "system_ss": self.system_ss + other.system_ss + dm * dm * both,
            "cross": self.cross + other.cross + dh * dm * both,
        }
        extremes = {
            name: extreme([getattr(self, name), getattr(other, name)], axis=0) for name, extreme in _EXTREMES.items()
        }
        arrays: dict[str, Any] = {name: np.asarray(value) for name, value in (sums | moments | extremes).items()}
        return PairTally(**arrays, **_points_together(self, other), step=self.step)

    def __getitem__(self, index: Any) -> "PairTally":
        """Some tallies of an array of tallies, as numpy indexes."""
        index = index if isinstance(index, tuple) else (index,)
        of_points = (*index, slice(None)) if any(i is Ellipsis for i in index) else index
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in values.items():
            if name in ("human_points", "system_points"):
                values[name] = value[of_points]
            elif isinstance(value, np.ndarray):
                values[name] = np.asarray(value[index])
        return PairTally(**values)

    def merged(self) -> "PairTally":
        """The tallies along the last axis added up."""
        return self.combined(together)[..., 0]

    def combined(self, total: Totals) -> "PairTally":
        """The tallies along the last axis (blocks of responses) added up into replicates."""
        whole = np.maximum(self.weight.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
        h_origin = (self.weight * self.human_mean).sum(axis=-1, keepdims=True) / whole
        m_origin = (self.weight * self.system_mean).sum(axis=-1, keepdims=True) / whole
        dh, dm = self.human_mean - h_origin, self.system_mean - m_origin
        sums = {name: total(getattr(self, name)) for name in _PLAIN_SUMS}
        filled = np.where(sums["weight"] > 0, sums["weight"], 1.0)
        sum_h, sum_m = total(self.weight * dh), total(self.weight * dm)
        square_h = total(self.human_ss + self.weight * dh * dh)
        square_m = total(self.system_ss + self.weight * dm * dm)
        human_ss = np.maximum(square_h - sum_h * sum_h / filled, 0.0)
        system_ss = np.maximum(square_m - sum_m * sum_m / filled, 0.0)
        human_mean, system_mean = h_origin + sum_h / filled, m_origin + sum_m / filled
        extremes = {
            name: np.asarray(extreme(getattr(self, name), axis=-1, keepdims=True))
            for name, extreme in _EXTREMES.items()
        }
        if total is not together:
            # a replicate has no extremes of its own; what matters is whether its scores all are equal
            for ss, square, mean, rater in (
                (human_ss, square_h, human_mean, "human"),
                (system_ss, square_m, system_mean, "system"),
            ):
                flat = ss <= 1e-12 * np.abs(square)
                for end in (f"{rater}_min", f"{rater}_max"):
                    extremes[end] = np.where(flat, mean, extremes[end])
        return PairTally(
            **sums,
            **extremes,
            human_mean=human_mean,
            system_mean=system_mean,
            human_ss=human_ss,
            system_ss=system_ss,
            cross=total(self.cross + self.weight * dh * dm) - sum_h * sum_m / filled,
            # (..., blocks, points) -> (..., replicates, points)
            human_points=total(self.human_points.swapaxes(-1, -2)).swapaxes(-1, -2),
            system_points=total(self.system_points.swapaxes(-1, -2)).swapaxes(-1, -2),
            lowest_point=self.lowest_point,
            step=self.step,
        )


@dataclass(frozen=True, eq=False, slots=True)
class _Points:
    """Two raters' scores as whole numbers of steps."""

    human: Scores
    system: Scores
    lowest: int
    span: int

    @classmethod
    def of(cls, human: Scores, system: Scores, step: float) -> "_Points":
        h, m = np.rint(human / step), np.rint(system / step)
        if not h.size:
            return cls(h, m, 0, 0)
        low, high = min(h.min(), m.min()), max(h.max(), m.max())
        # too many points to count: metrics that need them are then undefined, the others are not
        return cls(h, m, int(low), int(high - low) + 1) if high - low < MOST_POINTS else cls(h, m, 0, 0)

    def counted(self, steps: Scores, bins: Bins, weights: Scores | None) -> Scores:
        """How much weight each point got in each bin: (..., points)."""
        if not self.span:
            return np.zeros((*bins.shape, 0))
        cell = bins.numbers() * self.span + (steps.astype(np.int64) - self.lowest)
        counts = np.bincount(cell, weights, minlength=bins.count * self.span)
        return counts.astype(np.float64, copy=False).reshape((*bins.shape, self.span))


def _points_together(a: PairTally, b: PairTally) -> dict[str, Any]:
    """The score points of two tallies added up, aligned; none when they are too far apart to be counted."""
    occupied = [t for t in (a, b) if t.human_points.shape[-1]]
    countable = all(t.human_points.shape[-1] or not t.n.any() for t in (a, b))
    lowest = min((t.lowest_point for t in occupied), default=0)
    highest = max((t.lowest_point + t.human_points.shape[-1] for t in occupied), default=0)
    span = highest - lowest if countable and highest - lowest <= MOST_POINTS else 0

    def added_up(name: str) -> Scores:
        total = np.zeros((*a.shape, span))
        for t in occupied if span else []:
            first = t.lowest_point - lowest
            total[..., first : first + t.human_points.shape[-1]] += getattr(t, name)
        return total

    points = {name: added_up(name) for name in ("human_points", "system_points")}
    return {**points, "lowest_point": lowest if span else 0}


class Metric(Protocol):
    """A metric of two raters."""

    __name__: str

    def __call__(self, human: ArrayLike, system: ArrayLike, *, weights: ArrayLike | None = None) -> float:
        """The figure of two lists of scores, one for each response, perhaps with a weight each."""
        ...

    def of_tally(self, tally: PairTally) -> Any:
        """The figure of one tally, or an array of figures of an array of tallies."""
        ...


def pair_metric(formula: Callable[[PairTally], Scores]) -> Metric:
    """What people call, made from its formula on a tally; the formula itself is its `of_tally`."""

    def of_tally(tally: PairTally) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            figure = formula(tally)
        return float(figure) if np.ndim(figure) == 0 else figure

    def metric(human: ArrayLike, system: ArrayLike, *, weights: ArrayLike | None = None) -> float:
        return float(of_tally(PairTally.of(human, system, weights=weights)))

    # its name and its words, but not its signature: that of `metric` is the true one
    update_wrapper(metric, formula, assigned=("__module__", "__name__", "__qualname__", "__doc__"), updated=())
    del metric.__wrapped__  # type: ignore[attr-defined]
    metric.of_tally = of_tally  # type: ignore[attr-defined]
    return cast("Metric", metric)


def why_undefined(tally: PairTally) -> str:
    """Why a figure of this one tally may have no value; empty when nothing stands in the way."""
    points_given = np.count_nonzero(tally.human_points + tally.system_points)
    reasons = {
        NO_RESPONSES: tally.n == 0,
        ONE_RESPONSE: tally.n == 1,
        "all scores of either rater are equal": tally.human_flat and tally.system_flat,
        "all human scores are equal": tally.human_flat,
        "all system scores are equal": tally.system_flat,
        f"more than {MOST_POINTS} score points": not tally.has_points,
        "all scores round to one point": points_given == 1,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")
