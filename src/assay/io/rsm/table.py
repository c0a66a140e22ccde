"""Tables as RSMTool reads them: its column names, and nested JSON keys without their outer key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import polars as pl

from assay.errors import InputError
from assay.io.tables.csv_text import open_csv, reading
from assay.io.tables.tables import TableSource, open_table, require_columns

DELIMITED = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t", ".tab": "\t"}
SHEETS = (".xlsx", ".xlsm", ".xls")

Cells = Literal["text", "sheet", "typed"]
"""All cells text; text with truly empty cells, from a workbook; or values of some type, as in JSON."""


@dataclass(frozen=True, eq=False, slots=True)
class RsmTable:
    """A whole table and where it came from."""

    source: TableSource
    frame: pl.DataFrame
    cells: Cells

    def require(self, columns: Mapping[str, str]) -> None:
        """InputError naming every column (by the option that asked for it) that is missing, or when no row is there."""
        require_columns(replace(self.source, columns=tuple(self.frame.columns)), columns)
        if not self.frame.height:
            problem = "holds no responses: there is no row below the names of its columns"
            raise InputError(problem, source=self.source.name)


def read_rsm_table(path: Path, span: tuple[int, int] | None = None) -> RsmTable:
    """All columns of a file, and all rows or so many from a first one."""
    source = open_table(path)
    frame = source.frame() if span is None else pl.concat(source.batches(source.columns, span=span))
    if source.sliceable:  # Parquet, perhaps in parts
        return RsmTable(source, frame, "typed")
    ending = next((e for e in DELIMITED if path.name.lower().endswith(e)), None)
    if ending is not None:
        frame.columns = _pandas_names(path, DELIMITED[ending])
        return RsmTable(source, frame, "text")
    if path.name.lower().endswith(SHEETS):
        return RsmTable(source, frame, "sheet")
    frame.columns = _inner_names(path, frame.columns)
    return RsmTable(source, frame, "typed")


def _pandas_names(path: Path, separator: str) -> list[str]:
    """The header as it stands; a column without a name is called as pandas calls it."""
    with reading(path, "CSV"):
        header = open_csv(path, separator=separator).header
    return [name if name.strip() else f"Unnamed: {number}" for number, name in enumerate(header)]


def _inner_names(path: Path, columns: list[str]) -> list[str]:
    """`scores.h1` as `h1` where `scores` is an object; names that would clash stay long."""
    try:
        schema = pl.scan_ndjson(path, infer_schema_length=None).collect_schema()
    except pl.exceptions.PolarsError:
        return columns
    outer = {f"{name}." for name, dtype in schema.items() if dtype == pl.Struct}
    short = {name: name.partition(".")[2] if name.partition(".")[0] + "." in outer else name for name in columns}
    return list(short.values()) if len(set(short.values())) == len(columns) else columns
