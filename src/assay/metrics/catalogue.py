"""Every metric of two raters by name: what it is called, how its interval is made, how it is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.metrics.agreement import adjacent_agreement, exact_agreement
from assay.metrics.correlation import pearson_r
from assay.metrics.error import mean_absolute_error, mean_squared_error, r_squared, root_mean_squared_error
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.kappa import cohen_kappa, linear_weighted_kappa, quadratic_weighted_kappa
from assay.metrics.mean_difference import pooled_mean_difference, standardized_mean_difference
from assay.metrics.tally import Metric, PairTally, why_undefined


@dataclass(frozen=True, slots=True)
class PairMetric:
    """A metric of two raters."""

    title: str
    metric: Metric
    even: Literal["same", "fisher", "log", "log of rest", "share"]
    """The scale its interval is made on; `share` for per cent figures."""
    on_points: bool = False
    """Whether it is meant for scores rounded to points."""

    @property
    def formula(self) -> Callable[[PairTally], Any]:
        """On a tally, or on an array of tallies."""
        return self.metric.of_tally


PAIR_METRICS: Mapping[str, PairMetric] = {
    "r": PairMetric("Pearson r", pearson_r, "fisher"),
    "qwk": PairMetric("Quadratic weighted kappa", quadratic_weighted_kappa, "fisher"),
    "r2": PairMetric("R2", r_squared, "log of rest"),
    "kappa": PairMetric("Cohen's kappa", cohen_kappa, "fisher", on_points=True),
    "linear_kappa": PairMetric("Linear weighted kappa", linear_weighted_kappa, "fisher", on_points=True),
    "exact_agreement": PairMetric("Exact agreement, %", exact_agreement, "share", on_points=True),
    "adjacent_agreement": PairMetric("Exact or adjacent agreement, %", adjacent_agreement, "share", on_points=True),
    "smd": PairMetric("Standardised mean difference", standardized_mean_difference, "same"),
    "mse": PairMetric("Mean squared error", mean_squared_error, "log"),
    "rmse": PairMetric("Root mean squared error", root_mean_squared_error, "log"),
    "mae": PairMetric("Mean absolute error", mean_absolute_error, "log"),
}
"""System against human, in the order of the tables."""

RATER_METRICS: Mapping[str, PairMetric] = {
    **{name: PAIR_METRICS[name] for name in ("r", "qwk", "kappa", "linear_kappa")},
    **{name: PAIR_METRICS[name] for name in ("exact_agreement", "adjacent_agreement")},
    "smd": PairMetric("Standardised mean difference (pooled)", pooled_mean_difference, "same"),
}
"""Human against human."""


def estimates(
    blocks: PairTally, resampling: Resampling, metrics: Mapping[str, PairMetric] = PAIR_METRICS
) -> dict[str, Estimate]:
    """Every metric with its interval, from a tally per block of responses."""
    whole, replicates = blocks.merged(), blocks.combined(resampling.totals)
    reason = why_undefined(whole)
    figures = {}
    for name, metric in metrics.items():
        value, spread = metric.formula(whole), metric.formula(replicates)
        if metric.even == "share":
            figures[name] = resampling.share(value, spread, blocks.n, reason=reason)
        else:
            estimate = resampling.estimate(value, spread, blocks.n, even=metric.even, reason=reason)
            # a figure that is 0 because a rater's scores are all equal tells nothing about how sure it is
            figures[name] = Estimate(value, reason=reason) if reason and estimate.low == estimate.high else estimate
    return figures
