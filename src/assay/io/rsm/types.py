"""What kind of values a column of cells holds, decided as pandas does it, so that RSMTool's files are matched.

A column is whole numbers, else numbers, else true and false, else text; whole numbers with gaps are numbers.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

NO_VALUE = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A"),
    *("NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)
"""The texts that pandas 2 takes for an empty cell."""

TRUE, FALSE = ("True", "TRUE", "true"), ("False", "FALSE", "false")


def inferred(cells: pl.Series) -> pl.Series:
    """The cells as Int64, Float64, Boolean or String, whichever fits first; empty ones are null.

    >>> inferred(pl.Series(["01", "NA"])).to_list(), inferred(pl.Series(["01", "x"])).to_list()
    ([1.0, None], ['01', 'x'])
    """
    if cells.dtype != pl.String:
        return _typed(cells)
    text = cells.set(cells.is_in(NO_VALUE), None)
    booleans = _as_booleans(text)
    return _as_numbers(text) if booleans is None else booleans


def inferred_from_json(cells: pl.Series) -> pl.Series:
    """The same for values of JSON: a text is a number only if all of the column are; no word stands for an empty cell.

    >>> inferred_from_json(pl.Series(["01", "2"])).to_list(), inferred_from_json(pl.Series(["01", "NA"])).to_list()
    ([1, 2], ['01', 'NA'])
    """
    return _as_numbers(cells) if cells.dtype == pl.String else _typed(cells)


def inferred_from_sheet(cells: pl.Series) -> pl.Series:
    """The same for cells of a workbook, where true and false with gaps between them are numbers."""
    return _typed(inferred(cells))


def _typed(cells: pl.Series) -> pl.Series:
    if cells.dtype.is_float():
        return cells.cast(pl.Float64).fill_nan(None)
    if cells.dtype == pl.Boolean:
        return cells.cast(pl.Float64) if cells.has_nulls() else cells
    if cells.dtype.is_integer():
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


def _as_booleans(text: pl.Series) -> pl.Series | None:
    """None when some cell is neither true nor false, or all are empty."""
    true = text.is_in(TRUE)
    if text.null_count() == text.len() or not (true | text.is_in(FALSE) | text.is_null()).all():
        return None
    return true


def numbers_or_nan(column: pl.Series) -> NDArray[np.float64]:
    """An inferred column as floats; text that is no number, and what is missing, is NaN. Infinite values stay."""
    if column.dtype == pl.String:
        column = column.str.strip_chars().cast(pl.Float64, strict=False)
    floats = column.cast(pl.Float64).to_numpy(writable=True)
    return np.asarray(floats, dtype=np.float64)


def as_text(cells: pl.Series) -> pl.Series:
    """The cells as Python would print them: True, 1.0, nan; a missing text is None."""
    if cells.dtype == pl.String:
        return cells.fill_null("None")
    column = _typed(cells)
    if column.dtype == pl.Boolean:
        return printed_booleans(column)
    text = column.cast(pl.String)
    return text.fill_null("nan" if column.dtype.is_float() else "None")


def printed_booleans(column: pl.Series) -> pl.Series:
    """True and False as Python writes them."""
    text = column.cast(pl.String).str.to_titlecase()
    return pl.Series(column.name, text, dtype=pl.String)
