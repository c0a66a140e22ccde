"""The features of essays as a table: a row per essay, written as it comes, complete or not at all."""

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import polars as pl

from assay.errors import InputError
from assay.essays.features.features import FEATURES, why_undefined
from assay.essays.features.measure import Measured
from assay.essays.text.essay import Essay
from assay.io.tables.output import write_csv
from assay.io.tables.remote import address_of

Row = Sequence[object]

ROWS_AT_ONCE = 10_000
SCHEMA: dict[str, type[pl.DataType]] = {
    "id": pl.String,
    "prompt": pl.String,
    "score": pl.Float64,
    **dict.fromkeys(FEATURES, pl.Float64),
    "advisories": pl.String,
    "evidence": pl.String,
    "undefined": pl.String,
}
"""The columns: features by name, the names of advisories and what was seen, and why a feature is empty."""


def features_row(essay: Essay, score: float, measured: Measured) -> Row:
    """One row of the table; a value that is undefined is an empty cell, with its reason in the last column."""
    names = " ".join(doubt.name for doubt in measured.advisories)
    evidence = " | ".join(doubt.evidence for doubt in measured.advisories)
    reasons = " | ".join(f"{name}: {reason}" for name, reason in why_undefined(measured.values).items())
    values = [measured.values[name] for name in FEATURES]
    return [essay.essay_id, essay.prompt, score, *values, names or None, evidence or None, reasons or None]


def check_features_path(path: Path) -> None:
    """InputError unless a features table can be written there; asked before the work begins. - is standard output."""
    if str(path) == "-":
        return
    if path.suffix.lower() not in WRITERS:
        raise InputError(
            f"{path}: features are written as CSV or Parquet. End the name with .csv or .parquet, or "
            "name a folder and write it part by part with --partitions."
        )
    if path.is_dir():
        raise InputError(f"{path} is a folder. Name a file with -o.")
    if address := address_of(path):
        raise InputError(f"{address} is no file of this machine. Choose another -o, or write a folder of --partitions.")


def write_features(path: Path, rows: Iterable[Row]) -> None:
    """A CSV or Parquet file, by its ending, or CSV on standard output for -; it appears when the last row is there."""
    check_features_path(path)
    if str(path) == "-":
        _print_csv(rows)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as staging:
            whole = Path(staging) / path.name
            WRITERS[path.suffix.lower()](whole, rows)
            whole.replace(path)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}. Choose another place with -o.") from problem


def _print_csv(rows: Iterable[Row]) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-") as staging:
        whole = Path(staging) / "features.csv"
        _write_csv(whole, rows)
        with whole.open("r", encoding="utf-8", newline="") as lines:
            shutil.copyfileobj(lines, sys.stdout)


def write_features_part(path: Path, rows: Iterable[Row]) -> None:
    """A Parquet file in a folder of its own; some further files come and go beside it."""
    _write_parquet(path, rows)


def _write_csv(path: Path, rows: Iterable[Row]) -> None:
    write_csv(path, list(SCHEMA), rows)


def _write_parquet(path: Path, rows: Iterable[Row]) -> None:
    """Parts first, then one file from them, so that no more than a part is in memory."""
    parts = []
    for number, batch in enumerate(_batches(rows)):
        part = path.with_name(f"part-{number:06}")
        pl.DataFrame(batch, schema=SCHEMA, orient="row").fill_nan(None).write_parquet(part)
        parts.append(part)
    if not parts:
        pl.DataFrame(schema=SCHEMA).write_parquet(path)
    else:
        pl.scan_parquet(parts).sink_parquet(path, maintain_order=True)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while batch := list(islice(left, ROWS_AT_ONCE)):
        yield batch


WRITERS = {".csv": _write_csv, ".parquet": _write_parquet}
