"""Annotations over an image as SVG: lines, dots, pins and words."""

from assay.report.document.document import Document, Section
from assay.report.document.overlay import Outline, Overlay, OverlayShape, Photo, Pin
from assay.report.render.html import to_html
from assay.report.render.overlay_svg import STYLES, overlay_html, overlay_svg, role_sample


def test_a_document_may_hold_an_overlay_beside_other_blocks() -> None:
    shape = OverlayShape("truth", (Outline(((1, 1), (5, 1), (5, 4))),), ((2.0, 2.0),), "a triangle")
    overlay = Overlay("a.png", "One triangle.", "a triangle", 10, 8, (shape,), (Pin(0.1, 0.2, "1", "car"),))

    page = to_html(Document("T", sections=(Section("S", (overlay,)),)))

    assert '<path d="M1 1L5 1L5 4Z"' in page
    assert "<title>a triangle</title>" in page
    assert 'class="pin" style="left:10.00%;top:20.00%">1<span class="more"> car</span>' in page


SQUARE = Outline(((1, 1), (5, 1), (5, 4)))


def test_roles_differ_in_colour_and_all_have_a_sample() -> None:
    assert len({style.colour for style in STYLES.values()}) == len(STYLES)
    assert all(style.colour in role_sample(role) for role, style in STYLES.items())


def test_lines_keep_their_width_on_a_screen_and_scale_on_paper() -> None:
    overlay = Overlay("a.png", "One.", "a", 10, 8, (OverlayShape("missed", (SQUARE,)),))

    assert "non-scaling-stroke" in overlay_svg(overlay)
    assert "non-scaling-stroke" not in overlay_svg(overlay, pixel=0.5)
    assert 'stroke-width="1.5"' in overlay_svg(overlay, pixel=0.5)


def test_a_photo_is_inside_and_words_are_escaped() -> None:
    shape = OverlayShape("truth", (Outline(((1, 1), (5, 1)), closed=False),), title="<b>")
    overlay = Overlay("<i>", "One.", "a", 10, 8, (shape,), (Pin(0.9, 0.2, "1", left=True),), Photo("image/png", b"x"))

    page = overlay_html(overlay)

    assert "data:image/png;base64,eA==" in page
    assert "<title>&lt;b&gt;</title>" in page
    assert "<h3>&lt;i&gt;</h3>" in page
    assert "right:10.00%" in page
    assert '<path d="M1 1L5 1"' in page
