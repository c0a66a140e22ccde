"""Text, verdicts and tables as HTML; everything that came from outside is escaped here."""

from urllib.parse import quote

from assay.report.document.printable import escaped
from assay.report.document.table import Cell, Column, Row, Table
from assay.report.document.values import Code, Link, Span, Spans, Strong, Verdict, spans_of
from assay.report.document.wording import shown

# circle with tick, half-filled circle, triangle, circle with cross: told apart without colour
_OUTLINE = 'fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"'
_CIRCLE = f'<circle cx="8" cy="8" r="7" {_OUTLINE}/>'
VERDICT_ICONS: dict[str, tuple[str, str]] = {
    "met": ("met", f'{_CIRCLE}<path d="M4.8 8.200l2.200 2.200 4.200-4.600" {_OUTLINE}/>'),
    "met, not certain": ("unsure", f'{_CIRCLE}<path d="M8 1a7 7 0 0 1 0 14z" fill="currentColor"/>'),
    "not met, not certain": (
        "doubt",
        f'<path d="M8 1.300L15 14H1z" {_OUTLINE}/><path d="M8 6v3.800M8 12v.1" {_OUTLINE}/>',
    ),
    "not met": ("not", f'{_CIRCLE}<path d="M5.500 5.500l5 5M10.500 5.500l-5 5" {_OUTLINE}/>'),
}


def spans_html(spans: Spans) -> str:
    """Text with its emphasis."""
    return "".join(_span(span) for span in spans_of(spans))


def _span(span: Span) -> str:
    if isinstance(span, Link):
        return f'<a href="{escaped(quote(span.target))}">{escaped(span.text)}</a>'
    if isinstance(span, Strong):
        return f"<strong>{escaped(span.text)}</strong>"
    return f"<code>{escaped(span.text)}</code>" if isinstance(span, Code) else escaped(span)


def verdict_html(verdict: Verdict) -> str:
    """Icon, word and colour."""
    style, icon = VERDICT_ICONS[verdict]
    return (
        f'<span class="v {style}">'
        f'<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">{icon}</svg>'
        f"{verdict}</span>"
    )


def table_html(table: Table) -> str:
    """The table in a region that scrolls by itself when the page is too narrow for it."""
    heads = "".join(f'<th scope="col"{_align(c)}>{escaped(c.title)}</th>' for c in table.columns)
    body = "\n".join(_row(table.columns, row) for row in table.rows)
    foot = f"<tfoot>{''.join(_row(table.columns, row) for row in table.foot)}</tfoot>" if table.foot else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(table.caption)}"><table>'
        f"<caption>{escaped(table.caption)}</caption><thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>{foot}</table></div>"
    )


def _align(column: Column) -> str:
    return ' class="n"' if column.kind in ("number", "interval", "estimate") else ""


def _row(columns: tuple[Column, ...], row: Row) -> str:
    head, *cells = (_cell(column, cell) for column, cell in zip(columns, row, strict=True))
    rest = "".join(f"<td{_align(c)}>{cell}</td>" for c, cell in zip(columns[1:], cells, strict=True))
    return f'<tr><th scope="row"{_align(columns[0])}>{head}</th>{rest}</tr>'


def _cell(column: Column, cell: Cell) -> str:
    what = shown(column, cell)
    if what.verdict is not None:
        return verdict_html(what.verdict)
    text = spans_html(what.text)
    if what.undefined:
        return f'<span class="na">n/a<span class="sub">{escaped(what.below)}</span></span>'
    return f'{text} <span class="sub">{escaped(what.below)}</span>' if what.below else text
