"""A metric of two raters: a formula on a tally, which people call with two lists of scores."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from assay.metrics.pairs import Scores
from assay.metrics.tally import MOST_POINTS, PairTally

PairFormula = Callable[[PairTally], Scores]


class Metric(Protocol):
    """A metric of two raters."""

    __name__: str

    def __call__(self, human: ArrayLike, system: ArrayLike, *, weights: ArrayLike | None = None) -> float:
        """The figure of two lists of scores, one for each response, perhaps with a weight each."""
        ...

    def of_tally(self, tally: PairTally) -> Any:
        """The figure of one tally, or an array of figures of an array of tallies."""
        ...


def pair_metric(formula: PairFormula) -> Metric:
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
        "no responses": tally.n == 0,
        "only one response": tally.n == 1,
        "all scores of either rater are equal": tally.human_flat and tally.system_flat,
        "all human scores are equal": tally.human_flat,
        "all system scores are equal": tally.system_flat,
        f"more than {MOST_POINTS} score points": not tally.has_points,
        "all scores round to one point": points_given == 1,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")
