"""Charts of a page: drawings as SVG, with their rows, keys and tables."""

from assay.report.charts.drawing import Dot, Drawing, DrawnRow, DrawnRows, KeyEntry, Label, Line, Rect, RowValue, Shape
from assay.report.charts.figures import picture
from assay.report.document.document import Chart
from assay.report.document.printable import escaped
from assay.report.render.html_table import table_html


def svg(drawing: Drawing, *, alt: str = "", stretch: bool = False) -> str:
    """The drawing as an `<svg>` element. Without an alt text it is decoration: words beside it say the same.

    A stretched one fills the element around it, whatever its height.
    """
    shapes = "".join(_shape(shape) for shape in drawing.shapes)
    role = f'role="img" aria-label="{escaped(alt)}"' if alt else 'aria-hidden="true"'
    size = "" if stretch else f' style="{_size(drawing)}"'
    return f'<svg class="chart" {role}{size}>{shapes}</svg>'


def _size(drawing: Drawing) -> str:
    return "aspect-ratio:1" if drawing.height is None else f"height:{px(drawing.height)}"


def px(length: float) -> str:
    """A length in CSS px."""
    return f"{length:g}px"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Rect):
        return _rect(shape)
    if isinstance(shape, Line):
        ends = zip(("x1", "y1", "x2", "y2"), (shape.x1, shape.y1, shape.x2, shape.y2), strict=True)
        return f'<line class="{shape.style}" {" ".join(f"{name}={_share(v)}" for name, v in ends)}/>'
    return _dot(shape) if isinstance(shape, Dot) else _label(shape)


def _rect(rect: Rect) -> str:
    sides = zip(("x", "y", "width", "height"), (rect.x, rect.y, rect.width, rect.height), strict=True)
    corner = ' rx="4"' if rect.style.startswith("cell") and "small-cell" not in rect.style else ""
    return f'<rect class="{rect.style}" {" ".join(f"{name}={_share(v)}" for name, v in sides)}{corner}/>'


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
