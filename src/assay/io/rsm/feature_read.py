"""The tables of an rsmtool experiment -> `ResponseFile`: their rows under RSMTool's names, and `FeatureTable`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.read import check_ids, flagged, own_names, typed_columns
from assay.io.rsm.table import RsmTable, read_rsm_table
from assay.io.rsm.types import numbers_or_nan
from assay.rsm.types import FeatureTable, Texts

ID, HUMAN, SECOND, LENGTH, CANDIDATE = "spkitemid", "sc1", "sc2", "length", "candidate"
NEVER_FEATURES = ("spkitemid", "spkitemlab", "itemType", "r1", "r2", "score", "sc", "sc1", "adj")
"""Columns of these names are no features unless they are asked for; asking for them is an error."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column of a table is what."""

    id: str
    human: str | None
    second: str | None = None
    length: str | None = None
    candidate: str | None = None
    subgroups: tuple[str, ...] = ()
    flags: Mapping[str, Sequence[Any]] | None = None

    def named(self) -> dict[str, str]:
        """Column -> RSMTool's name for it."""
        roles = {self.id: ID, self.human: HUMAN, self.second: SECOND, self.length: LENGTH, self.candidate: CANDIDATE}
        return {column: own for column, own in roles.items() if column is not None} | {self.id: ID}

    def wanted(self) -> dict[str, str]:
        """Which option asks for which column."""
        columns = {
            "id_column": self.id,
            "human score column": self.human,
            "second_human_score_column": self.second,
            "length_column": self.length,
            "candidate_column": self.candidate,
        }
        columns |= {f"subgroups, number {i}": column for i, column in enumerate(self.subgroups, start=1)}
        columns |= {f"flag_column, number {i}": column for i, column in enumerate(self.flags or (), start=1)}
        return {option: column for option, column in columns.items() if column is not None}


@dataclass(frozen=True, eq=False, slots=True)
class ResponseFile:
    """Every row of a table of responses."""

    frame: pl.DataFrame
    """All columns in file order under RSMTool's names; ids, candidates and subgroups are text."""
    table: FeatureTable


def training_roles(config: RsmModelConfig) -> Roles:
    """RSMTool looks for the second human score in the evaluation responses only, and for length in training."""
    return Roles(
        id=config.id_column,
        human=config.train_label_column,
        length=config.length_column,
        candidate=config.candidate_column,
        subgroups=config.subgroups,
        flags=config.flag_column,
    )


def evaluation_roles(config: RsmModelConfig) -> Roles:
    """Which column of the evaluation responses is what."""
    return Roles(
        id=config.id_column,
        human=config.test_label_column,
        second=config.second_human_score_column,
        candidate=config.candidate_column,
        subgroups=config.subgroups,
        flags=config.flag_column_test,
    )


def read_responses(path: Path, roles: Roles, features: Collection[str]) -> pl.DataFrame:
    """The rows of a file under RSMTool's names. InputError for missing columns and repeated ids.

    A feature that was asked for keeps its name, also if it is one RSMTool uses itself.
    """
    table = read_rsm_table(path)
    table.require(roles.wanted())
    check_ids(table, roles.id)
    return named_columns(table, roles, features)


def named_columns(
    table: RsmTable, roles: Roles, features: Collection[str], *, groups_as_written: bool = False
) -> pl.DataFrame:
    """The columns of a table under RSMTool's names; an empty group is no information, or empty as it was written."""
    groups = () if groups_as_written else roles.subgroups
    texts = (roles.id, roles.candidate, *(roles.subgroups if groups_as_written else ()))
    typed = typed_columns(table, subgroups=groups, texts=texts)
    in_use = {*roles.subgroups, *(roles.flags or ()), *features}
    names = own_names(typed.columns, roles.named(), in_use=in_use)
    frame = pl.DataFrame({names[column.name]: column for column in typed.iter_columns()})
    if roles.candidate == roles.id:
        frame = frame.with_columns(frame.get_column(ID).alias(CANDIDATE))
    return frame


def response_file(frame: pl.DataFrame, roles: Roles, features: Sequence[str], *, source: str) -> ResponseFile:
    """The rows with their features as numbers. InputError for features that are not there."""
    missing = [name for name in features if name not in frame.columns]
    if missing:
        raise InputError(
            f"no column for these features: {', '.join(missing)}",
            source=source,
            field="features",
            remedy="Check their spelling, and whether this is the table you mean.",
        )
    numbers = {name: numbers_or_nan(frame.get_column(name)) for name in features}
    table = FeatureTable(
        ids=texts(frame.get_column(ID)),
        names=tuple(features),
        matrix=np.column_stack(list(numbers.values())) if numbers else np.empty((frame.height, 0)),
        human=_numbers(frame, HUMAN) if roles.human else np.full(frame.height, np.nan),
        second=_numbers(frame, SECOND) if roles.second else None,
        length=_numbers(frame, LENGTH) if roles.length else None,
        candidate=texts(frame.get_column(CANDIDATE)) if roles.candidate else None,
        groups={name: texts(frame.get_column(name)) for name in roles.subgroups},
        flagged=flagged(frame, roles.flags) if roles.flags else None,
    )
    return ResponseFile(frame, table)


def texts(column: pl.Series) -> Texts:
    """A text column as an array."""
    array: Texts = np.array(column.to_list(), dtype=object)
    return array


def _numbers(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    return numbers_or_nan(frame.get_column(name))


def reserved_names(config: RsmModelConfig) -> set[str]:
    """Columns that cannot be features."""
    pairs = {
        config.second_human_score_column: SECOND,
        config.length_column: LENGTH,
        config.candidate_column: CANDIDATE,
    }
    taken = {name for column, own in pairs.items() if column is not None for name in (column, own)}
    if config.second_human_score_column == SECOND:
        taken.add(f"##{SECOND}##")  # what it is called among the training responses, where it has no role
    labels = {config.train_label_column, config.test_label_column, config.id_column}
    return {*NEVER_FEATURES, *labels, *taken, *config.subgroups, *config.flag_column}
