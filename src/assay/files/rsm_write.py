"""Tables on their way out, in the formats of RSMTool."""

import math
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

import polars as pl

from assay.errors import InputError, MissingExtra
from assay.files.rsm_types import printed_booleans


def check_free(folder: Path, *, force: bool) -> None:
    """InputError when a folder holds files, unless forced."""
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} holds files already. Choose another folder, or write among them with --force.")


def write_rsm_table(path: Path, table: pl.DataFrame) -> None:
    """A table as .csv, .tsv or .xlsx, by the ending of the path; missing values are empty cells.

    Text is written as it is, as RSMTool does, also where a spreadsheet would take it for a formula.
    """
    _WRITERS[path.suffix](path, table.with_columns(pl.selectors.float().fill_nan(None)))


def _write_delimited(path: Path, table: pl.DataFrame, separator: str) -> None:
    booleans = [column for column in table.iter_columns() if column.dtype == pl.Boolean]
    table.with_columns(map(printed_booleans, booleans)).write_csv(path, separator=separator)


def _write_workbook(path: Path, table: pl.DataFrame) -> None:
    """One sheet, text as text and numbers as numbers."""
    try:
        import xlsxwriter  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Writing XLSX", "tables") from missing
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Sheet1")
        for row, cells in enumerate(chain([table.columns], table.iter_rows())):
            for column, cell in enumerate(cells):
                if isinstance(cell, bool):
                    sheet.write_boolean(row, column, cell)
                elif isinstance(cell, int | float) and math.isfinite(cell):
                    sheet.write_number(row, column, cell)
                elif cell is not None and cell != "":
                    sheet.write_string(row, column, str(cell))


_WRITERS: Mapping[str, Callable[[Path, pl.DataFrame], None]] = {
    ".csv": lambda path, table: _write_delimited(path, table, ","),
    ".tsv": lambda path, table: _write_delimited(path, table, "\t"),
    ".xlsx": _write_workbook,
}
