"""A report before it has a format: plain frozen values that HTML, PDF and CSV are made from.

Nothing here is markup. Text is a string or a tuple of spans, a cell is a raw value, and the renderer alone
decides how it looks; so a label that reads `<script>` or `#panic()` stays a label everywhere.
All the parts can be imported from here.

>>> qwk = Estimate(0.76, 0.72, 0.79)
>>> agreement = Table(
...     name="agreement",
...     caption="Agreement of system and human score",
...     columns=(Column("Figure"), Column("Value", "estimate"), Column("Verdict", "verdict")),
...     rows=(("QWK", qwk, "met"), ("Pearson r", Estimate(reason="all human scores are equal"), None)),
... )
>>> report = Document(title="Evaluation", sections=(Section("Agreement", (Paragraph("Good."), agreement)),))
>>> [table.name for table in tables_of(report)]
['agreement']
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from typing import Literal, TypeAlias

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import (
    Bar,
    Bars,
    Breakdown,
    BreakdownRow,
    HeatMap,
    IntervalPlot,
    IntervalRow,
    Level,
    LevelPlot,
    PairedBars,
    PairOfBars,
    Series,
)
from assay.report.charts.feature_charts import FeatureChart
from assay.report.document.advice_list import AdviceItem, AdviceList
from assay.report.document.annotated_essay import AnnotatedEssay
from assay.report.document.overlay import Overlay
from assay.report.document.table import Cell, Column, Row, Table
from assay.report.document.values import (
    INTEGER,
    PERCENT,
    PLAIN,
    SIGNED,
    Band,
    Code,
    FormattedEstimate,
    Link,
    Number,
    Span,
    Spans,
    Strong,
    Verdict,
)

__all__ = [
    "INTEGER",
    "PERCENT",
    "PLAIN",
    "SIGNED",
    "AdviceItem",
    "AdviceList",
    "AnnotatedEssay",
    "Band",
    "Bar",
    "Bars",
    "Block",
    "Breakdown",
    "BreakdownRow",
    "Cell",
    "Chart",
    "Code",
    "Column",
    "Disclosure",
    "Document",
    "FormattedEstimate",
    "HeatMap",
    "IntervalPlot",
    "IntervalRow",
    "KeyFigure",
    "Level",
    "LevelPlot",
    "Link",
    "Note",
    "Number",
    "Overlay",
    "PairOfBars",
    "PairedBars",
    "Paragraph",
    "PlainBlock",
    "Row",
    "Section",
    "Series",
    "Span",
    "Spans",
    "Strong",
    "Subheading",
    "Table",
    "Verdict",
    "idle_words",
    "key_figures_table",
    "tables_of",
]

Chart: TypeAlias = IntervalPlot | PairedBars | HeatMap | LevelPlot | Breakdown | Bars | FeatureChart


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph. `quiet` is for what may be read second: sources, settings, provenance."""

    spans: Spans
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph set apart. A caution is something the reader must know before trusting the figures."""

    spans: Spans
    kind: Literal["note", "caution"] = "note"


@dataclass(frozen=True, slots=True)
class Subheading:
    """A heading within a section."""

    title: str


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Blocks behind a line that opens them; on paper they are open."""

    summary: str
    blocks: tuple["Block", ...]


PlainBlock: TypeAlias = Paragraph | Note | Subheading | Table | Chart | Overlay | Disclosure
"""What every format can set."""
Block: TypeAlias = PlainBlock | AnnotatedEssay | AdviceList


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered section of the report."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """One figure of the first screen: its value, its interval, where it should lie, and the verdict.

    `axis` is the stretch of values the small chart shows; chosen from the target and the interval if None.
    A verdict of None means that nothing could be judged: no target, or an undefined value; `remark` then stands in
    its place.
    """

    name: str
    note: str
    estimate: Estimate
    target: Band | None = None
    verdict: Verdict | None = None
    number: Number = PLAIN
    axis: tuple[float, float] | None = None
    remark: str = ""

    def __post_init__(self) -> None:
        if isnan(self.estimate.value) and self.verdict is not None:
            raise InputError(f"the figure {self.name!r} is undefined and cannot be {self.verdict!r}")
        if self.axis is not None and not self.axis[0] < self.axis[1]:
            raise InputError(f"the axis of the figure {self.name!r} is empty: put the lower end first")


FIGURES_NOTE = (
    "Value, then its 95\u00a0% interval. The band is where the figure should lie; the dotted line is the threshold."
)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report: what it is about, the verdict in one sentence, the key figures, the sections.

    The verdict opens with `verdict_lead`, set in bold. `figures_note` stands below the key figures.
    """

    title: str
    subtitle: str = ""
    verdict_lead: str = ""
    verdict_rest: str = ""
    key_figures: tuple[KeyFigure, ...] = ()
    figures_note: str = FIGURES_NOTE
    sections: tuple[Section, ...] = ()
    footer: str = ""


def idle_words(figure: KeyFigure) -> str:
    """What stands in place of a verdict."""
    return figure.remark or ("not judged" if figure.target else "no threshold")


def tables_of(document: Document) -> tuple[Table, ...]:
    """Every table of the report in reading order, those behind charts and disclosures too."""
    blocks = (block for section in document.sections for block in section.blocks)
    first = (key_figures_table(document),) if document.key_figures else ()
    return (*first, *_tables(blocks))


def _tables(blocks: Iterator[Block]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, Chart | AnnotatedEssay):
            yield block.table
        elif isinstance(block, Disclosure):
            yield from _tables(iter(block.blocks))


def key_figures_table(document: Document) -> Table:
    """The key figures with their targets as a table, for machines."""
    columns = (
        Column("Figure"),
        Column("Measure"),
        Column("Value", "estimate"),
        Column("Least", "number"),
        Column("Most", "number"),
        Column("Verdict", "verdict"),
    )
    rows = tuple((f.name, f.note, f.estimate, *_ends(f.target), f.verdict) for f in document.key_figures)
    return Table("key_figures", "Key figures", columns, rows)


def _ends(band: Band | None) -> tuple[float | None, float | None]:
    return (band.least, band.most) if band else (None, None)
