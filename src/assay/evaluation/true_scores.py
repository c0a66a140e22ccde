"""The system against the true score, and against what two human raters reach."""

import numpy as np

from assay.evaluation.plan import Plan
from assay.evaluation.result import Disattenuated, Estimates, Readings, TrueScore
from assay.evaluation.tallying import EvaluationTally
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS
from assay.metrics.correlation import disattenuated_r, pearson_r
from assay.metrics.intervals import Resampling
from assay.metrics.tally import PairTally, why_undefined
from assay.metrics.true_score import (
    RatingTally,
    prmse,
    rater_error_variance,
    true_score_mse,
    true_score_variance,
)

NOT_READ_TWICE = "no response was read twice"
NO_SIGNAL = "the human scores hold no more than reading error: the true-score variance is not above 0"

COMPARED = ("r", "kappa", "qwk", "exact_agreement", "adjacent_agreement", "smd")
"""The metrics for which human-system is held against human-human, as in RSMTool."""


def readings(tally: EvaluationTally, raters: int) -> Readings:
    whole = tally.ratings.merged()
    return Readings(raters, int(whole.single), int(whole.n - whole.single))


def true_scores(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, TrueScore]:
    """By form; empty when no response was read twice and no error variance is known."""
    blocks = tally.ratings
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    error, error_spread = _error_variance(whole, plan), _error_variance(spread, plan)
    if not np.isfinite(error):
        return {}
    variance = float(true_score_variance(whole, error))
    mse, mse_spread = true_score_mse(whole, error), true_score_mse(spread, error_spread)
    explained, explained_spread = prmse(whole, error), prmse(spread, error_spread)
    units = None if plan.error_variance is not None else int(np.count_nonzero(blocks.within_df))
    found = {}
    for number, form in enumerate(tally.system):
        found[form] = TrueScore(
            float(error),
            variance,
            resampling.estimate(float(mse[number]), mse_spread[number], blocks.n, units=units),
            resampling.estimate(
                float(explained[number]),
                explained_spread[number],
                blocks.n,
                even="log of rest",
                units=units,
                reason=NO_SIGNAL,
            ),
        )
    return found


def _error_variance(tally: RatingTally, plan: Plan) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if plan.error_variance is not None:
        return np.full(tally.n.shape, plan.error_variance)
    return rater_error_variance(tally)


def degradation(tally: EvaluationTally, resampling: Resampling) -> dict[str, Estimates]:
    """Human-system less human-human, by form; below 0 the system agrees less than a second reader does."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    whole_raters, spread_raters = raters.merged(), raters.combined(resampling.totals)
    found: dict[str, Estimates] = {}
    for form, blocks in tally.system.items():
        whole, spread = blocks.merged(), blocks.combined(resampling.totals)
        found[form] = {
            name: resampling.estimate(
                PAIR_METRICS[name].formula(whole) - RATER_METRICS[name].formula(whole_raters),
                PAIR_METRICS[name].formula(spread) - RATER_METRICS[name].formula(spread_raters),
                blocks.n,
                units=int(np.count_nonzero(raters.n)),
                reason=why_undefined(whole) or why_undefined(whole_raters),
            )
            for name in COMPARED
        }
    return found


def disattenuated(tally: EvaluationTally, resampling: Resampling) -> dict[str, Disattenuated]:
    """The correlation corrected for the raters' own, by form."""
    raters = tally.raters.get((0, 1))
    if raters is None or not raters.n.any():
        return {}
    return {form: disattenuated_pair(blocks, raters, resampling) for form, blocks in tally.system.items()}


def disattenuated_pair(system: PairTally, raters: PairTally, resampling: Resampling) -> Disattenuated:
    """From the tallies per block of human-system and human-human."""
    r, r_raters = pearson_r.of_tally(system.merged()), pearson_r.of_tally(raters.merged())
    spread = disattenuated_r(
        np.asarray(pearson_r.of_tally(system.combined(resampling.totals))),
        np.asarray(pearson_r.of_tally(raters.combined(resampling.totals))),
    )
    value = float(disattenuated_r(np.asarray(r), np.asarray(r_raters)))
    reason = why_undefined(system.merged()) or why_undefined(raters.merged())
    reason = reason or "the raters' own correlation is not above 0"
    read_twice = int(np.count_nonzero(raters.n))
    return Disattenuated(r, r_raters, resampling.estimate(value, spread, system.n, units=read_twice, reason=reason))
