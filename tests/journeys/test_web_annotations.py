"""A trainer's way through the annotation pages in a real browser: upload, watch, review, override, export."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from assay.io.example_data import ExampleAnnotations, example_annotations
from tests.store.databases import postgresql
from tests.web.browsers import browser, follow, page, too_wide, violations
from tests.web.serving import Served, served

__all__ = ["browser", "page", "postgresql", "served"]


def test_from_files_to_a_defended_grade(served: Served, page: Page, tmp_path: Path) -> None:
    steps = (upload, look, decide, change_rules, take_away)
    page.goto(f"{served.address}/annotations")
    made = example_annotations()
    wrong: list[str] = []
    for step in steps:
        step(page, made)
        wrong += violations(page) if served.database.startswith("sqlite") else []

    assert wrong == []
    workspace = page.url.removesuffix("/exports")
    page.goto(f"{workspace}/submissions")
    one = page.get_by_role("link", name="emre").get_attribute("href")
    paths = ("submissions", "rules", "insights", "exports", "files")
    assert too_wide(page, [f"{served.address}{one}", *(f"{workspace}/{path}" for path in paths)]) == []


def upload(page: Page, made: ExampleAnnotations) -> None:
    """Ground truth, students and pictures at once; scoring starts by itself and is watched to its end."""
    page.set_input_files("#truth", made.truth)
    page.set_input_files("#submissions", [path for path in made.submissions if path.stem != "grace"])
    page.set_input_files("#images", sorted(made.images.iterdir()))
    page.get_by_label("Name of the workspace").fill("Street, group B")
    follow(page.get_by_role("button", name="Grade the submissions"))
    expect(page.get_by_role("link", name="emre")).to_be_visible()
    expect(page.locator(".scoring")).to_have_count(0)


def look(page: Page, _made: ExampleAnnotations) -> None:
    """Shapes over the picture, keys that move between findings, a click that takes a pair apart."""
    follow(page.get_by_role("link", name="emre"))
    expect(page.locator("svg.stage image")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator(".findings a[aria-current]")).to_have_attribute("data-f", "2")
    expect(page.locator("#detail h2").first).to_contain_text("Finding 2")
    page.keyboard.press("g")
    expect(page.locator(".tog[data-k=g]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("g")
    page.mouse.move(700, 500)
    page.mouse.wheel(0, -400)
    expect(page.locator("#zoom")).not_to_have_text("100 %")
    page.keyboard.press("0")
    expect(page.locator("#zoom")).to_have_text("100 %")
    number = page.locator(".findings a", has=page.locator(".quiet")).first.get_attribute("data-f")
    page.locator(f'.shape.subm[data-f="{number}"] .ln').dispatch_event("click")
    expect(page.locator("#detail h2").first).to_contain_text(f"Finding {number}")
    expect(page.locator(f'.shape.truth[data-f="{number}"]')).to_have_class(re.compile("sel"))
    expect(page.locator("#detail .sumlines")).to_contain_text("Match score")
    on_a_phone(page)


OVERLAPS = """pins => {
  const boxes = pins.map(pin => pin.querySelector('rect').getBoundingClientRect()).filter(box => box.width);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.filter((a, at) => boxes.slice(at + 1).some(b => meet(a, b))).length;
}"""
"""How many numbers lie on another."""


def on_a_phone(page: Page) -> None:
    """One row above the picture, two below it, no number on another, and the decision always at hand."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('.bar.under').getBoundingClientRect().height < 120")
    assert page.locator(".toggles").evaluate("it => it.offsetHeight") < 60
    page.wait_for_function(f"({OVERLAPS})([...document.querySelectorAll('.pin')]) === 0")
    expect(page.locator("#decide")).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 900})


def decide(page: Page, _made: ExampleAnnotations) -> None:
    """What the score becomes stands on the button before anything is saved; undo brings it back."""
    system = page.locator(".score .big").inner_text()
    page.get_by_label("Score of the match, 0 to 100").fill("100")
    expect(page.locator("#decide")).to_have_text(re.compile(r"Save override: \d"))
    becomes = page.locator("#decide").inner_text().removeprefix("Save override: ")
    page.get_by_label("Reason, shown to the student").fill("The shape is right.")
    follow(page.locator("#decide"))
    expect(page.locator(".score .big")).to_have_text(becomes)
    expect(page.locator(".score")).to_contain_text(f"the system gave {system}")
    follow(page.locator("#detail").get_by_role("button", name=re.compile("Undo")))
    expect(page.locator(".score .big")).to_have_text(system)
    expect(page.locator("#decide")).to_have_text(re.compile("(Error|Match) is right"))


def change_rules(page: Page, _made: ExampleAnnotations) -> None:
    """A slider moves the others, and everything is scored again."""
    follow(page.get_by_role("link", name="Rules"))
    page.get_by_label("Position, slider").fill("80")
    expect(page.locator("#w_label")).to_have_value("10")
    follow(page.get_by_role("button", name="Use these rules"))
    expect(page.locator(".aside")).to_contain_text("scores change")


def take_away(page: Page, _made: ExampleAnnotations) -> None:
    """What all submissions show together, and the grades as a table."""
    follow(page.get_by_role("link", name="Insights", exact=True))
    follow(page.get_by_role("button", name="Generate insights"))
    expect(page.locator("main")).to_contain_text("Hardest objects")
    follow(page.get_by_role("link", name="Exports", exact=True))
    with page.expect_download() as download:
        page.get_by_role("link", name="A row for each student as CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "system_score" in text
    assert len(text.splitlines()) == 7
