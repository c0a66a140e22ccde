"""A drawing as SVG text: places in per cent, sizes in px, colours by class: fluid, and true to the theme."""

from assay.report.charts.drawing import Dot, Drawing, Label, Line, Rect, Shape
from assay.report.document.printable import escaped


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
