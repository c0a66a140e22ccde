"""A drawing before it has a format: marks placed by shares of width and height, sizes and offsets in px; and its axis.

One layout serves both the SVG of a page and the PDF, because neither text nor dots scale with the width.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Literal, TypeAlias

from assay.report.document.values import Band, Number
from assay.report.document.wording import number_text

Anchor: TypeAlias = Literal["start", "middle", "end"]
MOST_ROWS = 15  # beyond that many score points, bars stand side by side and cells lose their numbers


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled box; x, y, width and height are shares of the drawing."""

    x: float
    y: float
    width: float
    height: float
    style: str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between two places."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A round or square-on-its-corner mark with a radius in px."""

    x: float
    y: float
    radius: float
    style: str
    shape: Literal["circle", "diamond"] = "circle"


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place, moved by `dx` and `dy` px. `spare` ones go when the page is narrow."""

    x: float
    y: float
    text: str
    style: str = "tick"
    anchor: Anchor = "middle"
    dx: float = 0
    dy: float = 0
    spare: bool = False


Shape: TypeAlias = Rect | Line | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a canvas as wide as the page allows. A height of None makes the canvas square.

    Margins in px leave room for labels; `widest` and `narrowest` in px bound the whole.
    """

    shapes: tuple[Shape, ...]
    height: float | None
    left: float = 0
    right: float = 0
    top: float = 0
    bottom: float = 0
    widest: float | None = None
    narrowest: float | None = None


@dataclass(frozen=True, slots=True)
class RowValue:
    """A figure at the end of a row, with the mark it is drawn with, if there are several."""

    text: str
    below: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of a chart: words, a drawing, and figures. In a tree `indent` says how deep it lies."""

    label: str
    note: str
    drawing: Drawing
    values: tuple[RowValue, ...]
    indent: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnRows:
    """A chart made of rows on one axis; `axis` is drawn below them."""

    rows: tuple[DrawnRow, ...]
    axis: Drawing | None = None


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A mark and what it stands for."""

    mark: str
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart ready to be rendered: its drawing, a key where marks need one, a line about its axis."""

    body: Drawing | DrawnRows
    key: tuple[KeyEntry, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """The values a chart shows, lowest to highest."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Where a value lies, as a share of the axis, kept on it."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def ticks(self, about: int = 4) -> tuple[float, ...]:
        """Round values on the axis, some `about` of them.

        >>> Axis(-1.4, 1.4).ticks()
        (-1.0, -0.5, 0.0, 0.5, 1.0)
        >>> Axis(0.5, 1.0).ticks()
        (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
        """
        step = round_step((self.high - self.low) / about)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return tuple(round(i * step, 10) + 0.0 for i in range(first, last + 1))


def round_step(rough: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `rough`."""
    power: float = 10.0 ** floor(log10(rough))
    return max((f * power for f in (1, 2, 5) if f * power <= rough * 1.0001), default=power)


def axis_around(values: Iterable[float], band: Band | None, *, zero: bool = False) -> Axis:
    """An axis with room for all finite values and the band.

    Around zero it is symmetric, so that too high and too low look alike. Shares and agreements run up to 1, so
    that the reader sees how much is left.
    """
    known = [value for value in values if isfinite(value)]
    ends = list(band.ends) if band else []
    if zero or (len(ends) == 2 and ends[0] < 0 < ends[1]):
        room = 3 if len(ends) == 2 else 2
        reach = max([1.15 * abs(v) for v in known] + [room * abs(end) for end in ends], default=0.0) or 1.0
        return Axis(-reach, reach)
    low, high = min(known + ends, default=0.0), max(known + ends, default=1.0)
    margin = 0.15 * (high - low) or 0.5 * abs(high) or 0.5
    if all(0 <= v <= 1 for v in known + ends):  # a share or an agreement: its natural end is 1
        start = floor(max(0.0, min(low - margin, 0.5 if ends else low - margin)) * 10) / 10
        return Axis(start, 1.0)
    return Axis(low - margin, high + margin)


def axis_drawing(axis: Axis, number: Number) -> Drawing:
    """Round values in a row, written with no more decimals than they need; every second goes on a narrow page."""
    ticks = axis.ticks()
    decimals = 0 if number.percent else max(decimals_of(t) for t in ticks)
    written = Number(min(number.decimals, decimals), number.signed, number.percent)
    labels = tuple(Label(axis.place(t), 0, number_text(t, written), dy=16) for t in ticks)
    return Drawing(tuple(Label(m.x, 0, m.text, dy=16, spare=i % 2 == 1) for i, m in enumerate(labels)), 24)


def decimals_of(value: float) -> int:
    """How many decimals a round value needs.

    >>> decimals_of(0.25), decimals_of(3.0)
    (2, 0)
    """
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])


def axis_ticks(labels: list[str], dy: float) -> tuple[Label, ...]:
    """Labels below equal columns, few enough to be read; every second goes when the page is narrow."""
    count = len(labels)
    step = -(-count // MOST_ROWS)
    step = step if step <= 2 else -(-step // 5) * 5  # every 5th, 10th: easier to count on than every 4th
    labeled = range(0, count, step)
    many = len(labeled) > 8
    return tuple(
        Label((i + 0.5) / count, 1, labels[i], dy=dy, spare=many and place % 2 == 1) for place, i in enumerate(labeled)
    )
