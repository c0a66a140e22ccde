"""An overlay as HTML: the drawing scales with the page, the numbers on it do not."""

from assay.report.document.overlay import Overlay, Pin
from assay.report.document.printable import escaped
from assay.report.render.overlay_svg import overlay_svg, role_sample

TALLEST = 560
"""Of a picture on the page, in px."""


def overlay_html(overlay: Overlay) -> str:
    """Title, what to see, the key, and the picture."""
    entries = "".join(f"<span>{role_sample(role)}{escaped(words)}</span>" for role, words in overlay.key)
    key = f'<p class="key small quiet">{entries}</p>' if entries else ""
    ratio = overlay.width / overlay.height
    size = f"aspect-ratio:{ratio:.4f};max-width:{TALLEST * ratio:.0f}px"
    pins = "".join(_pin(pin) for pin in overlay.pins)
    return (
        f'<figure class="overlay"><figcaption><h3>{escaped(overlay.title)}</h3>'
        f'<p class="says">{escaped(overlay.says)}</p></figcaption>{key}'
        f'<div class="stage" role="img" aria-label="{escaped(overlay.alt)}" style="{size}">'
        f"{overlay_svg(overlay)}{pins}</div></figure>"
    )


def _pin(pin: Pin) -> str:
    side = f"right:{100 * (1 - pin.x):.2f}%" if pin.left else f"left:{100 * pin.x:.2f}%"
    more = f'<span class="more"> {escaped(pin.more)}</span>' if pin.more else ""
    style = "pin below" if pin.below else "pin"
    return f'<span class="{style}" style="{side};top:{100 * pin.y:.2f}%">{escaped(pin.text)}{more}</span>'
