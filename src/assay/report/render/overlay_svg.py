"""An overlay as SVG and as HTML: the drawing scales with the page, the numbers on it do not."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass

from assay.report.document.overlay import Overlay, OverlayShape, Role
from assay.report.document.wording import escaped

_WORDLESS = 'xmlns="http://www.w3.org/2000/svg" aria-hidden="true"'
LIGHT, DARK = "#ffffff", "#1c1b19"


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How the lines of a role are drawn; widths and dashes in px of the screen."""

    colour: str
    casing: str
    width: float = 2.5
    dash: tuple[float, float] | None = None
    casing_width: float = 5.5
    casing_opacity: float = 0.8
    round: bool = False


STYLES: Mapping[Role, LineStyle] = {
    "truth": LineStyle("#0072B2", LIGHT),
    "submission": LineStyle("#E69F00", DARK, casing_width=5, casing_opacity=0.55),
    "missed": LineStyle("#D55E00", LIGHT, 3, dash=(9, 5), casing_width=6, casing_opacity=0.9),
    "extra": LineStyle("#CC79A7", DARK, 4, dash=(0.1, 6.5), casing_width=6.5, casing_opacity=0.6, round=True),
    "agreed": LineStyle("#009E73", LIGHT),
}


def overlay_svg(overlay: Overlay, *, pixel: float | None = None) -> str:
    """The picture as one `<svg>`, without words.

    `pixel` is the length of a screen pixel in pixels of the image. Without it lines keep their width whatever the
    size of the picture, which browsers can do and other renderers cannot.
    """
    w, h = _number(overlay.width), _number(overlay.height)
    ground = f'<rect class="ground" width="{w}" height="{h}" fill="#e9e7e2"/>'
    if overlay.photo is not None:
        data = f"data:{overlay.photo.media};base64,{b64encode(overlay.photo.content).decode()}"
        ground += f'<image href="{data}" width="{w}" height="{h}" preserveAspectRatio="none"/>'
    shapes = "".join(_shape(shape, pixel) for shape in overlay.shapes)
    return f'<svg {_WORDLESS} viewBox="0 0 {w} {h}" preserveAspectRatio="none">{ground}{shapes}</svg>'


def role_sample(role: Role) -> str:
    """A short stretch of the line, as the key to it."""
    line = _line("M3 4H25", STYLES[role], 1)
    return f'<svg {_WORDLESS} width="28" height="8" viewBox="0 0 28 8">{line}</svg>'


def _shape(shape: OverlayShape, pixel: float | None) -> str:
    style = STYLES[shape.role]
    path = ""
    for outline in shape.outlines:
        points = "L".join(f"{_number(x)} {_number(y)}" for x, y in outline.points)
        path += f"M{points}{'Z' if outline.closed else ''}"
    casing = LineStyle(style.casing, style.casing, style.casing_width)
    drawn = ""
    if path:
        drawn += f'<g opacity="{style.casing_opacity:g}">{_line(path, casing, pixel)}</g>{_line(path, style, pixel)}'
    # dots are lines without length: with round ends they are discs whose size does not depend on the scale
    dots = "".join(f"M{_number(x)} {_number(y)}h0" for x, y in shape.dots)
    if dots:
        rim = LineStyle(style.casing, style.casing, 11, round=True)
        disc = LineStyle(style.colour, style.casing, 7, round=True)
        drawn += f"{_line(dots, rim, pixel)}{_line(dots, disc, pixel)}"
    title = f"<title>{escaped(shape.title)}</title>" if shape.title else ""
    return f"<g>{title}{drawn}</g>"


def _line(path: str, style: LineStyle, pixel: float | None) -> str:
    unit = 1.0 if pixel is None else pixel
    dash = f' stroke-dasharray="{" ".join(_number(d * unit) for d in style.dash)}"' if style.dash else ""
    fixed = ' vector-effect="non-scaling-stroke"' if pixel is None else ""
    cap = ' stroke-linecap="round"' if style.round else ""
    return (
        f'<path d="{path}" fill="none" stroke="{style.colour}" stroke-width="{_number(style.width * unit)}" '
        f'stroke-linejoin="round"{dash}{cap}{fixed}/>'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


TALLEST = 560
"""Of a picture on the page, in px."""


def overlay_html(overlay: Overlay) -> str:
    """Title, what to see, the key, and the picture."""
    entries = "".join(f"<span>{role_sample(role)}{escaped(words)}</span>" for role, words in overlay.key)
    key = f'<p class="key small quiet">{entries}</p>' if entries else ""
    ratio = overlay.width / overlay.height
    size = f"aspect-ratio:{ratio:.4f};max-width:{TALLEST * ratio:.0f}px"
    pins = ""
    for pin in overlay.pins:
        side = f"right:{100 * (1 - pin.x):.2f}%" if pin.left else f"left:{100 * pin.x:.2f}%"
        more = f'<span class="more"> {escaped(pin.more)}</span>' if pin.more else ""
        style = "pin below" if pin.below else "pin"
        pins += f'<span class="{style}" style="{side};top:{100 * pin.y:.2f}%">{escaped(pin.text)}{more}</span>'
    return (
        f'<figure class="overlay"><figcaption><h3>{escaped(overlay.title)}</h3>'
        f'<p class="says">{escaped(overlay.says)}</p></figcaption>{key}'
        f'<div class="stage" role="img" aria-label="{escaped(overlay.alt)}" style="{size}">'
        f"{overlay_svg(overlay)}{pins}</div></figure>"
    )
