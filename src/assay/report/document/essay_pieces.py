"""An essay cut where notes and discourse parts begin and end; joined again, the pieces are the essay as written."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from assay.essays.feedback.feedback import EssayFeedback
from assay.essays.feedback.notes import OutlinePart, WritingNote
from assay.report.document.annotated_essay import EssayNote, EssayParagraph, Kind, TextPiece, TextSpan
from assay.report.essays.words import certainty_hint, essay_note, label_words


def essay_paragraphs(feedback: EssayFeedback) -> tuple[EssayParagraph, ...]:
    """Paragraphs of stretches of pieces; every character of the essay is in one of them, in order."""
    notes = [(note, essay_note(note)) for note in feedback.notes]
    ends = _stretch_ends(feedback)
    spans = [(part, *span) for part, span in zip(feedback.outline, pairwise([0, *ends]), strict=True)]
    return tuple(
        _paragraph([*group], notes, feedback.text.raw) for _, group in groupby(spans, key=lambda s: s[0].paragraph)
    )


def _stretch_ends(feedback: EssayFeedback) -> list[int]:
    """Where each part ends: where the next begins, the last at the end of the essay."""
    return [*(part.place[0] for part in feedback.outline[1:]), *([len(feedback.text.raw)] if feedback.outline else [])]


Numbered = Sequence[tuple[WritingNote, EssayNote]]


def _paragraph(spans: Sequence[tuple[OutlinePart, int, int]], notes: Numbered, raw: str) -> EssayParagraph:
    start, end = spans[0][1], spans[-1][2]
    # notes come in the order of their first place, so those of a paragraph would be a slice; few essays are so long
    here = [(note, shown) for note, shown in notes if any(a < end and b >= start for a, b in note.places)]
    stretches = tuple(
        TextSpan(label_words(part), tuple(_pieces(raw, a, b, here)), part.is_key, certainty_hint(part))
        for part, a, b in spans
    )
    return EssayParagraph(stretches)


def _pieces(raw: str, start: int, end: int, notes: Numbered) -> Iterator[TextPiece]:
    """The text from start to end, cut at the ends of marks."""
    marks = [(a, b, shown) for note, shown in notes for a, b in note.places if a < end and b > start]
    cuts = sorted({start, end, *(min(max(cut, start), end) for a, b, _ in marks for cut in (a, b))})
    for a, b in pairwise(cuts):
        about = tuple(shown for first, last, shown in marks if first <= a and b <= last)
        numbers = tuple(shown.number for _, last, shown in marks if a < last <= b)
        yield TextPiece(raw[a:b], about, numbers)


def counts(feedback: EssayFeedback) -> tuple[tuple[Kind, int], ...]:
    """How many notes of each kind, those without any too."""
    kinds: tuple[Kind, ...] = ("grammar", "usage", "mechanics", "style")
    return tuple((kind, sum(note.category == kind for note in feedback.notes)) for kind in kinds)
