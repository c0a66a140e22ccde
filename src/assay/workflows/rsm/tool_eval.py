"""The evaluation of an rsmtool experiment: its scores -> `Evaluation` and RSMTool's tables of figures."""

import numpy as np
import polars as pl

from assay.evaluation.chunks import tally_parts
from assay.evaluation.exclusions import FEW_ITEMS, FLAGGED, NO_HUMAN, NO_SYSTEM, ZERO_HUMAN, Exclusions
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.fairness import fairness_tables
from assay.io.rsm.figures import INDEX, figure_tables, point_tables
from assay.io.rsm.read import coded
from assay.io.rsm.responses import UsedResponses
from assay.io.rsm.rows import Tables
from assay.rsm import types
from assay.rsm.experiment import Experiment
from assay.rsm.feature_model import VARIANTS
from assay.rsm.types import Partition, Texts
from assay.scale import ScoreScale
from assay.workflows.rsm.eval import evaluation_on_all_points, wide_kappas

REASONS = {
    types.FLAGGED: FLAGGED,
    types.NO_HUMAN: NO_HUMAN,
    types.ZERO_HUMAN: ZERO_HUMAN,
    types.NO_FEATURE: NO_SYSTEM,
    types.FEW_ITEMS: FEW_ITEMS,
}
"""A response without a feature has no system score."""


def evaluate_experiment(experiment: Experiment, config: RsmModelConfig) -> tuple[Evaluation, Tables]:
    """Every figure about the scores of the evaluation responses."""
    plan = evaluation_plan(experiment, config)
    ratings = evaluation_ratings(experiment, config)
    tally, _ = tally_parts([ratings], plan)
    responses = UsedResponses.of(ratings, plan)
    tables = figure_tables(tally, plan, kappas=wide_kappas(tally, responses), merge_all_data=config.compat)
    if "true_score_eval" in tables:
        tables["true_score_eval"] = _in_order(tables["true_score_eval"])
    assert plan.rounded is not None
    tables |= point_tables(responses.human, responses.forms[plan.rounded], plan)
    for column, groups in experiment.test.used.groups.items():
        texts = pl.Series(column, groups.tolist(), dtype=pl.String)
        tables |= fairness_tables(column, texts, responses.first, responses.forms[plan.trimmed])
    raters = [config.test_label_column, config.second_human_score_column][: ratings.human.shape[1]]
    exclusions = _exclusions(experiment.test)
    evaluation = evaluation_on_all_points(tally, exclusions, responses, plan, engine=config.model, raters=raters)
    return evaluation, tables


def evaluation_plan(experiment: Experiment, config: RsmModelConfig) -> Plan:
    """What the evaluation does with raw scores."""
    after = experiment.postprocessing
    return Plan(
        scale=ScoreScale(after.trim_min, after.trim_max),
        scaling=Scaling(after.train_predictions_mean, after.train_predictions_sd, after.h1_mean, after.h1_sd),
        trim_tolerance=after.trim_tolerance,
        leave_out_zeros=config.exclude_zero_scores,
        error_variance=config.rater_error_variance,
        least_group=max(config.min_n_per_group.values(), default=1),
        prefer_scaled=config.use_scaled_predictions,
    )


def evaluation_ratings(experiment: Experiment, config: RsmModelConfig) -> Ratings:
    """The evaluation responses used. RSMTool knows no second score of responses the model was trained on."""
    used = experiment.test.used
    raters = [used.human]
    if config.second_human_score_column is not None and used.second is not None:
        raters.append(used.second)
    return Ratings(
        human=np.column_stack(raters),
        system=np.asarray(experiment.test_predictions["raw"]),
        groups=tuple(GroupColumn(name, *_coded(values)) for name, values in used.groups.items()),
        candidate=None if used.candidate is None else _coded(used.candidate)[1],
    )


def _coded(values: Texts) -> tuple[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    levels, codes = coded(pl.Series(values.tolist(), dtype=pl.String))
    return levels, codes


def _exclusions(test: Partition) -> Exclusions:
    return Exclusions(len(test.read), {REASONS[reason]: count for reason, count in test.left_out().items()})


def _in_order(table: pl.DataFrame) -> pl.DataFrame:
    """Forms as RSMTool lists them here."""
    places = table.get_column(INDEX).to_list()
    return table[[places.index(form) for form in VARIANTS]]
