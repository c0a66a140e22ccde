"""A table of raw values, and what each column makes of them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.document.values import PLAIN, VERDICTS, Number, Spans

Kind: TypeAlias = Literal["text", "number", "interval", "estimate", "verdict"]
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
                if not _fits(column.kind, cell):
                    raise InputError(
                        f"table {self.name!r}, column {column.title!r}: {cell!r} is not a cell of kind {column.kind!r}"
                    )


def _fits(kind: Kind, cell: Cell) -> bool:
    if cell is None:
        return True
    if kind == "text":
        return isinstance(cell, (str, tuple))
    if kind == "verdict":
        return isinstance(cell, str) and cell in VERDICTS
    if kind == "number":
        return isinstance(cell, (int, float, Estimate))
    return isinstance(cell, Estimate)
