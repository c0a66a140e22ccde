"""Reports of annotations: what they say, what they draw, and that anybody can read them."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from assay.annotations.agreement import measure_agreement
from assay.annotations.grading.graded import NO_SPREAD, Graded, RankedStudent, intervals
from assay.metrics.intervals import Estimate
from assay.report.annotations.agreement_report import agreement_report
from assay.report.annotations.report import _how_sure, batch_report
from assay.report.annotations.student import student_report
from assay.report.charts.charts import Breakdown
from assay.report.document.document import Document, tables_of
from assay.report.render.html import to_html
from tests.annotations.drawn import annotation_set, box
from tests.report.annotations.annotation_sets import (
    EVERY_KIND,
    MADE,
    PICTURE,
    boxes,
    example_batch,
    example_sets,
    plan,
    report,
    scored,
    set_of,
)

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def test_roles_are_told_apart_by_colour_and_by_dash() -> None:
    page = to_html(report(plan()))

    for colour in ("#0072B2", "#E69F00", "#D55E00", "#CC79A7"):
        assert colour in page
    assert re.search(r'stroke="#D55E00"[^>]*stroke-dasharray="9 5"', page)
    assert re.search(r'stroke="#CC79A7"[^>]*stroke-dasharray="0.1 6.5" stroke-linecap="round"', page)


def test_labels_and_names_from_outside_do_nothing() -> None:
    name = '<script>alert(1)</script>"><img src=x>'
    truth, drawn = boxes((0, 0, 9, 9), labels=(name,)), boxes((0, 0, 9, 9), labels=(name,))

    page = to_html(report(scored(truth, drawn), PICTURE))

    assert "<script" not in page
    assert "<img" not in page


def test_the_pdf_holds_the_overlays_and_their_numbers(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")
    from assay.report.render.pdf import to_pdf

    truth = set_of(EVERY_KIND)
    pdf = to_pdf(report(scored(truth, truth), PICTURE))

    assert pdf.startswith(b"%PDF-")
    assert pdf == to_pdf(report(scored(truth, truth), PICTURE)), "the same document gives the same bytes"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """The three reports of the example, with a picture on every image."""
    sets, batch = example_sets(), example_batch()
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
    first, why = pages["student"].sections[:2]

    assert first.title == "What to do next"
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
