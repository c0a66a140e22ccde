"""Charts of features and of what a model makes of them, as frozen values."""

from dataclasses import dataclass
from math import nan
from typing import TypeAlias

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import BaseChart
from assay.report.document.table import Column, Row, Table
from assay.report.document.values import INTEGER, PLAIN, SIGNED, Number


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A box plot on its side: quartiles, whiskers, and what lies beyond them."""

    label: str
    n: int
    low: float
    first: float
    median: float
    third: float
    high: float
    outliers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRows(BaseChart):
    """Box plots below each other on one axis; `limits` are values that matter, such as where values are truncated."""

    rows: tuple[BoxRow, ...]
    row_title: str = "Group"
    count_title: str = "Responses"
    """What a box is made of."""
    axis_title: str = ""
    limits: tuple[float, ...] = ()
    number: Number = PLAIN

    @property
    def table(self) -> Table:
        heads = ("Lower whisker", "First quartile", "Median", "Third quartile", "Upper whisker")
        columns = (
            Column(self.row_title),
            Column(self.count_title, "number", INTEGER),
            *(Column(head, "number", self.number) for head in heads),
        )
        rows: tuple[Row, ...] = tuple((r.label, r.n, r.low, r.first, r.median, r.third, r.high) for r in self.rows)
        return Table(self.name, self.title, columns, rows)


@dataclass(frozen=True, slots=True)
class SignedBar:
    """A row of bars from zero, one per series; NaN draws nothing."""

    label: str
    values: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedBars(BaseChart):
    """Bars from a zero line to either side."""

    bars: tuple[SignedBar, ...]
    series: tuple[str, ...] = ("Value",)
    row_title: str = "Feature"
    axis_title: str = ""
    number: Number = SIGNED

    def __post_init__(self) -> None:
        BaseChart.__post_init__(self)
        if len(self.series) > 3 or any(len(bar.values) != len(self.series) for bar in self.bars):
            raise InputError(f"chart {self.name!r}: each bar needs a value for each of at most three series")

    @property
    def table(self) -> Table:
        columns = (Column(self.row_title), *(Column(s, "number", self.number) for s in self.series))
        return Table(self.name, self.title, columns, tuple((bar.label, *bar.values) for bar in self.bars))


@dataclass(frozen=True, slots=True)
class Trace:
    """A line through estimates, one per place; None where there is none. A named one is labelled at its end."""

    label: str
    points: tuple[Estimate | None, ...]
    bold: bool = False
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlot(BaseChart):
    """Lines over places in order, such as the score points or the components."""

    places: tuple[str, ...]
    traces: tuple[Trace, ...]
    place_title: str = "Human score"
    axis_title: str = ""
    number: Number = PLAIN
    limit: float | None = None

    @property
    def table(self) -> Table:
        columns = (Column(self.place_title), *(Column(t.label, "estimate", self.number) for t in self.traces))
        rows = tuple((place, *(t.points[i] for t in self.traces)) for i, place in enumerate(self.places))
        return Table(self.name, self.title, columns, rows)


@dataclass(frozen=True, slots=True)
class SwarmDot:
    """One response: where it lies, and how high its feature is among all, from 0 (lowest) to 4 (highest)."""

    value: float
    level: int


@dataclass(frozen=True, slots=True)
class SwarmRow:
    """All responses for one feature; `mean` is the mean of the absolute values."""

    label: str
    dots: tuple[SwarmDot, ...]
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Swarm(BaseChart):
    """A dot per response and feature, heaped where they are many; the fuller, the higher the feature."""

    rows: tuple[SwarmRow, ...]
    axis_title: str = ""
    number: Number = SIGNED

    @property
    def table(self) -> Table:
        columns = (
            Column("Feature"),
            Column("Mean size", "number", Number(self.number.decimals)),
            Column("Lowest", "number", self.number),
            Column("Highest", "number", self.number),
        )
        return Table(self.name, self.title, columns, tuple((r.label, r.mean, r.low, r.high) for r in self.rows))


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """A part of a sum; `note` says what stands behind it."""

    label: str
    note: str
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall(BaseChart):
    """How parts lead from one value to another."""

    start: float
    start_label: str
    steps: tuple[WaterfallStep, ...]
    end_label: str
    axis_title: str = ""
    number: Number = PLAIN

    @property
    def end(self) -> float:
        return self.start + sum(step.change for step in self.steps)

    @property
    def table(self) -> Table:
        signed = Number(self.number.decimals, signed=True)
        columns = (
            Column("Part"),
            Column("Value of the feature"),
            Column("Share", "number", signed),
            Column("Score so far", "number", self.number),
        )
        rows: list[Row] = [(self.start_label, None, None, self.start)]
        reached = self.start
        for step in self.steps:
            reached += step.change
            rows.append((step.label, step.note, step.change, reached))
        return Table(self.name, self.title, columns, tuple(rows), foot=((self.end_label, None, None, self.end),))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMap(BaseChart):
    """A grid of signed values: shades of grey above zero, outlined and tinted below. `most` has the strongest shade."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    row_title: str = "Feature"
    column_title: str = "Feature"
    value_title: str = "Correlation"
    most: float = nan
    number: Number = SIGNED
    written: bool = True
    """Whether the values are written into the cells."""

    def __post_init__(self) -> None:
        BaseChart.__post_init__(self)
        if len(self.values) != len(self.rows) or any(len(row) != len(self.columns) for row in self.values):
            raise InputError(f"chart {self.name!r}: the values do not fit {len(self.rows)} by {len(self.columns)}")

    @property
    def table(self) -> Table:
        columns = (Column(self.row_title), *(Column(c, "number", self.number) for c in self.columns))
        rows: tuple[Row, ...] = tuple((label, *row) for label, row in zip(self.rows, self.values, strict=True))
        return Table(self.name, self.title, columns, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(BaseChart):
    """Points on two axes. `line` joins two places, such as where all points would lie if a model held."""

    points: tuple[tuple[float, float], ...]
    x_title: str
    y_title: str
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    zero: bool = False
    """Whether a line at y = 0 is drawn."""

    @property
    def table(self) -> Table:
        columns = (Column(self.x_title, "number"), Column(self.y_title, "number"))
        return Table(self.name, self.title, columns, self.points)


FeatureChart: TypeAlias = BoxRows | SignedBars | LinePlot | Swarm | Waterfall | ValueMap | Scatter
