"""FRONT DOOR `evaluate_engine`: ratings and a plan -> `Evaluation`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.evaluation.exclusions import Exclusions, counted, exclusion_reasons
from assay.evaluation.levels import level_errors, score_distribution
from assay.evaluation.pair_figures import pair_figures
from assay.evaluation.plan import Plan
from assay.evaluation.points import crossed_table, cut_decisions, further_agreement, rater_reliability
from assay.evaluation.ratings import Ratings
from assay.evaluation.result import Evaluation, PairFigures, RaterPair
from assay.evaluation.subgroups import groupings
from assay.evaluation.tallying import EvaluationTally
from assay.evaluation.thresholds import judged
from assay.evaluation.true_scores import degradation, disattenuated, readings, true_scores
from assay.metrics.catalogue import RATER_METRICS
from assay.metrics.intervals import Resampling


def evaluate_engine(
    ratings: Ratings | Iterable[Ratings],
    plan: Plan,
    *,
    engine: str = "system",
    raters: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> Evaluation:
    """Everything that can be said about an engine's scores beside human ones.

    Ratings may come in parts of any size: the figures are the same. Raises InputError when no response is left.
    """
    parts = [ratings] if isinstance(ratings, Ratings) else ratings
    tally, exclusions = tally_parts(parts, plan)
    return evaluation_of(tally, exclusions, plan, engine=engine, raters=raters, resampling=resampling)


def tally_parts(parts: Iterable[Ratings], plan: Plan) -> tuple[EvaluationTally, Exclusions]:
    """The tallies of all parts together, and how many responses were left out."""
    tally: EvaluationTally | None = None
    exclusions = Exclusions(0)
    for part in parts:
        few = few_items(part, plan) if plan.least_items > 1 else None
        reasons = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros, few=few)
        exclusions += counted(reasons)
        kept = part.where(reasons < 0)
        if len(kept):
            found = EvaluationTally.of(kept, plan)
            tally = found if tally is None else tally + found
    if tally is None:
        raise InputError(f"No response is left to evaluate. {_listed(exclusions)}")
    return tally, exclusions


def few_items(part: Ratings, plan: Plan) -> NDArray[np.bool_]:
    """Responses of candidates with too few usable responses. The part must hold all responses of its candidates."""
    if part.candidate is None:
        raise InputError("A least number of responses per candidate needs a candidate column.")
    usable = exclusion_reasons(part, leave_out_zeros=plan.leave_out_zeros) < 0
    _, place = np.unique(part.candidate, return_inverse=True)
    return np.asarray(np.bincount(place, usable)[place] < plan.least_items)


def evaluation_of(
    tally: EvaluationTally,
    exclusions: Exclusions,
    plan: Plan,
    *,
    engine: str = "system",
    raters: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> Evaluation:
    """Every figure, from tallies alone."""
    resampling = resampling or Resampling.jackknife()
    raters = _rater_names(raters, _rater_count(tally))
    forms = {name: pair_figures(pair, resampling) for name, pair in tally.system.items()}
    pairs = tuple(
        RaterPair(raters[i], raters[j], pair_figures(pair, resampling, RATER_METRICS))
        for (i, j), pair in tally.raters.items()
        if pair.n.any()
    )
    consistency = _first_pair(tally, pairs)
    evaluation = Evaluation(
        engine=engine,
        raters=raters,
        plan=plan,
        exclusions=exclusions,
        forms=forms,
        further=further_agreement(tally, plan, resampling),
        consistency=consistency,
        rater_pairs=pairs,
        reliability=rater_reliability(tally, plan, resampling),
        readings=readings(tally, len(raters)),
        true_score=true_scores(tally, plan, resampling),
        degradation=degradation(tally, resampling),
        disattenuated=disattenuated(tally, resampling),
        crossed=crossed_table(tally.crossed),
        crossed_raters=crossed_table(tally.rated.of_raters([0, 1])) if tally.rated and consistency else None,
        distribution=score_distribution(tally, plan, resampling),
        levels=level_errors(tally, plan, resampling),
        cuts=cut_decisions(tally, plan, resampling),
        groupings=groupings(tally, plan, resampling),
        judgements=(),
        bootstrap_draws=resampling.draws,
        blocks={form: tally.system[form] for form in (plan.trimmed, plan.rounded) if form},
    )
    return replace(evaluation, judgements=judged(evaluation.figures()))


def _first_pair(tally: EvaluationTally, pairs: Sequence[RaterPair]) -> PairFigures | None:
    return pairs[0].figures if pairs and tally.raters[0, 1].n.any() else None


def _rater_names(given: Sequence[str], count: int) -> tuple[str, ...]:
    if given and len(given) != count:
        raise InputError(f"Expected a name for each of {count} raters, got {len(given)}: {', '.join(given)}.")
    return tuple(given) or tuple(f"human {i + 1}" for i in range(count))


def _rater_count(tally: EvaluationTally) -> int:
    return 1 + sum(1 for first, _ in tally.raters if first == 0)


def _listed(exclusions: Exclusions) -> str:
    if not exclusions.read:
        return "The table has no rows."
    reasons = "; ".join(f"{reason}: {count}" for reason, count in exclusions.left_out.items())
    return f"Of {exclusions.read} read, left out were: {reasons}."
