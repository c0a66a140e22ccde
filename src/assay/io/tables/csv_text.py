"""Delimited text files: their encoding, separator and header."""

import codecs
import csv
import gzip
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, cast

import polars as pl

from assay.errors import InputError
from assay.io.tables.csv_records import Records, check_records, holds_nul, not_utf8

SEPARATORS = (",", ";", "\t", "|")
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOT_TEXT = {
    b"PK\x03\x04": ("a ZIP file, such as an Excel workbook", "If it is one, rename it to end in .xlsx."),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "Rename it to end in .xls, or save it as CSV UTF-8."),
    b"PAR1": ("a Parquet file", "Rename it to end in .parquet."),
    b"\x1f\x8b": ("compressed by gzip", "Rename it to end in .csv.gz if it holds CSV, or unpack it."),
    codecs.BOM_UTF32_LE: ("text in UTF-32", "Save it as CSV UTF-8."),
    b"%PDF": ("a PDF", "Export the table as CSV UTF-8."),
}
HEAD = 1 << 20


@dataclass(frozen=True)
class CsvText:
    """A delimited text file whose header has been read."""

    path: Path
    header: tuple[str, ...]
    separator: str
    utf16: bool

    def scan(self) -> pl.LazyFrame:
        """The rows, every column as text and named 0, 1, ...: no header can then be taken for a pattern."""
        records = self.records
        origin = io.BytesIO(_bytes_from_utf16(self.path)) if self.utf16 else self.path
        lazy = pl.scan_csv(
            origin,
            has_header=False,
            skip_rows=1,
            separator=self.separator,
            schema={str(i): pl.String() for i in range(len(self.header))},
            glob=False,
        )
        # blank lines at the end are no responses; elsewhere the check has refused them
        return lazy.head(records.rows) if records.blank_at_end else lazy

    @cached_property
    def records(self) -> Records:
        """How many records the file has. InputError for the first one that is not whole."""
        with _bytes_of(self.path, utf16=self.utf16) as stream:
            return check_records(stream, self.path.name, width=len(self.header), separator=self.separator)


def open_csv(path: Path, *, separator: str | None) -> CsvText:
    """A CSV or TSV file by its header, with the likeliest separator if `separator` finds only one column."""
    with _bytes_of(path, utf16=False) as stream:
        head = stream.read(HEAD)
    utf16 = head.startswith(UTF16_MARKS)
    text = _decoded_head(path, head, utf16=utf16)
    if not text.strip():
        remedy = "Give it a header row with column names, and a row per response."
        raise InputError("it is empty", source=path.name, remedy=remedy)
    if text[0] in "\r\n":
        remedy = "Put the column names in the first row."
        raise InputError("the row is blank", source=path.name, row=1, remedy=remedy)
    if "\n" not in text and "\r" in text:
        problem = "its lines end with CR alone, as on old Macs"
        raise InputError(problem, source=path.name, remedy="Save it as CSV UTF-8.")
    return _with_separator(path, text, separator, utf16=utf16)


def _with_separator(path: Path, text: str, separator: str | None, *, utf16: bool) -> CsvText:
    headers = {candidate: _header(path, text, candidate) for candidate in SEPARATORS}
    if separator is None or len(headers[separator]) == 1:
        separator = max(SEPARATORS, key=lambda candidate: len(headers[candidate]))
    return CsvText(path, tuple(headers[separator]), separator, utf16)


def _header(path: Path, text: str, separator: str) -> list[str]:
    try:
        names = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except (csv.Error, StopIteration) as problem:
        what = f"this cannot be read as column names ({problem})"
        raise InputError(what, source=path.name, row=1, remedy="Check its quotation marks.") from problem
    for name in names:
        if any("\udc80" <= letter <= "\udcff" for letter in name):
            raise not_utf8(path.name, name[:40].encode("utf-8", "surrogateescape"), row=1)
    return names


def _bytes_of(path: Path, *, utf16: bool) -> IO[bytes]:
    if utf16:
        return io.BytesIO(_bytes_from_utf16(path))
    if path.suffix.lower() == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def _bytes_from_utf16(path: Path) -> bytes:
    with _bytes_of(path, utf16=False) as stream:
        try:
            return stream.read().decode("utf-16").encode()
        except UnicodeError as problem:
            raise InputError(
                f"it starts as UTF-16 but is damaged ({problem})", source=path.name, remedy="Save it as CSV UTF-8."
            ) from problem


def _decoded_head(path: Path, head: bytes, *, utf16: bool) -> str:
    for magic, (what, remedy) in NOT_TEXT.items():
        if head.startswith(magic):
            raise InputError(f"it is not a text table but {what}", source=path.name, remedy=remedy)
    if utf16:
        return codecs.getincrementaldecoder("utf-16")("replace").decode(head)
    if head.count(b"\0") > len(head) / 10:  # a few are found with their row later
        raise holds_nul(path.name, head, row=None)
    return head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")  # the rows are checked later
