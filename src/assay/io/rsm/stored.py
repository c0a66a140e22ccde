"""Experiments on disk, as RSMTool lays them out -> `StoredExperiment`s, and the tables that summarise several."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO
from assay.io.json_file import read_json
from assay.io.rsm.configuration.values import FILE_FORMATS
from assay.io.rsm.figures import INDEX
from assay.io.rsm.table import inferred, numbers_or_nan, read_rsm_table, write_rsm_table
from assay.rsm.feature_model import VARIANTS
from assay.rsm.stored import Cell, NamedTable, StoredExperiment, StoredScores
from assay.rsm.types import Scores, Texts

OUTPUT = "output"
TOOLS = ("rsmtool", "rsmeval", "rsmxval")
PER_RESPONSE = (
    *("features", "metadata", "other_columns", "human_scores", "responses", "flags", "pred_processed", "pred_train"),
)
"""Tables with a row per response are not held as named tables."""
NAMELESS = ("", "Unnamed: 0", "column 1")
"""What a first column without a name is called, in text files and in workbooks."""
CORRELATIONS = ("margcor_score_all_data", "pcor_score_all_data", "pcor_score_no_length_all_data")
NONE = "-"


def read_json_or_nothing(path: Path) -> dict[str, Any]:
    """The object of a JSON file; empty where there is none."""
    try:
        content = read_json(path)
    except InputError:
        return {}
    return content if isinstance(content, dict) else {}


def read_experiments(folder: Path, name: str | None = None) -> tuple[StoredExperiment, ...]:
    """Every experiment in a folder, by the names of their configuration files.

    A name can only be given to a single experiment. InputError when the folder holds none.
    """
    configurations = _configurations(folder)
    if name is not None and len(configurations) > 1:
        listed = ", ".join(configurations)
        problem = f"holds more than one experiment ({listed}), so {name!r} could be any"
        remedy = "Give each its own folder, or leave out experiment_names."
        raise InputError(problem, source=folder, field="experiment_names", remedy=remedy)
    return tuple(_experiment(folder / OUTPUT, *known, name=name or own) for own, known in configurations.items())


def read_experiment(folder: Path, experiment_id: str, name: str | None = None) -> StoredExperiment:
    """One experiment of a folder by its id. InputError names those that are there."""
    configurations = _configurations(folder)
    if experiment_id not in configurations:
        near = difflib.get_close_matches(experiment_id, configurations, n=1, cutoff=0)
        problem = f"holds no experiment {experiment_id!r}"
        raise InputError(problem, source=folder, field="experiment_id", remedy=f"Did you mean {near[0]!r}?")
    return _experiment(folder / OUTPUT, *configurations[experiment_id], name=name or experiment_id)


def renamed(experiments: Sequence[StoredExperiment]) -> tuple[StoredExperiment, ...]:
    """The same with different names: a second `a` becomes `a (2)`."""
    seen: dict[str, int] = {}
    apart = []
    for experiment in experiments:
        seen[experiment.name] = number = seen.get(experiment.name, 0) + 1
        apart.append(replace(experiment, name=f"{experiment.name} ({number})") if number > 1 else experiment)
    return tuple(apart)


def _configurations(folder: Path) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Experiment id -> id, tool, configuration; by file name."""
    if not folder.is_dir():
        remedy = "Name the folder an experiment was written to."
        raise InputError("does not exist", source=folder, field="experiment_dirs", remedy=remedy)
    inside = folder / OUTPUT
    if not inside.is_dir():
        problem = f"holds no experiment: there is no folder {OUTPUT}/ in it"
        raise InputError(problem, source=folder, field="experiment_dirs")
    configurations = {}
    for path in sorted(inside.glob("*.json")):
        settings = read_json_or_nothing(path)
        identity = settings.get("experiment_id")
        tool = next((tool for tool in TOOLS if path.stem.endswith(f"_{tool}")), None)
        if isinstance(identity, str) and (tool is not None or path.stem == identity):
            known = "rsmtool" if "model" in settings else "rsmeval"
            configurations[identity] = (identity, tool or known, settings)
    if not configurations:
        problem = "holds no configuration of an experiment (such as <id>_rsmtool.json)"
        remedy = "Name a folder that rsmtool or rsmeval wrote to."
        raise InputError(problem, source=inside, field="experiment_dirs", remedy=remedy)
    return configurations


def _experiment(folder: Path, identity: str, tool: str, settings: dict[str, Any], *, name: str) -> StoredExperiment:
    prefix = f"{identity}_"
    # of experiments `a` and `a_b` in one folder, `a_b_eval.csv` belongs to the one with the longer id
    ids = [config.stem for config in folder.glob("*.json")]
    ids += [stem.removesuffix(f"_{tool}") for tool in TOOLS for stem in ids if stem.endswith(f"_{tool}")]
    files: dict[str, Path] = {}
    for path in sorted(path for path in folder.iterdir() if path.name.startswith(prefix)):
        owner = max((i for i in ids if path.stem.startswith(f"{i}_")), key=len, default="")
        if path.suffix.lstrip(".") in FILE_FORMATS and owner == identity:
            files.setdefault(path.stem.removeprefix(prefix), path)
    tables = {table: read_named_table(path) for table, path in files.items() if not table.endswith(PER_RESPONSE)}
    scaled = bool(settings.get("use_scaled_predictions")) or settings.get("scale_with") is not None
    return StoredExperiment(name, identity, tool, settings, tables, _scores(files, settings), scaled)


def read_named_table(path: Path) -> NamedTable:
    """A table by the names in its first column; a table that has none is numbered."""
    frame = read_rsm_table(path).frame
    first, *others = frame.columns
    labels = frame.get_column(first).cast(pl.String).fill_null("").to_list()
    values = {name: inferred(frame.get_column(name)) for name in frame.columns}
    numbers = values[first].dtype.is_numeric() and first not in NAMELESS
    columns = [first, *others] if numbers else others
    rows = tuple(str(i) for i in range(frame.height)) if numbers else tuple(labels)
    cells = list(zip(*(_cells(values[name]) for name in columns), strict=True)) if columns else [()] * frame.height
    return NamedTable(rows, tuple(columns), tuple(cells))


def _cells(column: pl.Series) -> list[Cell]:
    kind = float if column.dtype.is_numeric() or column.dtype == pl.Boolean else str
    return [None if cell is None else kind(cell) for cell in column.to_list()]


def _scores(files: dict[str, Path], settings: dict[str, Any]) -> StoredScores | None:
    """What the tables of scores, second human scores and metadata say of the evaluation responses."""

    def read(table: str) -> pl.DataFrame:
        return read_rsm_table(files[table]).frame if table in files else pl.DataFrame()

    def texts(frame: pl.DataFrame, column: str) -> Texts:
        return np.array(frame.get_column(column).cast(pl.String).fill_null("").to_list(), dtype=object)

    def numbers(frame: pl.DataFrame, column: str) -> Scores:
        return numbers_or_nan(inferred(frame.get_column(column)))

    scored, rated, metadata = read("pred_processed"), read("test_human_scores"), read("test_metadata")
    if not {"spkitemid", "sc1"} <= set(scored.columns):
        return None
    ids, second, groups = texts(scored, "spkitemid"), None, {}
    if {"spkitemid", "sc2"} <= set(rated.columns):
        by_id = dict(zip(texts(rated, "spkitemid"), numbers(rated, "sc2"), strict=True))
        second = np.array([by_id.get(identity, np.nan) for identity in ids], dtype=np.float64)
    named = settings.get("subgroups")
    for column in named if isinstance(named, list) and "spkitemid" in metadata.columns else ():
        if column in metadata.columns:
            group = dict(zip(texts(metadata, "spkitemid"), texts(metadata, column), strict=True))
            groups[column] = np.array([group.get(identity) or NO_INFO for identity in ids], dtype=object)
    variants = {name: numbers(scored, name) for name in VARIANTS if name in scored.columns}
    return StoredScores(ids, numbers(scored, "sc1"), second, variants, groups)


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
    counts = {name: None if isnan(n) else int(n) for name, n in row.items() if name == "N" or name.startswith("N ")}
    return {**row, **counts}
