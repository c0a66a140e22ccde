"""A document as PDF, typeset by Typst from a fixed template.

The document goes in as JSON, never as markup: whatever a label holds, the template only ever sees a string.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib import resources
from typing import Any, TypeAlias

from assay.errors import MissingExtra
from assay.report.charts.drawing import Drawing, DrawnRows
from assay.report.charts.figures import board_scale, board_track, picture, track
from assay.report.document import document as doc
from assay.report.document.board import Board
from assay.report.document.overlay import Overlay
from assay.report.document.values import (
    Chart,
    Code,
    Inline,
    Link,
    Spans,
    Strong,
    Table,
    spans_of,
)
from assay.report.document.wording import below_text, printable, value_text
from assay.report.render.html_blocks import VERDICT_ICONS
from assay.report.render.overlay_svg import overlay_svg, role_sample
from assay.report.render.table_fit import FittedTable, fitted

Json: TypeAlias = dict[str, Any]  # JSON has no closer type

# the first that is installed is used; the last are part of Typst itself
SANS = ("Inter", "Source Sans 3", "Noto Sans", "Open Sans", "Liberation Sans", "Arial", "Helvetica", "DejaVu Sans")
OTHER_SCRIPTS = ("Noto Sans CJK SC", "Noto Sans Arabic", "Noto Color Emoji", "DejaVu Sans", "Libertinus Serif")
MONO = ("DejaVu Sans Mono",)
LINE, TALLEST_OVERLAY = 504.0, 172.0
"""The width of the page between its margins, and the height a picture may have on it; in pt."""

BREAK = "\u200b"
LONG_WORD = re.compile(r"[^\s\u200b]{19,}")
AFTER_MARK = re.compile(r"(?<=[_\-./\\:,;=&?])(?=[^_\-./\\:,;=&?])")
UNBROKEN = re.compile(r"[^\u200b]{13,}")


def to_pdf(document: doc.Document) -> bytes:
    """The document as the bytes of a PDF file, A4 with numbered pages; the same document gives the same bytes."""
    try:
        import typst  # noqa: PLC0415  # optional, and 50 MB that no other command needs
    except ImportError as missing:
        raise MissingExtra("The PDF report", "pdf") from missing
    template = resources.files("assay.report.render").joinpath("report.typ").read_bytes()
    icons = {word: {"style": style, "svg": icon} for word, (style, icon) in VERDICT_ICONS.items()}
    installed = set(typst.Fonts().families())
    sans = next((name for name in SANS if name in installed), "Libertinus Serif")
    others = [name for name in OTHER_SCRIPTS if name in installed and name != sans]
    ours = {"icons": icons, "sans": [sans, *others], "mono": [*MONO, *others]}
    report = json.dumps({**_fit_to_print(document_json(document)), **ours})
    pdf: bytes = typst.compile(template, sys_inputs={"report": report})
    return pdf


class Verbatim(str):
    """Text that is no prose and is passed on as it is: a drawing."""

    __slots__ = ()


def _fit_to_print(value: Any) -> Any:  # any JSON in, the same shape out
    """Every string made printable, with places to break in words too long for a line."""
    if isinstance(value, Verbatim):
        return value
    if isinstance(value, str):
        return LONG_WORD.sub(_with_breaks, printable(value))
    if isinstance(value, dict):
        return {key: _fit_to_print(item) for key, item in value.items()}
    return [_fit_to_print(item) for item in value] if isinstance(value, (list, tuple)) else value


def _with_breaks(word: re.Match[str]) -> str:
    """A long word with places to break: after its marks, and where there are none every eight letters."""
    return UNBROKEN.sub(_every_eighth, AFTER_MARK.sub(BREAK, word[0]))


def _every_eighth(piece: re.Match[str]) -> str:
    return BREAK.join(piece[0][i : i + 8] for i in range(0, len(piece[0]), 8))


def document_json(document: doc.Document) -> Json:
    """The document as the template reads it: everything worded, every drawing laid out."""
    return {
        "title": document.title,
        "subtitle": document.subtitle,
        "lead": document.verdict_lead,
        "rest": document.verdict_rest,
        "cautions": [{"is": "note", "kind": "caution", "spans": _spans(spans)} for spans in document.cautions],
        "board": _board(document.board) if document.board else None,
        "figures": [_figure(figure) for figure in document.key_figures],
        "figures_note": document.figures_note,
        "sections": [
            {"title": s.title, "blocks": [_block(b) for b in plain_blocks(s.blocks)]} for s in document.sections
        ],
        "footer": document.footer,
    }


def plain_blocks(blocks: Iterable[doc.Block]) -> Iterator[doc.PlainBlock]:
    """The same blocks, essays and advice laid out plainly."""
    for block in blocks:
        if isinstance(block, doc.AnnotatedEssay):
            for paragraph in block.paragraphs:  # labels in front of what they name, numbers of notes behind
                spans: list[Inline] = []
                for stretch in paragraph.stretches:
                    spans.append(Strong(f"[{stretch.label}] "))
                    for piece in stretch.pieces:
                        numbers = "".join(f"[{number}]" for number in piece.numbers)
                        spans += [piece.text, *([Strong(numbers)] if numbers else [])]
                yield doc.Paragraph(tuple(spans))
            yield block.table
        elif isinstance(block, doc.AdviceList):
            for number, item in enumerate(block.items, start=block.first):
                end = "" if item.title.endswith("?") else "."
                title = f"{number}. {item.title}{end} " if block.numbered else f"{item.title} "
                notes = f" (notes {', '.join(map(str, item.notes))})" if item.notes else ""
                example = [item.example.line()] if item.example else []
                said = " ".join(part for part in [item.why, *example, item.do] if part)
                yield doc.Paragraph((Strong(title), said + notes))
        else:
            yield block


def _figure(figure: doc.KeyFigure) -> Json:
    return {
        "name": figure.name,
        "note": figure.note,
        "value": value_text(figure.estimate, figure.number),
        "below": below_text(figure.estimate, figure.number),
        "verdict": figure.verdict,
        "idle": doc.idle_words(figure),
        "drawing": _drawing(track(figure)),
    }


def _board(board: Board) -> Json:
    rows = [
        {
            **asdict(row),
            "value": value_text(row.estimate, board.number),
            "interval": below_text(row.estimate, board.number),
            "drawing": _drawing(board_track(board, row)),
        }
        for row in board.rows
    ]
    keys = ("heads", "second_title", "note")
    return {key: getattr(board, key) for key in keys} | {"rows": rows, "axis": _drawing(board_scale(board))}


def _block(block: doc.PlainBlock) -> Json:
    if isinstance(block, doc.Paragraph):
        return {"is": "text", "spans": _spans(block.spans), "quiet": block.quiet}
    if isinstance(block, doc.Note):
        return {"is": "note", "spans": _spans(block.spans), "kind": block.kind}
    if isinstance(block, doc.Subheading):
        return {"is": "subheading", "title": block.title}
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Overlay):
        return _overlay(block)
    if isinstance(block, doc.Disclosure):
        return {"is": "disclosure", "summary": block.summary, "blocks": [_block(b) for b in plain_blocks(block.blocks)]}
    return _chart(block)


def _spans(spans: Spans) -> list[list[str]]:
    kinds = {Strong: "strong", Code: "code", Link: "plain"}
    return [["plain", s] if isinstance(s, str) else [kinds[type(s)], s.text] for s in spans_of(spans)]


def _table(table: Table) -> Json:
    return {"is": "table", "caption": table.caption, "parts": [_part(part) for part in fitted(table)]}


def _part(table: FittedTable) -> Json:
    rows = [[{**asdict(cell), "text": _spans(cell.text)} for cell in row] for row in table.rows]
    body = len(rows) - table.foot
    columns = [asdict(column) for column in table.columns]
    look = {"size": table.size, "beside": table.beside}
    return {"columns": columns, "rows": rows[:body], "foot": rows[body:], **look}


def _chart(chart: Chart) -> Json:
    drawn = picture(chart)
    if isinstance(drawn.body, DrawnRows):
        rows = [{**asdict(row), "drawing": _drawing(row.drawing)} for row in drawn.body.rows]
        body: Json = {"rows": rows, "axis": _drawing(drawn.body.axis) if drawn.body.axis else None}
    else:
        body = _drawing(drawn.body)
    return {
        "is": "chart",
        "title": chart.title,
        "says": chart.says,
        "alt": chart.alt,
        "key": [asdict(entry) for entry in drawn.key],
        "note": drawn.note,
        "body": body,
    }


def _overlay(overlay: Overlay) -> Json:
    """The picture as a drawing of its own, its numbers set by the template; widths in pt."""
    ratio = overlay.width / overlay.height
    width = min(LINE, TALLEST_OVERLAY * ratio)
    return {
        "is": "overlay",
        "title": overlay.title,
        "says": overlay.says,
        "alt": overlay.alt,
        "key": [{"svg": Verbatim(role_sample(role)), "label": words} for role, words in overlay.key],
        "width": width,
        "height": width / ratio,
        "svg": Verbatim(overlay_svg(overlay, pixel=0.75 * overlay.width / width)),
        "pins": [asdict(pin) for pin in overlay.pins],
    }


def _drawing(drawing: Drawing) -> Json:
    shapes = [{"is": type(shape).__name__.lower(), **asdict(shape)} for shape in drawing.shapes]
    return {**asdict(drawing), "shapes": shapes}
