"""Tables as RSMTool reads and writes them: its column names, its kinds of values, its file formats."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError, MissingExtra
from assay.io.tables.csv_text import open_csv, reading
from assay.io.tables.tables import TableSource, open_table, require_columns

DELIMITED = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t", ".tab": "\t"}
SHEETS = (".xlsx", ".xlsm", ".xls")

Cells = Literal["text", "sheet", "typed"]
"""All cells text; text with truly empty cells, from a workbook; or values of some type, as in JSON."""
NO_VALUE = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A"),
    *("NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
"""The texts that pandas 2 takes for an empty cell."""
TRUE, FALSE = ("True", "TRUE", "true"), ("False", "FALSE", "false")


@dataclass(frozen=True, eq=False, slots=True)
class RsmTable:
    """A whole table and where it came from."""

    source: TableSource
    frame: pl.DataFrame
    cells: Cells

    def require(self, columns: Mapping[str, str], *, ids: str | None = None) -> None:
        """InputError naming every column (by the option that asked for it) that is missing, or when no row is there.

        The column of `ids` must hold each only once.
        """
        require_columns(replace(self.source, columns=tuple(self.frame.columns)), columns)
        if not self.frame.height:
            problem = "holds no responses: there is no row below the names of its columns"
            raise InputError(problem, source=self.source.name)
        cells = self.frame.get_column(ids) if ids else pl.Series()
        repeated = cells.filter(cells.is_duplicated()).unique(maintain_order=True)
        if repeated.len():
            shown = ", ".join(repr(name) for name in repeated.head(3).to_list())
            problem = f"holds {repeated.len()} ids more than once: {shown}"
            remedy = "Remove the repeated rows, or name a column that tells responses apart in id_column."
            raise InputError(problem, source=self.source.name, column=ids or "", field="id_column", remedy=remedy)


def numbered_repeats(names: Sequence[str]) -> tuple[str, ...]:
    """The names, repeated ones told apart as pandas does it, and so RSMTool.

    >>> numbered_repeats(["id", "note", "note", "note.1", "note"])
    ('id', 'note', 'note.2', 'note.1', 'note.3')
    """
    taken, numbered = set(names), list[str]()
    for name in names:
        new, number = name, 0
        while new in numbered or (number and new in taken):
            number += 1
            new = f"{name}.{number}"
        numbered.append(new)
    return tuple(numbered)


def open_rsm_table(path: Path) -> TableSource:
    """The table of a file; a delimited text may repeat names of columns."""
    ending = next((e for e in DELIMITED if path.name.lower().endswith(e)), None)
    if ending is None or not path.is_file():
        return open_table(path)
    with reading(path, "CSV"):
        text = open_csv(path, separator=DELIMITED[ending])
    names = [name.strip() for name in text.header]
    if len(set(names)) == len(names):
        return open_table(path)
    return TableSource(
        path, numbered_repeats([n or f"column {i}" for i, n in enumerate(names, 1)]), 2, (path,), text.scan
    )


def read_rsm_table(path: Path, span: tuple[int, int] | None = None) -> RsmTable:
    """All columns of a file, and all rows or so many from a first one."""
    source = open_rsm_table(path)
    frame = source.frame() if span is None else pl.concat(source.batches(source.columns, span=span))
    if source.sliceable:  # Parquet, perhaps in parts
        return RsmTable(source, frame, "typed")
    ending = next((e for e in DELIMITED if path.name.lower().endswith(e)), None)
    if ending is not None:
        with reading(path, "CSV"):
            header = open_csv(path, separator=DELIMITED[ending]).header
        # a column without a name is called as pandas calls it
        named = [name if name.strip() else f"Unnamed: {number}" for number, name in enumerate(header)]
        frame.columns = list(numbered_repeats(named))
        return RsmTable(source, frame, "text")
    if path.name.lower().endswith(SHEETS):
        return RsmTable(source, frame, "sheet")
    try:
        schema = pl.scan_ndjson(path, infer_schema_length=None).collect_schema()
    except pl.exceptions.PolarsError:
        return RsmTable(source, frame, "typed")
    # `scores.h1` as `h1` where `scores` is an object; names that would clash stay long
    objects = {name for name, dtype in schema.items() if dtype == pl.Struct}
    short = [name.partition(".")[2] if name.partition(".")[0] in objects else name for name in frame.columns]
    frame.columns = short if len(set(short)) == len(short) else frame.columns
    return RsmTable(source, frame, "typed")


def inferred(cells: pl.Series, *, sheet: bool = False) -> pl.Series:
    """The cells as Int64, Float64, Boolean or String, whichever fits first; empty ones are null.

    In a workbook (`sheet`) true and false with gaps between them are numbers.

    >>> inferred(pl.Series(["01", "NA"])).to_list(), inferred(pl.Series(["01", "x"])).to_list()
    ([1.0, None], ['01', 'x'])
    """
    if cells.dtype != pl.String:
        return _typed(cells)
    text = cells.set(cells.is_in(NO_VALUE), None)
    true, empty = text.is_in(TRUE), text.is_null()
    boolean = not empty.all() and (true | text.is_in(FALSE) | empty).all()
    values = true if boolean else _as_numbers(text)
    return _typed(values) if sheet else values


def inferred_from_json(cells: pl.Series) -> pl.Series:
    """The same for values of JSON: a text is a number only if all of the column are; no word stands for an empty cell.

    >>> inferred_from_json(pl.Series(["01", "2"])).to_list(), inferred_from_json(pl.Series(["01", "NA"])).to_list()
    ([1, 2], ['01', 'NA'])
    """
    return _as_numbers(cells) if cells.dtype == pl.String else _typed(cells)


def _typed(cells: pl.Series) -> pl.Series:
    if cells.dtype.is_float():
        return cells.cast(pl.Float64).fill_nan(None)
    if cells.dtype == pl.Boolean or cells.dtype.is_integer():
        return cells.cast(pl.Float64) if cells.has_nulls() else cells
    if cells.dtype.is_nested() or cells.dtype == pl.Binary:
        return pl.Series(cells.name, [None if cell is None else str(cell) for cell in cells.to_list()])
    return cells.cast(pl.String)


def _as_numbers(text: pl.Series) -> pl.Series:
    trimmed = text.str.strip_chars()
    if not text.has_nulls():
        whole = trimmed.cast(pl.Int64, strict=False)
        if not whole.has_nulls():
            return whole
    numbers = trimmed.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == text.null_count() else text


def numbers_or_nan(column: pl.Series) -> NDArray[np.float64]:
    """An inferred column as floats; text that is no number, and what is missing, is NaN. Infinite values stay."""
    if column.dtype == pl.String:
        column = column.str.strip_chars().cast(pl.Float64, strict=False)
    return np.asarray(column.cast(pl.Float64).to_numpy(writable=True), dtype=np.float64)


def as_text(cells: pl.Series) -> pl.Series:
    """The cells as Python would print them: True, 1.0, nan; a missing text is None."""
    if cells.dtype == pl.String:
        return cells.fill_null("None")
    column = _typed(cells)
    missing = "nan" if column.dtype.is_float() else "None"
    return printed_booleans(column) if column.dtype == pl.Boolean else column.cast(pl.String).fill_null(missing)


def printed_booleans(column: pl.Series) -> pl.Series:
    """True and False as Python writes them."""
    text = column.cast(pl.String).str.to_titlecase()
    return pl.Series(column.name, text, dtype=pl.String)


def check_free(folder: Path, *, force: bool) -> None:
    """InputError when a folder holds files, unless forced."""
    if not force and folder.is_dir() and any(folder.iterdir()):
        remedy = ("Choose another folder, or write among them with ", Field("force"), ".")
        raise InputError("holds files already", source=folder, field="out", remedy=remedy)


def write_rsm_table(path: Path, table: pl.DataFrame, *, names: Sequence[str] | None = None) -> None:
    """A table as .csv, .tsv or .xlsx, by the ending of the path; missing values are empty cells.

    Text is written as it is, as RSMTool does, also where a spreadsheet would take it for a formula. `names` head the
    columns instead of their own: two of a file may be the same, two of a table may not.
    """
    table, names = table.with_columns(pl.selectors.float().fill_nan(None)), names or table.columns
    if path.suffix == ".xlsx":
        _write_workbook(path, table, names)
        return
    separator = "," if path.suffix == ".csv" else "\t"
    rows = table.with_columns(printed_booleans(column) for column in table.iter_columns() if column.dtype == pl.Boolean)
    if list(names) == table.columns:
        rows.write_csv(path, separator=separator)
    else:
        quoted = ('"' + name.replace('"', '""') + '"' if any(c in name for c in '",\t\r\n') else name for name in names)
        header = separator.join(quoted)
        path.write_text(f"{header}\n{rows.write_csv(separator=separator, include_header=False)}", encoding="utf-8")


def _write_workbook(path: Path, table: pl.DataFrame, names: Sequence[str]) -> None:
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
