"""The feedback page: every letter of the essay is shown and none of them acts; notes are reached without hovering."""

import re
import shutil
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from assay.provenance import Provenance
from assay.report.document.document import (
    AnnotatedEssay,
    Document,
    Section,
    tables_of,
)
from assay.report.essays.feedback_report import essay_report
from assay.report.render.html import to_html
from assay.report.render.pdf import plain_blocks
from tests.report.essays.commented import HOSTILE, example, feedback_of

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking"]
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")


def page_of(text: str) -> str:
    made = Provenance("0.0", "assay essays feedback", {"essay.txt": "0" * 64}, 0, "2026-11-15T14:20:00+01:00")
    return to_html(essay_report(feedback_of(text), name="essay.txt", prompt="Are <b>phones</b> good?", provenance=made))


@pytest.mark.parametrize("text", [example("phones"), HOSTILE])
def test_each_number_stands_once_behind_its_mark_and_leads_to_its_note_and_back(text: str) -> None:
    page = page_of(text)

    for note in feedback_of(text).notes:
        assert len(re.findall(rf'<a href="#n{note.number}" id="m{note.number}">', page)) == 1
        assert len(re.findall(rf'<li id="n{note.number}">', page)) == 1
        assert f'<a href="#m{note.number}">' in page


class Tags(HTMLParser):
    """All elements of a page and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_hostile_essay_is_shown_and_does_nothing() -> None:
    tags = Tags()
    tags.feed(page_of(HOSTILE))

    assert not {"script", "img"} & set(tags.seen)
    assert tags.seen.count("style") == 1
    assert "<script>alert(1)</script>" in tags.words
    assert "\x1b" not in tags.words
    assert "\u202e" not in tags.words
    assert "Are <b>phones</b> good?" in tags.words


def test_an_essay_without_a_letter_still_makes_a_page() -> None:
    page = page_of("...")

    assert "Nothing was written" in page


def test_a_page_says_what_was_not_looked_for_and_how_often_notes_are_right() -> None:
    words = unescape(page_of(example("phones")))

    assert "Not looked for" in words
    assert "no prompt was given" in words
    assert "Right when read by hand" in words
    assert "No score was given" in words


def test_other_reports_do_not_carry_the_look_of_essays() -> None:
    assert ".stretch" not in to_html(Document("Other", sections=(Section("One", ()),)))


def test_the_notes_are_a_table_for_machines_and_paper() -> None:
    feedback = feedback_of(example("phones"))
    made = Provenance("0.0", created="2026-11-15")

    document = essay_report(feedback, name="essay.txt", provenance=made)

    notes = next(table for table in tables_of(document) if table.name == "notes")
    assert [row[0] for row in notes.rows] == [note.number for note in feedback.notes]
    plain = [block for section in document.sections for block in plain_blocks(section.blocks)]
    assert notes in plain
    assert not any(isinstance(block, AnnotatedEssay) for block in plain)


def test_the_pdf_holds_the_essay(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the PDF report needs the extra 'pdf'")
    from assay.report.render.pdf import to_pdf

    document = essay_report(feedback_of(HOSTILE), name="essay.txt", provenance=Provenance("0.0", created="2026-11-15"))

    assert to_pdf(document).startswith(b"%PDF")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module", params=["phones", "hostile"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    page: Path = tmp_path_factory.mktemp("feedback") / "feedback.html"
    page.write_text(page_of(HOSTILE if request.param == "hostile" else example("phones")), encoding="utf-8")
    return page.as_uri()


class TestInABrowser:
    pytestmark = in_browser

    @pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 360), ("dark", 360)])
    def test_axe_finds_nothing(self, browser: Browser, address: str, scheme: str, width: int) -> None:
        page = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            bypass_csp=True,  # the policy forbids scripts; only the test may put axe into the page
        )
        page.goto(address)
        page.eval_on_selector_all("details", "all => all.forEach(it => it.open = true)")

        violations = Axe().run(page).response["violations"]

        page.close()
        assert [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in violations] == []

    @pytest.mark.parametrize("width", [360, 390, 768, 1024, 1340, 1440])
    def test_the_page_never_scrolls_sideways(self, browser: Browser, address: str, width: int) -> None:
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(address)

        needed = page.evaluate("document.documentElement.scrollWidth")

        page.close()
        assert needed == width

    def test_the_page_reports_no_error_and_asks_for_nothing(self, browser: Browser, address: str) -> None:
        page = browser.new_page()
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text))
        page.on("dialog", lambda dialog: heard.append(dialog.message))
        page.on("request", lambda request: heard.append(request.url))

        page.goto(address)

        page.close()
        assert heard == [address]

    def test_a_number_leads_to_its_note_and_the_note_back_by_keyboard_alone(
        self, browser: Browser, address: str
    ) -> None:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)

        page.focus("#m2")
        page.keyboard.press("Enter")
        at_note = page.evaluate("document.querySelector(':target').id")
        page.focus("#n2 a")
        page.keyboard.press("Enter")
        at_mark = page.evaluate("document.querySelector(':target').id")

        page.close()
        assert (at_note, at_mark) == ("n2", "m2")
