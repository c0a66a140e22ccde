"""A drawing before it has a format: marks placed by shares of width and height, sizes and offsets in px.

One layout serves both the SVG of a page and the PDF, because neither text nor dots scale with the width.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Anchor: TypeAlias = Literal["start", "middle", "end"]


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
