"""Text, verdicts, tables and charts as HTML; everything that came from outside is escaped here."""

from urllib.parse import quote

from assay.report.charts.drawing import Dot, Drawing, DrawnRow, Label, Line, Shape
from assay.report.charts.figures import board_scale, board_track, picture
from assay.report.document.board import Board, BoardRow
from assay.report.document.values import Chart, Column, Link, Row, Spans, Strong, Table, Verdict
from assay.report.document.wording import below_text, escaped, shown, value_text

# circle with tick, half-filled circle, triangle, circle with cross: told apart without colour
_OUTLINE = 'fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"'
_CIRCLE = f'<circle cx="8" cy="8" r="7" {_OUTLINE}/>'
VERDICT_ICONS: dict[str, tuple[str, str]] = {
    "met": ("met", f'{_CIRCLE}<path d="M4.8 8.200l2.200 2.200 4.200-4.600" {_OUTLINE}/>'),
    "met, uncertain": ("unsure", f'{_CIRCLE}<path d="M8 1a7 7 0 0 1 0 14z" fill="currentColor"/>'),
    "not met, uncertain": (
        "doubt",
        f'<path d="M8 1.300L15 14H1z" {_OUTLINE}/><path d="M8 6v3.800M8 12v.1" {_OUTLINE}/>',
    ),
    "not met": ("not", f'{_CIRCLE}<path d="M5.500 5.500l5 5M10.500 5.500l-5 5" {_OUTLINE}/>'),
}


def spans_html(spans: Spans) -> str:
    """Text with its emphasis."""
    pieces = []
    for span in (spans,) if isinstance(spans, str) else spans:
        if isinstance(span, Link):
            pieces.append(f'<a href="{escaped(quote(span.target))}">{escaped(span.text)}</a>')
        elif isinstance(span, str):
            pieces.append(escaped(span))
        else:
            tag = "strong" if isinstance(span, Strong) else "code"
            pieces.append(f"<{tag}>{escaped(span.text)}</{tag}>")
    return "".join(pieces)


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
    aligned = [' class="n"' if c.kind in ("number", "interval", "estimate") else "" for c in table.columns]
    heads = "".join(
        f'<th scope="col"{align}>{escaped(column.title)}</th>'
        for align, column in zip(aligned, table.columns, strict=True)
    )
    body, foot = ([_row(table.columns, aligned, row) for row in rows] for rows in (table.rows, table.foot))
    lines, last = "\n".join(body), f"<tfoot>{''.join(foot)}</tfoot>" if foot else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(table.caption)}"><table>'
        f"<caption>{escaped(table.caption)}</caption><thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{lines}\n</tbody>{last}</table></div>"
    )


def _row(columns: tuple[Column, ...], aligned: list[str], row: Row) -> str:
    cells = []
    for column, cell in zip(columns, row, strict=True):
        what = shown(column, cell)
        below = f'<span class="sub">{escaped(what.below)}</span>'
        if what.verdict is not None:
            cells.append(verdict_html(what.verdict))
        elif what.undefined:
            cells.append(f'<span class="na">n/a{below}</span>')
        else:
            cells.append(f"{spans_html(what.text)}{f' {below}' if what.below else ''}")
    rest = "".join(f"<td{align}>{cell}</td>" for align, cell in zip(aligned[1:], cells[1:], strict=True))
    return f'<tr><th scope="row"{aligned[0]}>{cells[0]}</th>{rest}</tr>'


def svg(drawing: Drawing, *, alt: str = "", stretch: bool = False) -> str:
    """The drawing as an `<svg>` element. Without an alt text it is decoration: words beside it say the same.

    A stretched one fills the element around it, whatever its height.
    """
    shapes = "".join(_shape(shape) for shape in drawing.shapes)
    role = f'role="img" aria-label="{escaped(alt)}"' if alt else 'aria-hidden="true"'
    height = "aspect-ratio:1" if drawing.height is None else f"height:{drawing.height:g}px"
    size = "" if stretch else f' style="{height}"'
    return f'<svg class="chart" {role}{size}>{shapes}</svg>'


def _shape(shape: Shape) -> str:
    if isinstance(shape, Dot):
        return _dot(shape)
    if isinstance(shape, Label):
        return _label(shape)
    if isinstance(shape, Line):
        ends = {"x1": shape.x1, "y1": shape.y1, "x2": shape.x2, "y2": shape.y2}
        return f'<line class="{shape.style}" {" ".join(f"{name}={_share(v)}" for name, v in ends.items())}/>'
    sides = {"x": shape.x, "y": shape.y, "width": shape.width, "height": shape.height}
    corner = ' rx="4"' if shape.style.startswith("cell") and "small-cell" not in shape.style else ""
    return f'<rect class="{shape.style}" {" ".join(f"{name}={_share(v)}" for name, v in sides.items())}{corner}/>'


def _dot(dot: Dot) -> str:
    if dot.shape == "circle":
        return f'<circle class="dot {dot.style}" cx={_share(dot.x)} cy={_share(dot.y)} r="{dot.radius:g}"/>'
    # a path knows no per cent, so it sits at the origin of an inner canvas that is placed in per cent
    r = dot.radius + 0.5
    path = f'<path class="dot {dot.style}" d="M0 {-r:g}L{r:g} 0 0 {r:g} {-r:g} 0z"/>'
    return f'<svg x={_share(dot.x)} y={_share(dot.y)} overflow="visible">{path}</svg>'


def _label(label: Label) -> str:
    style = f"{label.style} spare" if label.spare else label.style
    moved = "".join(f' {name}="{by:g}"' for name, by in (("dx", label.dx), ("dy", label.dy)) if by)
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    place = f"x={_share(label.x)} y={_share(label.y)}"
    return f'<text class="{style}" {place}{moved}{anchor}>{escaped(label.text)}</text>'


def _share(share: float) -> str:
    return f'"{round(100 * share, 2):g}%"'


def chart_html(chart: Chart) -> str:
    """The chart: title, what to see, the drawing, and its figures behind a disclosure."""
    drawn = picture(chart)
    entries = "".join(f"<span>{_sample(entry.mark)}{escaped(entry.label)}</span>" for entry in drawn.key)
    key = f'<p class="key small quiet">{entries}</p>' if entries else ""
    note = f'<p class="small quiet">{escaped(drawn.note)}</p>' if drawn.note else ""
    if isinstance(drawn.body, Drawing):
        body = _canvas(drawn.body, chart.alt, chart.title)
    else:
        rows, below = "".join(_drawn_row(row) for row in drawn.body.rows), drawn.body.axis
        axis = f'<div class="row axis"><span></span>{svg(below)}<span></span></div>' if below else ""
        body = f'<p class="vh">{escaped(chart.alt)}</p><ul class="rows">{rows}</ul>{axis}'
    return (
        f"<figure><figcaption><h3>{escaped(chart.title)}</h3>"
        f'<p class="says">{escaped(chart.says)}</p></figcaption>'
        f"{key}{body}{note}"
        f'<details class="figures"><summary>The figures as a table'
        f'<span class="vh">: {escaped(chart.title)}</span></summary>'
        f'<div class="inside">{table_html(chart.table)}</div></details></figure>'
    )


def _canvas(drawing: Drawing, alt: str, title: str) -> str:
    padding = " ".join(f"{side:g}px" for side in (drawing.top, drawing.right, drawing.bottom, drawing.left))
    widest = f";max-width:{drawing.widest:g}px" if drawing.widest else ""
    narrowest = f";min-width:{drawing.narrowest:g}px" if drawing.narrowest else ""
    canvas = f'<div class="canvas" style="padding:{padding}{widest}{narrowest}">{svg(drawing, alt=alt)}</div>'
    if not drawing.narrowest:
        return canvas
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(title)}, chart">{canvas}</div>'


def _drawn_row(row: DrawnRow) -> str:
    note = f' <span class="sub">{escaped(row.note)}</span>' if row.note else ""
    tree = "" if row.indent is None else f' tree" style="padding-left:{20 * row.indent}px'
    values = []
    for value in row.values:
        mark = _sample(value.mark) if value.mark else ""
        below = f' <span class="sub">{escaped(value.below)}</span>' if value.below else ""
        undefined = ' class="na"' if value.text == "n/a" else ""
        values.append(f"<span{undefined}>{mark}<b>{escaped(value.text)}</b>{below}</span>")
    return (
        f'<li class="row"><span class="name{tree}">{escaped(row.label)}{note}</span>'
        f'<div class="plot" style="min-height:{row.drawing.height or 36:g}px">{svg(row.drawing, stretch=True)}</div>'
        f'<span class="val">{"".join(values)}</span></li>'
    )


def _sample(mark: str) -> str:
    """The mark itself, small, as the key to it."""
    shape = f'<rect class="{mark}" x="1" y="2" width="12" height="10"/>'
    if mark == "human":
        shape = '<path class="dot human" d="M7 1.500L12.500 7 7 12.500 1.500 7z"/>'
    elif mark in ("system", "neutral") or mark.startswith("level-"):
        shape = f'<circle class="dot {mark}" cx="7" cy="7" r="5"/>'
    return f'<svg class="chart sample" width="14" height="14" aria-hidden="true">{shape}</svg>'


def board_html(board: Board) -> str:
    """The board, its note, and its figures behind a disclosure."""
    heads = "".join(f"<span>{escaped(head)}</span>" for head in board.heads)
    rows = "\n".join(_board_row(board, row) for row in board.rows)
    note = f'<p class="small quiet">{escaped(board.note)}</p>' if board.note else ""
    return (
        f'<div class="board"><div class="jrow hd" aria-hidden="true">{heads}</div>\n'
        f'<ul aria-label="{escaped(board.title)}">\n{rows}\n</ul>\n'
        f'<div class="jrow ax" aria-hidden="true"><span></span><span></span>'
        f'<div class="track">{svg(board_scale(board))}</div></div></div>{note}'
        f'<details class="figures"><summary>The figures as a table</summary>'
        f'<div class="inside">{table_html(board.table)}</div></details>'
    )


def _board_row(board: Board, row: BoardRow) -> str:
    value, below = (words(row.estimate, board.number) for words in (value_text, below_text))
    undefined = " na" if value == "n/a" else ""
    squares = ""
    if row.count is not None and row.count[1] <= 20:
        marks = "".join('<i class="on"></i>' if i < row.count[0] else "<i></i>" for i in range(row.count[1]))
        squares = f'<span class="pips" aria-hidden="true">{marks}</span>'
    verdict = verdict_html(row.verdict) if row.verdict else f'<span class="v idle">{escaped(row.remark)}</span>'
    second = ""
    if row.second:
        second = f'<span class="sub">{escaped(board.second_title)}: {escaped(row.second)}</span>'
    return (
        f'<li class="jrow {row.mark}"><div class="nm"><b>{escaped(row.name)}</b>'
        f'<span class="sub">{escaped(row.note)}</span></div>'
        f'<div class="val{undefined}"><b>{value}</b> <span class="sub">{escaped(below)}</span></div>'
        f'<div class="track">{svg(board_track(board, row))}</div>'
        f'<div class="wr"><b>{escaped(row.detail)}</b> {squares}<span class="sub">{escaped(row.below)}</span></div>'
        f'<div class="ch">{verdict}{second}</div></li>'
    )
