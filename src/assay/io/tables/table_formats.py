"""The formats a table can have: for each, a function that opens a file and says what is in it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs

from assay.errors import InputError, MissingExtra
from assay.io.tables.csv_text import Contents, clean_names, csv_contents, reading


def jsonl_contents(path: Path) -> Contents:
    """One JSON object per line; keys of nested objects become 'outer.inner', missing keys are nulls."""
    with reading(path, "JSON lines"), path.open("rb") as stream:
        head = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise InputError("it is empty", source=path.name, remedy="Give one JSON object per line.")
    if head.startswith(b"["):
        remedy = "Write one object per line instead (JSON lines)."
        raise InputError("it is one JSON array", source=path.name, remedy=remedy)
    try:
        schema = pl.scan_ndjson(path, infer_schema_length=None).collect_schema()
    except (pl.exceptions.PolarsError, OSError):
        # Polars does not say which line, and refuses the NaN that Python writes: read it line by line
        frame = _json_lines(path)
        return Contents(clean_names(path, frame.columns), 1, frame.lazy)
    lazy = pl.scan_ndjson(path, schema=schema).unnest(cs.struct(), separator=".")
    with reading(path, "JSON lines"):
        names = lazy.collect_schema().names()
    return Contents(clean_names(path, names), 1, lambda: lazy)


def _json_lines(path: Path) -> pl.DataFrame:
    records = []
    with reading(path, "JSON lines"), path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            text = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not text:
                continue
            try:
                record = json.loads(text)
            except ValueError as error:
                remedy = "Write one object per line."
                raise InputError(f"not valid JSON: {error}", source=path.name, row=number, remedy=remedy) from error
            if not isinstance(record, dict):
                remedy = 'Write one object per line, such as {"id": "a1", "human": 4}.'
                problem = f"{json.dumps(record)[:40]} is not an object"
                raise InputError(problem, source=path.name, row=number, remedy=remedy)
            flat: dict[str, Any] = {}
            for key, value in record.items():
                inner = {f"{key}.{name}": v for name, v in value.items()} if isinstance(value, dict) else None
                flat |= {key: value} if inner is None else inner
            records.append(flat)
    names = list(dict.fromkeys(key for record in records for key in record))
    return pl.DataFrame([_json_column(name, [record.get(name) for record in records]) for name in names])


def _json_column(name: str, values: list[Any]) -> pl.Series:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int, float}:
        return pl.Series(name, values, dtype=pl.Float64 if float in kinds else None, strict=False)
    text = [v if v is None or isinstance(v, str) else json.dumps(v) for v in values]
    return pl.Series(name, text, dtype=pl.String)


def xlsx_contents(path: Path) -> Contents:
    """The first sheet of a workbook, every cell as text."""
    try:
        import fastexcel  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Reading XLSX", "tables") from missing
    with reading(path, "a workbook"), path.open("rb"):
        pass
    try:
        book = fastexcel.read_excel(path)
        sheet = book.load_sheet(0, header_row=None, dtypes="string", skip_whitespace_tail_rows=True).to_polars()
    except fastexcel.FastExcelError as problem:
        remedy = "If it is text, rename it to end in .csv; if it has a password, save it without."
        raise InputError("it is not a workbook that can be read", source=path.name, remedy=remedy) from problem
    if not sheet.height:
        first, *others = book.sheet_names
        unread = f" Its other sheets are not read: {', '.join(others)}." if others else ""
        what = f"the first sheet, {first!r}, is empty"
        raise InputError(what, source=path.name, remedy=f"Put the table there.{unread}")
    typed = book.load_sheet(0, header_row=None, skip_rows=1, skip_whitespace_tail_rows=True).to_polars()
    text = sheet.slice(1)
    if text.shape == typed.shape:  # else rows were told apart differently: what is there as text is safe
        # numbers in full: as text, fastexcel gives them nine decimals
        text = text.with_columns(
            column.fill_nan(None).cast(pl.String).str.strip_suffix(".0").alias(name)
            for name, column in zip(text.columns, typed.get_columns(), strict=True)
            if column.dtype.is_float()
        )
    return Contents(clean_names(path, sheet.row(0)), 2, text.lazy)


def sas_contents(path: Path) -> Contents:
    """A SAS data set."""
    try:
        import pyreadstat  # noqa: PLC0415
    except ImportError as missing:
        raise MissingExtra("Reading SAS files", "tables") from missing
    with reading(path, "a SAS data set"), path.open("rb"):
        pass
    try:
        cells, _ = pyreadstat.read_sas7bdat(str(path), output_format="dict")
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError) as problem:
        what = f"it is not a SAS data set that can be read: {problem}"
        raise InputError(what, source=path.name, remedy="Export it again, or as CSV.") from problem
    return readstat_contents(path, cells)


def readstat_contents(path: Path, cells: Mapping[str, Any]) -> Contents:
    """Columns as pyreadstat gives them: numbers as floats, text as text."""
    frame = pl.DataFrame([pl.Series(name, list(values), strict=False) for name, values in cells.items()])
    return Contents(clean_names(path, frame.columns), 1, frame.lazy)


def parquet_contents(path: Path, parts: Sequence[Path] = ()) -> Contents:
    """A Parquet file, or several with the same columns as one table in name order."""
    parts = parts or [path]
    for part in parts:
        with reading(part, "Parquet"), part.open("rb"):
            pass
    hive = any("=" in folder.name for part in parts for folder in part.parents if path in folder.parents)
    lazy = pl.scan_parquet(list(parts), glob=False, hive_partitioning=hive)
    with reading(path, "Parquet"):
        names = lazy.collect_schema().names()
    return Contents(clean_names(path, names), 1, lambda: lazy)


def contents_by_look(path: Path) -> Contents:
    """The contents of a file whose ending tells nothing, by its first bytes."""
    with reading(path), path.open("rb") as stream:
        head = stream.read(64).lstrip()
    for start, opener in ((b"PAR1", parquet_contents), (b"PK\x03\x04", xlsx_contents), (b"{", jsonl_contents)):
        if head.startswith(start):
            return opener(path)
    return csv_contents(path, separator=None)


FORMATS: Mapping[str, Callable[[Path], Contents]] = {
    **dict.fromkeys((".csv", ".csv.gz"), csv_contents),
    **dict.fromkeys((".tsv", ".tsv.gz", ".tab"), partial(csv_contents, separator="\t")),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), jsonl_contents),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls"), xlsx_contents),
    ".parquet": parquet_contents,
    ".sas7bdat": sas_contents,
}
