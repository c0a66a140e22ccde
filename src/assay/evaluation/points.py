"""Figures that need human and final system score crossed point by point, or all raters' points together."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from assay.evaluation.plan import Plan
from assay.evaluation.result import Crossed, CutDecision
from assay.evaluation.tallying import EvaluationTally
from assay.metrics import rank, reliability
from assay.metrics.correlation import partial_r, pearson_r
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns
from assay.metrics.tally import PairTally, why_undefined

PatternFormula = Callable[[RatingPatterns], Any]

TOO_MANY = "too many score points, or combinations of them, to count"

RANKS: Mapping[str, PatternFormula] = {"spearman": rank.spearman_r, "kendall": rank.kendall_tau_b}


def reliability_formulas(levels: Scores) -> Mapping[str, PatternFormula]:
    """The many-rater metrics by name; those that depend on the number of categories get these score points."""
    return {
        "alpha": reliability.krippendorff_alpha_interval,
        "alpha_ordinal": reliability.krippendorff_alpha_ordinal,
        "alpha_nominal": reliability.krippendorff_alpha_nominal,
        "icc_1": reliability.icc_1,
        "icc_2": reliability.icc_2,
        "icc_3": reliability.icc_3,
        "ac1": partial(reliability.gwet_ac1, levels=levels),
        "ac2": partial(reliability.gwet_ac2_quadratic, levels=levels),
        "fleiss_kappa": reliability.fleiss_kappa,
    }


def further_agreement(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, Estimate]:
    """Rank correlations, alpha, ICC, AC and CCC of human and system; r with length held constant."""
    found: dict[str, Estimate] = {}
    blocks = tally.system[plan.trimmed]
    whole = blocks.merged()
    # Lin's concordance is, term for term, the QWK of real-valued scores; people look for it under this name
    found["ccc"] = resampling.estimate(
        quadratic_weighted_kappa.of_tally(whole),
        quadratic_weighted_kappa.of_tally(blocks.combined(resampling.totals)),
        blocks.n,
        even="fisher",
        reason=why_undefined(whole),
    )
    if tally.crossed is not None:
        found |= _of_patterns(tally.crossed, RANKS, resampling, rank.why_undefined)
        found |= _of_patterns(
            tally.crossed, reliability_formulas(_levels(tally.crossed, plan)), resampling, reliability.why_undefined
        )
    if tally.length is not None:
        found["partial_r"] = _partial(blocks, tally.length, resampling)
    return found


def rater_reliability(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, Estimate]:
    """All human raters together; empty with one rater."""
    if plan.scale is None or not any(pair.n.any() for pair in tally.raters.values()):
        return {}
    if tally.rated is None:
        return {name: Estimate(reason=TOO_MANY) for name in reliability_formulas(plan.scale.points())}
    formulas = reliability_formulas(_levels(tally.rated, plan))
    return _of_patterns(tally.rated, formulas, resampling, reliability.why_undefined)


def _levels(blocks: RatingPatterns, plan: Plan) -> Scores:
    """All points of the scale, and those a rater gave beyond it."""
    return blocks.levels if plan.scale is None else np.union1d(plan.scale.points(), blocks.levels)


def crossed_table(blocks: RatingPatterns | None) -> Crossed | None:
    """How often each point met each other; only points somebody gave."""
    if blocks is None:
        return None
    whole = blocks.merged()
    both = ~np.isnan(whole.patterns).any(axis=1)
    pairs, weight = whole.patterns[both], whole.weight[both]
    points, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(pairs.shape)
    counts = np.zeros((points.size, points.size))
    counts[places[:, 0], places[:, 1]] = weight
    return Crossed(tuple(points.tolist()), tuple(map(tuple, counts.tolist())))


def cut_decisions(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[CutDecision, ...]:
    """For each cut score how often people and system decide alike; undefined where points cannot be counted."""
    if tally.crossed is None:
        reason = TOO_MANY if plan.scale else "the human scores lie on no regular points"
        return tuple(CutDecision(cut, **{name: Estimate(reason=reason) for name in _DECISIONS}) for cut in plan.cuts)
    return tuple(_decision(tally.crossed, cut, resampling) for cut in plan.cuts)


def _decision(blocks: RatingPatterns, cut: float, resampling: Resampling) -> CutDecision:
    # a score that equals the cut passes; the margin forgives 2.9999999999999996 from steps of 0.1
    passes = blocks.patterns >= cut - 1e-9
    cells = np.stack([(passes[:, 0] == h) & (passes[:, 1] == m) for h in (True, False) for m in (True, False)])
    per_block = blocks.weight @ cells.T.astype(np.float64)  # (blocks, both / human only / system only / neither)
    among = {"all": np.ones(len(passes), dtype=bool), "passed": passes[:, 0], "failed": ~passes[:, 0]}
    responses = {who: blocks.count[:, counted].sum(axis=-1) for who, counted in among.items()}
    whole, spread = per_block.sum(axis=0)[:, None], resampling.totals(per_block.T)
    found = {}
    for name, (formula, who, reason) in _DECISIONS.items():
        with np.errstate(divide="ignore", invalid="ignore"):
            value, replicates = float(formula(*whole)[0]), formula(*spread)
        if name == "kappa":
            found[name] = resampling.estimate(value, replicates, responses[who], even="fisher", reason=reason)
        else:
            found[name] = resampling.share(value, replicates, responses[who], reason=reason)
    return CutDecision(cut, **found)


def _cut_kappa(both: Scores, human: Scores, system: Scores, neither: Scores) -> Scores:
    total = both + human + system + neither
    agreed = (both + neither) / total
    chance = ((both + human) * (both + system) + (neither + system) * (neither + human)) / total**2
    return np.where(chance < 1, (agreed - chance) / (1 - chance), np.nan)


_DECISIONS: Mapping[str, tuple[Callable[[Scores, Scores, Scores, Scores], Scores], str, str]] = {
    "human_pass": (lambda b, h, m, n: 100 * (b + h) / (b + h + m + n), "all", ""),
    "system_pass": (lambda b, h, m, n: 100 * (b + m) / (b + h + m + n), "all", ""),
    "accuracy": (lambda b, h, m, n: 100 * (b + n) / (b + h + m + n), "all", ""),
    "sensitivity": (lambda b, h, m, n: 100 * b / (b + h), "passed", "nobody passes by the human score"),
    "specificity": (lambda b, h, m, n: 100 * n / (m + n), "failed", "everybody passes by the human score"),
    "kappa": (_cut_kappa, "all", "both give everyone the same decision"),
}
"""The formula, among whom it counts (all, or those who pass or fail by the human score), why it may be undefined."""


def _partial(system: PairTally, by_length: tuple[PairTally, PairTally], resampling: Resampling) -> Estimate:
    blocks = (system, *by_length)
    value = partial_r(*(np.asarray(pearson_r.of_tally(t.merged())) for t in blocks))
    spread = partial_r(*(np.asarray(pearson_r.of_tally(t.combined(resampling.totals))) for t in blocks))
    return resampling.estimate(
        float(value),
        spread,
        blocks[0].n,
        even="fisher",
        reason="a correlation with length is undefined or perfect",
    )


def _of_patterns(
    blocks: RatingPatterns,
    formulas: Mapping[str, PatternFormula],
    resampling: Resampling,
    why: Callable[[RatingPatterns], str],
) -> dict[str, Estimate]:
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    responses, reason = blocks.count.sum(axis=-1), why(whole)
    return {
        name: resampling.estimate(
            float(formula(whole)), np.asarray(formula(spread)), responses, even="fisher", reason=reason
        )
        for name, formula in formulas.items()
    }
