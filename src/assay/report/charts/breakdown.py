"""Two charts of bars from zero: how a score adds up, and how often things occur."""

from dataclasses import dataclass
from typing import Literal

from assay.report.charts.charts import BaseChart
from assay.report.charts.drawing import Drawing, DrawnRow, DrawnRows, Label, Line, Picture, Rect, RowValue, Shape
from assay.report.document.table import Column, Row, Table
from assay.report.document.values import INTEGER, Number
from assay.report.document.wording import number_text

POINTS = Number(decimals=1)
LOSS = Number(decimals=1, signed=True)
INDENT = "\u2003"


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """A part: from where to where it reaches on the axis of points. A loss reaches back.

    `note` says what was reached and its weight: "82.1 x 0.50". `depth` is its place in the tree.
    """

    label: str
    note: str
    start: float
    end: float
    depth: int = 0
    kind: Literal["whole", "part", "piece"] = "part"

    @property
    def points(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown(BaseChart):
    """Parts laid end to end, so that the eye can add them up to the total."""

    rows: tuple[BreakdownRow, ...]
    most: float = 100.0
    axis_title: str = "Points of the overall score"

    @property
    def table(self) -> Table:
        columns = (Column("Part"), Column("Reached and weight"), Column("Points", "number", LOSS))
        rows = tuple((INDENT * r.depth + r.label, r.note, r.points) for r in self.rows)
        return Table(self.name, self.title, columns, rows)


@dataclass(frozen=True, slots=True)
class Bar:
    """A thing and how often it occurs."""

    label: str
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(BaseChart):
    """How often each of a few things occurs."""

    bars: tuple[Bar, ...]
    bar_title: str = "Kind"
    count_title: str = "Count"
    note: str = ""

    @property
    def table(self) -> Table:
        columns = (Column(self.bar_title), Column(self.count_title, "number", INTEGER))
        rows: tuple[Row, ...] = tuple((bar.label, bar.count) for bar in self.bars)
        return Table(self.name, self.title, columns, rows)


def breakdown_picture(chart: Breakdown) -> Picture:
    """One row per part on the axis of points."""
    rows = tuple(_row(chart, row) for row in chart.rows)
    ticks = (0, 25, 50, 75, 100)
    labels = tuple(Label(t / 100, 0, number_text(t * chart.most / 100, Number(0)), dy=16) for t in ticks)
    return Picture(DrawnRows(rows, Drawing(labels, 24)), note=f"{chart.axis_title}.")


def _row(chart: Breakdown, row: BreakdownRow) -> DrawnRow:
    low, high = sorted((row.start / chart.most, row.end / chart.most))
    style = "loss" if row.points < 0 else row.kind
    bar = Rect(low, 0.28, max(high - low, 0.002), 0.44, f"bar {style}")
    grid: list[Shape] = [Line(t, 0, t, 1, "base") for t in (0.0, 0.25, 0.5, 0.75, 1.0)]
    number = LOSS if row.points < 0 else POINTS
    value = RowValue(number_text(row.points, number))
    return DrawnRow(row.label, row.note, Drawing((*grid, bar), 44), (value,), indent=row.depth)


def counts_picture(chart: Bars) -> Picture:
    """One row per thing, the longest bar as wide as the chart."""
    most = max((bar.count for bar in chart.bars), default=0) or 1
    rows = tuple(
        DrawnRow(
            bar.label,
            bar.note,
            Drawing((Line(0, 0, 0, 1, "zero"), Rect(0, 0.26, bar.count / most, 0.48, "bar part")), 32),
            (RowValue(number_text(bar.count, INTEGER)),),
        )
        for bar in chart.bars
    )
    return Picture(DrawnRows(rows), note=chart.note)
