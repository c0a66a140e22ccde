"""RSMTool's tables that summarise several experiments: name -> table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import polars as pl

from assay.io.rsm.figures import INDEX
from assay.io.rsm.table import write_rsm_table
from assay.rsm.stored import Cell, StoredExperiment

Row = Mapping[str, Cell]

CORRELATIONS = ("margcor_score_all_data", "pcor_score_all_data", "pcor_score_no_length_all_data")
NONE = "-"


@dataclass(frozen=True, slots=True)
class SummaryTable:
    """A table with named rows. Two may bear one name, as experiments can; so may two columns."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def write_summary_table(path: Path, table: SummaryTable) -> None:
    """A .csv, .tsv or .xlsx file, in which two columns may bear one name."""
    write_rsm_table(path, summary_frame(table), names=(INDEX, *table.columns))


def summary_frame(table: SummaryTable) -> pl.DataFrame:
    """The same as a data frame, in which a second column of one name is numbered."""
    columns: dict[str, list[Cell]] = {INDEX: list(table.labels)}
    for i, name in enumerate(table.columns):
        cells = [row[i] for row in table.rows]
        mixed = any(isinstance(cell, str) for cell in cells)
        earlier = table.columns[:i].count(name)
        columns[f"{name}.{earlier}" if earlier else name] = [str(c) for c in cells] if mixed else cells
    return pl.DataFrame(columns)


def summary_tables(experiments: Sequence[StoredExperiment]) -> dict[str, SummaryTable]:
    """What can be said of several experiments side by side; a table that would be empty is left out."""
    tables: dict[str, SummaryTable] = {}
    makers: Mapping[str, Callable[[StoredExperiment], Row | None]] = {
        "model_summary": _model,
        "model_fit": _fit,
        "eval_short": _evaluation,
        "true_score_eval": _true_score,
        **{name: _correlation(name) for name in CORRELATIONS},
    }
    for name, maker in makers.items():
        rows = [(experiment.name, row) for experiment in experiments if (row := maker(experiment)) is not None]
        if rows:
            tables[name] = _stacked(rows)
    with_betas = [experiment for experiment in experiments if "betas" in experiment.tables]
    if with_betas:
        tables["betas"] = _betas(with_betas)
    return tables


def _stacked(rows: Sequence[tuple[str, Row]]) -> SummaryTable:
    columns = sorted({column for _, row in rows for column in row})  # as RSMTool's pandas does
    cells = tuple(tuple(row.get(column) for column in columns) for _, row in rows)
    return SummaryTable(tuple(name for name, _ in rows), tuple(columns), cells)


def _model(experiment: StoredExperiment) -> Row | None:
    if "model" not in experiment.settings:
        return None
    betas = experiment.tables.get("betas")
    row: dict[str, Cell] = {"N features": NONE, "N negative": NONE}
    if betas is not None:
        weights = betas.column("standardized")
        row = {"N features": len(weights), "N negative": sum(weight < 0 for weight in weights.values())}
    learner, label = experiment.settings["model"], experiment.settings.get("train_label_column", "sc1")
    return row | {"learner": str(learner), "train_label": str(label)}


def _fit(experiment: StoredExperiment) -> Row | None:
    fit = experiment.tables.get("model_fit")
    if fit is None or not fit.rows:
        return None
    return {name: _count(value) if name.startswith("N ") else value for name, value in fit.row(fit.rows[0]).items()}


def _count(value: float) -> Cell:
    return None if isnan(value) else int(value)


def _evaluation(experiment: StoredExperiment) -> Row | None:
    short = experiment.tables.get("eval_short")
    if short is None or not short.rows:
        return None
    row: dict[str, Cell] = {}
    for column, value in short.row(short.rows[0]).items():
        bare = column.split(".")[0]
        row[f"{bare} (rounded)" if "round" in column else bare] = _count(value) if column == "N" else value
    row["system score type"] = experiment.primary
    low, high, tolerance = experiment.trimming()
    ends = ["?" if isnan(end) else str(end) for end in (low - tolerance, high + tolerance)]
    row["truncation range"] = f"[{', '.join(ends)}]"
    return row


def _true_score(experiment: StoredExperiment) -> Row | None:
    table = experiment.tables.get("true_score_eval")
    row = f"{experiment.primary}_trim"
    if table is None or row not in table.rows:
        return None
    cells: dict[str, Cell] = {
        name: _count(value) if name.startswith("N") else value for name, value in table.row(row).items()
    }
    return cells | {"system score type": experiment.primary}


def _correlation(name: str) -> Callable[[StoredExperiment], Row | None]:
    def maker(experiment: StoredExperiment) -> Row | None:
        table = experiment.tables.get(name)
        return None if table is None or not table.rows else table.row(table.rows[0])

    return maker


def _betas(experiments: Sequence[StoredExperiment]) -> SummaryTable:
    """A column per experiment, `-` for a feature it does not use."""
    columns = [experiment.tables["betas"].column("standardized") for experiment in experiments]
    features = sorted({feature for column in columns for feature in column})
    rows = tuple(tuple(column.get(feature, NONE) for column in columns) for feature in features)
    return SummaryTable(tuple(features), tuple(experiment.name for experiment in experiments), rows)
