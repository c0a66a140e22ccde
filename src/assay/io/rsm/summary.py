"""RSMTool's tables that summarise several experiments: name -> table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import polars as pl

from assay.io.rsm.figures import INDEX
from assay.io.rsm.table import write_rsm_table
from assay.rsm.stored import Cell, StoredExperiment

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
    rows: dict[str, list[tuple[str, dict[str, Cell]]]] = {}
    for experiment in experiments:
        for name, row in _rows(experiment).items():
            rows.setdefault(name, []).append((experiment.name, row))
    tables: dict[str, SummaryTable] = {}
    for name in ("model_summary", "model_fit", "eval_short", "true_score_eval", *CORRELATIONS):
        if name in rows:
            columns = sorted({column for _, row in rows[name] for column in row})  # as RSMTool's pandas does
            cells = tuple(tuple(row.get(column) for column in columns) for _, row in rows[name])
            tables[name] = SummaryTable(tuple(label for label, _ in rows[name]), tuple(columns), cells)
    # a column per experiment, `-` for a feature it does not use
    betas = [(e.name, e.tables["betas"].column("standardized")) for e in experiments if "betas" in e.tables]
    if betas:
        features = sorted({feature for _, column in betas for feature in column})
        weights = tuple(tuple(column.get(feature, NONE) for _, column in betas) for feature in features)
        tables["betas"] = SummaryTable(tuple(features), tuple(name for name, _ in betas), weights)
    return tables


def _rows(experiment: StoredExperiment) -> dict[str, dict[str, Cell]]:
    """What one experiment adds to each table that it has something for."""
    tables, settings = experiment.tables, experiment.settings
    first = {name: table.row(table.rows[0]) for name, table in tables.items() if table.rows}
    rows: dict[str, dict[str, Cell]] = {name: dict(first[name]) for name in CORRELATIONS if name in first}
    if "model" in settings:
        counts: dict[str, Cell] = {"N features": NONE, "N negative": NONE}
        if "betas" in tables:
            weights = tables["betas"].column("standardized").values()
            counts = {"N features": len(weights), "N negative": sum(weight < 0 for weight in weights)}
        label = str(settings.get("train_label_column", "sc1"))
        rows["model_summary"] = counts | {"learner": str(settings["model"]), "train_label": label}
    if "model_fit" in first:
        rows["model_fit"] = _with_counts(first["model_fit"])
    if "eval_short" in first:
        short: dict[str, Cell] = {}
        for column, value in _with_counts(first["eval_short"]).items():
            bare = column.split(".")[0]
            short[f"{bare} (rounded)" if "round" in column else bare] = value
        low, high, tolerance = experiment.trimming()
        ends = ["?" if isnan(end) else str(end) for end in (low - tolerance, high + tolerance)]
        known: dict[str, Cell] = {"system score type": experiment.primary, "truncation range": f"[{', '.join(ends)}]"}
        rows["eval_short"] = short | known
    decisive, true_scores = f"{experiment.primary}_trim", tables.get("true_score_eval")
    if true_scores is not None and decisive in true_scores.rows:
        rows["true_score_eval"] = _with_counts(true_scores.row(decisive)) | {"system score type": experiment.primary}
    return rows


def _with_counts(row: dict[str, float]) -> dict[str, Cell]:
    """Numbers of responses as whole numbers."""
    counted: dict[str, Cell] = {**row}
    for name, value in row.items():
        if name == "N" or name.startswith("N "):
            counted[name] = None if isnan(value) else int(value)
    return counted
