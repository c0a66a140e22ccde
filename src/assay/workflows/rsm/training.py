"""What an experiment is trained on: its tables and its plan, and the folds of a cross-validation."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.configuration.schema import RSMTOOL
from assay.io.rsm.feature_specs import requested_features, subset_features, subset_signs
from assay.io.rsm.read import ResponseFile, named_columns, read_responses, response_file, training_roles, typed_columns
from assay.io.rsm.table import read_rsm_table, write_rsm_table
from assay.rsm.filtering import Places, drawn_folds, named_folds, sampled
from assay.rsm.types import ExperimentPlan


@dataclass(frozen=True, eq=False, slots=True)
class TrainingFiles:
    """The tables of an experiment, read."""

    train: ResponseFile
    test: ResponseFile
    plan: ExperimentPlan


def read_training_files(config: RsmModelConfig) -> TrainingFiles:
    """The training and the evaluation table, and the plan of the experiment."""
    plan, roles = training_plan(config), training_roles(config)
    frame = read_responses(config.train_file, roles, requested_names(plan))
    train = response_file(frame, roles, feature_names(plan, frame, config), source=config.train_file.name)
    if config.train_file == config.test_file and config.train_label_column == config.test_label_column:
        return TrainingFiles(train, train, plan)
    assert config.test_file is not None
    roles, names = training_roles(config, evaluation=True), train.table.names
    frame = read_responses(config.test_file, roles, names)
    if plan.features is None:
        # a column that does not vary is no feature, so the evaluation responses need not have it
        names = tuple(name for name in names if name in frame.columns)
    return TrainingFiles(train, response_file(frame, roles, names, source=config.test_file.name), plan)


def requested_names(plan: ExperimentPlan) -> tuple[str, ...]:
    """The features asked for by name."""
    return tuple(spec.feature for spec in plan.features or ())


def feature_names(plan: ExperimentPlan, train: pl.DataFrame, config: RsmModelConfig) -> tuple[str, ...]:
    """The features asked for, or else those among the columns of the training table."""
    return requested_names(plan) or subset_features(config, train.columns)


def training_plan(config: RsmModelConfig) -> ExperimentPlan:
    """What the configuration says about training. A feature file settles the transformations, as in RSMTool."""
    same = {field.name: getattr(config, field.name) for field in fields(ExperimentPlan) if hasattr(config, field.name)}
    changed = {
        "features": requested_features(config),
        "select_transformations": config.select_transformations and config.feature_file is None,
        "signs": subset_signs(config),
        "missing": config.missing_features,
        "objective": config.skll_objective,
        "fixed_parameters": config.skll_fixed_parameters,
        "grid_search_jobs": config.skll_grid_search_jobs,
    }
    return ExperimentPlan(**same | changed)


@dataclass(frozen=True, eq=False, slots=True)
class CrossValidationTable:
    """The training table of a cross-validation in the shapes it is needed in."""

    stored: pl.DataFrame
    """As it is written for each fold."""
    training: pl.DataFrame
    """Under RSMTool's names for training responses."""
    evaluation: pl.DataFrame
    """Under its names for evaluation responses."""


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """The responses of one experiment, by their places in the table, and its configuration."""

    train: Places | None
    """None: all of them."""
    test: Places
    config: RsmModelConfig

    @property
    def files(self) -> dict[str, Places]:
        """The tables of the split, as they lie in its folder."""
        ending = self.config.file_format
        if self.train is None:  # RSMTool needs evaluation responses also where there are none
            return {f"dummy_test.{ending}": self.test}
        return {f"train.{ending}": self.train, f"test.{ending}": self.test}


def splits_of(config: RsmModelConfig, stored: pl.DataFrame) -> tuple[Split, ...]:
    """The folds, and all responses for the final model. RSMTool evaluates that on a tenth of them; so do we."""
    places, ending = np.arange(stored.height, dtype=np.int64), config.file_format
    splits = []
    for number, fold in enumerate(_fold_places(config, stored), start=1):
        name, description = f"{config.experiment_id}_fold{number:02}", f"{config.description} (Fold {number:02})"
        own = _as_tool(config, name, description, train_file=f"train.{ending}", test_file=f"test.{ending}")
        splits.append(Split(np.setdiff1d(places, fold), fold, own))
    files = {"train_file": str(config.saved["train_file"]), "test_file": f"dummy_test.{ending}"}
    final = _as_tool(config, f"{config.experiment_id}_model", config.description, **files)
    return (*splits, Split(None, sampled(stored.height), final))


def _fold_places(config: RsmModelConfig, stored: pl.DataFrame) -> tuple[Places, ...]:
    """The responses of each fold: as the folds file says, or drawn."""
    if config.folds_file is None or not config.folds_file.exists():
        return drawn_folds(stored.height, config.folds)
    table = read_rsm_table(config.folds_file).frame
    if table.width < 2:
        raise InputError("must have two columns: response and fold", source=config.folds_file.name, field="folds_file")
    ids, names = (table.to_series(i).cast(pl.String).fill_null("").to_list() for i in (0, 1))
    return named_folds(stored.get_column(config.id_column).to_list(), dict(zip(ids, names, strict=True)))


def _as_tool(config: RsmModelConfig, name: str, description: str, **files: str) -> RsmModelConfig:
    """The configuration of the rsmtool experiment that a fold is."""
    known: dict[str, Any] = {**config.saved, "experiment_id": name, "description": description, **files}
    known["test_label_column"] = config.train_label_column
    options = [option for option in dict.fromkeys([*known, *RSMTOOL.options]) if option in RSMTOOL.options]
    values = {option: known.get(option, RSMTOOL.options[option].default) for option in options}
    saved = {option: list(value) if isinstance(value, tuple) else value for option, value in values.items()}
    return replace(config, command="rsmtool", experiment_id=name, description=description, saved=saved)


def read_material(config: RsmModelConfig) -> CrossValidationTable:
    """The training table. InputError for missing columns and repeated ids."""
    table = read_rsm_table(config.train_file)
    training, evaluation = training_roles(config), training_roles(config, evaluation=True)
    table.require({**evaluation.required(), **training.required()}, ids=config.id_column)
    asked = requested_names(training_plan(config))
    return CrossValidationTable(
        typed_columns(table, subgroups=(), texts=(config.id_column,)),
        named_columns(table, training, asked),
        named_columns(table, evaluation, asked),
    )


def write_split(split: Split, stored: pl.DataFrame, folder: Path) -> None:
    """The tables of a split."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, places in split.files.items():
        write_rsm_table(folder / name, stored[places])
