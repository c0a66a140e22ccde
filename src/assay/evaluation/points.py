"""Figures point by point: how often each score is given, errors there, scores crossed, cuts, all raters together."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from assay.evaluation.figures import off_points
from assay.evaluation.plan import Plan
from assay.evaluation.result import COMPARED, Crossed, CutDecision, LevelError, PointShare
from assay.evaluation.score_variants import score_forms
from assay.evaluation.tallying import EvaluationTally
from assay.metrics import rank, reliability
from assay.metrics.catalogue import PAIR_METRICS, RATER_METRICS
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


def figure_names(
    plan: Plan, *, raters: int = 1, groups: Mapping[str, Sequence[str]] | None = None, length: bool = False
) -> list[str]:
    """The name of every headline figure that an evaluation with this plan may have, known before a response is read."""
    unit = np.zeros(1)
    reliable = reliability_formulas(unit)
    names = ["n", *PAIR_METRICS, "ccc", *RANKS, *reliable, *(["partial_r"] if length else [])]
    if raters > 1 or plan.error_variance is not None:
        names += ["prmse", "rater_error_variance", "true_score_variance"]
    if raters > 1:
        names += [f"human_{name}" for name in (*RATER_METRICS, *reliable)]
        names += [f"{head}_{name}" for head in ("degradation", "degradation_common") for name in COMPARED]
        names.append("disattenuated_r")
    variants = score_forms(unit, scale=plan.scale, scaling=plan.scaling, name=plan.base)
    names += [f"{form}.{name}" for form in variants for name in PAIR_METRICS]
    names += [f"dsm[{column}={group}]" for column, levels in (groups or {}).items() for group in levels]
    return [*names, *(["largest_dsm"] if groups else [])]


def further_agreement(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, Estimate]:
    """Rank correlations, alpha, ICC, AC and CCC of human and system; r with length held constant."""
    blocks, crossed = tally.system[plan.trimmed], tally.crossed
    whole = blocks.merged()
    # Lin's concordance is, term for term, the QWK of real-valued scores; people look for it under this name
    concordance = resampling.estimate(
        quadratic_weighted_kappa.of_tally(whole),
        quadratic_weighted_kappa.of_tally(blocks.combined(resampling.totals)),
        blocks.n,
        even="fisher",
        reason=why_undefined(whole),
    )
    figures: dict[str, Estimate] = {"ccc": concordance}
    if crossed is not None:
        figures |= _of_patterns(crossed, RANKS, resampling, rank.why_undefined)
        if not off_points(tally, plan):
            figures |= _reliability(crossed, plan, resampling)
    if tally.length is not None:
        figures["partial_r"] = _partial(blocks, tally.length, resampling)
    return figures


def rater_reliability(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> dict[str, Estimate]:
    """All human raters together; empty with one rater."""
    if plan.scale is None or not any(pair.n.any() for pair in tally.raters.values()):
        return {}
    if tally.rated is None:
        return {name: Estimate(reason=TOO_MANY) for name in reliability_formulas(plan.scale.points())}
    return _reliability(tally.rated, plan, resampling)


def _reliability(blocks: RatingPatterns, plan: Plan, resampling: Resampling) -> dict[str, Estimate]:
    """On all points of the scale, and those a rater gave beyond it."""
    levels = blocks.levels if plan.scale is None else np.union1d(plan.scale.points(), blocks.levels)
    return _of_patterns(blocks, reliability_formulas(levels), resampling, reliability.why_undefined)


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
    figures = {}
    for name, (formula, who, reason) in _DECISIONS.items():
        with np.errstate(divide="ignore", invalid="ignore"):
            value, replicates = float(formula(*whole)[0]), formula(*spread)
        if name == "kappa":
            figures[name] = resampling.estimate(value, replicates, responses[who], even="fisher", reason=reason)
        else:
            figures[name] = resampling.share(value, replicates, responses[who], reason=reason)
    return CutDecision(cut, **figures)


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
    reason = "a correlation with length is undefined or perfect"
    return resampling.estimate(float(value), spread, system.n, even="fisher", reason=reason)


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


def score_distribution(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[PointShare, ...]:
    """The share of each score point that anyone gave, by people and by the final system score, in per cent."""
    if plan.rounded is None:
        return ()
    blocks = tally.system[plan.rounded]
    whole, spread = blocks.merged(), blocks.combined(resampling.totals)
    shares = [100 * counts / whole.weight for counts in (whole.human_points, whole.system_points)]
    spreads = [100 * counts / _filled(spread.weight)[:, None] for counts in (spread.human_points, spread.system_points)]
    rows = []
    for point, human, system, by_human, by_system in zip(whole.points, *shares, *(s.T for s in spreads), strict=True):
        if human or system:
            difference = resampling.estimate(float(system) - float(human), by_system - by_human, blocks.n)
            people = resampling.share(float(human), by_human, blocks.n)
            engine = resampling.share(float(system), by_system, blocks.n)
            rows.append(PointShare(float(point), people, engine, difference))
    return tuple(rows)


def level_errors(tally: EvaluationTally, plan: Plan, resampling: Resampling) -> tuple[LevelError, ...]:
    """Mean error and RMSE of the trimmed system score at each human score point.

    A system that is right on average still scores weak responses too high and strong ones too low whenever it is not
    perfectly correlated with people (regression to the mean): read bias by level together with r.
    """
    if tally.levels is None or plan.scale is None:
        return ()
    levels, totals, rows = tally.levels, resampling.totals, []
    sums = (levels.n, levels.weight, levels.error, levels.squared_error)
    for point, n, weight, error, square in zip(plan.scale.points(), *sums, strict=True):
        if n.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                bias_spread = totals(error) / _filled(totals(weight))
                rmse_spread = np.sqrt(np.maximum(totals(square), 0) / _filled(totals(weight)))
            bias = resampling.estimate(float(error.sum() / weight.sum()), bias_spread, n)
            rmse = resampling.estimate(float(np.sqrt(square.sum() / weight.sum())), rmse_spread, n, even="log")
            rows.append(LevelError(float(point), int(n.sum()), bias, rmse))
    return tuple(rows)


def _filled(weight: Scores) -> Scores:
    return np.where(weight > 0, weight, np.nan)
