"""Columns as numbers or as text: the one way a cell becomes a score, an id or a group."""

import re
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", ".", "-"})
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
LONGEST_SHOWN = 60


def number_column(
    frame: pl.DataFrame, column: str, *, source: str, field: str, first_row: int, text_as_missing: bool = False
) -> NDArray[np.float64]:
    """The column as floats, NaN where a cell is empty or says NA, N/A, nan, null, none, '.' or '-'.

    Infinite values stay. Any other text is an InputError that names up to three rows, or NaN with
    `text_as_missing`, as in RSMTool. `first_row` is the row number of the frame's first row.

    >>> number_column(pl.DataFrame({"h": ["4", "NA"]}), "h", source="s.csv", field="human", first_row=2)
    array([ 4., nan])
    """
    cells = frame.get_column(column)
    if cells.dtype.is_numeric() or cells.dtype in (pl.Boolean, pl.Null):
        return _floats(cells)
    if cells.dtype in (pl.Categorical, pl.Enum):
        cells = cells.cast(pl.String)
    if cells.dtype != pl.String:
        kind = "lists or records" if cells.dtype.is_nested() else f"{cells.dtype} values"
        kind = "dates or times" if cells.dtype.is_temporal() else "bytes" if cells.dtype == pl.Binary else kind
        remedy = ("Choose another column as ", Field(field), ".")
        raise InputError(f"holds {kind}, not numbers", source=source, column=column, field=field, remedy=remedy)
    numbers = cells.cast(pl.Float64, strict=False)
    rest = (numbers.is_null() & cells.is_not_null()).arg_true()
    floats = _floats(numbers)
    if not rest.len():
        return floats
    # only the cells that a plain cast refuses are looked at again: with blanks around them, or words
    words = cells.gather(rest).str.strip_chars()
    again = words.cast(pl.Float64, strict=False)
    where = rest.to_numpy()
    floats[where] = _floats(again)
    bad = where[(again.is_null() & ~words.str.to_lowercase().is_in(list(MISSING))).to_numpy()].tolist()
    if bad and not text_as_missing:
        examples = [(first_row + i, cells[i]) for i in bad[:3]]
        raise _not_numbers(examples, len(bad), source=source, column=column, field=field)
    return floats


def _floats(cells: pl.Series) -> NDArray[np.float64]:
    numbers = cells.cast(pl.Float64).to_numpy(writable=True)  # nulls become NaN
    return np.asarray(numbers, dtype=np.float64)


def _not_numbers(
    examples: Sequence[tuple[int, str]], count: int, *, source: str, column: str, field: str
) -> InputError:
    row, cell = examples[0]
    others = ", ".join(f"{_shown(text)} in row {at}" for at, text in examples[1:])
    more = f" Nor are {count - 1} more cells: {others}{', ...' if count > 3 else ''}." if count > 1 else ""
    repair = "Leave the cell empty if the response was not scored"
    if DECIMAL_COMMA.fullmatch(cell.strip()):
        repair = f"Write decimals with a point ({cell.strip().replace(',', '.')})"
    problem = f"{_shown(cell)} is not a number.{more}"
    remedy = (f"{repair}, or choose another column as ", Field(field), ".")
    return InputError(problem, source=source, row=row, column=column, field=field, remedy=remedy)


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= LONGEST_SHOWN else cell[: LONGEST_SHOWN - 3] + "...")


def text_column(frame: pl.DataFrame, column: str) -> pl.Series:
    """The column as text: whole numbers without '.0', other floats in their shortest form, text as it is.

    An empty cell is null, however it was written; so is NaN. Leading zeros and blanks are kept.

    >>> text_column(pl.DataFrame({"id": [7.0, 2.5, None]}), "id").to_list()
    ['7', '2.5', None]
    """
    cells = frame.get_column(column)
    if cells.dtype == pl.Binary:
        raise InputError("holds bytes, not text", column=column, remedy="Write it to the table as text.")
    if cells.dtype.is_nested():
        raise InputError("holds lists or records", column=column, remedy="Give each response one value.")
    if cells.dtype.is_float():
        return pl.Series(cells.name, cells.fill_nan(None).cast(pl.String).str.strip_suffix(".0"), dtype=pl.String)
    text = cells if cells.dtype == pl.String else cells.cast(pl.String)
    empty = text.str.len_bytes() == 0
    return text.set(empty, None) if empty.any() else text
