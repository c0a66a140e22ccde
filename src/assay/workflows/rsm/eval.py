"""An rsmeval experiment: configuration and predictions in, RSMTool's output files and an `Evaluation` out."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from assay.evaluation.chunks import tally_parts
from assay.evaluation.evaluate import evaluation_of
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.plan import Plan
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling
from assay.evaluation.tallying import EvaluationTally
from assay.io.rsm.configuration.eval_config import RsmEvalConfig
from assay.io.rsm.fairness import fairness_tables
from assay.io.rsm.figures import figure_tables
from assay.io.rsm.points import point_kappa, point_tables
from assay.io.rsm.read import Predictions, read_predictions, read_scaling
from assay.io.rsm.responses import UsedResponses
from assay.io.rsm.rows import composition_tables, row_tables
from assay.io.rsm.write import check_free, write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.scale import ScoreScale

OUTPUT = "output"
"""The folder of the tables, as RSMTool calls it."""


@dataclass(frozen=True, eq=False, slots=True)
class RsmExperiment:
    """What came out of an rsmeval experiment."""

    evaluation: Evaluation
    tables: Mapping[str, pl.DataFrame]
    """RSMTool's tables by name, the experiment's id left out."""


def run_rsm_eval(
    config: RsmEvalConfig, out: Path, *, force: bool = False, report: Callable[[Evaluation, Path], object] | None = None
) -> Evaluation:
    """Run an experiment and write its tables and its configuration to OUT/output, all or nothing.

    Like RSMTool it refuses to write where OUT/output holds files already, unless forced to; then files of the same
    name are replaced, and others stay. `report` adds a report to the folder before it appears.
    """
    check_free(out / OUTPUT, force=force)
    with OutputFolder(out, force=True) as folder:
        experiment = evaluate_predictions(config)
        write_experiment(experiment, config, folder / OUTPUT)
        if report is not None:
            report(experiment.evaluation, folder)
    return experiment.evaluation


def evaluate_predictions(config: RsmEvalConfig) -> RsmExperiment:
    """The evaluation and the tables of an experiment; files are read, none is written."""
    predictions = read_predictions(config)
    plan = _plan(config)
    tally, exclusions = tally_parts([predictions.ratings], plan)
    responses = UsedResponses.of(predictions.ratings, plan)
    tables = _response_tables(predictions, responses, plan, config)
    tables |= figure_tables(tally, plan, kappas=_wide_kappas(tally, responses), merge_all_data=config.compat)
    return RsmExperiment(_evaluation(tally, exclusions, responses, plan, config), tables)


def write_experiment(experiment: RsmExperiment, config: RsmEvalConfig, folder: Path) -> None:
    """Every table that has rows, and the configuration as RSMTool saves it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in experiment.tables.items():
        if table.height:
            # a subgroup column may be called a/b, but a file may not
            safe = re.sub(r"[/\\\0]", "_", name)
            write_rsm_table(folder / f"{config.experiment_id}_{safe}.{config.file_format}", table)
    saved = json.dumps(config.saved, indent=4)
    (folder / f"{config.experiment_id}_rsmeval.json").write_text(saved, encoding="utf-8")


def _plan(config: RsmEvalConfig) -> Plan:
    return Plan(
        scale=ScoreScale(config.trim_min, config.trim_max),
        scaling=_scaling(config),
        trim_tolerance=config.trim_tolerance,
        leave_out_zeros=config.exclude_zero_scores,
        error_variance=config.rater_error_variance,
        least_group=max(config.min_n_per_group.values(), default=1),
        least_items=config.min_items_per_candidate,
        base="scale" if config.scale_with == "asis" else "raw",
    )


def _scaling(config: RsmEvalConfig) -> Scaling | None:
    """RSMTool documents scale_with "raw" as no scaling, but scales to the same scores; so does `compat`."""
    if config.scale_file is not None:
        return read_scaling(config.scale_file)
    as_it_is = Scaling(system_mean=0.0, system_sd=1.0, human_mean=0.0, human_sd=1.0)
    return as_it_is if config.scale_with == "raw" and config.compat else None


def _response_tables(
    predictions: Predictions, responses: UsedResponses, plan: Plan, config: RsmEvalConfig
) -> dict[str, pl.DataFrame]:
    """The tables that need the responses themselves."""
    assert plan.rounded is not None  # an rsmeval experiment always has a scale
    tables = row_tables(predictions, responses.reasons, responses.forms, config)
    tables |= composition_tables(predictions, responses.reasons, config)
    tables |= point_tables(responses.human, responses.forms[plan.rounded], plan)
    used = predictions.frame.filter(responses.reasons < 0)
    for column in config.subgroups:
        tables |= fairness_tables(column, used.get_column(column), responses.first, responses.forms[plan.trimmed])
    return tables


def _wide_kappas(tally: EvaluationTally, responses: UsedResponses) -> dict[str, float]:
    """Kappa of the forms whose points are too many for a tally, as a single stray raw score makes them."""
    wide = [form for form, blocks in tally.system.items() if not blocks.merged().has_points]
    return {form: point_kappa(responses.first, responses.forms[form]) for form in wide}


def _evaluation(
    tally: EvaluationTally, exclusions: Exclusions, responses: UsedResponses, plan: Plan, config: RsmEvalConfig
) -> Evaluation:
    raters = [config.human_score_column, config.second_human_score_column]
    all_points, on_all_points = responses.on_all_points(tally, plan)
    with np.errstate(over="ignore"):  # a stray raw score makes an interval endless, which is as it should be
        evaluation = evaluation_of(
            all_points,
            exclusions,
            on_all_points,
            engine=config.system_score_column,
            raters=[rater for rater in raters if rater is not None],
        )
    return replace(evaluation, plan=plan)
