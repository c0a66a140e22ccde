"""A leaderboard: one row for each judge on one axis, with the band that people make on it."""

from dataclasses import dataclass
from typing import Literal

from assay.metrics.intervals import Estimate
from assay.report.document.values import PLAIN, Band, Column, Number, Table, Verdict


@dataclass(frozen=True, slots=True)
class BoardRow:
    """Who, the figure with its interval, what was tested, and the verdict.

    `count` is how many of how many, drawn as filled and empty squares. `dots` are single values on the same axis.
    Without a verdict, `remark` stands in its place; `second` is the verdict under other conditions.
    """

    name: str
    note: str
    estimate: Estimate
    detail: str = ""
    below: str = ""
    count: tuple[int, int] | None = None
    dots: tuple[float, ...] = ()
    verdict: Verdict | None = None
    second: Verdict | None = None
    remark: str = ""
    mark: Literal["system", "human"] = "system"


@dataclass(frozen=True, slots=True)
class Board:
    """Rows on one axis. `band` is where people lie, `line` their figure; `second_title` is when `second` holds."""

    title: str
    heads: tuple[str, str, str, str, str]
    """Of the name, the figure, the axis, what was tested, the verdict."""
    rows: tuple[BoardRow, ...]
    band: Band | None = None
    line: float | None = None
    line_label: str = ""
    second_title: str = ""
    note: str = ""
    number: Number = PLAIN

    @property
    def table(self) -> Table:
        """The figures of the board."""
        seconds = (Column(self.second_title, "verdict"),) if self.second_title else ()
        columns = (
            Column(self.heads[0]),
            Column(self.heads[1], "estimate", self.number),
            Column(self.heads[3]),
            Column(self.heads[4], "verdict"),
            *seconds,
        )
        rows = tuple(
            (
                *(row.name, row.estimate, ", ".join(part for part in (row.detail, row.below) if part), row.verdict),
                *((row.second,) if self.second_title else ()),
            )
            for row in self.rows
        )
        return Table("board", self.title, columns, rows)
