"""An rsmxval experiment: a model per fold, the scores of all folds evaluated together, and a model of all responses."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.evaluation.result import Evaluation
from assay.io.rsm.configuration.eval_config import rsm_eval_config
from assay.io.rsm.configuration.model_config import RsmModelConfig
from assay.io.rsm.configuration.model_options import RSMTOOL_OPTIONS
from assay.io.rsm.feature_read import (
    ResponseFile,
    Roles,
    evaluation_roles,
    named_columns,
    response_file,
    training_roles,
)
from assay.io.rsm.read import check_ids, typed_columns
from assay.io.rsm.stored import read_experiments
from assay.io.rsm.summary import summary_tables, write_summary_table
from assay.io.rsm.table import RsmTable, read_rsm_table
from assay.io.rsm.write import check_free, write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.provenance import Provenance
from assay.rsm.folds import Places, drawn_folds, named_folds, sampled
from assay.rsm.stored import StoredExperiment
from assay.workflows.rsm.eval import evaluate_predictions, write_experiment
from assay.workflows.rsm.tool import (
    OUTPUT,
    RsmToolResult,
    TrainingFiles,
    feature_names,
    read_training_files,
    requested_names,
    result_of,
    training_plan,
    write_result,
)

FOLDS, SUMMARY, EVALUATION, FINAL = "folds", "fold-summary", "evaluation", "final-model"
"""The folders of a cross-validation, as RSMTool calls them."""
PREDICTIONS = "xval_predictions"


@dataclass(frozen=True, eq=False, slots=True)
class RsmXvalResult:
    """What came out of a cross-validation."""

    folds: tuple[RsmToolResult, ...]
    pooled: Evaluation
    """Of all responses, each scored by the model that was not trained on it."""
    final: RsmToolResult
    """The model of all responses; evaluated on a tenth of them, which says nothing about it."""
    configs: tuple[RsmModelConfig, ...]
    """Of the folds."""
    stored: tuple[StoredExperiment, ...]
    """The folds as their summary has them."""
    final_config: RsmModelConfig
    files: tuple[str, ...]
    """What was written, seen from the folder of results."""


@dataclass(frozen=True, eq=False, slots=True)
class _Material:
    """The training table of a cross-validation in the shapes it is needed in."""

    table: RsmTable
    stored: pl.DataFrame
    """As it is written for each fold."""
    training: pl.DataFrame
    """Under RSMTool's names for training responses."""
    evaluation: pl.DataFrame
    """Under its names for evaluation responses."""


def run_rsm_xval(
    config: RsmModelConfig,
    out: Path,
    *,
    force: bool = False,
    provenance: Provenance | None = None,
    report: Callable[[RsmXvalResult, Path], object] | None = None,
) -> RsmXvalResult:
    """Cross-validate and write everything to OUT, all or nothing: folds, their summary, evaluation, final model.

    `report` adds reports to the folder before it appears.
    """
    check_free(out / FOLDS, force=force)
    with OutputFolder(out, force=True) as folder:
        result = _run(config, folder, provenance or Provenance(""))
        if report is not None:
            report(result, folder)
    return result


def _run(config: RsmModelConfig, folder: Path, provenance: Provenance) -> RsmXvalResult:
    material = _material(config)
    places = fold_places(config, material.stored)
    results, configs = [], []
    for number, fold in enumerate(places, start=1):
        fold_config = _fold_config(config, number, folder / FOLDS / f"{number:02}")
        results.append(_fold(material, fold, fold_config, folder / FOLDS / f"{number:02}", provenance))
        configs.append(fold_config)
    stored = _write_summary(config, folder)
    final_config = _final_config(config, folder / FINAL)
    final = _final(material, final_config, folder / FINAL, provenance)
    pooled = _evaluated(config, results, final, material, folder / EVALUATION)
    (folder / "rsmxval.json").write_text(json.dumps(config.saved, indent=4), encoding="utf-8")
    files = tuple(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()))
    return RsmXvalResult(tuple(results), pooled, final, tuple(configs), stored, final_config, files)


def fold_places(config: RsmModelConfig, stored: pl.DataFrame) -> tuple[Places, ...]:
    """The responses of each fold: as the folds file says, or drawn."""
    if config.folds_file is None or not config.folds_file.exists():
        return drawn_folds(stored.height, config.folds)
    table = read_rsm_table(config.folds_file).frame
    if table.width < 2:
        raise InputError(f"{config.folds_file.name} (folds_file) must have two columns: response and fold.")
    ids, names = (table.to_series(i).cast(pl.String).fill_null("").to_list() for i in (0, 1))
    responses = stored.get_column(config.id_column).to_list()
    return named_folds(responses, dict(zip(ids, names, strict=True)))


def _material(config: RsmModelConfig) -> _Material:
    table = read_rsm_table(config.train_file)
    training, evaluation = training_roles(config), evaluation_roles(config)
    table.require({**evaluation.wanted(), **training.wanted()})
    check_ids(table, config.id_column)
    asked = requested_names(training_plan(config))
    return _Material(
        table,
        typed_columns(table, subgroups=(), texts=(config.id_column,)),
        named_columns(table, training, asked),
        named_columns(table, evaluation, asked),
    )


def _files(material: _Material, train: Places | None, test: Places, config: RsmModelConfig) -> TrainingFiles:
    """The training and evaluation responses at these places; None: all of them."""
    plan = training_plan(config)
    frame = material.training if train is None else material.training[train]
    names = feature_names(plan, frame, config)
    return TrainingFiles(
        _part(frame, training_roles(config), names, config),
        _part(material.evaluation[test], evaluation_roles(config), names, config),
        plan,
    )


def _part(frame: pl.DataFrame, roles: Roles, names: tuple[str, ...], config: RsmModelConfig) -> ResponseFile:
    return response_file(frame, roles, names, source=config.train_file.name)


def _fold(
    material: _Material, fold: Places, config: RsmModelConfig, folder: Path, provenance: Provenance
) -> RsmToolResult:
    rest = _rest(fold, material.stored.height)
    train, test = (folder / f"{name}.{config.file_format}" for name in ("train", "test"))
    folder.mkdir(parents=True)
    for file, places in ((train, rest), (test, fold)):
        write_rsm_table(file, material.stored[places])
    files = _reread(config, train, test) if config.compat else _files(material, rest, fold, config)
    result = result_of(files, config)
    write_result(result, config, folder, provenance)
    (folder / "rsmtool.json").write_text(json.dumps(config.saved, indent=4), encoding="utf-8")
    for path in (config.feature_file, config.feature_subset_file):
        if path is not None:
            (folder / path.name).write_bytes(path.read_bytes())
    return result


def _reread(config: RsmModelConfig, train: Path, test: Path) -> TrainingFiles:
    """The responses as RSMTool has them: from the files of the fold, where a group 01 has become 1 and NA is empty."""
    return read_training_files(replace(config, train_file=train, test_file=test))


def _rest(fold: Places, count: int) -> Places:
    return np.setdiff1d(np.arange(count, dtype=np.int64), fold)


def _final(material: _Material, config: RsmModelConfig, folder: Path, provenance: Provenance) -> RsmToolResult:
    """The model of all responses. RSMTool needs evaluation responses, so it takes a tenth of them; so do we."""
    sample = sampled(material.stored.height)
    test = folder / f"dummy_test.{config.file_format}"
    folder.mkdir(parents=True)
    write_rsm_table(test, material.stored[sample])
    files = _reread(config, config.train_file, test) if config.compat else _files(material, None, sample, config)
    result = result_of(files, config)
    write_result(result, config, folder, provenance)
    return result


def _fold_config(config: RsmModelConfig, number: int, folder: Path) -> RsmModelConfig:
    name = f"{config.experiment_id}_fold{number:02}"
    description = f"{config.description} (Fold {number:02})"
    files = {what: folder / f"{what}.{config.file_format}" for what in ("train", "test")}
    return _as_tool(config, name, description, train_file=str(files["train"].name), test_file=str(files["test"].name))


def _final_config(config: RsmModelConfig, folder: Path) -> RsmModelConfig:
    dummy = folder / f"dummy_test.{config.file_format}"
    return _as_tool(
        config,
        f"{config.experiment_id}_model",
        config.description,
        train_file=str(config.saved["train_file"]),
        test_file=dummy.name,
    )


def _as_tool(config: RsmModelConfig, name: str, description: str, **files: str) -> RsmModelConfig:
    """The configuration of the rsmtool experiment that a fold is."""
    changed = {"experiment_id": name, "description": description, **files}
    changed["test_label_column"] = config.train_label_column
    known: Mapping[str, Any] = {**config.saved, **changed}
    options = [option for option in dict.fromkeys([*known, *RSMTOOL_OPTIONS]) if option in RSMTOOL_OPTIONS]
    values = {option: known.get(option, RSMTOOL_OPTIONS[option].default) for option in options}
    saved = {option: list(value) if isinstance(value, tuple) else value for option, value in values.items()}
    return replace(config, command="rsmtool", experiment_id=name, description=description, saved=saved)


def _write_summary(config: RsmModelConfig, folder: Path) -> tuple[StoredExperiment, ...]:
    """The tables of rsmsummarize about the folds, and the folds as they were read for it."""
    output = folder / SUMMARY / OUTPUT
    output.mkdir(parents=True)
    places = sorted((folder / FOLDS).iterdir())
    experiments = [experiment for place in places for experiment in read_experiments(place)]
    for name, table in summary_tables(experiments).items():
        write_summary_table(output / f"{config.experiment_id}_fold_summary_{name}.{config.file_format}", table)
    return tuple(experiments)


def _evaluated(
    config: RsmModelConfig,
    folds: Iterable[RsmToolResult],
    final: RsmToolResult,
    material: _Material,
    folder: Path,
) -> Evaluation:
    """All scores together, evaluated as rsmeval does it."""
    folder.mkdir(parents=True)
    predictions = _pooled(config, folds, material)
    path = folder / f"{PREDICTIONS}.{config.file_format}"
    write_rsm_table(path, predictions)
    settings = rsm_eval_config(_evaluation_options(config, final, path.name), folder, compat=config.compat)
    experiment = evaluate_predictions(settings)
    write_experiment(experiment, settings, folder / OUTPUT)
    return experiment.evaluation


def _pooled(config: RsmModelConfig, folds: Iterable[RsmToolResult], material: _Material) -> pl.DataFrame:
    scores = pl.concat([fold.tables["pred_processed"] for fold in folds])
    wanted = [*config.subgroups, config.second_human_score_column]
    # RSMTool forgets the candidates, and stops when they are asked for
    wanted += [] if config.candidate_column == config.id_column else [config.candidate_column]
    names = [name for name in wanted if name is not None]
    if not names:
        return scores
    ids = material.stored.get_column(config.id_column)
    further = pl.DataFrame([ids.alias("spkitemid"), *(material.stored.get_column(name) for name in names)])
    return scores.join(further, on="spkitemid", how="inner", maintain_order="left")


def _evaluation_options(config: RsmModelConfig, final: RsmToolResult, predictions: str) -> dict[str, Any]:
    """Flags were looked at in the folds. RSMTool says scale_with "raw" and means no scaling, but scales."""
    after = final.experiment.postprocessing
    scaled = config.use_scaled_predictions
    return {
        "experiment_id": f"{config.experiment_id}_evaluation",
        "description": f"{config.description} (Evaluating Fold Predictions)",
        "predictions_file": predictions,
        "system_score_column": "scale" if scaled else "raw",
        **({"scale_with": "asis"} if scaled else {"scale_with": "raw"} if config.compat else {}),
        "trim_min": after.trim_min if config.trim_min is None else config.trim_min,
        "trim_max": after.trim_max if config.trim_max is None else config.trim_max,
        "file_format": config.file_format,
        "second_human_score_column": config.second_human_score_column,
        "candidate_column": None if config.candidate_column == config.id_column else config.candidate_column,
        "exclude_zero_scores": config.exclude_zero_scores,
        "rater_error_variance": config.rater_error_variance,
        "subgroups": list(config.subgroups),
        "trim_tolerance": config.trim_tolerance,
    }
