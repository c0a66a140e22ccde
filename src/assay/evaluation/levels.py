"""Score point by score point: how often it is given, and how the system errs there."""

import numpy as np

from assay.evaluation.plan import Plan
from assay.evaluation.result import LevelError, PointShare
from assay.evaluation.tallying import EvaluationTally
from assay.metrics.intervals import Resampling
from assay.metrics.pairs import Scores


def score_distribution(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[PointShare, ...]:
    """The share of each score point that anyone gave, by people and by the final system score, in per cent."""
    if plan.rounded is None:
        return ()
    blocks = tally.system[plan.rounded]
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    shares = [100 * counts / whole.weight for counts in (whole.human_points, whole.system_points)]
    spreads = [100 * counts / _filled(spread.weight)[:, None] for counts in (spread.human_points, spread.system_points)]
    rows = []
    for number, point in enumerate(whole.points):
        human, system = (float(share[number]) for share in shares)
        if human or system:
            by_human, by_system = (s[:, number] for s in spreads)
            rows.append(
                PointShare(
                    float(point),
                    resampling.share(human, by_human, blocks.n),
                    resampling.share(system, by_system, blocks.n),
                    resampling.estimate(system - human, by_system - by_human, blocks.n),
                )
            )
    return tuple(rows)


def level_errors(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[LevelError, ...]:
    """Mean error and RMSE of the trimmed system score at each human score point.

    A system that is right on average still scores weak responses too high and strong ones too low whenever it is not
    perfectly correlated with people (regression to the mean): read bias by level together with r.
    """
    if tally.levels is None or plan.scale is None:
        return ()
    rows = []
    for number, point in enumerate(plan.scale.points()):
        n, weight = tally.levels.n[number], tally.levels.weight[number]
        if not n.any():
            continue
        error, square = tally.levels.error[number], tally.levels.squared_error[number]
        totals = resampling.totals
        with np.errstate(divide="ignore", invalid="ignore"):
            bias_spread = totals(error) / _filled(totals(weight))
            rmse_spread = np.sqrt(np.maximum(totals(square), 0) / _filled(totals(weight)))
        rows.append(
            LevelError(
                float(point),
                int(n.sum()),
                resampling.estimate(float(error.sum() / weight.sum()), bias_spread, n),
                resampling.estimate(float(np.sqrt(square.sum() / weight.sum())), rmse_spread, n, even="log"),
            )
        )
    return tuple(rows)


def _filled(weight: Scores) -> Scores:
    return np.where(weight > 0, weight, np.nan)
