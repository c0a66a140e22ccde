"""Where a continuous score becomes the next score point: eight ways, by name in `CUTOFFS`.

Sources: Attali & Burstein (2005), Score Assignment, for `signal_detection` and `rounding`; the others are ours. Which
to choose (measured on ASAP, see docs/accuracy.md): `balanced` for quadratic weighted kappa on any scale, `widened` for
a little more of it and less exact agreement, `distribution` or `signal_detection` for exact agreement, the latter only
on scales of up to about a dozen points.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from assay.errors import InputError
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.scale import ScoreScale

LEAST_PER_POINT = 2
"""Essays a score point needs for a normal distribution of its own."""


@dataclass(frozen=True, eq=False, slots=True)
class Cutoffs(ReadOnlyArrays):
    """The lowest raw score of each score point but the first."""

    points: Floats
    """(k,): every point of the scale, ascending."""
    cuts: Floats
    """(k - 1,): ascending; two that are equal leave no room for the point between them."""

    def __post_init__(self) -> None:
        if len(self.cuts) != len(self.points) - 1 or np.any(np.diff(self.cuts) < 0):
            raise InputError(f"{len(self.points)} score points need {len(self.points) - 1} ascending cutoffs")
        ReadOnlyArrays.__post_init__(self)

    def assign(self, raw: Floats) -> Floats:
        """The score point of each raw score; NaN stays NaN."""
        given = np.isfinite(raw)
        places = np.searchsorted(self.cuts, np.where(given, raw, 0.0), side="right")
        return np.where(given, self.points[places], np.nan)


def rounding(_raw: Floats, _human: Floats, scale: ScoreScale) -> Cutoffs:
    """Halfway between neighbouring points, as e-rater v.1.3 had them; training essays play no part."""
    points = scale.points()
    return Cutoffs(points, (points[1:] + points[:-1]) / 2)


def mean_sd(raw: Floats, human: Floats, scale: ScoreScale) -> Cutoffs:
    """Half points after raw scores are stretched to the mean and the spread of the human scores.

    The greatest quadratic weighted kappa a line through the raw scores can give, while scores are continuous.
    """
    half, spread = rounding(raw, human, scale), float(human.std())
    stretch = float(raw.std()) / spread if spread > 0 else 1.0
    return Cutoffs(half.points, raw.mean() + (half.cuts - human.mean()) * stretch)


def widened(raw: Floats, human: Floats, scale: ScoreScale) -> Cutoffs:
    """`mean_sd` with a spread a little larger than that of the human scores, to make up for rounding.

    Rounding adds step^2 / 12 to the variance of the scores given, and nothing to what they share with human scores.
    Quadratic weighted kappa is then greatest not where spreads are equal, but where the variance before rounding is
    that of the human scores plus the same step^2 / 12 (decision 0218).
    """
    half, spread = rounding(raw, human, scale), float(np.hypot(human.std(), scale.step / np.sqrt(12)))
    return Cutoffs(half.points, raw.mean() + (half.cuts - human.mean()) * float(raw.std()) / spread)


def distribution(raw: Floats, human: Floats, scale: ScoreScale) -> Cutoffs:
    """Cuts that give each score to as many training essays as people gave it.

    Points nobody gave at either end lie beyond all training essays; in between they get no room.
    """
    points = scale.points()
    ordered = np.sort(raw)
    below = np.searchsorted(np.sort(human), (points[1:] + points[:-1]) / 2)
    padded = np.concatenate([[-np.inf], ordered, [np.inf]])
    cuts = (padded[below] + padded[below + 1]) / 2
    reach = max(float(np.ptp(raw)), 1.0)
    return Cutoffs(points, np.clip(cuts, ordered[0] - reach, ordered[-1] + reach))


def balanced(raw: Floats, human: Floats, scale: ScoreScale) -> Cutoffs:
    """Halfway between the cuts of `mean_sd` and of `distribution`; of the former alone where people gave no score."""
    by_spread, by_count = mean_sd(raw, human, scale), distribution(raw, human, scale)
    inside = (by_count.cuts > raw.min()) & (by_count.cuts < raw.max())
    cuts = np.where(inside, (by_spread.cuts + by_count.cuts) / 2, by_spread.cuts)
    return Cutoffs(by_spread.points, np.maximum.accumulate(cuts))


def signal_detection(raw: Floats, human: Floats, scale: ScoreScale, *, common_spread: bool = False) -> Cutoffs:
    """Cuts between neighbouring points where signal and noise weigh the same; the higher point is the signal.

        P(c | s) / P(c | n) = P(n) / P(s) * (v(rejection) + v(false alarm)) / (v(hit) + v(miss)), every v 1

    P(. | s) and P(. | n) are normal with mean and spread of the raw scores of the essays people gave the higher and the
    lower point, P(s) and P(n) their base rates. Where the equation has two solutions the one nearest the midpoint of
    both means counts. Where it has none between the lowest and the highest raw score, or too few essays have a point,
    the cut is where straight lines through the others put it. `common_spread` takes one spread for all points, means on
    a line and base rates of a normal distribution: needed beyond some twelve points, which have few essays each.
    """
    points = scale.points()
    levels: list[_Level | None] = []
    if common_spread:
        slope, intercept = np.polyfit(human, raw, 1)
        spread = float((raw - slope * human - intercept).std())
        # neighbouring means are close on a long scale, so that a ragged base rate would throw the cut far off
        logs = -0.5 * ((points - human.mean()) / human.std()) ** 2
        rates = np.exp(logs - logs.max()) + 1e-12
        levels += [_Level(rate, slope * point + intercept, spread) for rate, point in zip(rates, points, strict=True)]
    else:
        for point in points.tolist():
            own = raw[np.isclose(human, point)]
            spread = float(own.std(ddof=1)) if len(own) >= LEAST_PER_POINT else 0.0
            levels.append(_Level(len(own) / len(raw), float(own.mean()), spread) if spread > 0 else None)
    cuts = np.array([_crossing(low, high) if low and high else np.nan for low, high in pairwise(levels)])
    fallback = mean_sd(raw, human, scale).cuts
    known = np.flatnonzero(np.isfinite(cuts))
    if not len(known):
        return Cutoffs(points, fallback)
    # missing cuts: the fallback, shifted as its neighbours are; never below the cut before
    shift = np.interp(np.arange(len(cuts)), known, (cuts - fallback)[known])
    return Cutoffs(points, np.maximum.accumulate(np.where(np.isfinite(cuts), cuts, fallback + shift)))


class _Level(NamedTuple):
    """Raw scores of the essays at one score point: base rate, mean, spread."""

    rate: float
    mean: float
    sd: float


def _crossing(low: _Level, high: _Level) -> float:
    """The c that solves the equation of `signal_detection`; NaN if none lies near both means."""
    if high.mean <= low.mean:
        return float("nan")
    target = np.log(low.rate / high.rate * high.sd / low.sd)
    # log P(c|s) - log P(c|n) as a polynomial in c
    square = 0.5 / low.sd**2 - 0.5 / high.sd**2
    linear = high.mean / high.sd**2 - low.mean / low.sd**2
    constant = 0.5 * (low.mean / low.sd) ** 2 - 0.5 * (high.mean / high.sd) ** 2 - target
    if abs(square) < 1e-12:
        return float(-constant / linear)
    inside = linear**2 - 4 * square * constant
    if inside < 0:
        return float("nan")
    middle = (low.mean + high.mean) / 2
    both = [(-linear + way * np.sqrt(inside)) / (2 * square) for way in (1, -1)]
    nearest = min(both, key=lambda c: abs(c - middle))
    # farther off than two spreads it is the far crossing of two bells, not a boundary between them
    return float(nearest) if abs(nearest - middle) <= 2 * max(low.sd, high.sd) else float("nan")


def qwk(raw: Floats, human: Floats, scale: ScoreScale) -> Cutoffs:
    """Cuts that maximise quadratic weighted kappa on the training essays, found one at a time from `balanced`."""
    start = balanced(raw, human, scale)
    cuts = start.cuts.copy()
    step = float(raw.std()) / 4
    best = _kappa(Cutoffs(start.points, cuts.copy()), raw, human)
    while step > 1e-3:
        before = best
        for place in range(len(cuts)):
            for move in (-step, step):
                trial = cuts.copy()
                trial[place] += move
                if np.any(np.diff(trial) < 0):
                    continue
                reached = _kappa(Cutoffs(start.points, trial.copy()), raw, human)
                if reached > best + 1e-9:
                    best, cuts = reached, trial
        if best == before:
            step /= 2
    return Cutoffs(start.points, cuts)


def _kappa(cutoffs: Cutoffs, raw: Floats, human: Floats) -> float:
    given = cutoffs.assign(raw)
    by_chance = given.var() + human.var() + (given.mean() - human.mean()) ** 2
    return float(1 - np.mean((given - human) ** 2) / by_chance) if by_chance > 0 else float("-inf")


CutoffRule = Callable[[Floats, Floats, ScoreScale], Cutoffs]

CUTOFFS: Mapping[str, CutoffRule] = MappingProxyType(
    {
        "balanced": balanced,
        "mean-sd": mean_sd,
        "widened": widened,
        "distribution": distribution,
        "signal-detection": signal_detection,
        "signal-detection-common": partial(signal_detection, common_spread=True),
        "qwk": qwk,
        "rounding": rounding,
    }
)
"""Raw scores and human scores of training essays, and the scale -> cutoffs. By name."""


def cutoff_rule(name: str) -> CutoffRule:
    """The rule of that name; InputError with the names there are."""
    if name not in CUTOFFS:
        raise InputError(
            f"there are no cutoffs called {name!r}", field="cutoffs", remedy=f"Choose one of: {', '.join(CUTOFFS)}."
        )
    return CUTOFFS[name]
