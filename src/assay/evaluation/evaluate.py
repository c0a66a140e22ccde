"""FRONT DOOR `evaluate_engine`: ratings and a plan -> `Evaluation`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.errors import Field, InputError
from assay.evaluation.chunks import tally_parts
from assay.evaluation.exclusions import Exclusions
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
    if not isinstance(plan, Plan):
        raise InputError(
            (Field("plan"), f" is of type {type(plan).__name__}"),
            field="plan",
            remedy="Call evaluate_engine(Ratings.of(human, system), Plan('1-6')), or evaluate() with a table.",
        )
    parts = [ratings] if isinstance(ratings, Ratings) else ratings
    tally, exclusions = tally_parts(map(_checked, parts), plan)
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
        raise InputError(
            f"got {len(given)} names for {count} raters: {', '.join(given)}",
            field="raters",
            remedy="Give one name for each.",
        )
    return tuple(given) or tuple(f"human {i + 1}" for i in range(count))


def _rater_count(tally: EvaluationTally) -> int:
    return 1 + sum(1 for first, _ in tally.raters if first == 0)
