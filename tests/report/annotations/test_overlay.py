"""Annotations over their image: pins apart, photos within bounds, words for who cannot see."""

import re
from pathlib import Path

import pytest

from assay.annotations.shapes.annotation_set import Image
from assay.annotations.shapes.shapes import Tag
from assay.io.image_files import read_images
from assay.report.annotations.findings import findings_on
from assay.report.annotations.overlay import (
    MOST_DRAWN,
    MOST_PINS,
    MarkedShape,
    overlay_of,
    photos,
    placed_pins,
    submission_overlay,
)
from assay.report.document.overlay import Overlay
from assay.report.render.html import to_html
from tests.report.annotations.annotation_sets import (
    PICTURE,
    boxes,
    plan,
    report,
    scored,
    set_of,
)


def test_every_overlay_says_what_is_on_it_to_who_cannot_see_it() -> None:
    page = to_html(report(plan(), PICTURE))

    (alt,) = re.findall(r'class="stage" role="img" aria-label="([^"]*)"', page)
    assert "1 of 2 objects found, 1 extra" in alt
    assert "1 ground truth: van, missed" in alt


def test_an_image_is_embedded_and_without_one_the_canvas_is_plain() -> None:
    assert to_html(report(plan(), PICTURE)).count("data:image/png;base64,") == 1
    assert "data:image" not in to_html(report(plan()))


def test_pins_move_apart_where_two_would_lie_on_each_other() -> None:
    truth = boxes((10, 50, 60, 90), (12, 52, 62, 92), labels=("car", "car"))

    document = report(scored(truth, boxes(labels=())))

    overlay = next(b for s in document.sections for b in s.blocks if isinstance(b, Overlay))
    first, second = overlay.pins
    assert (first.x, first.y, first.below) != (second.x, second.y, second.below)
    assert abs(first.y - second.y) * overlay.height > 18 or first.below != second.below or first.left != second.left


def test_a_report_gives_no_more_photos_once_it_is_full(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(PICTURE.content)
    (tmp_path / "c.png").write_bytes(b"no image")
    images = read_images(tmp_path)

    all_of, one = photos(images), photos(images, together=len(PICTURE.content))

    assert [all_of(name) == PICTURE for name in ("a.png", "b.png", "c.png", "none.png", "")] == [
        True,
        True,
        *[False] * 3,
    ]
    assert [one(name) is None for name in ("a.png", "b.png")] == [False, True]
    assert photos(None)("a.png") is None


def test_an_image_says_how_much_of_it_was_found() -> None:
    overlay = submission_overlay(plan(), 0, findings_on(plan(), 0), lambda name: None)

    assert overlay is not None
    assert overlay.says.startswith("1 of 2 objects found, 1 extra. This image scores ")
    assert [shape.role for shape in overlay.shapes] == ["missed", "extra", "truth", "submission"]
    assert (overlay.width, overlay.height) == (400, 300)


def test_without_a_place_or_a_photo_there_is_nothing_to_draw() -> None:
    tag = set_of([(Tag(), (0, 0, 0, 0))], labels=("night",))
    marked = [MarkedShape(tag, 0, "truth", "night", "1")]

    assert overlay_of(tag.images[0], marked, lambda name: None, says="Night.") is None
    assert overlay_of(tag.images[0], marked, lambda name: PICTURE, says="Night.") is not None
    assert placed_pins(marked, 400, 300) == ()


def test_a_size_that_is_not_stated_is_what_holds_all_shapes() -> None:
    drawn = boxes((0, 0, 400, 200), labels=("car",))
    overlay = overlay_of(Image("a.png", 0, 0), [MarkedShape(drawn, 0, "truth", "car")], lambda name: None, says="One.")

    assert overlay is not None
    assert (overlay.width, overlay.height) == pytest.approx((420, 210))


def test_a_picture_of_very_many_shapes_shows_the_first_and_says_so() -> None:
    labels = ("car",) * (MOST_DRAWN + 5)
    crowd = boxes(*((i % 40, i % 30, 50 + i % 40, 60 + i % 30) for i in range(MOST_DRAWN + 5)), labels=labels)
    marked = [MarkedShape(crowd, i, "extra", f"{i}", pin=f"{i}") for i in range(MOST_DRAWN + 5)]

    overlay = overlay_of(Image("a.jpg", 100, 100), marked, lambda _: None, says="A crowd.")

    assert overlay is not None
    assert (len(overlay.shapes), len(overlay.pins)) == (MOST_DRAWN, MOST_PINS)
    assert overlay.says == "A crowd. The picture shows the first 1,000 shapes; 5 more are not drawn."
