"""Five metrics that scikit-learn has too, of the same scores in memory: ours beside it."""

from dataclasses import dataclass

import numpy as np

from assay.metrics.agreement import exact_agreement
from assay.metrics.error import mean_squared_error, r_squared
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from assay.metrics.tally import PairTally
from benchmarks.measure import Cost, cheapest
from benchmarks.responses import HIGHEST, LOWEST, score_table

OURS = (quadratic_weighted_kappa, cohen_kappa, exact_agreement, mean_squared_error, r_squared)


@dataclass(frozen=True, slots=True)
class Both:
    """What QWK, kappa, exact agreement, MSE and R² cost either tool, and how far their figures are apart at most."""

    rows: int
    ours: Cost
    theirs: Cost
    apart: float


def sklearn_metrics(rows: int, *, times: int) -> Both:
    """All five: ours from one tally of the scores, theirs by five calls."""
    from sklearn import metrics as sk

    scores = score_table(rows)
    human = scores["h1"].to_numpy()
    system = np.clip(np.rint(scores["system"].to_numpy()), LOWEST, HIGHEST).astype(np.int64)

    def ours() -> list[float]:
        tally = PairTally.of(human, system)
        return [float(metric.of_tally(tally)) for metric in OURS]

    def theirs() -> list[float]:
        return [
            sk.cohen_kappa_score(human, system, weights="quadratic"),
            sk.cohen_kappa_score(human, system),
            100 * sk.accuracy_score(human, system),
            sk.mean_squared_error(human, system),
            sk.r2_score(human, system),
        ]

    mine, my_cost = cheapest(ours, times)
    other, their_cost = cheapest(theirs, times)
    return Both(rows, my_cost, their_cost, float(np.max(np.abs(np.subtract(mine, other)))))
