"""A table of scores -> `Ratings`, whole or part by part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import Field, InputError, Message
from assay.evaluation.ratings import NO_INFO, Codes, GroupColumn, Ratings
from assay.io.tables.columns import number_column, text_column
from assay.io.tables.tables import TableSource, check_unique_ids, open_table, require_columns
from assay.scale import ScoreScale

WHOLE_BYTES = 16 * 2**20
"""Files up to this size are read once and kept; larger ones are streamed, once for each thing to find out first.

Streaming costs no more time than reading at once, and Parquet takes some ten times its size in memory.
"""

PART_ROWS = 100_000
"""Responses are judged this many at a time, read at once or not: what one part needs fits the processor's cache."""

MOST_GROUPS = 200
"""A group column with more values than this is taken for a mistake: an id, a date, a score."""

Numbers = NDArray[np.float64]
RowSlice = tuple[int, int]
"""A first row, counted from 0, and a number of rows."""


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """Which column holds what; names as in the file."""

    human: tuple[str, ...]
    system: tuple[str, ...]
    id: str | None = None
    groups: tuple[str, ...] = ()
    """A name, or several joined by `*` for their intersection."""
    weights: str | None = None
    length: str | None = None
    candidate: str | None = None
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column -> the values a response must have to be used."""

    def by_field(self) -> list[tuple[str, str]]:
        """Every column that must exist, after the argument that asks for it."""
        columns = [("human", self.human[0]), *(("second_human", name) for name in self.human[1:])]
        columns += [("system", name) for name in self.system]
        singles = {"id": self.id, "weights": self.weights, "length": self.length, "candidate": self.candidate}
        columns += [(field, name) for field, name in singles.items() if name is not None]
        return columns + [("flag", name) for name in self.flags]


class RatingsTable:
    """A table of scores, checked and ready to be read in parts."""

    def __init__(
        self,
        table: Path | pl.DataFrame,
        columns: ScoreColumns,
        *,
        whole: bool = False,
        check_ids: bool = True,
        levels: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """`levels`: the groups of each column, where they were found before."""
        self.source: TableSource = open_table(table)
        self.columns = columns
        self._grouped = {  # a column whose own name holds a star is that column
            name: (name,) if name in self.source.columns else tuple(part.strip() for part in name.split("*"))
            for name in columns.groups
        }
        by_field = columns.by_field() + [("groups", c) for parts in self._grouped.values() for c in parts]
        require_columns(self.source, by_field)
        names = [name for _, name in by_field]
        needed = list(dict.fromkeys(names))
        # ids are long and seldom looked at: when the table is streamed they are read on their own
        self._judged = [c for c in needed if c != columns.id or names.count(c) > 1]
        self._whole = whole
        size = sum(part.stat().st_size for part in self.source.parts)
        self._frame = self.source.frame(needed) if whole or size <= WHOLE_BYTES else None
        if self._frame is not None and self._frame.height == 0:
            remedy = "Give a table with a row per response."
            raise InputError("a header but no rows", source=self.source.name, remedy=remedy)
        if columns.id and check_ids:
            check_unique_ids(self.source, columns.id)
        if levels is not None:
            self.levels = levels

    def spans(self, rows: int) -> list[RowSlice] | None:
        """First row and number of rows of each stretch of a large table; None for one that is read from its start."""
        if self._frame is not None or not self.source.sliceable:
            return None
        count = self.source.row_count
        return [(first, min(rows, count - first)) for first in range(0, count, rows)]

    @property
    def known_count(self) -> int | None:
        """How many responses there are, where it takes no reading to know."""
        if self._frame is not None:
            return self._frame.height
        return self.source.row_count if self.source.sliceable else None

    @cached_property
    def human_values(self) -> Numbers:
        """The distinct human scores of all raters, finite ones, ascending: what a scale can be guessed from."""
        values = np.zeros(0)
        for first_row, frame in self._frames(self.columns.human):
            for argument, column in self.columns.by_field()[: len(self.columns.human)]:
                values = np.union1d(values, self._numbers(frame, column, argument, first_row))
        return values[np.isfinite(values)]

    @cached_property
    def unscored(self) -> Mapping[str, int]:
        """How many responses each engine gave no score."""
        missing = dict.fromkeys(self.columns.system, 0)
        for first_row, frame in self._frames(self.columns.system):
            for column in missing:
                missing[column] += int(np.isnan(self._numbers(frame, column, "system", first_row)).sum())
        return missing

    @cached_property
    def group_levels(self) -> Mapping[str, tuple[str, ...]]:
        """The groups of each column, sorted; responses without a value are a group of their own."""
        levels = {}
        for name, parts in self._grouped.items():
            levels[name] = tuple(" × ".join(names) for names in product(*(self.levels[c] for c in parts)))
            if len(levels[name]) > MOST_GROUPS:
                problem = f"{name!r} has {len(levels[name])} groups, more than {MOST_GROUPS}"
                remedy = ("Choose ", Field("groups"), " with fewer values, or bring them together first.")
                raise InputError(problem, source=self.source.name, field="groups", remedy=remedy)
        return levels

    def parts(
        self, system: str | None = None, *, scale: ScoreScale | None, zeros_count: bool, span: RowSlice | None = None
    ) -> Iterator[Ratings]:
        """The ratings in file order, all or those of a span; with a scale, every human score must lie on it.

        With several engines only responses scored by all of them have a system score, so that engines are compared on
        the same responses.
        """
        system = system or self.columns.system[0]
        for first_row, frame in self._frames(self._judged, span):
            fields = ["human", *["second_human"] * (len(self.columns.human) - 1)]
            by_rater = [self._numbers(frame, c, f, first_row) for c, f in zip(self.columns.human, fields, strict=True)]
            human = np.column_stack(by_rater)
            if scale is not None:
                self._check_on_scale(human, scale, first_row, zeros_count=zeros_count)
            engines = {c: self._numbers(frame, c, "system", first_row) for c in self.columns.system}
            # one that is missing rules a response out for all; then one that is infinite
            worst = np.maximum.reduce([np.where(np.isnan(s), 2, np.isinf(s)) for s in engines.values()])
            weights = self._optional(frame, self.columns.weights, "weights", first_row)
            self._check_weights(weights, first_row)
            yield Ratings(
                human=human,
                system=np.choose(worst.astype(np.int64), [engines[system], np.inf, np.nan]),
                groups=tuple(self._group(frame, name) for name in self._grouped),
                weights=weights,
                length=self._optional(frame, self.columns.length, "length", first_row),
                candidate=_numbered(text_column(frame, self.columns.candidate)) if self.columns.candidate else None,
                flagged=self._flagged(frame) if self.columns.flags else None,
                first_row=first_row - self.source.first_row,
            )

    def response_ids(self, span: RowSlice | None = None) -> Iterator[pl.Series]:
        """The id of each response, part by part as `parts`; its row number without an id column."""
        for first_row, frame in self._frames([self.columns.id or self.columns.human[0]], span):
            if self.columns.id:
                yield text_column(frame, self.columns.id)
            else:
                yield pl.int_range(first_row, first_row + frame.height, eager=True).cast(pl.String)

    def _frames(self, columns: Sequence[str], span: RowSlice | None = None) -> Iterator[tuple[int, pl.DataFrame]]:
        """Some columns part by part, each with the row number a user gives its first row; asked whole, in one part."""
        row = self.source.first_row + (span[0] if span else 0)
        if self._frame is None:
            frames = self.source.batches(columns, rows=PART_ROWS, span=span)
        else:
            frames = iter([self._frame]) if self._whole else self._frame.iter_slices(PART_ROWS)
        for frame in frames:
            yield row, frame
            row += frame.height

    def _numbers(self, frame: pl.DataFrame, column: str, field: str, first_row: int) -> Numbers:
        return number_column(frame, column, source=self.source.name, field=field, first_row=first_row)

    def _optional(self, frame: pl.DataFrame, column: str | None, field: str, first_row: int) -> Numbers | None:
        return None if column is None else self._numbers(frame, column, field, first_row)

    def _group(self, frame: pl.DataFrame, name: str) -> GroupColumn:
        codes: Codes = np.zeros(frame.height, dtype=np.int64)
        for column in self._grouped[name]:
            levels = self.levels[column]
            text = text_column(frame, column).fill_null(NO_INFO)
            codes = codes * len(levels) + text.cast(pl.Enum(levels)).to_physical().to_numpy()
        return GroupColumn(name, self.group_levels[name], codes)

    @cached_property
    def levels(self) -> Mapping[str, tuple[str, ...]]:
        """The values of each column that makes groups, sorted."""
        levels: dict[str, tuple[str, ...]] = {}
        for column in (column for parts in self._grouped.values() for column in parts):
            if self._frame is not None:
                values = text_column(self._frame, column).unique().to_list()
            else:
                distinct = self.source.distinct(column, most=MOST_GROUPS)
                values = [f"{v:.17g}".removesuffix(".0") if isinstance(v, float) else v for v in distinct]
            levels[column] = tuple(sorted({value or NO_INFO for value in values}))
        return levels

    def _flagged(self, frame: pl.DataFrame) -> NDArray[np.bool_]:
        used = np.ones(frame.height, dtype=np.bool_)
        for column, allowed in self.columns.flags.items():
            used &= text_column(frame, column).is_in(list(allowed)).fill_null(False).to_numpy()
        return ~used

    def _check_weights(self, weights: Numbers | None, first_row: int) -> None:
        if weights is None or not (weights < 0).any():
            return
        first = int(np.argmax(weights < 0))
        where = {"source": self.source.name, "column": self.columns.weights or "", "field": "weights"}
        remedy = "Give each response a weight of 0 or more; leave the cell empty where it has none."
        raise InputError(f"the weight {weights[first]:g} is negative", row=first_row + first, remedy=remedy, **where)

    def _check_on_scale(self, human: Numbers, scale: ScoreScale, first_row: int, *, zeros_count: bool) -> None:
        judged = np.isfinite(human) & ((human != 0) | zeros_count)
        strays = np.argwhere(judged & ~scale.holds(human))
        if not len(strays):
            return
        row, rater = strays[0]
        score = human[row, rater]
        # a part knows nothing of the others
        all_seen = self._frame is not None and len(human) == self._frame.height
        remedy: Message = ("Correct the score, or declare a scale that holds it with ", Field("scale"), ".")
        if scale.lowest <= score <= scale.highest:
            example = f" {scale.lowest:g}-{scale.highest:g}:0.5, for example."
            averages = " If it is an average of raters, name their own columns, and the average as "
            remedy = ("Declare the step of the scale: ", Field("scale"), example, averages, Field("reference"), ".")
        count = f"({len(strays)} such {'in all' if all_seen else 'so far'})"
        place = {"source": self.source.name, "column": self.columns.human[rater], "field": "scale"}
        problem = f"{score:g} is not a point of the scale {scale} {count}"
        raise InputError(problem, row=int(first_row + row), remedy=remedy, **place)


def _numbered(names: pl.Series) -> Codes:
    """A number for each candidate that depends on the name alone, so that parts and machines agree."""
    distinct = names.unique()
    numbers = [int.from_bytes(blake2b(str(name).encode(), digest_size=8).digest()) >> 1 for name in distinct]
    return names.replace_strict(distinct, pl.Series(numbers, dtype=pl.Int64)).to_numpy()
