"""The predictions file of an rsmeval experiment -> `Predictions`: its rows under RSMTool's names, and `Ratings`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO, Codes, GroupColumn, Ratings
from assay.evaluation.score_variants import Scaling
from assay.io.rsm.configuration.configs import RsmEvalConfig
from assay.io.rsm.configuration.contradictions import OWN_NAMES
from assay.io.rsm.table import Cells, RsmTable, read_rsm_table
from assay.io.rsm.types import NO_VALUE, as_text, inferred, inferred_from_json, inferred_from_sheet, numbers_or_nan
from assay.io.tables.columns import number_column

ID, HUMAN, SYSTEM, SECOND, CANDIDATE = OWN_NAMES.values()
RESERVED = (*OWN_NAMES.values(), "length")
"""RSMTool's own column names; another column of such a name becomes ##name##."""
INFERRED = {"text": inferred, "sheet": inferred_from_sheet, "typed": inferred_from_json}
"""How the kind of a column's values is told, by where its cells come from."""


@dataclass(frozen=True, eq=False, slots=True)
class Predictions:
    """Every row of a predictions file."""

    frame: pl.DataFrame
    """All columns in file order under RSMTool's names; ids, candidates and subgroups are text."""
    ratings: Ratings


def read_predictions(config: RsmEvalConfig) -> Predictions:
    """The rows of the predictions file. InputError for missing columns and repeated ids."""
    table = read_rsm_table(config.predictions_file)
    table.require(_wanted(config))
    check_ids(table, config.id_column)
    typed = typed_columns(table, subgroups=config.subgroups, texts=(config.id_column, config.candidate_column))
    names = own_names(
        typed.columns,
        {column: own for option, own in OWN_NAMES.items() if (column := getattr(config, option)) is not None},
        in_use={*config.subgroups, *config.flag_column},
    )
    frame = pl.DataFrame({names[column.name]: column for column in typed.iter_columns()})
    return Predictions(frame, _ratings(frame, config))


def typed_columns(table: RsmTable, *, subgroups: Collection[str], texts: Collection[str | None]) -> pl.DataFrame:
    """Ids, candidates and groups as text, an empty group as no information; other columns by what they hold."""
    return pl.DataFrame([_values(cells, table.cells, subgroups, texts) for cells in table.frame.iter_columns()])


def _values(cells: pl.Series, kind: Cells, subgroups: Collection[str], texts: Collection[str | None]) -> pl.Series:
    if cells.name in subgroups:
        groups = _text_cells(cells, kind)
        return groups.set(groups.str.contains(r"^\s*$"), NO_INFO)
    if cells.name in texts:
        return _text_cells(cells, kind)
    return INFERRED[kind](cells)


def read_scaling(path: Path) -> Scaling:
    """From training predictions, columns `prediction` and `sc1`; each mean and sd over the cells that are filled."""
    table = read_rsm_table(path)
    table.require({"scale_with: predictions": "prediction", "scale_with: human scores": HUMAN})
    system, human = (_training_scores(table, name) for name in ("prediction", HUMAN))
    if system.size < 2 or human.size < 2 or np.ptp(system) == 0:
        raise InputError(
            "must hold at least two human scores, and predictions that differ",
            source=table.source.name,
            field="scale_with",
            remedy="Give the training predictions of the same engine.",
        )
    return Scaling(float(system.mean()), float(system.std(ddof=1)), float(human.mean()), float(human.std(ddof=1)))


def _training_scores(table: RsmTable, column: str) -> NDArray[np.float64]:
    source = table.source
    scores = number_column(table.frame, column, source=source.name, field="scale_with", first_row=source.first_row)
    return scores[np.isfinite(scores)]


def own_names(columns: Iterable[str], named: Mapping[str, str], *, in_use: Collection[str]) -> dict[str, str]:
    """Every column -> what RSMTool calls it. A column in another use keeps its name, also if it is one of its own."""
    clash = {name: f"##{name}##" for name in RESERVED if name not in in_use}
    return {column: named.get(column, clash.get(column, column)) for column in columns}


def _wanted(config: RsmEvalConfig) -> dict[str, str]:
    """Which option asks for which column."""
    columns = {option: getattr(config, option) for option in OWN_NAMES}
    columns |= {f"subgroups, number {i}": column for i, column in enumerate(config.subgroups, start=1)}
    columns |= {f"flag_column, number {i}": column for i, column in enumerate(config.flag_column, start=1)}
    return {option: column for option, column in columns.items() if column is not None}


def check_ids(table: RsmTable, column: str) -> None:
    """InputError when ids occur more than once."""
    ids = table.frame.get_column(column)
    repeated = ids.filter(ids.is_duplicated()).unique(maintain_order=True)
    if repeated.len():
        shown = ", ".join(repr(name) for name in repeated.head(3).to_list())
        raise InputError(
            f"holds {repeated.len()} ids more than once: {shown}",
            source=table.source.name,
            column=column,
            field="id_column",
            remedy="Remove the repeated rows, or name a column that tells responses apart in id_column.",
        )


def _text_cells(cells: pl.Series, kind: Cells) -> pl.Series:
    if kind == "typed":
        return as_text(cells)
    # in a workbook pandas takes words such as NA for an empty cell also in a column of texts, in CSV it does not
    if kind == "text":
        return cells.fill_null("")
    return cells.set(cells.is_in(NO_VALUE), None).replace({"true": "True", "false": "False"})


def _ratings(frame: pl.DataFrame, config: RsmEvalConfig) -> Ratings:
    raters = [HUMAN] if config.second_human_score_column is None else [HUMAN, SECOND]
    return Ratings(
        human=np.column_stack([numbers_or_nan(frame.get_column(name)) for name in raters]),
        system=numbers_or_nan(frame.get_column(SYSTEM)),
        groups=tuple(GroupColumn(name, *coded(frame.get_column(name))) for name in config.subgroups),
        candidate=None if config.candidate_column is None else coded(frame.get_column(CANDIDATE).fill_null(""))[1],
        flagged=flagged(frame, config.flag_column) if config.flag_column else None,
    )


def coded(values: pl.Series) -> tuple[tuple[str, ...], Codes]:
    """The distinct texts in code point order, and each value's place among them; -1 for a missing one."""
    levels = values.drop_nulls().unique().sort()
    codes = values.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1)
    return tuple(levels.to_list()), codes.to_numpy().astype(np.int64)


def flagged(frame: pl.DataFrame, allowed: Mapping[str, Sequence[Any]]) -> NDArray[np.bool_]:
    """Responses with a flag that is not among the allowed ones, in any of the columns."""
    passed = [_allowed(frame.get_column(column), values) for column, values in allowed.items()]
    return np.asarray(~np.logical_and.reduce(passed))


def _allowed(cells: pl.Series, values: Sequence[Any]) -> NDArray[np.bool_]:
    """Which cells hold one of the values; 1, "1" and 1.0 are the same, and "nan" stands for an empty cell."""
    floats = [_number(value) for value in values]
    texts = [str(value) for value, number in zip(values, floats, strict=True) if number is None]
    numbers = [number for number in floats if number is not None]
    with_gaps = any(isnan(number) for number in numbers)
    values_read = numbers_or_nan(cells) if cells.dtype != pl.Boolean else np.full(cells.len(), np.nan)
    text = cells.cast(pl.String).str.to_titlecase() if cells.dtype == pl.Boolean else cells.cast(pl.String)
    named = text.is_in(texts).fill_null(False).to_numpy() & np.isnan(values_read)
    empty = (cells.is_null() | text.str.to_lowercase().is_in(["nan"])).to_numpy()
    return np.asarray(np.isin(values_read, numbers) | named | (empty if with_gaps else False))


def _number(value: Any) -> float | None:
    """A flag as a number, if it is one; true and false are words."""
    try:
        return float(str(value))
    except ValueError:
        return None
