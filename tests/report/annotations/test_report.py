"""Reports of annotations: what they say, what they draw, and that anybody can read them."""

import re
import shutil
from collections.abc import Iterator
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from assay.annotations.agreement import measure_agreement
from assay.annotations.grading.graded import NO_SPREAD, Batch, Graded, RankedStudent, StudentGrade, intervals
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.annotations.shapes.shapes import Box
from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.example_data import example_annotations
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.agreement_report import agreement_report
from assay.report.annotations.findings import findings_on
from assay.report.annotations.outlines import drawn_shape, mask_rings
from assay.report.annotations.report import _how_sure, batch_report
from assay.report.annotations.student import breakdown, student_report
from assay.report.charts.charts import Breakdown
from assay.report.document.document import Document, Section, tables_of
from assay.report.document.overlay import Outline, Overlay, OverlayShape, Photo, Pin
from assay.report.document.values import Table
from assay.report.render.html import to_html
from examples.street import png
from tests.annotations.drawn import annotation_set, box
from tests.io.annotations.submissions import read_submissions
from tests.report.annotations.annotation_sets import EVERY_KIND, set_of

MADE = Provenance("0.1", "assay annotations score", {"truth.xml": "ab" * 32}, 0, "2026-11-15T10:00:00+01:00")
PICTURE = Photo("image/png", png(np.full((6, 8, 3), 120, np.uint8)))
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def scored(truth: AnnotationSet, drawn: AnnotationSet, rubric: Rubric | None = None) -> SubmissionScore:
    return score_submission(prepare_truth(truth, rubric), drawn)


def report(score: SubmissionScore, photo: Photo | None = None) -> Document:
    return student_report(StudentGrade.of_score("mira", score), photo_of=lambda name: photo, provenance=MADE)


def boxes(*edges: tuple[float, float, float, float], labels: tuple[str, ...]) -> AnnotationSet:
    return set_of([(Box(*e), e) for e in edges], labels=labels)


def plan() -> SubmissionScore:
    """One object found well, one missed, one extra."""
    truth = boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "van"))
    return scored(truth, boxes((0, 0, 90, 100), (0, 200, 50, 250), labels=("car", "car")))


# ---- what it says --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ([(0, 0, 100, 100)], "You found 1 of 2 objects and drew nothing that is not in the ground truth."),
        ([], "You found 0 of 2 objects and drew nothing that is not in the ground truth."),
        (
            [(0, 0, 100, 100), (0, 200, 50, 250)],
            "You found 1 of 2 objects and drew 1 that is not in the ground truth.",
        ),
    ],
)
def test_the_verdict_says_what_was_found(drawn: list[tuple[float, float, float, float]], sentence: str) -> None:
    truth = boxes((0, 0, 100, 100), (200, 0, 300, 100), labels=("car", "van"))

    document = report(scored(truth, boxes(*drawn, labels=("car",) * len(drawn))))

    assert document.verdict_lead == sentence


def test_nothing_to_find_and_nothing_drawn_is_said_as_such() -> None:
    empty = boxes(labels=())

    document = report(scored(empty, empty))

    assert document.verdict_lead == "There was nothing to find, and you drew nothing."
    assert "say nothing about the work" in to_html(document)


def test_the_breakdown_adds_up_to_the_score() -> None:
    score = plan()

    chart = breakdown(score)

    tops = [row for row in chart.rows if row.depth == 0]
    assert isclose(sum(row.points for row in tops[:-1]), score.overall)
    assert isclose(tops[-1].points, score.overall)
    for place, row in enumerate(chart.rows[:-1]):
        below = []
        for child in chart.rows[place + 1 :]:
            if child.depth <= row.depth:
                break
            below.append(child)
        if below:
            assert isclose(sum(child.points for child in below), row.points), row.label
            assert isclose(below[0].start, row.start)
            assert isclose(below[-1].end, row.end)
    assert [row.label for row in chart.rows if row.points < 0] == ["1 missed", "1 extra"]


def test_a_submission_that_matches_nothing_has_a_breakdown_too() -> None:
    score = scored(boxes((0, 0, 100, 100), labels=("car",)), boxes((200, 200, 250, 250), labels=("car",)))

    chart = breakdown(score)

    assert chart.rows[-1].points == pytest.approx(score.overall)
    assert report(score).key_figures[1].estimate.reason == "nothing matched"


def test_every_missed_extra_and_matched_annotation_is_in_the_table_with_the_number_of_its_pin() -> None:
    document = report(plan(), PICTURE)

    section = next(s for s in document.sections if s.title == "Image by image")
    overlay = next(b for b in section.blocks if isinstance(b, Overlay))
    table = next(b for b in section.blocks if isinstance(b, Table))
    assert [row[:2] for row in table.rows] == [("1 van", "missed"), ("2 car", "extra"), ("3 car", "matched")]
    assert [pin.text for pin in overlay.pins] == ["1", "2", "3"]
    assert {shape.role for shape in overlay.shapes} == {"truth", "submission", "missed", "extra"}


def test_what_differs_is_told_attribute_by_attribute() -> None:
    truth = set_of(
        [(Box(0, 0, 100, 100),) * 1 + ((0, 0, 100, 100),)], labels=("car",), attributes={0: {"colour": "red"}}
    )
    drawn = set_of([(Box(0, 0, 100, 100), (0, 0, 100, 100))], labels=("cart",))

    (finding,) = findings_on(scored(truth, drawn), 0)

    assert finding.remark == "label “cart” for “car”; colour left empty for “red”"


def test_many_images_are_cut_to_the_worst_and_that_is_said() -> None:
    good = [box(f"{i:02d}.png", "car", 0, 0, 100, 100) for i in range(45)]
    poor = [box(f"{i:02d}.png", "car", 0, 0, 100, 100 if i < 40 else 70) for i in range(45)]

    document = report(scored(annotation_set(*good), annotation_set(*poor)))

    shown = [b.title for s in document.sections for b in s.blocks if isinstance(b, Overlay)]
    assert len(shown) == 40
    assert shown[:5] == [f"{i}.png" for i in range(40, 45)]
    assert "The 40 with the lowest scores are shown of 45" in to_html(document)


def test_every_image_of_a_small_task_is_shown(tmp_path: Path) -> None:
    truth = read_annotations(example_annotations().truth)
    shown = {b.title for s in report(scored(truth, truth)).sections for b in s.blocks if isinstance(b, Overlay)}

    assert len(shown) == 12
    assert "drawn on a plain canvas" in to_html(report(scored(truth, truth)))


# ---- what it draws -------------------------------------------------------------------------------------------------


def test_every_kind_of_shape_is_drawn() -> None:
    for shape, _ in EVERY_KIND[:-1]:
        outlines, dots = drawn_shape(shape)
        assert outlines or dots, type(shape).__name__
    assert drawn_shape(EVERY_KIND[-1][0]) == ((), ()), "a tag has no place"


def test_a_turned_box_keeps_its_centre_and_its_sides() -> None:
    (outline,), _ = drawn_shape(Box(0, 0, 40, 20, rotation=90))

    corners = np.array(outline.points)
    assert corners.mean(axis=0) == pytest.approx([20, 10])
    # clockwise on the screen, where y points down: the upper left corner goes to the upper right
    assert corners[0] == pytest.approx([30, -10])


def test_the_outline_of_a_mask_goes_around_its_pixels_and_its_holes() -> None:
    ring = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool)

    outer, hole = sorted(mask_rings(ring), key=lambda points: -np.ptp(points))

    assert outer.tolist() == [[0, 0], [3, 0], [3, 3], [0, 3]]
    assert sorted(hole.tolist()) == [[1, 1], [1, 2], [2, 1], [2, 2]]


def test_pixels_that_touch_at_a_corner_are_closed_rings() -> None:
    rings = mask_rings(np.array([[1, 0], [0, 1]], bool))

    edges = sum(np.abs(np.diff([*r.tolist(), r[0].tolist()], axis=0)).sum() for r in rings)
    assert edges == 8


def test_roles_are_told_apart_by_colour_and_by_dash() -> None:
    page = to_html(report(plan()))

    for colour in ("#0072B2", "#E69F00", "#D55E00", "#CC79A7"):
        assert colour in page
    assert re.search(r'stroke="#D55E00"[^>]*stroke-dasharray="9 5"', page)
    assert re.search(r'stroke="#CC79A7"[^>]*stroke-dasharray="0.1 6.5" stroke-linecap="round"', page)


def test_every_overlay_says_what_is_on_it_to_who_cannot_see_it() -> None:
    page = to_html(report(plan(), PICTURE))

    (alt,) = re.findall(r'class="stage" role="img" aria-label="([^"]*)"', page)
    assert "1 of 2 objects found, 1 extra" in alt
    assert "1 ground truth: van, missed" in alt


def test_an_image_is_embedded_and_without_one_the_canvas_is_plain() -> None:
    assert to_html(report(plan(), PICTURE)).count("data:image/png;base64,") == 1
    assert "data:image" not in to_html(report(plan()))


def test_labels_and_names_from_outside_do_nothing() -> None:
    name = '<script>alert(1)</script>"><img src=x>'
    truth, drawn = boxes((0, 0, 9, 9), labels=(name,)), boxes((0, 0, 9, 9), labels=(name,))

    page = to_html(report(scored(truth, drawn), PICTURE))

    assert "<script" not in page
    assert "<img" not in page


def test_an_overlay_without_size_or_words_is_refused() -> None:
    with pytest.raises(InputError, match="no size"):
        Overlay("t", "s", "a", 0, 10, ())
    with pytest.raises(InputError, match="alt text"):
        Overlay("t", "s", "", 10, 10, ())


def test_the_pdf_holds_the_overlays_and_their_numbers(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")
    from assay.report.render.pdf import to_pdf

    truth = set_of(EVERY_KIND)
    pdf = to_pdf(report(scored(truth, truth), PICTURE))

    assert pdf.startswith(b"%PDF-")
    assert pdf == to_pdf(report(scored(truth, truth), PICTURE)), "the same document gives the same bytes"


# ---- all students --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """The three reports of the example, with a picture on every image."""
    example = example_annotations()
    truth = read_annotations(example.truth)
    handed_in = read_submissions(example.submissions, like=truth)
    prepared = prepare_truth(truth)
    sets = {one.student: one.annotations for one in handed_in if one.annotations is not None}
    batch = Batch(prepared, {name: score_submission(prepared, own) for name, own in sets.items()})
    links = {name: f"students/{name}.html" for name in sets}
    graded = Graded.of(batch, {"grace": "grace.json breaks off."})
    three = {name: sets[name] for name in ("ada", "ben", "chloe")}
    return {
        "batch": batch_report(graded, photo_of=lambda name: PICTURE, provenance=MADE, pages=links),
        "student": student_report(graded.student("emre"), photo_of=lambda name: PICTURE, provenance=MADE),
        "agreement": agreement_report(
            measure_agreement(three), three, {}, photo_of=lambda name: None, provenance=MADE, consensus=124
        ),
        "kinds": report(scored(set_of(EVERY_KIND), set_of(EVERY_KIND[:5])), PICTURE),
    }


def test_the_batch_report_asks_and_does_not_accuse(pages: dict[str, Document]) -> None:
    text = to_html(pages["batch"])

    assert "chloe and farid share" in text
    assert "Did they work together, or from the same draft?" in text
    assert "never a verdict" in text
    assert "grace" in pages["batch"].verdict_rest


def test_the_batch_report_has_all_its_tables(pages: dict[str, Document]) -> None:
    names = {table.name for table in tables_of(pages["batch"])}

    assert names >= {"ranking", "students", "confusion", "hardest_objects", "hardest_images", "error_kinds", "files"}


def test_a_student_report_says_why_in_a_picture_that_adds_up(pages: dict[str, Document]) -> None:
    why = pages["student"].sections[0]

    assert isinstance(why.blocks[0], Breakdown)
    assert "place 6 of 6" in to_html(pages["student"])
    assert "Why is my score low if my boxes were almost perfect?" in to_html(pages["student"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking"]
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()


in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")


@pytest.mark.parametrize("name", ["batch", "student", "agreement", "kinds"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
class TestInABrowser:
    """The pages as people meet them."""

    pytestmark = in_browser

    def test_axe_finds_nothing_and_the_page_does_not_scroll_sideways(
        self, browser: Browser, pages: dict[str, Document], tmp_path: Path, name: str, scheme: str, width: int
    ) -> None:
        file = tmp_path / "report.html"
        file.write_text(to_html(pages[name]), encoding="utf-8")
        page = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            bypass_csp=True,
        )
        page.goto(file.as_uri())
        page.eval_on_selector_all("details", "all => all.forEach(it => it.open = true)")

        violations = Axe().run(page).response["violations"]
        needed = page.evaluate("document.documentElement.scrollWidth")

        page.close()
        assert [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in violations] == []
        assert needed == width


def test_pins_move_apart_where_two_would_lie_on_each_other() -> None:
    truth = boxes((10, 50, 60, 90), (12, 52, 62, 92), labels=("car", "car"))

    document = report(scored(truth, boxes(labels=())))

    overlay = next(b for s in document.sections for b in s.blocks if isinstance(b, Overlay))
    first, second = overlay.pins
    assert (first.x, first.y, first.below) != (second.x, second.y, second.below)
    assert abs(first.y - second.y) * overlay.height > 18 or first.below != second.below or first.left != second.left


def test_a_document_may_hold_an_overlay_beside_other_blocks() -> None:
    shape = OverlayShape("truth", (Outline(((1, 1), (5, 1), (5, 4))),), ((2.0, 2.0),), "a triangle")
    overlay = Overlay("a.png", "One triangle.", "a triangle", 10, 8, (shape,), (Pin(0.1, 0.2, "1", "car"),))

    page = to_html(Document("T", sections=(Section("S", (overlay,)),)))

    assert '<path d="M1 1L5 1L5 4Z"' in page
    assert "<title>a triangle</title>" in page
    assert 'class="pin" style="left:10.00%;top:20.00%">1<span class="more"> car</span>' in page


FEW = Estimate(90.0, reason="too few images")


def standings(*scores: Estimate) -> tuple[RankedStudent, ...]:
    return tuple(RankedStudent(place, f"student {place}", score) for place, score in enumerate(scores, start=1))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ((Estimate(99.0, 98.0, 100.0), Estimate(97.0, 96.0, 98.5)), "The two intervals overlap"),
        ((Estimate(99.0, 98.0, 100.0), Estimate(97.0, 96.0, 97.5)), "the order is clear"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(97.0, 96.0, 97.5)), "the order is clear"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(99.0, 96.0, 100.0)), "The two intervals overlap"),
        ((Estimate(100.0, reason=NO_SPREAD), Estimate(100.0, reason=NO_SPREAD)), "All have the same score"),
        ((FEW, FEW), "too few images for intervals"),
    ],
)
def test_a_score_that_is_alike_on_all_images_is_as_sure_as_it_stands(scores: tuple[Estimate, ...], words: str) -> None:
    assert words in _how_sure(standings(*scores))


def test_a_score_that_is_alike_on_all_images_says_so_in_few_words() -> None:
    drawn = [box(f"{i}.jpg", "car", 0, 0, 10, 10) for i in range(5)]
    found = intervals(scored(annotation_set(*drawn), annotation_set(*drawn)))["overall"]
    assert (found.value, found.reason) == (100.0, "alike on all images")
