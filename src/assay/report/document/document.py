"""A report before it has a format: plain frozen values that HTML, PDF and CSV are made from.

Nothing here is markup. Text is a string or a tuple of spans, a cell is a raw value, and the renderer alone
decides how it looks; so a label that reads `<script>` or `#panic()` stays a label everywhere.

>>> qwk = Estimate(0.76, 0.72, 0.79)
>>> agreement = Table(
...     name="agreement",
...     caption="Agreement of system and human score",
...     columns=columns_of("Figure", ("Value", "estimate"), ("Verdict", "verdict")),
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
from assay.report.document.board import Board
from assay.report.document.overlay import Overlay
from assay.report.document.values import INTEGER, PLAIN, Band, Chart, Number, Spans, Table, Verdict, columns_of


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


NoteKind: TypeAlias = Literal["grammar", "usage", "mechanics", "style"]


@dataclass(frozen=True, slots=True)
class EssayNote:
    """A numbered note; `words` are those it is about, `sure` says how often notes of its type are right."""

    number: int
    kind: NoteKind
    title: str
    words: str
    says: str
    instead: str = ""
    sure: str = ""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Letters that the same notes are about. `numbers` end here, and stand behind it."""

    text: str
    about: tuple[EssayNote, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Sentences with one discourse label. `key` labels carry the argument."""

    label: str
    pieces: tuple[TextPiece, ...]
    key: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class EssayParagraph:
    """A paragraph as written."""

    stretches: tuple[TextSpan, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedEssay:
    """The essay as written; `counts` is the key: how many notes of each kind."""

    title: str
    paragraphs: tuple[EssayParagraph, ...]
    notes: tuple[EssayNote, ...]
    counts: tuple[tuple[NoteKind, int], ...]
    prompt: str = ""

    @property
    def table(self) -> Table:
        """The notes, for machines and for paper."""
        heads = columns_of(("Note", INTEGER), "Kind", "What", "Words", "Instead", "Explanation")
        rows = tuple((n.number, n.kind, n.title, n.words, n.instead, n.says) for n in self.notes)
        return Table("notes", "Notes on the essay", heads, rows)


@dataclass(frozen=True, slots=True)
class QuotedExample:
    """Words of an essay with what stands around them, and what could stand there instead, or what to ask."""

    before: str
    words: str
    after: str
    instead: str = ""
    question: str = ""

    def line(self) -> str:
        """All of it in one line, the words in brackets."""
        marked = f"[{self.words}]" if self.before or self.after else self.words
        instead = f" → {self.instead}" if self.instead else ""
        return f"“{self.before}{marked}{self.after}”{instead}{f' {self.question}' if self.question else ''}"


@dataclass(frozen=True, slots=True)
class AdviceItem:
    """One entry. `notes` are numbers of notes it is about, `quotes` sentences."""

    title: str
    why: str
    do: str = ""
    notes: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    example: QuotedExample | None = None


@dataclass(frozen=True, slots=True)
class AdviceList:
    """Entries in order; numbered from `first` when the order matters."""

    items: tuple[AdviceItem, ...]
    numbered: bool = True
    first: int = 1


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

    The verdict opens with `verdict_lead`, set in bold; `cautions` stand below it, before any figure. `figures_note`
    stands below the key figures. A report about several judges has a `board` in place of key figures.
    """

    title: str
    subtitle: str = ""
    verdict_lead: str = ""
    verdict_rest: str = ""
    key_figures: tuple[KeyFigure, ...] = ()
    figures_note: str = FIGURES_NOTE
    sections: tuple[Section, ...] = ()
    footer: str = ""
    cautions: tuple[Spans, ...] = ()
    board: Board | None = None


def idle_words(figure: KeyFigure) -> str:
    """What stands in place of a verdict."""
    return figure.remark or ("not judged" if figure.target else "no threshold")


def tables_of(document: Document) -> tuple[Table, ...]:
    """Every table of the report in reading order, those behind charts and disclosures too."""
    blocks = (block for section in document.sections for block in section.blocks)
    first = (key_figures_table(document),) if document.key_figures else ()
    board = (document.board.table,) if document.board else ()
    return (*first, *board, *_tables(blocks))


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
    bounds = (("Least", PLAIN), ("Most", PLAIN))
    heads = columns_of("Figure", "Measure", ("Value", "estimate"), *bounds, ("Verdict", "verdict"))
    ends = [(f.target.least, f.target.most) if f.target else (None, None) for f in document.key_figures]
    rows = tuple((f.name, f.note, f.estimate, *e, f.verdict) for f, e in zip(document.key_figures, ends, strict=True))
    return Table("key_figures", "Key figures", heads, rows)
