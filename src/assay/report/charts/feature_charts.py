"""Charts of features and of what a model makes of them, as frozen values."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import nan

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.document.values import INTEGER, PLAIN, SIGNED, Chart, Number, Row, Table, columns_of


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
class BoxRows(Chart):
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
        rows = ((r.label, r.n, r.low, r.first, r.median, r.third, r.high) for r in self.rows)
        return self._tabled(rows, self.row_title, (self.count_title, INTEGER), *((head, self.number) for head in heads))


@dataclass(frozen=True, slots=True)
class SignedBar:
    """A row of bars from zero, one per series; NaN draws nothing."""

    label: str
    values: tuple[float, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedBars(Chart):
    """Bars from a zero line to either side."""

    bars: tuple[SignedBar, ...]
    series: tuple[str, ...] = ("Value",)
    row_title: str = "Feature"
    axis_title: str = ""
    number: Number = SIGNED

    def __post_init__(self) -> None:
        Chart.__post_init__(self)
        if len(self.series) > 3 or any(len(bar.values) != len(self.series) for bar in self.bars):
            raise InputError(f"chart {self.name!r}: each bar needs a value for each of at most three series")

    @property
    def table(self) -> Table:
        rows: Iterator[Row] = ((bar.label, *bar.values) for bar in self.bars)
        return self._tabled(rows, self.row_title, *((series, self.number) for series in self.series))


@dataclass(frozen=True, slots=True)
class Trace:
    """A line through estimates, one per place; None where there is none. A named one is labelled at its end."""

    label: str
    points: tuple[Estimate | None, ...]
    bold: bool = False
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlot(Chart):
    """Lines over places in order, such as the score points or the components."""

    places: tuple[str, ...]
    traces: tuple[Trace, ...]
    place_title: str = "Human score"
    axis_title: str = ""
    number: Number = PLAIN
    limit: float | None = None

    @property
    def table(self) -> Table:
        rows = ((place, *(t.points[i] for t in self.traces)) for i, place in enumerate(self.places))
        return self._tabled(rows, self.place_title, *((t.label, "estimate", self.number) for t in self.traces))


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
class Swarm(Chart):
    """A dot per response and feature, heaped where they are many; the fuller, the higher the feature."""

    rows: tuple[SwarmRow, ...]
    axis_title: str = ""
    number: Number = SIGNED

    @property
    def table(self) -> Table:
        heads = (("Mean size", Number(self.number.decimals)), ("Lowest", self.number), ("Highest", self.number))
        return self._tabled(((r.label, r.mean, r.low, r.high) for r in self.rows), "Feature", *heads)


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """A part of a sum; `note` says what stands behind it."""

    label: str
    note: str
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall(Chart):
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
        columns = columns_of("Part", "Value of the feature", ("Share", signed), ("Score so far", self.number))
        reached = [*accumulate((step.change for step in self.steps), initial=self.start)][1:]
        rows = ((step.label, step.note, step.change, end) for step, end in zip(self.steps, reached, strict=True))
        first, last = (self.start_label, None, None, self.start), (self.end_label, None, None, self.end)
        return Table(self.name, self.title, columns, (first, *rows), foot=(last,))


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMap(Chart):
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
    compact: bool = False
    """Whether cells are narrow, so that more columns fit: values below 1 without their zero."""

    def __post_init__(self) -> None:
        Chart.__post_init__(self)
        if len(self.values) != len(self.rows) or any(len(row) != len(self.columns) for row in self.values):
            raise InputError(f"chart {self.name!r}: the values do not fit {len(self.rows)} by {len(self.columns)}")

    @property
    def table(self) -> Table:
        rows: Iterator[Row] = ((label, *row) for label, row in zip(self.rows, self.values, strict=True))
        return self._tabled(rows, self.row_title, *((column, self.number) for column in self.columns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Chart):
    """Points on two axes. `line` joins two places, such as where all points would lie if a model held."""

    points: tuple[tuple[float, float], ...]
    x_title: str
    y_title: str
    line: tuple[tuple[float, float], tuple[float, float]] | None = None
    zero: bool = False
    """Whether a line at y = 0 is drawn."""

    @property
    def table(self) -> Table:
        return self._tabled(self.points, (self.x_title, PLAIN), (self.y_title, PLAIN))
