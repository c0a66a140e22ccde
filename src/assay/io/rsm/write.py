"""Tables on their way out, in the formats of RSMTool."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import polars as pl

from assay.errors import Field, InputError, MissingExtra
from assay.io.rsm.types import printed_booleans


def check_free(folder: Path, *, force: bool) -> None:
    """InputError when a folder holds files, unless forced."""
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise InputError(
            "holds files already",
            source=folder,
            field="out",
            remedy=("Choose another folder, or write among them with ", Field("force"), "."),
        )


def write_rsm_table(path: Path, table: pl.DataFrame, *, names: Sequence[str] | None = None) -> None:
    """A table as .csv, .tsv or .xlsx, by the ending of the path; missing values are empty cells.

    Text is written as it is, as RSMTool does, also where a spreadsheet would take it for a formula. `names` head the
    columns instead of their own: two of a file may be the same, two of a table may not.
    """
    _WRITERS[path.suffix](path, table.with_columns(pl.selectors.float().fill_nan(None)), names or table.columns)


def _write_delimited(path: Path, table: pl.DataFrame, names: Sequence[str], separator: str) -> None:
    booleans = [column for column in table.iter_columns() if column.dtype == pl.Boolean]
    rows = table.with_columns(map(printed_booleans, booleans))
    if list(names) == table.columns:
        rows.write_csv(path, separator=separator)
        return
    header = separator.join(map(_quoted, names))
    path.write_text(f"{header}\n{rows.write_csv(separator=separator, include_header=False)}", encoding="utf-8")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in '",\t\r\n') else name


def _write_workbook(path: Path, table: pl.DataFrame, names: Sequence[str]) -> None:
    """One sheet, text as text and numbers as numbers."""
    try:
        import xlsxwriter  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Writing XLSX", "tables") from missing
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Sheet1")
        for row, cells in enumerate(chain([names], table.iter_rows())):
            for column, cell in enumerate(cells):
                if isinstance(cell, bool):
                    sheet.write_boolean(row, column, cell)
                elif isinstance(cell, int | float) and math.isfinite(cell):
                    sheet.write_number(row, column, cell)
                elif cell is not None and cell != "":
                    sheet.write_string(row, column, str(cell))


_WRITERS: Mapping[str, Callable[[Path, pl.DataFrame, Sequence[str]], None]] = {
    ".csv": lambda path, table, names: _write_delimited(path, table, names, ","),
    ".tsv": lambda path, table, names: _write_delimited(path, table, names, "\t"),
    ".xlsx": _write_workbook,
}
