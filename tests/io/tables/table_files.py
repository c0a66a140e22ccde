"""One small table in every format."""

import gzip
from pathlib import Path

import polars as pl
import xlsxwriter

ROWS = [("007", 4.0, "A"), ("008", None, "B"), ("9", 2.5, None)]
CSV = "id,human,group\n007,4,A\n008,,B\n9,2.5,\n"


def a_csv(path: Path) -> Path:
    path.write_text(CSV)
    return path


def a_gzipped_csv(path: Path) -> Path:
    path.write_bytes(gzip.compress(CSV.encode()))
    return path


def a_tsv(path: Path) -> Path:
    path.write_text(CSV.replace(",", "\t"))
    return path


def a_jsonl(path: Path) -> Path:
    pl.DataFrame(ROWS, schema=["id", "human", "group"], orient="row").write_ndjson(path)
    return path


def a_parquet(path: Path) -> Path:
    pl.DataFrame(ROWS, schema=["id", "human", "group"], orient="row").write_parquet(path)
    return path


def a_workbook(path: Path) -> Path:
    return workbook(path, [("id", "human", "group"), *ROWS])


def workbook(path: Path, rows: list[tuple[object, ...]]) -> Path:
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(r, c, cell)
                elif cell is not None:
                    sheet.write(r, c, cell)
    return path
