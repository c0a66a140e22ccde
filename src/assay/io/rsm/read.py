"""The tables of an experiment -> their rows under RSMTool's names, and `Ratings` or a `FeatureTable` of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO, Codes, GroupColumn, Ratings
from assay.evaluation.score_variants import Scaling
from assay.io.rsm.configuration.schema import OWN_NAMES
from assay.io.rsm.table import NO_VALUE, RsmTable, as_text, inferred, inferred_from_json, numbers_or_nan, read_rsm_table
from assay.io.tables.columns import number_column
from assay.rsm.types import FeatureTable, Texts

if TYPE_CHECKING:
    from assay.io.rsm.configuration.configs import RsmEvalConfig, RsmModelConfig

ID, HUMAN, SYSTEM, SECOND, CANDIDATE = OWN_NAMES.values()
LENGTH = "length"
NEVER_FEATURES = ("spkitemid", "spkitemlab", "itemType", "r1", "r2", "score", "sc", "sc1", "adj")
"""Columns of these names are no features unless they are asked for; asking for them is an error."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column of a table is what."""

    id: str
    human: str | None
    system: str | None = None
    second: str | None = None
    length: str | None = None
    candidate: str | None = None
    subgroups: tuple[str, ...] = ()
    flags: Mapping[str, Sequence[Any]] | None = None
    human_option: str = "human score column"
    """The option that names the column of human scores."""

    def required(self) -> dict[str, str]:
        """Which option asks for which column."""
        columns = {"id_column": self.id, self.human_option: self.human, "system_score_column": self.system}
        columns |= {"second_human_score_column": self.second, "length_column": self.length}
        columns |= {"candidate_column": self.candidate}
        columns |= {f"subgroups, number {i}": column for i, column in enumerate(self.subgroups, start=1)}
        columns |= {f"flag_column, number {i}": column for i, column in enumerate(self.flags or (), start=1)}
        return {option: column for option, column in columns.items() if column is not None}


@dataclass(frozen=True, eq=False, slots=True)
class ResponseFile:
    """Every row of a table of responses."""

    frame: pl.DataFrame
    """All columns in file order under RSMTool's names; ids, candidates and subgroups are text."""
    table: FeatureTable


def read_predictions(config: "RsmEvalConfig") -> tuple[pl.DataFrame, Ratings]:
    """The rows of the predictions file under RSMTool's names, and their scores.

    InputError for missing columns and repeated ids.
    """
    second, candidate = config.second_human_score_column, config.candidate_column
    roles = Roles(
        *(config.id_column, config.human_score_column, config.system_score_column, second),
        candidate=candidate,
        subgroups=config.subgroups,
        flags=config.flag_column,
        human_option="human_score_column",
    )
    frame = read_responses(config.predictions_file, roles, ())
    raters = [HUMAN] if second is None else [HUMAN, SECOND]
    ratings = Ratings(
        human=np.column_stack([numbers_or_nan(frame.get_column(name)) for name in raters]),
        system=numbers_or_nan(frame.get_column(SYSTEM)),
        groups=tuple(GroupColumn(name, *coded(frame.get_column(name))) for name in config.subgroups),
        candidate=None if candidate is None else coded(frame.get_column(CANDIDATE).fill_null(""))[1],
        flagged=_flagged(frame, config.flag_column) if config.flag_column else None,
    )
    return frame, ratings


def read_scaling(path: Path) -> Scaling:
    """From training predictions, columns `prediction` and `sc1`; each mean and sd over the cells that are filled."""
    table = read_rsm_table(path)
    table.require({"scale_with: predictions": "prediction", "scale_with: human scores": HUMAN})
    name, first = table.source.name, table.source.first_row
    system, human = (
        number_column(table.frame, column, source=name, field="scale_with", first_row=first)
        for column in ("prediction", HUMAN)
    )
    system, human = system[np.isfinite(system)], human[np.isfinite(human)]
    if system.size < 2 or human.size < 2 or np.ptp(system) == 0:
        problem = "must hold at least two human scores, and predictions that differ"
        remedy = "Give the training predictions of the same engine."
        raise InputError(problem, source=name, field="scale_with", remedy=remedy)
    return Scaling(float(system.mean()), float(system.std(ddof=1)), float(human.mean()), float(human.std(ddof=1)))


def training_roles(config: "RsmModelConfig", *, evaluation: bool = False) -> Roles:
    """Which column of the training responses is what, or of the evaluation responses.

    RSMTool looks for the second human score in the evaluation responses only, and for length in training.
    """
    return Roles(
        config.id_column,
        config.test_label_column if evaluation else config.train_label_column,
        second=config.second_human_score_column if evaluation else None,
        length=None if evaluation else config.length_column,
        candidate=config.candidate_column,
        subgroups=config.subgroups,
        flags=config.flag_column_test if evaluation else config.flag_column,
    )


def read_responses(path: Path, roles: Roles, features: Collection[str]) -> pl.DataFrame:
    """The rows of a file under RSMTool's names. InputError for missing columns and repeated ids.

    A feature that was asked for keeps its name, also if it is one RSMTool uses itself.
    """
    table = read_rsm_table(path)
    table.require(roles.required(), ids=roles.id)
    return named_columns(table, roles, features)


def named_columns(
    table: RsmTable, roles: Roles, features: Collection[str], *, groups_as_written: bool = False
) -> pl.DataFrame:
    """The columns of a table under RSMTool's names; an empty group is no information, or empty as it was written.

    Another column with a name of RSMTool's own becomes ##name##, unless it is in use.
    """
    groups = () if groups_as_written else roles.subgroups
    typed = typed_columns(table, groups, (roles.id, roles.candidate, *(set(roles.subgroups) - set(groups))))
    in_use = {*roles.subgroups, *(roles.flags or ()), *features}
    names: dict[str | None, str] = {name: f"##{name}##" for name in (*OWN_NAMES.values(), LENGTH) if name not in in_use}
    names |= {roles.human: HUMAN, roles.system: SYSTEM, roles.second: SECOND, roles.length: LENGTH}
    names |= {roles.candidate: CANDIDATE, roles.id: ID}
    frame = pl.DataFrame({names.get(column.name, column.name): column for column in typed.iter_columns()})
    if roles.candidate == roles.id:
        frame = frame.with_columns(frame.get_column(ID).alias(CANDIDATE))
    return frame


def typed_columns(table: RsmTable, subgroups: Collection[str], texts: Collection[str | None]) -> pl.DataFrame:
    """Ids, candidates and groups as text, an empty group as no information; other columns by what they hold."""
    columns, kind = [], table.cells
    for cells in table.frame.iter_columns():
        if cells.name not in subgroups and cells.name not in texts:
            columns.append(inferred_from_json(cells) if kind == "typed" else inferred(cells, sheet=kind == "sheet"))
            continue
        if kind == "typed":
            words = as_text(cells)
        # in a workbook pandas takes words such as NA for an empty cell also in a column of texts, in CSV it does not
        elif kind == "text":
            words = cells.fill_null("")
        else:
            words = cells.set(cells.is_in(NO_VALUE), None).replace({"true": "True", "false": "False"})
        columns.append(words.set(words.str.contains(r"^\s*$"), NO_INFO) if cells.name in subgroups else words)
    return pl.DataFrame(columns)


def response_file(frame: pl.DataFrame, roles: Roles, features: Sequence[str], *, source: str) -> ResponseFile:
    """The rows with their features as numbers. InputError for features that are not there."""
    missing = [name for name in features if name not in frame.columns]
    if missing:
        problem = f"no column for these features: {', '.join(missing)}"
        remedy = "Check their spelling, and whether this is the table you mean."
        raise InputError(problem, source=source, field="features", remedy=remedy)

    def numbers(name: str) -> NDArray[np.float64]:
        return numbers_or_nan(frame.get_column(name))

    def texts(name: str) -> Texts:
        return np.array(frame.get_column(name).to_list(), dtype=object)

    table = FeatureTable(
        ids=texts(ID),
        names=tuple(features),
        matrix=np.column_stack(list(map(numbers, features))) if features else np.empty((frame.height, 0)),
        human=numbers(HUMAN) if roles.human else np.full(frame.height, np.nan),
        second=numbers(SECOND) if roles.second else None,
        length=numbers(LENGTH) if roles.length else None,
        candidate=texts(CANDIDATE) if roles.candidate else None,
        groups={name: texts(name) for name in roles.subgroups},
        flagged=_flagged(frame, roles.flags) if roles.flags else None,
    )
    return ResponseFile(frame, table)


def coded(values: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """The distinct texts in code point order, and each value's place among them; -1 for a missing one."""
    levels = values.drop_nulls().unique().sort()
    codes = values.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1)
    return tuple(levels.to_list()), codes.to_numpy().astype(np.int64)


def _flagged(frame: pl.DataFrame, allowed: Mapping[str, Sequence[Any]]) -> NDArray[np.bool_]:
    """Responses with a flag that is not among the allowed ones, in any of the columns."""
    passed = [_allowed(frame.get_column(column), values) for column, values in allowed.items()]
    return np.asarray(~np.logical_and.reduce(passed))


def _allowed(cells: pl.Series, values: Sequence[Any]) -> NDArray[np.bool_]:
    """Which cells hold one of the values; 1, "1" and 1.0 are the same, and "nan" stands for an empty cell."""
    numbers, texts = [], []
    for value in values:
        try:
            numbers.append(float(str(value)))  # true and false are words
        except ValueError:
            texts.append(str(value))
    boolean = cells.dtype == pl.Boolean
    values_read = np.full(cells.len(), np.nan) if boolean else numbers_or_nan(cells)
    text = cells.cast(pl.String).str.to_titlecase() if boolean else cells.cast(pl.String)
    named = text.is_in(texts).fill_null(False).to_numpy() & np.isnan(values_read)
    empty = (cells.is_null() | text.str.to_lowercase().is_in(["nan"])).to_numpy()
    return np.asarray(np.isin(values_read, numbers) | named | (empty if any(map(isnan, numbers)) else False))
