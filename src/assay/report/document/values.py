"""The parts a report is made of: text with emphasis, figures with intervals, bands, verdicts, tables, charts."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from typing import Any, Literal, Self, TypeAlias, get_args

from assay.errors import InputError
from assay.metrics.intervals import Estimate

Verdict: TypeAlias = Literal["met", "met, uncertain", "not met, uncertain", "not met"]
VERDICTS: tuple[str, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that carry the sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name as a machine knows it: a file, a column, a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to another file of the same result; on paper they are words."""

    text: str
    target: str
    """A relative address."""


Inline: TypeAlias = str | Strong | Code | Link
Spans: TypeAlias = str | tuple[Inline, ...]


def plain(spans: Spans) -> str:
    """The words alone.

    >>> plain(("read from ", Code("scores.csv")))
    'read from scores.csv'
    """
    return "".join(span if isinstance(span, str) else span.text for span in spans)


def spans_of(spans: Spans) -> tuple[Inline, ...]:
    """The same text, always as a tuple."""
    return (spans,) if isinstance(spans, str) else spans


@dataclass(frozen=True, slots=True)
class Number:
    """How a number is written. A percent is stored as a share (0.473) and shown as 47.3 %."""

    decimals: int = 2
    signed: bool = False
    percent: bool = False


PLAIN = Number()
SIGNED = Number(signed=True)
INTEGER = Number(decimals=0)
PERCENT = Number(decimals=1, percent=True)


class FormattedEstimate(Estimate):
    """A figure in other units than its column, such as a percentage among kappas: how it is written, beside it."""

    __slots__ = ("number",)
    number: Number | None
    """None: as its column is."""

    def __new__(
        cls, value: float = nan, low: float = nan, high: float = nan, reason: str = "", number: Number | None = None
    ) -> Self:
        estimate = super().__new__(cls, value, low, high, reason)
        object.__setattr__(estimate, "number", number)
        return estimate

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.low, self.high, self.reason, self.number)


@dataclass(frozen=True, slots=True)
class Band:
    """Where a figure should lie. An end that is None is open."""

    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if self.least is not None and self.most is not None and not self.least < self.most:
            raise InputError(f"band {self.least} to {self.most} is empty: put the lower end first")

    @property
    def ends(self) -> tuple[float, ...]:
        return tuple(end for end in (self.least, self.most) if end is not None)


Kind: TypeAlias = Literal["text", "number", "interval", "estimate", "verdict"]
CELL_TYPES: dict[Kind, tuple[type, ...]] = {
    "text": (str, tuple),
    "number": (int, float, Estimate),
    "interval": (Estimate,),
    "estimate": (Estimate,),
    "verdict": (str,),
}
Cell: TypeAlias = Spans | float | int | Estimate | None
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head and what its cells hold.

    text      words, perhaps with emphasis or code
    number    a number or an `Estimate`, of which the value is shown
    interval  an `Estimate`, of which low and high are shown
    estimate  an `Estimate`: the value, its interval below it
    verdict   one of the four verdicts

    None leaves any cell empty. `name` heads the column in CSV (made from the title if empty); `undefined` is
    the reason given for a NaN that brings none.
    """

    title: str
    kind: Kind = "text"
    number: Number = PLAIN
    name: str = ""
    undefined: str = "not defined for these responses"


Head: TypeAlias = Column | str | tuple[Any, ...]


def columns_of(*heads: Head) -> tuple[Column, ...]:
    """Columns from their heads: a title of words, a title and how its numbers are written, or what `Column` takes.

    >>> [column.kind for column in columns_of("Feature", ("Weight", PERCENT), ("QWK", "estimate"))]
    ['text', 'number', 'estimate']
    """
    columns = []
    for head in heads:
        match head:
            case Column():
                columns.append(head)
            case str():
                columns.append(Column(head))
            case (title, Number() as number):
                columns.append(Column(title, "number", number))
            case _:
                columns.append(Column(*head))
    return tuple(columns)


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `name` becomes its file name, `foot` its totals; the first column heads the rows."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    foot: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        for row in (*self.rows, *self.foot):
            if len(row) != len(self.columns):
                raise InputError(f"table {self.name!r}: {len(row)} cells for {len(self.columns)} columns: {row!r}")
            for column, cell in zip(self.columns, row, strict=True):
                fits = cell is None or isinstance(cell, CELL_TYPES[column.kind])
                if not fits or (column.kind == "verdict" and cell is not None and cell not in VERDICTS):
                    raise InputError(
                        f"table {self.name!r}, column {column.title!r}: {cell!r} is not a cell of kind {column.kind!r}"
                    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What every chart has: its table's file name, a title, what to see, and words for who cannot see it."""

    name: str
    title: str
    says: str
    alt: str

    def __post_init__(self) -> None:
        if not (self.title and self.says and self.alt):
            raise InputError(f"chart {self.name!r} needs a title, a sentence that says what to see, and an alt text")

    @property
    def table(self) -> Table:
        """The figures of the chart."""
        raise NotImplementedError

    def _tabled(self, rows: Iterable[Row], *heads: Head) -> Table:
        return Table(self.name, self.title, columns_of(*heads), tuple(rows))
