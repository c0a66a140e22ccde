"""The evaluations of experiments: of scores at hand, with RSMTool's tables of figures; and of experiments on disk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np
import polars as pl

from assay.evaluation import exclusions as excluded
from assay.evaluation.chunks import few_items, plan_reasons, tally_parts
from assay.evaluation.compare import Comparison, Contender, compare_engines
from assay.evaluation.evaluate import evaluate_engine, evaluation_of
from assay.evaluation.exclusions import Exclusions, Reasons, without_zeros
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling, score_forms
from assay.evaluation.tallying import MOST_POINTS_TO_CROSS, LevelTally
from assay.io.rsm.analyses import fairness_tables
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.figures import INDEX, figure_tables, point_kappa, point_tables
from assay.io.rsm.read import coded
from assay.io.rsm.rows import Tables
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import Scores
from assay.rsm import types
from assay.rsm.experiment import Experiment
from assay.rsm.feature_model import VARIANTS
from assay.rsm.stored import StoredExperiment
from assay.scale import ScoreScale

REASONS = {
    types.FLAGGED: excluded.FLAGGED,
    types.NO_HUMAN: excluded.NO_HUMAN,
    types.ZERO_HUMAN: excluded.ZERO_HUMAN,
    types.NO_FEATURE: excluded.NO_SYSTEM,
    types.FEW_ITEMS: excluded.FEW_ITEMS,
}
"""A response without a feature has no system score."""
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class EvaluatedResponses:
    """The figures about some scores, and the responses they are of."""

    evaluation: Evaluation
    tables: Tables
    """RSMTool's tables of figures."""
    reasons: Reasons
    """Why responses do not take part; -1 for those that do."""
    variants: Mapping[str, Scores]
    """The scores of those that do."""


def evaluate_responses(
    ratings: Ratings,
    plan: Plan,
    groups: Mapping[str, pl.Series],
    *,
    engine: str,
    raters: Sequence[str | None],
    compat: bool,
    exclusions: Exclusions | None = None,
) -> EvaluatedResponses:
    """Every figure about the scores of some responses; `groups` are their subgroups as RSMTool reads them."""
    assert plan.scale is not None
    assert plan.rounded is not None  # an experiment always has a scale
    ratings = judged_by_first_column(ratings)
    tally, counted = tally_parts([ratings], plan)
    reasons = plan_reasons(ratings, plan, few_items(ratings, plan) if plan.least_items > 1 else None)
    included = ratings.where(reasons < 0)
    human = np.where(np.isfinite(included.human), included.human, np.nan)
    human = without_zeros(human) if plan.leave_out_zeros else human
    variants = score_forms(
        included.system, scale=plan.scale, tolerance=plan.trim_tolerance, scaling=plan.scaling, name=plan.base
    )
    # kappa of variants whose points are too many for a tally, as a single stray raw score makes them
    wide = [variant for variant, blocks in tally.system.items() if not blocks.merged().has_points]
    kappas = {variant: point_kappa(human[:, 0], variants[variant]) for variant in wide}
    tables = figure_tables(tally, plan, kappas=kappas, merge_all_data=compat)
    tables |= point_tables(human, variants[plan.rounded], plan)
    for column, texts in groups.items():
        tables |= fairness_tables(column, texts.filter(reasons < 0), human[:, 0], variants[plan.trimmed])
    # RSMTool trims system scores only: people may have given points outside trim_min to trim_max, and figures point by
    # point must know them. The evaluation shows the plan as it was asked for
    ends = [float(np.rint(end(scores))) for scores in (human, variants[plan.rounded]) for end in (np.nanmin, np.nanmax)]
    scale = ScoreScale(min(plan.scale.lowest, *ends), max(plan.scale.highest, *ends), plan.scale.step)
    wider = plan
    if scale != plan.scale and scale.highest - scale.lowest >= MOST_POINTS_TO_CROSS:
        tally = replace(tally, levels=None, crossed=None, rated=None)
    elif scale != plan.scale:
        tally = replace(tally, levels=LevelTally.of(included, human[:, 0], variants[plan.trimmed], scale))
        wider = replace(plan, scale=scale)
    names, left_out = [rater for rater in raters if rater is not None], counted if exclusions is None else exclusions
    with np.errstate(over="ignore"):  # a stray raw score makes an interval endless, which is as it should be
        evaluation = evaluation_of(tally, left_out, wider, engine=engine, raters=names)
    return EvaluatedResponses(replace(evaluation, plan=plan), tables, reasons, variants)


def judged_by_first_column(ratings: Ratings) -> Ratings:
    """The ratings as RSMTool takes them: without a first human score the others do not count, infinity is no score."""
    read = np.isfinite(ratings.human[:, :1])
    system = np.where(np.isfinite(ratings.system), ratings.system, np.nan)
    return replace(ratings, human=np.where(read, ratings.human, np.nan), system=system)


def evaluate_experiment(experiment: Experiment, config: RsmModelConfig) -> tuple[Evaluation, Tables]:
    """Every figure about the scores of the evaluation responses.

    RSMTool knows no second score of responses the model was trained on.
    """
    after, test, used = experiment.postprocessing, experiment.test, experiment.test.used
    moments = (after.train_predictions_mean, after.train_predictions_sd, after.h1_mean, after.h1_sd)
    plan = Plan(
        scale=ScoreScale(after.trim_min, after.trim_max),
        scaling=Scaling(*moments) if after.scales else None,  # one score for all: scaled variants stay empty
        trim_tolerance=after.trim_tolerance,
        leave_out_zeros=config.exclude_zero_scores,
        error_variance=config.rater_error_variance,
        least_doubles=0,
        least_group=max(config.min_n_per_group.values(), default=1),
        prefer_scaled=config.use_scaled_predictions and after.scales,
    )
    raters, human = [config.test_label_column], [used.human]
    if config.second_human_score_column is not None and used.second is not None:
        raters.append(config.second_human_score_column)
        human.append(used.second)
    groups = {name: pl.Series(name, texts.tolist(), dtype=pl.String) for name, texts in used.groups.items()}
    candidate = None if used.candidate is None else pl.Series(used.candidate.tolist(), dtype=pl.String)
    ratings = Ratings(
        human=np.column_stack(human),
        system=np.asarray(experiment.test_predictions["raw"]),
        groups=tuple(GroupColumn(name, *coded(texts)) for name, texts in groups.items()),
        candidate=None if candidate is None else coded(candidate)[1],
    )
    left_out = Exclusions(len(test.read), {REASONS[reason]: count for reason, count in test.left_out().items()})
    evaluated = evaluate_responses(
        ratings, plan, groups, engine=config.model, raters=raters, compat=config.compat, exclusions=left_out
    )
    tables = evaluated.tables
    if "true_score_eval" in tables:  # variants as RSMTool lists them here
        places = tables["true_score_eval"].get_column(INDEX).to_list()
        tables["true_score_eval"] = tables["true_score_eval"][[places.index(v) for v in VARIANTS if v in places]]
    return evaluated.evaluation, tables


def evaluate_stored(experiment: StoredExperiment, *, groups: Sequence[str] | None = None) -> Evaluation | None:
    """Every figure of a stored experiment with its interval; None when its scores or their scale are not there.

    `groups` names the subgroup columns that count; None: all of the experiment.
    """
    scores = experiment.scores
    low, high, tolerance = experiment.trimming()
    system = scores.variants.get(experiment.primary) if scores is not None else None
    if scores is None or system is None or isnan(low) or isnan(high) or not low < high:
        return None
    human = scores.human[:, None] if scores.second is None else np.column_stack([scores.human, scores.second])
    columns = [name for name in scores.groups if groups is None or name in groups]
    ratings = Ratings(
        human=human, system=system, groups=tuple(GroupColumn.of(name, scores.groups[name].tolist()) for name in columns)
    )
    variance = experiment.settings.get("rater_error_variance")
    plan = Plan(
        scale=ScoreScale(low, high),
        trim_tolerance=tolerance,
        leave_out_zeros=bool(experiment.settings.get("exclude_zero_scores", True)),
        error_variance=None if variance is None else float(variance),
        least_doubles=0,
        base=experiment.primary,
    )
    raters = ("first human score", "second human score")[: human.shape[1]]
    return evaluate_engine(judged_by_first_column(ratings), plan, engine=experiment.name, raters=raters)


def compare_stored(experiments: Sequence[StoredExperiment]) -> tuple[Comparison | None, int]:
    """Experiments on the responses that all of them scored, and how many these are.

    Without any in common each is taken on its own responses. None when an experiment has no scores to compare.
    """
    scores = [experiment.scores for experiment in experiments if experiment.scores is not None]
    if len(experiments) < 2 or len(scores) < len(experiments):
        return None, 0
    shared = set.intersection(*(set(part.ids) for part in scores))
    contenders = []
    for experiment, own in zip(experiments, scores, strict=True):
        # in the order of their ids, so that the responses of two experiments face each other
        chosen = sorted((i for i, name in enumerate(own.ids) if name in shared), key=own.ids.__getitem__)
        common = replace(experiment, scores=own.where(chosen)) if shared else experiment
        evaluation = evaluate_stored(common, groups=())
        if evaluation is None or evaluation.plan.rounded is None:
            return None, 0
        blocks = evaluation.blocks
        contenders.append(Contender(experiment.name, blocks[evaluation.plan.trimmed], blocks[evaluation.plan.rounded]))
    comparison = compare_engines(contenders)
    # no difference, where two programs merely round differently: such a one would look certain
    differences = tuple(
        replace(d, estimate=Estimate(0.0, 0.0, 0.0, d.estimate.reason), p=1.0, p_adjusted=1.0)
        if abs(d.estimate.value) < ROUNDING
        else d
        for d in comparison.differences
    )
    return replace(comparison, differences=differences), len(shared)
