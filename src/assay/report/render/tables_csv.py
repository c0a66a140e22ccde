"""Tables as CSV: raw values in full, one column for each number, safe to open in a spreadsheet."""

import csv
import io
import re
from math import isnan

from assay.metrics.intervals import Estimate
from assay.report.document.document import Document, tables_of
from assay.report.document.values import Cell, Column, Table, plain

# a cell that opens with one of these is a formula to Excel, LibreOffice and Sheets (OWASP, CSV Injection)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def to_csv(table: Table) -> str:
    """The table as CSV text.

    An estimate takes four columns: its value, `_low`, `_high` and `_reason`; an interval takes two. Undefined
    is empty. Text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> rows = (("=A1", Estimate(0.5, 0.25, 0.75)), ("b", Estimate(reason="no pairs")))
    >>> print(to_csv(Table("t", "T", (Column("Group"), Column("QWK", "estimate")), rows)), end="")
    group,qwk,qwk_low,qwk_high,qwk_reason
    '=A1,0.5,0.25,0.75,
    b,,,,no pairs
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_heads(table.columns))
    for row in (*table.rows, *table.foot):
        cells = zip(table.columns, row, strict=True)
        writer.writerow([field for column, cell in cells for field in _cell_fields(column, cell)])
    return text.getvalue()


def csv_files(document: Document) -> dict[str, str]:
    """Every table of the document by file name, such as `subgroups.csv`; a second one of a name is `_2`."""
    files: dict[str, str] = {}
    for table in tables_of(document):
        name, copy = slug(table.name), 1
        while (file := f"{name}{'' if copy == 1 else f'_{copy}'}.csv") in files:
            copy += 1
        files[file] = to_csv(table)
    return files


def slug(text: str) -> str:
    """A name that is safe as a file and as a column.

    >>> slug("Difference of means, ±0.10"), slug("../../etc/passwd"), slug("名前")
    ('difference_of_means_0_10', 'etc_passwd', 'unnamed')
    """
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:80] or "unnamed"


def _heads(columns: tuple[Column, ...]) -> list[str]:
    """A name for each field, with a number after any that was there before."""
    endings = {"estimate": ("", "_low", "_high", "_reason"), "interval": ("_low", "_high")}
    names = [(column.name or slug(column.title), endings.get(column.kind, ("",))) for column in columns]
    heads = [name + ending for name, ends in names for ending in ends]
    before = [heads[:i].count(head) for i, head in enumerate(heads)]
    return [f"{head}_{n + 1}" if n else head for head, n in zip(heads, before, strict=True)]


def _cell_fields(column: Column, cell: Cell) -> tuple[str, ...]:
    if column.kind in ("text", "verdict"):
        return (_text("" if cell is None else plain(cell)),)  # type: ignore[arg-type]  # Table checked the kind
    estimate = cell if isinstance(cell, Estimate) else None
    if column.kind == "number":
        return (_number(cell if estimate is None else estimate.value),)  # type: ignore[arg-type]
    low, high = ("", "") if estimate is None else (_number(estimate.low), _number(estimate.high))
    if column.kind == "interval":
        return (low, high)
    if estimate is None:
        return ("", "", "", "")
    reason = estimate.reason or (column.undefined if isnan(estimate.value) else "")
    return (_number(estimate.value), low, high, _text(reason))


def _number(value: float | int | None) -> str:
    """All digits, so that reading it back gives the same number."""
    return "" if value is None or isnan(value) else repr(value)


def _text(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair cannot be written to a file
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
