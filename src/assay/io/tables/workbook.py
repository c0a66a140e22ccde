"""Tables as one XLSX workbook: a sheet each, text as text, never a formula."""

import math
import re
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from assay.errors import MissingExtra
from assay.io.results.evaluation_tables import PlainTable

LONGEST_NAME = 31
MOST_LETTERS = 32_767
"""What a cell of a spreadsheet can hold."""


def workbook(tables: Mapping[str, PlainTable]) -> bytes:
    """The bytes of an .xlsx file with a sheet for each table; undefined numbers are empty cells."""
    try:
        import xlsxwriter  # noqa: PLC0415  # optional
    except ImportError as missing:
        raise MissingExtra("The workbook", "tables") from missing
    content = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(content, options) as book:
        bold = book.add_format({"bold": True})
        for name, table in zip(sheet_names(list(tables)), tables.values(), strict=True):
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for column, title in enumerate(table.columns):
                sheet.write_string(0, column, str(title)[:MOST_LETTERS], bold)
            for row, cells in enumerate(table.rows, 1):
                for column, cell in enumerate(cells):
                    _write(sheet, row, column, cell)
            sheet.autofit()
    return content.getvalue()


def _write(sheet: Any, row: int, column: int, cell: object) -> None:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return
    if isinstance(cell, int | float):
        sheet.write_number(row, column, float(cell))
    else:
        sheet.write_string(row, column, str(cell)[:MOST_LETTERS])


def sheet_names(names: list[str]) -> list[str]:
    """Names that a spreadsheet takes: short, different, without []:*?/\\ or quotes at the ends.

    >>> sheet_names(["a/b", "A:B", "x" * 40])
    ['a b', 'A B 2', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']
    """
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", name).strip("' ")[:LONGEST_NAME] or "table"
        taken, number = {other.lower() for other in found}, 2
        candidate = plain
        while candidate.lower() in taken:
            candidate = f"{plain[: LONGEST_NAME - len(str(number)) - 1]} {number}"
            number += 1
        found.append(candidate)
    return found
