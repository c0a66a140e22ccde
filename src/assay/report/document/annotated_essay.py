"""An essay with its notes: paragraphs, the discourse label of each stretch, marks with numbers, notes beside them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from assay.report.document.table import Column, Table
from assay.report.document.values import INTEGER

Kind: TypeAlias = Literal["grammar", "usage", "mechanics", "style"]


@dataclass(frozen=True, slots=True)
class EssayNote:
    """A numbered note; `words` are those it is about, `sure` says how often notes of its type are right."""

    number: int
    kind: Kind
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
    counts: tuple[tuple[Kind, int], ...]
    prompt: str = ""

    @property
    def table(self) -> Table:
        """The notes, for machines and for paper."""
        columns = (
            Column("Note", "number", INTEGER),
            Column("Kind"),
            Column("What"),
            Column("Words"),
            Column("Instead"),
            Column("Explanation"),
        )
        rows = tuple((n.number, n.kind, n.title, n.words, n.instead, n.says) for n in self.notes)
        return Table("notes", "Notes on the essay", columns, rows)
