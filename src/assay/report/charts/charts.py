"""Charts as frozen values: what is shown, the sentence above it, an alt text, the table of the figures."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.document.values import INTEGER, PERCENT, PLAIN, SIGNED, Band, Chart, Number, Table

Mark: TypeAlias = Literal["system", "human", "neutral"]
LOSS = Number(decimals=1, signed=True)
INDENT = "\u2003"


@dataclass(frozen=True, slots=True)
class Series:
    """One of several figures per row, with the mark it is drawn with."""

    label: str
    mark: Mark = "system"


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """One row: a label, the number of responses behind it, one estimate per series (None: not measured)."""

    label: str
    estimates: tuple[Estimate | None, ...]
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalPlot(Chart):
    """Estimates with their intervals, one row each, on one axis.

    `band` is where they should lie, `zero` draws the zero line, `axis` fixes the stretch of values shown.
    `axis_title` says in words what is measured, `row_title` what the rows are.
    """

    rows: tuple[IntervalRow, ...]
    series: tuple[Series, ...] = (Series("Value"),)
    row_title: str = "Group"
    axis_title: str = ""
    number: Number = PLAIN
    band: Band | None = None
    zero: bool = False
    axis: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        # slots make a new class, which a bare super() no longer knows
        Chart.__post_init__(self)
        if any(len(row.estimates) != len(self.series) for row in self.rows):
            raise InputError(
                f"chart {self.name!r}: each row needs one estimate for each of the {len(self.series)} series"
            )

    @property
    def table(self) -> Table:
        figures = [(s.label, "estimate", self.number) for s in self.series]
        if all(row.n is None for row in self.rows):
            return self._tabled(((r.label, *r.estimates) for r in self.rows), self.row_title, *figures)
        rows = ((r.label, r.n, *r.estimates) for r in self.rows)
        return self._tabled(rows, self.row_title, ("Responses", INTEGER), *figures)


@dataclass(frozen=True, slots=True)
class Level:
    """The estimate at one score level, and the responses behind it."""

    label: str
    estimate: Estimate
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelPlot(Chart):
    """An estimate at each level of the scale around a zero line, such as the bias at each human score."""

    levels: tuple[Level, ...]
    level_title: str = "Human score"
    axis_title: str = "System minus human"
    number: Number = SIGNED
    band: Band | None = None

    @property
    def table(self) -> Table:
        rows = ((v.label, v.n, v.estimate) for v in self.levels)
        figure = (self.axis_title, "estimate", self.number)
        return self._tabled(rows, self.level_title, ("Responses", INTEGER), figure)


@dataclass(frozen=True, slots=True)
class PairOfBars:
    """How many responses people and the system gave one score point."""

    label: str
    human: int
    system: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedBars(Chart):
    """The human and the system distribution, score point by score point, as shares of all responses."""

    points: tuple[PairOfBars, ...]
    point_title: str = "Score"
    human_title: str = "human"
    system_title: str = "system"

    @property
    def shares(self) -> tuple[tuple[float, float], ...]:
        """Per score point the share of human and of system scores; zero where there is none at all."""
        human, system = max(1, sum(p.human for p in self.points)), max(1, sum(p.system for p in self.points))
        return tuple((p.human / human, p.system / system) for p in self.points)

    @property
    def table(self) -> Table:
        raters = (self.human_title, self.system_title)
        figures = (("Responses", INTEGER), ("Share", PERCENT))
        heads = [(f"{figure}, {rater}", number) for figure, number in figures for rater in raters]
        rows = ((p.label, p.human, p.system, *s) for p, s in zip(self.points, self.shares, strict=True))
        return self._tabled(rows, self.point_title, *heads)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap(Chart):
    """Responses for each human score (rows) and system score (columns).

    The diagonal is agreement; scores at most `near` levels off it are adjacent, the others far. `columns` heads the
    columns where the levels are too long for it; `key` names the diagonal and the rest where levels are no scores.
    """

    levels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    row_title: str = "Human score"
    column_title: str = "System score"
    near: int = 1
    columns: tuple[str, ...] = ()
    key: tuple[str, str] | None = None
    count_title: str = "Responses"

    def __post_init__(self) -> None:
        Chart.__post_init__(self)
        size = len(self.levels)
        if len(self.counts) != size or any(len(row) != size for row in self.counts):
            raise InputError(f"chart {self.name!r}: {size} levels need {size} rows of {size} counts")

    @property
    def table(self) -> Table:
        """The pairs of scores that occur. Long: 61 levels make 3721 cells, nearly all of them zero."""
        rows = (
            (human, system, count)
            for human, counts in zip(self.levels, self.counts, strict=True)
            for system, count in zip(self.levels, counts, strict=True)
            if count
        )
        return self._tabled(rows, self.row_title, self.column_title, (self.count_title, INTEGER))


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
class Breakdown(Chart):
    """Parts laid end to end, so that the eye can add them up to the total."""

    rows: tuple[BreakdownRow, ...]
    most: float = 100.0
    axis_title: str = "Points of the overall score"

    @property
    def table(self) -> Table:
        rows = ((INDENT * r.depth + r.label, r.note, r.points) for r in self.rows)
        return self._tabled(rows, "Part", "Reached and weight", ("Points", LOSS))


@dataclass(frozen=True, slots=True)
class Bar:
    """A thing and how often it occurs."""

    label: str
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Chart):
    """How often each of a few things occurs."""

    bars: tuple[Bar, ...]
    bar_title: str = "Kind"
    count_title: str = "Count"
    note: str = ""

    @property
    def table(self) -> Table:
        rows = ((bar.label, bar.count) for bar in self.bars)
        return self._tabled(rows, self.bar_title, (self.count_title, INTEGER))
