"""The formats a table can have: for each, a function that opens a file and says what is in it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs

from assay.errors import InputError, MissingExtra, shown
from assay.execution.children import read_apart
from assay.execution.limits import check
from assay.io.json_file import json_of
from assay.io.tables.csv_text import Contents, clean_names, csv_contents, reading
from assay.io.tables.workbook import read_workbook


def jsonl_contents(path: Path) -> Contents:
    """One JSON object per line, or an array of objects; nested keys become 'outer.inner', missing keys are nulls."""
    with reading(path, "JSON lines"), path.open("rb") as stream:
        head = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        raise InputError("it is empty", source=path.name, remedy="Give one JSON object per line.")
    if head.startswith(b"["):
        frame = _json_array(path)
        return Contents(clean_names(path, frame.columns), 1, frame.lazy)
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
                json.dumps(record, ensure_ascii=False).encode()  # not half a surrogate pair, which no table holds
            except (ValueError, RecursionError) as error:
                remedy = "Write one object per line."
                raise InputError(f"not valid JSON: {error}", source=path.name, row=number, remedy=remedy) from error
            records.append(_flat(record, path, number))
    return _records_frame(records)


def _json_array(path: Path) -> pl.DataFrame:
    """One array of objects, held whole."""
    remedy = "Write an array of objects, or one object per line (JSON lines)."
    with reading(path, "JSON"):
        check("json_bytes", path.stat().st_size, path.name)
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    rows = json_of(text, source=path.name, remedy=remedy)
    try:
        json.dumps(rows, ensure_ascii=False).encode()  # not half a surrogate pair, which no table holds
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON: {error}", source=path.name, remedy=remedy) from error
    return _records_frame([_flat(row, path, number) for number, row in enumerate(rows, start=1)])


def _flat(record: Any, path: Path, number: int) -> dict[str, Any]:
    """One row, with what is nested brought up by one level."""
    if not isinstance(record, dict):
        remedy = 'Write one object per line, such as {"id": "a1", "human": 4}.'
        problem = f"{shown(json.dumps(record))} is not an object"
        raise InputError(problem, source=path.name, row=number, remedy=remedy)
    flat: dict[str, Any] = {}
    for key, value in record.items():
        inner = {f"{key}.{name}": v for name, v in value.items()} if isinstance(value, dict) else None
        flat |= {key: value} if inner is None else inner
    return flat


def _records_frame(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
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
    if find_spec("fastexcel") is None:
        raise MissingExtra("Reading XLSX", "tables")
    with reading(path, "a workbook"), path.open("rb"):
        pass
    names, text = read_apart(read_workbook, path, source=path.name)
    return Contents(clean_names(path, names), 2, text.lazy)


def sas_contents(path: Path) -> Contents:
    """A SAS data set."""
    if find_spec("pyreadstat") is None:
        raise MissingExtra("Reading SAS files", "tables")
    with reading(path, "a SAS data set"), path.open("rb"):
        pass
    return readstat_contents(path, read_apart(read_sas, path, source=path.name))


def read_sas(path: Path) -> Mapping[str, Any]:
    """The cells of a SAS data set by column; to be called in a child."""
    import pyreadstat  # noqa: PLC0415 - an extra

    try:
        cells: Mapping[str, Any] = pyreadstat.read_sas7bdat(str(path), output_format="dict")[0]
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeError) as problem:
        what = f"it is not a SAS data set that can be read: {problem}"
        raise InputError(what, source=path.name, remedy="Export it again, or as CSV.") from problem
    return cells


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
