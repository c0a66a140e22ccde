"""Columns as numbers or as text: the one way a cell becomes a score, an id or a group.

And which column of a table of scores holds what: a guess from names and values, for a person to check.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", ".", "-"})
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
LONGEST_SHOWN = 60
ROWS_LOOKED_AT = 2000
MOST_POINTS, MOST_LEVELS = 25, 20
_ID = re.compile(r"(^|_)(id|response|response_id|essay|essay_id|file|filename)$")
_CANDIDATE = re.compile(r"candidate|student|writer|author|person|user|pupil|test_?taker")
_LENGTH = re.compile(r"^(n_?)?(words?|tokens?|length|chars?|characters?)(_?count)?$|word_?count|num_?words")
_HUMAN = re.compile(r"human|rater|reader|teacher|expert|gold|truth|annotator|^h_?\d?$|^sc\d$|domain\d?_score|holistic")
_SYSTEM = re.compile(
    r"system|engine|machine|model|judge|llm|gpt|claude|gemini|pred|auto|e_?rater|^ai|_ai$|^raw$|^sys|^m_?\d?$|score_raw"
)
_GROUP = re.compile(r"gender|sex|language|^l1$|country|region|group|grade|race|ethnic|prompt|school|task|native")


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


@dataclass(frozen=True, slots=True)
class GuessedColumns:
    """A guess at each role; empty where nothing fits."""

    id: str | None
    human: tuple[str, ...]
    system: tuple[str, ...]
    groups: tuple[str, ...]
    candidate: str | None
    length: str | None


@dataclass(frozen=True, slots=True)
class _Look:
    """What one column looks like."""

    name: str
    plain: str
    """The name in small letters, words joined by underscores."""
    filled: int
    distinct: int
    numeric: bool
    whole: bool


def guess_columns(frame: pl.DataFrame) -> GuessedColumns:
    """A guess from the first rows of a table.

    >>> frame = pl.DataFrame({"id": ["a", "b", "c"], "rater_1": [1, 2, 2], "engine": [1.2, 2.4, 1.9]})
    >>> guess_columns(frame).human, guess_columns(frame).system
    (('rater_1',), ('engine',))
    """
    flat = [name for name, dtype in frame.schema.items() if not dtype.is_nested() and dtype != pl.Binary]
    looks = [_look(frame, name) for name in flat]
    used: set[str] = set()

    def take(fits: Callable[[_Look], bool], most: int | None = None) -> tuple[str, ...]:
        names = tuple(c.name for c in looks if c.name not in used and fits(c))[:most]
        used.update(names)
        return names

    id_ = take(lambda c: bool(_ID.search(c.plain)) and c.distinct == c.filled == frame.height, 1)
    candidate = take(lambda c: bool(_CANDIDATE.search(c.plain)) and not c.plain.endswith("score"), 1)
    length = take(lambda c: bool(_LENGTH.search(c.plain)) and c.numeric, 1)
    named_groups = take(lambda c: bool(_GROUP.search(c.plain)) and 2 <= c.distinct <= MOST_LEVELS)
    human = take(lambda c: c.numeric and bool(_HUMAN.search(c.plain)))
    system = take(lambda c: c.numeric and bool(_SYSTEM.search(c.plain)))
    id_ = id_ or take(lambda c: not c.numeric and c.distinct == c.filled == frame.height > 1, 1)
    groups = take(lambda c: not c.numeric and 2 <= c.distinct <= min(MOST_LEVELS, c.filled / 2))
    if not human:
        human = take(lambda c: c.numeric and c.whole and 2 <= c.distinct <= MOST_POINTS, 1)
        used -= {c.name for c in looks if c.numeric and c.name not in human and c.name not in system}
    system = system or take(lambda c: c.numeric and c.distinct > 1, 1)
    ordered = [name for name in frame.columns if name in {*named_groups, *groups}]
    one_id, one_candidate, one_length = (next(iter(names), None) for names in (id_, candidate, length))
    return GuessedColumns(one_id, human, system, tuple(ordered), one_candidate, one_length)


def _look(frame: pl.DataFrame, name: str) -> _Look:
    text = text_column(frame, name).str.strip_chars()
    filled = text.filter(~text.str.to_lowercase().is_in(list(MISSING)).fill_null(True))
    numbers = filled.cast(pl.Float64, strict=False)
    numeric = filled.len() > 0 and numbers.null_count() == 0
    values = numbers.to_numpy() if numeric else np.zeros(0)
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")
    whole = bool(numeric and (values == values.round()).all())
    return _Look(name, plain, filled.len(), filled.n_unique(), numeric, whole)
