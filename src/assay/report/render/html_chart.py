"""Charts as HTML: words around drawings, so that they can be read, searched and wrapped."""

from assay.report.charts.drawing import Drawing, DrawnRow, DrawnRows, KeyEntry, RowValue
from assay.report.charts.figures import picture
from assay.report.document.document import Chart
from assay.report.document.printable import escaped
from assay.report.render.html_table import table_html
from assay.report.render.svg import px, svg


def chart_html(chart: Chart) -> str:
    """The chart: title, what to see, the drawing, and its figures behind a disclosure."""
    drawn = picture(chart)
    entries = "".join(_key_entry(entry) for entry in drawn.key)
    key = f'<p class="key small quiet">{entries}</p>' if entries else ""
    note = f'<p class="small quiet">{escaped(drawn.note)}</p>' if drawn.note else ""
    return (
        f"<figure><figcaption><h3>{escaped(chart.title)}</h3>"
        f'<p class="says">{escaped(chart.says)}</p></figcaption>'
        f"{key}{_body(drawn.body, chart)}{note}"
        f'<details class="figures"><summary>The figures as a table'
        f'<span class="vh">: {escaped(chart.title)}</span></summary>'
        f'<div class="inside">{table_html(chart.table)}</div></details></figure>'
    )


def _body(body: Drawing | DrawnRows, chart: Chart) -> str:
    if isinstance(body, Drawing):
        return _canvas(body, chart.alt, chart.title)
    rows = "".join(_drawn_row(row) for row in body.rows)
    axis = f'<div class="row axis"><span></span>{svg(body.axis)}<span></span></div>' if body.axis else ""
    return f'<p class="vh">{escaped(chart.alt)}</p><ul class="rows">{rows}</ul>{axis}'


def _canvas(drawing: Drawing, alt: str, title: str) -> str:
    padding = " ".join(px(side) for side in (drawing.top, drawing.right, drawing.bottom, drawing.left))
    widest = f";max-width:{px(drawing.widest)}" if drawing.widest else ""
    narrowest = f";min-width:{px(drawing.narrowest)}" if drawing.narrowest else ""
    canvas = f'<div class="canvas" style="padding:{padding}{widest}{narrowest}">{svg(drawing, alt=alt)}</div>'
    if not drawing.narrowest:
        return canvas
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escaped(title)}, chart">{canvas}</div>'


def _drawn_row(row: DrawnRow) -> str:
    note = f' <span class="sub">{escaped(row.note)}</span>' if row.note else ""
    tree = "" if row.indent is None else f' tree" style="padding-left:{px(20 * row.indent)}'
    name = f'<span class="name{tree}">{escaped(row.label)}{note}</span>'
    height = px(row.drawing.height or 36)
    plot = f'<div class="plot" style="min-height:{height}">{svg(row.drawing, stretch=True)}</div>'
    values = "".join(_row_value(value) for value in row.values)
    return f'<li class="row">{name}{plot}<span class="val">{values}</span></li>'


def _row_value(value: RowValue) -> str:
    mark = _sample(value.mark) if value.mark else ""
    below = f' <span class="sub">{escaped(value.below)}</span>' if value.below else ""
    undefined = ' class="na"' if value.text == "n/a" else ""
    return f"<span{undefined}>{mark}<b>{escaped(value.text)}</b>{below}</span>"


def _key_entry(entry: KeyEntry) -> str:
    return f"<span>{_sample(entry.mark)}{escaped(entry.label)}</span>"


def _sample(mark: str) -> str:
    """The mark itself, small, as the key to it."""
    shape = f'<rect class="{mark}" x="1" y="2" width="12" height="10"/>'
    if mark == "human":
        shape = '<path class="dot human" d="M7 1.500L12.500 7 7 12.500 1.500 7z"/>'
    elif mark in ("system", "neutral") or mark.startswith("level-"):
        shape = f'<circle class="dot {mark}" cx="7" cy="7" r="5"/>'
    return f'<svg class="chart sample" width="14" height="14" aria-hidden="true">{shape}</svg>'
