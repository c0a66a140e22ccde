"""An rsmtool experiment: configuration and feature tables in, RSMTool's files, a model and an `Evaluation` out."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.evaluation.result import Evaluation
from assay.io.models.feature_model import write_feature_model
from assay.io.results.experiment_json import experiment_json
from assay.io.rsm.analyses import analysis_tables, composition_tables
from assay.io.rsm.configuration.feature_specs import requested_features, subset_features, subset_signs
from assay.io.rsm.configuration.model_config import RsmModelConfig
from assay.io.rsm.feature_read import (
    ResponseFile,
    Roles,
    evaluation_roles,
    read_responses,
    response_file,
    training_roles,
)
from assay.io.rsm.feature_rows import prediction_tables, response_tables
from assay.io.rsm.model_tables import SELECTED, fit_summary, model_tables, selected_features
from assay.io.rsm.write import check_free, write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.provenance import Provenance
from assay.rsm.analyses.composition import Composition, data_composition
from assay.rsm.analyses.training import TrainingAnalyses, analyse_training
from assay.rsm.experiment import feature_model, train_experiment
from assay.rsm.filtering import usable_length
from assay.rsm.plan import ExperimentPlan
from assay.rsm.types import Experiment
from assay.workflows.rsm.tool_eval import evaluate_experiment

OUTPUT, FEATURE = "output", "feature"
"""The folders of the tables, as RSMTool calls them."""


@dataclass(frozen=True, eq=False, slots=True)
class RsmToolResult:
    """What came out of an rsmtool experiment."""

    experiment: Experiment
    evaluation: Evaluation
    analyses: TrainingAnalyses
    composition: Composition
    tables: Mapping[str, pl.DataFrame]
    """RSMTool's tables by name, the experiment's id left out."""
    selected: pl.DataFrame
    """The features of the model as a feature file."""


@dataclass(frozen=True, eq=False, slots=True)
class TrainingFiles:
    """The tables of an experiment, read."""

    train: ResponseFile
    test: ResponseFile
    plan: ExperimentPlan


def run_rsm_tool(
    config: RsmModelConfig,
    out: Path,
    *,
    force: bool = False,
    provenance: Provenance | None = None,
    report: Callable[[RsmToolResult, Path], object] | None = None,
) -> RsmToolResult:
    """Run an experiment and write its tables, model and configuration to OUT, all or nothing.

    Where OUT/output holds files already nothing is written, unless forced; then files of the same name are replaced.
    `report` adds a report to the folder before it appears: without its report no result appears either.
    """
    check_free(out / OUTPUT, force=force)
    with OutputFolder(out, force=True) as folder:
        result = train_and_evaluate(config)
        write_result(result, config, folder, provenance or Provenance(""))
        if report is not None:
            report(result, folder)
    return result


def train_and_evaluate(config: RsmModelConfig) -> RsmToolResult:
    """The model, the evaluation and the tables of an experiment; files are read, none is written."""
    return result_of(read_training_files(config), config)


def result_of(files: TrainingFiles, config: RsmModelConfig) -> RsmToolResult:
    """The same for tables at hand."""
    train, test = files.train, files.test
    experiment = train_experiment(train.table, test.table, files.plan)
    evaluation, evaluated = evaluate_experiment(experiment, config)
    analyses = _analyses(experiment, compat=config.compat)
    composition = data_composition(experiment.train, experiment.test)
    tables = response_tables(experiment, train, test, config)
    tables |= composition_tables(
        composition, zeros_left_out=config.exclude_zero_scores, least_items=config.min_items_per_candidate > 0
    )
    tables |= model_tables(experiment, compat=config.compat) | analysis_tables(analyses)
    tables |= prediction_tables(experiment) | evaluated
    return RsmToolResult(experiment, evaluation, analyses, composition, tables, selected_features(experiment, config))


def read_training_files(config: RsmModelConfig) -> TrainingFiles:
    """The training and the evaluation table, and the plan of the experiment."""
    plan = training_plan(config)
    roles = training_roles(config)
    frame = read_responses(config.train_file, roles, requested_names(plan))
    train = response_file(frame, roles, feature_names(plan, frame, config), source=config.train_file.name)
    if _same_file(config):
        return TrainingFiles(train, train, plan)
    return TrainingFiles(train, _evaluation_file(config, evaluation_roles(config), train, plan), plan)


def requested_names(plan: ExperimentPlan) -> tuple[str, ...]:
    """The features asked for by name."""
    return tuple(spec.feature for spec in plan.features or ())


def feature_names(plan: ExperimentPlan, train: pl.DataFrame, config: RsmModelConfig) -> tuple[str, ...]:
    """The features asked for, or else those among the columns of the training table."""
    return requested_names(plan) or subset_features(config, train.columns)


def training_plan(config: RsmModelConfig) -> ExperimentPlan:
    """What the configuration says about training. A feature file settles the transformations, as in RSMTool."""
    return ExperimentPlan(
        model=config.model,
        features=requested_features(config),
        select_transformations=config.select_transformations and config.feature_file is None,
        signs=subset_signs(config),
        standardize_features=config.standardize_features,
        truncate_outliers=config.truncate_outliers,
        exclude_zero_scores=config.exclude_zero_scores,
        min_items_per_candidate=config.min_items_per_candidate,
        missing=_missing(config.missing_features),
        trim_min=config.trim_min,
        trim_max=config.trim_max,
        trim_tolerance=config.trim_tolerance,
        use_scaled_predictions=config.use_scaled_predictions,
        predict_expected_scores=config.predict_expected_scores,
        objective=config.skll_objective,
        fixed_parameters=config.skll_fixed_parameters,
        grid_search_jobs=config.skll_grid_search_jobs,
        rater_error_variance=config.rater_error_variance,
        compat=config.compat,
    )


def write_result(result: RsmToolResult, config: RsmModelConfig, folder: Path, provenance: Provenance) -> None:
    """Every table that has rows, the model, experiment.json and the configuration as RSMTool saves it."""
    output = folder / OUTPUT
    write_tables(result.tables, output, prefix=f"{config.experiment_id}_", file_format=config.file_format)
    write_tables(
        {SELECTED: result.selected}, folder / FEATURE, prefix=f"{config.experiment_id}_", file_format=config.file_format
    )
    experiment = result.experiment
    if experiment.fit is not None:
        summary = fit_summary(config.model, experiment.fit)
        (output / f"{config.experiment_id}_ols_summary.txt").write_text(summary, encoding="utf-8")
    trained_on = _trained_on(config, experiment, provenance)
    write_feature_model(output / f"{config.experiment_id}.model.json", feature_model(experiment), trained_on)
    (folder / "experiment.json").write_text(
        experiment_json(experiment, result.evaluation, provenance, experiment_id=config.experiment_id), encoding="utf-8"
    )
    saved = output / f"{config.experiment_id}_{config.command}.json"
    saved.write_text(json.dumps(config.saved, indent=4), encoding="utf-8")


def write_tables(tables: Mapping[str, pl.DataFrame], folder: Path, *, prefix: str = "", file_format: str) -> None:
    """Every table that has rows, to a file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        if table.height:
            # a subgroup column may be called a/b, but a file may not
            safe = re.sub(r"[/\\\0]", "_", name)
            write_rsm_table(folder / f"{prefix}{safe}.{file_format}", table)


def _trained_on(config: RsmModelConfig, experiment: Experiment, provenance: Provenance) -> dict[str, Any]:
    return {
        "experiment_id": config.experiment_id,
        "table": config.train_file.name,
        "sha256": provenance.inputs.get(config.train_file.name, ""),
        "responses": len(experiment.train.used),
        "human_scores": config.train_label_column,
        "made": provenance.made,
    }


def _analyses(experiment: Experiment, *, compat: bool) -> TrainingAnalyses:
    """Of the features the model uses."""
    train, chosen = experiment.train, experiment.model.features
    columns = [experiment.names.index(name) for name in chosen]
    return analyse_training(
        chosen,
        train.used.matrix[:, columns],
        train.preprocessed[:, columns],
        train.used.human,
        length=usable_length(train),
        groups=train.used.groups,
        merge_all_data=compat,
        small_is_zero=compat,
    )


def _evaluation_file(config: RsmModelConfig, roles: Roles, train: ResponseFile, plan: ExperimentPlan) -> ResponseFile:
    assert config.test_file is not None
    names = train.table.names
    frame = read_responses(config.test_file, roles, names)
    missing = [name for name in names if name not in frame.columns]
    if missing and plan.features is None:
        # a column that does not vary is no feature, so the evaluation responses need not have it
        names = tuple(name for name in names if name in frame.columns)
    return response_file(frame, roles, names, source=config.test_file.name)


def _same_file(config: RsmModelConfig) -> bool:
    return config.train_file == config.test_file and config.train_label_column == config.test_label_column


def _missing(word: str) -> Any:
    return word
