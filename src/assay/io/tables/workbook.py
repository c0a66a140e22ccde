"""Workbooks: what a sheet holds is looked at before it is read, since the reader makes room for all it might hold."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from posixpath import join, normpath

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import InputError
from assay.execution.limits import check, over, value_of
from assay.io.archive import Limits, Member, is_zip, list_members

LIMITS = Limits(members="office_members", total_bytes="workbook_bytes")
LONGEST = 14
"""Bytes of `r="XFD1048576"`."""
SHEET, LINK = re.compile(rb"<(?:\w+:)?sheet\s[^>]*>"), re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
ATTRIBUTE = re.compile(rb"""([\w:]+)\s*=\s*["']([^"']*)["']""")


def read_workbook(path: Path) -> tuple[Sequence[str | None], pl.DataFrame]:
    """The first row of the first sheet, and the rows below it as text; to be called in a child."""
    import fastexcel  # noqa: PLC0415 - an extra

    check_workbook(path)
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
    return sheet.row(0), text


def check_workbook(path: Path) -> None:
    """InputError if a workbook unpacks to more than it may, or if its first sheet reaches further than it may."""
    if not is_zip(path):  # an old .xls: its sheets end at 65,536 rows and 256 columns
        return
    members = {member.name: member for member in list_members(path, limits=LIMITS)}
    first = _first_sheet(members)
    for name in [first] if first in members else [name for name in members if name.startswith("xl/worksheets/")]:
        rows, columns = _extent(path, name)
        check("workbook_rows", rows, path.name, what="the first sheet")
        check("workbook_columns", columns, path.name, what="the first sheet")
        if rows * columns > value_of("workbook_cells"):
            refused = over("workbook_cells", rows * columns, path.name, what="the first sheet")
            problem = f"{refused.problem}: its cells stretch over {rows:,} rows and {columns:,} columns"
            remedy = f"Delete what stands far from the table, in the last row or column. {refused.remedy}"
            raise InputError(problem, source=path.name, remedy=remedy)


def _first_sheet(members: dict[str, Member]) -> str:
    """The member with the first sheet, as the workbook says; blank if it does not."""
    book, links = (members.get(name) for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"))
    sheet = SHEET.search(book.read()) if book else None
    if sheet is None or links is None:
        return ""
    named = {value for key, value in ATTRIBUTE.findall(sheet[0]) if key.endswith(b":id")}
    for link in map(dict, map(ATTRIBUTE.findall, LINK.findall(links.read()))):
        if link.get(b"Id") in named:
            return normpath(join("/xl", link.get(b"Target", b"").decode(errors="replace"))).lstrip("/")
    return ""


def _extent(path: Path, sheet: str) -> tuple[int, int]:
    """Rows and columns from the first to the last that holds a cell."""
    low, high, rest = np.full(2, 1 << 60), np.zeros(2, np.int64), b""
    with zipfile.ZipFile(path) as archive, archive.open(sheet) as stream:
        while piece := stream.read(1 << 20):
            places = _places(rest + piece)
            low, high = (
                np.minimum(low, places.min(axis=0, initial=1 << 60)),
                np.maximum(high, places.max(axis=0, initial=0)),
            )
            rest = piece[-LONGEST:]
    rows, columns = np.maximum(high - low + 1, 0).tolist()
    return rows, columns


def _places(xml: bytes) -> NDArray[np.int64]:
    """(n, 2): row and column of each cell that says where it is, with numpy since there may be millions.

    >>> _places(b'<row r="7"><c r="A7" s="1"/><c s="1" r="XFD12" t="s"><v>1</v></c></row>').tolist()
    [[7, 1], [12, 16384]]
    """
    text = np.frombuffer(xml + bytes(LONGEST), np.uint8)
    stated = (text[:-2] == ord("r")) & (text[1:-1] == ord("=")) & ((text[2:] == ord('"')) | (text[2:] == ord("'")))
    names = text[np.flatnonzero(stated)[:, None] + np.arange(3, LONGEST)]
    row, column = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    within = np.ones(len(names), np.bool_)
    for character in names.T.astype(np.int64):
        letter, digit = character - ord("A"), character - ord("0")
        is_letter, is_digit = (letter >= 0) & (letter < 26) & (row == 0), (digit >= 0) & (digit < 10)
        within &= is_letter | is_digit
        column = np.where(within & is_letter, 26 * column + letter + 1, column)
        row = np.where(within & is_digit & (column > 0), 10 * row + digit, row)
    return np.column_stack([row, column])[(row > 0) & (column > 0)]
