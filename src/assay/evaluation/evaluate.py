"""FRONT DOOR `evaluate_engine`: ratings and a plan -> `Evaluation`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.errors import Field, InputError
from assay.evaluation.chunks import tally_parts
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.figures import (
    degradation,
    disattenuated,
    groupings,
    off_points,
    one_rater,
    pair_figures,
    readings,
    true_scores,
)
from assay.evaluation.plan import Plan
from assay.evaluation.points import (
    crossed_table,
    cut_decisions,
    further_agreement,
    level_errors,
    rater_reliability,
    score_distribution,
)
from assay.evaluation.ratings import Ratings
from assay.evaluation.result import Evaluation, RaterPair
from assay.evaluation.tallying import EvaluationTally
from assay.evaluation.thresholds import judged
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
    if not isinstance(plan, Plan):
        raise InputError(
            (Field("plan"), f" is of type {type(plan).__name__}"),
            field="plan",
            remedy="Call evaluate_engine(Ratings.of(human, system), Plan('1-6')), or evaluate() with a table.",
        )
    tally, exclusions = tally_parts(map(_checked, [ratings] if isinstance(ratings, Ratings) else ratings), plan)
    return evaluation_of(tally, exclusions, plan, engine=engine, raters=raters, resampling=resampling)


def _checked(part: Ratings) -> Ratings:
    if not isinstance(part, Ratings):
        raise InputError(
            (Field("ratings"), f" holds a value of type {type(part).__name__}"),
            field="ratings",
            remedy="Pass Ratings.of(human, system), or several of them.",
        )
    return part


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
    count = 1 + sum(1 for first, _ in tally.raters if first == 0)
    if raters and len(raters) != count:
        problem = f"got {len(raters)} names for {count} raters: {', '.join(raters)}"
        raise InputError(problem, field="raters", remedy="Give one name for each.")
    raters = tuple(raters) or tuple(f"human {i + 1}" for i in range(count))
    pairs = tuple(
        RaterPair(raters[i], raters[j], pair_figures(pair, resampling, RATER_METRICS))
        for (i, j), pair in tally.raters.items()
        if pair.n.any()
    )
    reason = off_points(tally, plan)
    consistency = pairs[0].figures if pairs and tally.raters[0, 1].n.any() else None
    evaluation = Evaluation(
        engine=engine,
        raters=raters,
        plan=plan,
        exclusions=exclusions,
        variants={name: pair_figures(pair, resampling, reason=reason) for name, pair in tally.system.items()},
        further=further_agreement(tally, plan, resampling),
        consistency=consistency,
        rater_pairs=pairs,
        reliability=rater_reliability(tally, plan, resampling),
        readings=readings(tally, len(raters)),
        true_score=true_scores(tally, plan, resampling),
        degradation=degradation(tally, one_rater(tally, plan), resampling),
        degradation_common=degradation(tally, tally.common, resampling),
        disattenuated=disattenuated(tally, plan, resampling),
        crossed=None if reason else crossed_table(tally.crossed),
        crossed_raters=crossed_table(tally.rated.of_raters([0, 1])) if tally.rated and consistency else None,
        distribution=() if reason else score_distribution(tally, plan, resampling),
        levels=() if reason else level_errors(tally, plan, resampling),
        cuts=cut_decisions(tally, plan, resampling),
        groupings=groupings(tally, plan, resampling),
        judgements=(),
        bootstrap_draws=resampling.draws,
        blocks={form: tally.system[form] for form in (plan.trimmed, plan.rounded) if form},
    )
    return replace(evaluation, judgements=judged(evaluation.figures()))
