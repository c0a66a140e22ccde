"""Which column of a table of scores holds what: a guess from names and values, for a person to check."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.io.tables.columns import MISSING, text_column

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


Fits = Callable[[_Look], bool]


def guess_columns(frame: pl.DataFrame) -> GuessedColumns:
    """A guess from the first rows of a table.

    >>> frame = pl.DataFrame({"id": ["a", "b", "c"], "rater_1": [1, 2, 2], "engine": [1.2, 2.4, 1.9]})
    >>> guess_columns(frame).human, guess_columns(frame).system
    (('rater_1',), ('engine',))
    """
    looks = [_look(frame, name) for name in frame.columns if _is_flat(frame.schema[name])]
    used: set[str] = set()
    id_ = _first(looks, used, lambda c: bool(_ID.search(c.plain)) and c.distinct == c.filled == frame.height)
    candidate = _first(looks, used, lambda c: bool(_CANDIDATE.search(c.plain)) and not c.plain.endswith("score"))
    length = _first(looks, used, lambda c: bool(_LENGTH.search(c.plain)) and c.numeric)
    named_groups = _all(looks, used, lambda c: bool(_GROUP.search(c.plain)) and 2 <= c.distinct <= MOST_LEVELS)
    human = _all(looks, used, lambda c: c.numeric and bool(_HUMAN.search(c.plain)))
    system = _all(looks, used, lambda c: c.numeric and bool(_SYSTEM.search(c.plain)))
    id_ = id_ or _first(looks, used, lambda c: not c.numeric and c.distinct == c.filled == frame.height > 1)
    groups = _all(looks, used, lambda c: not c.numeric and 2 <= c.distinct <= min(MOST_LEVELS, c.filled / 2))
    if not human:
        human = _all(looks, used, lambda c: c.numeric and c.whole and 2 <= c.distinct <= MOST_POINTS)[:1]
        used -= {c.name for c in looks if c.numeric and c.name not in human and c.name not in system}
    if not system:
        system = _all(looks, used, lambda c: c.numeric and c.distinct > 1)[:1]
    ordered = [name for name in frame.columns if name in {*named_groups, *groups}]
    return GuessedColumns(id_, human, system, tuple(ordered), candidate, length)


def _is_flat(dtype: pl.DataType) -> bool:
    return not dtype.is_nested() and dtype != pl.Binary


def _look(frame: pl.DataFrame, name: str) -> _Look:
    text = text_column(frame, name).str.strip_chars()
    filled = text.filter(~text.str.to_lowercase().is_in(list(MISSING)).fill_null(True))
    numbers = filled.cast(pl.Float64, strict=False)
    numeric = filled.len() > 0 and numbers.null_count() == 0
    values = numbers.to_numpy() if numeric else np.zeros(0)
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")
    return _Look(
        name, plain, filled.len(), filled.n_unique(), numeric, bool(numeric and (values == values.round()).all())
    )


def _all(looks: Sequence[_Look], used: set[str], fits: Fits) -> tuple[str, ...]:
    found = tuple(c.name for c in looks if c.name not in used and fits(c))
    used.update(found)
    return found


def _first(looks: Sequence[_Look], used: set[str], fits: Fits) -> str | None:
    found = next((c.name for c in looks if c.name not in used and fits(c)), None)
    used.update({found} if found else ())
    return found
