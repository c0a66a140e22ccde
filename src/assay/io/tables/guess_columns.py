"""Which column of a table of scores holds what: a guess from names and values, for a person to check."""

import re
from collections.abc import Callable
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
    return GuessedColumns(_only(id_), human, system, tuple(ordered), _only(candidate), _only(length))


def _only(names: tuple[str, ...]) -> str | None:
    return names[0] if names else None


def _look(frame: pl.DataFrame, name: str) -> _Look:
    text = text_column(frame, name).str.strip_chars()
    filled = text.filter(~text.str.to_lowercase().is_in(list(MISSING)).fill_null(True))
    numbers = filled.cast(pl.Float64, strict=False)
    numeric = filled.len() > 0 and numbers.null_count() == 0
    values = numbers.to_numpy() if numeric else np.zeros(0)
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")
    whole = bool(numeric and (values == values.round()).all())
    return _Look(name, plain, filled.len(), filled.n_unique(), numeric, whole)
