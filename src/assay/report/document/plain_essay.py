"""An annotated essay and lists of advice as paragraphs and tables, for formats that set nothing else."""

from collections.abc import Iterable, Iterator

from assay.report.document.advice_list import AdviceList
from assay.report.document.annotated_essay import AnnotatedEssay, EssayParagraph
from assay.report.document.document import Block, Paragraph, PlainBlock
from assay.report.document.values import Span, Strong


def plain_blocks(blocks: Iterable[Block]) -> Iterator[PlainBlock]:
    """The same blocks, essays and advice laid out plainly."""
    for block in blocks:
        if isinstance(block, AnnotatedEssay):
            yield from (Paragraph(_spans(paragraph)) for paragraph in block.paragraphs)
            yield block.table
        elif isinstance(block, AdviceList):
            yield from _advice(block)
        else:
            yield block


def _spans(paragraph: EssayParagraph) -> tuple[Span, ...]:
    """Labels in front of what they name, numbers of notes in brackets behind."""
    spans: list[Span] = []
    for stretch in paragraph.stretches:
        spans.append(Strong(f"[{stretch.label}] "))
        for piece in stretch.pieces:
            numbers = "".join(f"[{number}]" for number in piece.numbers)
            spans += [piece.text, *([Strong(numbers)] if numbers else [])]
    return tuple(spans)


def _advice(advice: AdviceList) -> Iterator[Paragraph]:
    for number, item in enumerate(advice.items, start=advice.first):
        title = f"{number}. {item.title}. " if advice.numbered else f"{item.title} "
        notes = f" (notes {', '.join(map(str, item.notes))})" if item.notes else ""
        yield Paragraph((Strong(title), " ".join([item.why, item.do]).strip() + notes))
