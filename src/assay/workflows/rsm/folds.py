"""The folds of a cross-validation: which responses each has, and the experiment it is."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.configuration.schema import RSMTOOL
from assay.io.rsm.read import named_columns, response_file, training_roles, typed_columns
from assay.io.rsm.table import read_rsm_table, write_rsm_table
from assay.provenance import Provenance
from assay.rsm.filtering import Places, drawn_folds, named_folds, sampled
from assay.workflows.rsm import tool
from assay.workflows.rsm.tool import RsmToolResult, TrainingFiles


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
    asked = tool.requested_names(tool.training_plan(config))
    return CrossValidationTable(
        typed_columns(table, subgroups=(), texts=(config.id_column,)),
        named_columns(table, training, asked),
        named_columns(table, evaluation, asked),
    )


def train_split(split: Split, material: CrossValidationTable, provenance: Provenance) -> RsmToolResult:
    """The experiment of one split; what a worker does."""
    config, plan = split.config, tool.training_plan(split.config)
    if config.compat:
        # as RSMTool has the responses: from the files of the fold, where a group 01 has become 1 and NA is empty
        with TemporaryDirectory() as folder:
            write_split(split, material.stored, Path(folder))
            *train_files, test_file = (Path(folder) / name for name in split.files)
            train_file = train_files[0] if train_files else config.train_file
            files = tool.read_training_files(replace(config, train_file=train_file, test_file=test_file))
    else:
        train = material.training if split.train is None else material.training[split.train]
        names, source = tool.feature_names(plan, train, config), config.train_file.name
        files = TrainingFiles(
            response_file(train, training_roles(config), names, source=source),
            response_file(
                material.evaluation[split.test], training_roles(config, evaluation=True), names, source=source
            ),
            plan,
        )
    return tool.train_and_evaluate(files, config, provenance)


def write_split(split: Split, stored: pl.DataFrame, folder: Path) -> None:
    """The tables of a split."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, places in split.files.items():
        write_rsm_table(folder / name, stored[places])
