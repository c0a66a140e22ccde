"""Engines on the same responses: every difference with its interval, and how sure we are of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isfinite, nan, sqrt

import numpy as np

from assay.errors import InputError
from assay.evaluation.exclusions import Exclusions
from assay.metrics.catalogue import PAIR_METRICS, estimates
from assay.metrics.distributions import t_cdf, t_quantile
from assay.metrics.intervals import Estimate, Resampling, holm
from assay.metrics.tally import PairTally

Estimates = Mapping[str, Estimate]


@dataclass(frozen=True, eq=False, slots=True)
class Contender:
    """One engine: human against its trimmed and against its rounded score, per block of responses."""

    name: str
    trimmed: PairTally
    rounded: PairTally
    exclusions: Exclusions | None = None
    """How many responses were read, and left out why; None where that is not known."""
    figures: Estimates = field(default_factory=dict)
    """Every headline figure of its own evaluation, where there is one."""

    def blocks(self, metric: str) -> PairTally:
        return self.rounded if PAIR_METRICS[metric].on_points else self.trimmed


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of one engine minus that of another."""

    metric: str
    first: str
    second: str
    estimate: Estimate
    p: float
    """Two-sided; NaN when the difference has no interval."""
    p_adjusted: float
    """Adjusted by Holm for all pairs of engines on this metric."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more engines."""

    engines: tuple[str, ...]
    n: Mapping[str, int]
    bootstrap_draws: int
    """How many bootstrap draws the intervals come from; 0 for the jackknife."""
    by_candidate: bool
    """Whether responses of one candidate were kept together when intervals were made."""
    paired: bool
    """Whether the engines scored the same responses, so that differences are those of the same work."""
    metrics: Mapping[str, Mapping[str, Estimate]]
    """Engine -> metric -> figure."""
    differences: tuple[Difference, ...]
    exclusions: Mapping[str, Exclusions] = field(default_factory=dict)
    """Engine -> how many responses were read, and left out why; in one table a response is used for all or for none."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """Engine -> responses of the table it gave no score; each of them is left out for all engines."""
    figures: Mapping[str, Estimates] = field(default_factory=dict)
    """Engine -> every headline figure of its evaluation: true score, second rater, groups and length included."""


def compare_engines(
    contenders: Sequence[Contender], *, by_candidate: bool = False, resampling: Resampling | None = None
) -> Comparison:
    """Every metric of every engine, and every difference between two of them.

    Engines that scored the same responses are compared response by response (block by block): what makes a response
    hard for all of them cancels out. Otherwise the intervals treat them as independent, and `paired` is False.
    """
    if len(contenders) < 2:
        raise InputError("a comparison needs at least two engines", field="system")
    names = [c.name for c in contenders]
    if len(set(names)) < len(names):
        raise InputError(f"engines need different names, got {', '.join(names)}", field="system")
    resampling = resampling or Resampling.jackknife()
    paired = all(_same_responses(contenders[0].trimmed, other.trimmed) for other in contenders[1:])
    metrics = {}
    for c in contenders:
        trimmed, rounded = (estimates(t, resampling) for t in (c.trimmed, c.rounded))
        metrics[c.name] = {n: (rounded if m.on_points else trimmed)[n] for n, m in PAIR_METRICS.items()}
    return Comparison(
        engines=tuple(names),
        n={c.name: int(c.trimmed.n.sum()) for c in contenders},
        bootstrap_draws=resampling.draws,
        by_candidate=by_candidate,
        paired=paired,
        metrics=metrics,
        exclusions={c.name: c.exclusions for c in contenders if c.exclusions is not None},
        figures={c.name: c.figures for c in contenders if c.figures},
        differences=tuple(
            difference
            for metric in PAIR_METRICS
            for difference in _differences(metric, contenders, resampling, paired=paired)
        ),
    )


def _same_responses(one: PairTally, other: PairTally) -> bool:
    return bool(
        np.array_equal(one.n, other.n)
        and np.allclose(one.human_mean, other.human_mean, rtol=1e-9, atol=1e-9)
        and np.allclose(one.human_ss, other.human_ss, rtol=1e-7, atol=1e-7)
    )


def _differences(
    metric: str, contenders: Sequence[Contender], resampling: Resampling, *, paired: bool
) -> list[Difference]:
    formula = PAIR_METRICS[metric].formula
    differences = []
    for one, other in combinations(contenders, 2):
        blocks = one.blocks(metric), other.blocks(metric)
        whole = [formula(b.merged()) for b in blocks]
        spread = [np.asarray(formula(b.combined(resampling.totals))) for b in blocks]
        value = whole[0] - whole[1]
        if not isfinite(value):
            estimate = Estimate(nan, reason="undefined for an engine")
        elif paired:
            estimate = resampling.estimate(value, spread[0] - spread[1], blocks[0].n)
        else:
            apart = [resampling.estimate(w, s, b.n) for w, s, b in zip(whole, spread, blocks, strict=True)]
            reach = sqrt(sum(((e.high - e.low) / 2) ** 2 for e in apart))
            estimate = Estimate(value, value - reach, value + reach) if isfinite(reach) else Estimate(value)
        freedom = min(int(np.count_nonzero(b.n)) for b in blocks) - 1
        differences.append(Difference(metric, one.name, other.name, estimate, _p_value(estimate, freedom), nan))
    adjusted = holm(np.array([d.p for d in differences]))
    return [replace(d, p_adjusted=float(p)) for d, p in zip(differences, adjusted, strict=True)]


def _p_value(estimate: Estimate, freedom: int) -> float:
    """The p value that belongs to the interval: how surprising so large a difference were if there was none."""
    if not isfinite(estimate.low) or freedom < 2:
        return nan
    error = (estimate.high - estimate.low) / 2 / t_quantile(freedom, 0.975)
    if error == 0:
        return 1.0 if estimate.value == 0 else 0.0
    return 2 * t_cdf(freedom, -abs(estimate.value) / error)
