"""The folds of a cross-validation: which responses each has, and the experiment it is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.configuration.schema import RSMTOOL
from assay.io.rsm.feature_read import evaluation_roles, named_columns, response_file, training_roles
from assay.io.rsm.read import check_ids, typed_columns
from assay.io.rsm.table import read_rsm_table
from assay.io.rsm.write import write_rsm_table
from assay.provenance import Provenance
from assay.rsm.filtering import Places, drawn_folds, named_folds, sampled
from assay.workflows.rsm.tool import (
    RsmToolResult,
    TrainingFiles,
    feature_names,
    read_training_files,
    requested_names,
    train_and_evaluate,
    training_plan,
)


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
    places = np.arange(stored.height, dtype=np.int64)
    folds = [
        Split(np.setdiff1d(places, fold), fold, _fold_config(config, number))
        for number, fold in enumerate(fold_places(config, stored), start=1)
    ]
    return (*folds, Split(None, sampled(stored.height), _final_config(config)))


def fold_places(config: RsmModelConfig, stored: pl.DataFrame) -> tuple[Places, ...]:
    """The responses of each fold: as the folds file says, or drawn."""
    if config.folds_file is None or not config.folds_file.exists():
        return drawn_folds(stored.height, config.folds)
    table = read_rsm_table(config.folds_file).frame
    if table.width < 2:
        raise InputError("must have two columns: response and fold", source=config.folds_file.name, field="folds_file")
    ids, names = (table.to_series(i).cast(pl.String).fill_null("").to_list() for i in (0, 1))
    responses = stored.get_column(config.id_column).to_list()
    return named_folds(responses, dict(zip(ids, names, strict=True)))


def read_material(config: RsmModelConfig) -> CrossValidationTable:
    table = read_rsm_table(config.train_file)
    training, evaluation = training_roles(config), evaluation_roles(config)
    table.require({**evaluation.wanted(), **training.wanted()})
    check_ids(table, config.id_column)
    asked = requested_names(training_plan(config))
    return CrossValidationTable(
        typed_columns(table, subgroups=(), texts=(config.id_column,)),
        named_columns(table, training, asked),
        named_columns(table, evaluation, asked),
    )


def train_split(split: Split, material: CrossValidationTable, provenance: Provenance) -> RsmToolResult:
    """The experiment of one split; what a worker does."""
    files = _reread(split, material) if split.config.compat else _files(split, material)
    return train_and_evaluate(files, split.config, provenance)


def _files(split: Split, material: CrossValidationTable) -> TrainingFiles:
    config = split.config
    plan = training_plan(config)
    train = material.training if split.train is None else material.training[split.train]
    names = feature_names(plan, train, config)
    source = config.train_file.name
    return TrainingFiles(
        response_file(train, training_roles(config), names, source=source),
        response_file(material.evaluation[split.test], evaluation_roles(config), names, source=source),
        plan,
    )


def _reread(split: Split, material: CrossValidationTable) -> TrainingFiles:
    """The responses as RSMTool has them: from the files of the fold, where a group 01 has become 1 and NA is empty."""
    with TemporaryDirectory() as folder:
        write_split(split, material.stored, Path(folder))
        *train, test = (Path(folder) / name for name in split.files)
        file = train[0] if train else split.config.train_file
        return read_training_files(replace(split.config, train_file=file, test_file=test))


def write_split(split: Split, stored: pl.DataFrame, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, places in split.files.items():
        write_rsm_table(folder / name, stored[places])


def _fold_config(config: RsmModelConfig, number: int) -> RsmModelConfig:
    name = f"{config.experiment_id}_fold{number:02}"
    description = f"{config.description} (Fold {number:02})"
    ending = config.file_format
    return _as_tool(config, name, description, train_file=f"train.{ending}", test_file=f"test.{ending}")


def _final_config(config: RsmModelConfig) -> RsmModelConfig:
    files = {"train_file": str(config.saved["train_file"]), "test_file": f"dummy_test.{config.file_format}"}
    return _as_tool(config, f"{config.experiment_id}_model", config.description, **files)


def _as_tool(config: RsmModelConfig, name: str, description: str, **files: str) -> RsmModelConfig:
    """The configuration of the rsmtool experiment that a fold is."""
    changed = {"experiment_id": name, "description": description, **files}
    changed["test_label_column"] = config.train_label_column
    known: Mapping[str, Any] = {**config.saved, **changed}
    options = [option for option in dict.fromkeys([*known, *RSMTOOL.options]) if option in RSMTOOL.options]
    values = {option: known.get(option, RSMTOOL.options[option].default) for option in options}
    saved = {option: list(value) if isinstance(value, tuple) else value for option, value in values.items()}
    return replace(config, command="rsmtool", experiment_id=name, description=description, saved=saved)
