"""All figures of two raters from their tally per block."""

from collections.abc import Mapping
from math import nan

from assay.evaluation.result import PairFigures, Summary
from assay.metrics.catalogue import PAIR_METRICS, PairMetric, estimates
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally


def pair_figures(
    blocks: PairTally,
    resampling: Resampling,
    metrics: Mapping[str, PairMetric] = PAIR_METRICS,
    *,
    further: Mapping[str, Estimate] | None = None,
) -> PairFigures:
    """Descriptives and metrics with intervals; `further` metrics come last."""
    whole = blocks.merged()
    return PairFigures(
        n=int(whole.n),
        first=_summary(whole.human_mean, whole.human_variance(), whole.human_min, whole.human_max, whole),
        second=_summary(whole.system_mean, whole.system_variance(), whole.system_min, whole.system_max, whole),
        metrics={**estimates(blocks, resampling, metrics), **(further or {})},
    )


def _summary(mean: Scores, variance: Scores, low: Scores, high: Scores, whole: PairTally) -> Summary:
    if whole.n == 0:
        return Summary(nan, nan, nan, nan)
    # the variance of equal scores may be a rounding error; their spread is 0
    sd = 0.0 if low == high and whole.n > 1 else float(variance) ** 0.5
    return Summary(float(mean), sd, float(low), float(high))
