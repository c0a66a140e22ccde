"""What a benchmark shows: words, tables and figures with what was promised of them, printed as they come and kept."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import IntEnum
from importlib.metadata import version
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.curves import Point
from benchmarks.measure import Cost

RECORDED = Path(__file__).resolve().parent / "recorded"
VERSIONS = ("numpy", "scipy", "polars", "spacy", "shapely", "scikit-learn", "distributed")


class Effort(IntEnum):
    """How much a benchmark measures: enough to see that it runs, in seconds, or for the page."""

    TINY = 0
    QUICK = 1
    WHOLE = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A number a run found, and what it was promised to be at least or at most."""

    name: str
    found: float
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool:
        return (self.least is None or self.found >= self.least) and (self.most is None or self.found <= self.most)

    @property
    def promise(self) -> str:
        if self.least is not None:
            return f"at least {plain(self.least)}"
        return "" if self.most is None else f"at most {plain(self.most)}"

    def worse_than(self, other: "Figure") -> float:
        """How many times worse than another of the same name; below 1 it is better."""
        return self.found / other.found if self.most is not None else other.found / self.found


@dataclass(slots=True)
class Page:
    """The part of the page that one benchmark fills."""

    effort: Effort = Effort.WHOLE
    peers: bool = True
    """Whether other tools are measured too."""
    lines: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    curve: list[Point] = field(default_factory=list)
    """What sizes cost, for a picture."""
    curve_of: str = ""

    def say(self, *paragraphs: str) -> None:
        for words in paragraphs:
            self._show(fill(words, 120, break_on_hyphens=False), "")

    def heading(self, words: str) -> None:
        self._show(f"### {words}", "")

    def table(self, *heads: str) -> None:
        """Begin a table; its rows follow."""
        self._show(_row(heads), _row(["---"] * len(heads)))

    def row(self, *cells: object) -> None:
        self._show(_row(["" if cell is None else str(cell) for cell in cells]))

    def end(self) -> None:
        """End a table."""
        self._show("")

    def figure(self, name: str, found: float, *, least: float | None = None, most: float | None = None) -> None:
        """A figure, judged at the end of the part."""
        self.figures.append(Figure(name, found, least, most))

    def grown(self, of: str, size: int, cost: Cost) -> None:
        """A point of the growth curve: what so many `of` cost."""
        self.curve_of = of
        self.curve.append(Point(size, cost.cpu, cost.peak / 1e6))

    def _show(self, *lines: str) -> None:
        self.lines += lines
        print("\n".join(lines), flush=True)


@dataclass(frozen=True, slots=True)
class Record:
    """What a benchmark found, when, and on what machine."""

    markdown: str
    figures: tuple[Figure, ...]
    made: str
    machine: str
    versions: dict[str, str]
    curve_of: str = ""
    curve: tuple[Point, ...] = ()

    @classmethod
    def of(cls, page: Page) -> "Record":
        shown = "\n".join(page.lines).strip()
        return cls(shown, tuple(page.figures), _now(), _machine(), _versions(), page.curve_of, tuple(page.curve))

    def joined(self, other: "Record") -> "Record":
        """Both, as of the later."""
        return replace(other, figures=(*self.figures, *other.figures))

    def write(self, name: str) -> None:
        RECORDED.mkdir(exist_ok=True)
        (RECORDED / f"{name}.json").write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", "utf-8")

    @classmethod
    def read(cls, name: str) -> "Record | None":
        """The last one of that name, if there is any."""
        path = RECORDED / f"{name}.json"
        if not path.exists():
            return None
        kept: dict[str, Any] = json.loads(path.read_text("utf-8"))
        figures, curve = (tuple(Figure(**f) for f in kept["figures"]), tuple(Point(**p) for p in kept["curve"]))
        return cls(**{**kept, "figures": figures, "curve": curve})


def judged(figures: Sequence[Figure]) -> list[str]:
    """Each promise as a row: kept or not."""
    promised = [figure for figure in figures if figure.promise]
    if not promised:
        return []
    rows = [_row([f.name, f.promise, plain(f.found), "kept" if f.kept else "**not kept**"]) for f in promised]
    return [_row(["promised", "", "found", ""]), _row(["---"] * 4), *rows]


def plain(number: float) -> str:
    """Three digits that count, without a power of ten."""
    if number == 0 or not 1e-4 <= abs(number) < 1e15:
        return f"{number:.0e}" if number else "0"
    digits = max(0, 2 - int(f"{number:e}".partition("e")[2]))
    text = f"{number:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _now() -> str:
    return datetime.now(UTC).strftime("%-d %B %Y")


def _machine() -> str:
    """Processor and how busy the machine was; nothing that tells whose it is."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        named = [
            line.partition(":")[2].strip() for line in cpus.read_text("utf-8").splitlines() if "model name" in line
        ]
        model = named[0] if named else model
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} processors ({model}){load}, Python {platform.python_version()}, {sys.platform}"


def _versions() -> dict[str, str]:
    return {name: version(name) for name in VERSIONS}
