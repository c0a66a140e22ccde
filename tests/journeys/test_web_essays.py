"""A teacher's way through the essay pages in a browser: upload, score, review, refit, export; both databases."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.essays.data_files import has_non_commercial
from tests.store.databases import postgresql
from tests.web.browsers import browser, follow, loaded, page, violations
from tests.web.essayed import ESSAY, HOSTILE, essay_table
from tests.web.serving import Served, served

__all__ = ["browser", "page", "postgresql", "served"]

LONG = 240_000
"""Milliseconds until a worker has read its language model and scored a class on a machine that is busy."""

pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")


def test_from_a_table_to_a_model_that_learned_from_reviews(served: Served, page: Page, tmp_path: Path) -> None:
    page.goto(f"{served.address}/essays")
    upload(page, tmp_path)
    review(page)
    refit(page)
    take_away(page)


def upload(page: Page, folder: Path) -> None:
    table = essay_table(14).with_columns(id=essay_table(14)["id"].scatter([0], [HOSTILE]))
    table.write_csv(folder / "class 9.csv")
    assert violations(page) == []
    page.get_by_label("Drop essays here, or choose files").set_input_files(folder / "class 9.csv")
    follow(page.get_by_role("button", name="Upload the essays"))
    expect(page.get_by_label("The essay")).to_have_value("text")
    assert violations(page) == []
    follow(page.get_by_role("button", name="Score the essays"))
    expect(page.get_by_text("0 of 14 reviewed")).to_be_visible(timeout=LONG)
    assert page.locator("table.grades tbody tr").count() == 14
    assert violations(page) == []


def review(page: Page) -> None:
    """The first essay by keyboard, an override that is undone, and the human scores of the table for the others."""
    loaded(page)
    page.keyboard.press("/")
    expect(page.get_by_label("Essay", exact=True)).to_be_focused()
    follow(page.locator("table.grades tbody th a").nth(1))
    page.keyboard.press("n")
    tip = page.locator("a.err:focus .tip")
    expect(tip).to_be_visible()
    box, width = tip.bounding_box(), page.evaluate("innerWidth")
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert violations(page) == []
    system = page.locator(".score .big").inner_text()
    other = "5" if system != "5" else "4"
    page.get_by_text("Give another score").click()
    page.get_by_label("Your score").select_option(label=other)
    expect(page.locator("#becomes")).to_have_text(f"The score was {system} and becomes {other}.")
    page.get_by_label("Reason").fill("A strong voice.")
    follow(page.get_by_role("button", name=f"Save {other}"))
    expect(page.locator(".score .big")).to_have_text(other)
    expect(page.get_by_text(f"the system gave {system}")).to_be_visible()
    goes_on_after(page, f"Override saved: the score is {other} now")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Next to review")).to_be_focused()
    assert violations(page) == []
    follow(page.get_by_role("button", name="Undo"))
    expect(page.locator(".score .big")).to_have_text(system)
    goes_on_after(page, f"Undone: the score is {system} again.")
    follow(page.get_by_role("button", name=f"Confirm {system}"))
    goes_on_after(page, f"Confirmed at {system} by")
    follow(page.get_by_role("button", name="Undo"))
    narrow(page)
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('.people') !== null")
    follow(page.get_by_role("link", name="Submissions"))
    follow(page.get_by_role("button", name="as reviews"))
    expect(page.get_by_text("14 of 14 reviewed", exact=True)).to_be_visible()


def goes_on_after(page: Page, words: str) -> None:
    """The keyboard is where the decision was made, on the sentence that says what was saved, and that is in view."""
    told = page.locator("#decided")
    expect(told).to_contain_text(words)
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport()
    assert "#" not in page.url


def narrow(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_role("button", name="Confirm").is_visible()
    page.set_viewport_size({"width": 1440, "height": 900})


def refit(page: Page) -> None:
    follow(page.get_by_role("link", name="Model"))
    follow(page.get_by_role("button", name="Make a new version from 14 reviews"))
    expect(page.get_by_role("heading", name="A new version waits for your decision")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("heading", name="The model that scores: Generic10")).to_be_visible()
    assert violations(page) == []
    follow(page.get_by_role("button", name="Score with the new version"))
    expect(page.get_by_role("heading", name="revision 2")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("14 of 14 reviewed", exact=True)).to_be_visible(timeout=LONG)


def take_away(page: Page) -> None:
    follow(page.get_by_role("link", name="Insights"))
    expect(page.get_by_role("heading", name="Common errors")).to_be_visible()
    assert violations(page) == []
    follow(page.get_by_role("link", name="Exports"))
    assert violations(page) == []
    with page.expect_download() as given:
        page.get_by_role("link", name="A row for each essay as CSV").click()
    content = given.value.path().read_text(encoding="utf-8-sig")
    rows = {row["essay"]: row for row in csv.DictReader(io.StringIO(content))}
    human = dict(zip(essay_table(14)["id"], essay_table(14)["score"], strict=True))
    assert len(rows) == 14
    assert HOSTILE in rows
    for name, row in rows.items():
        if name != HOSTILE:
            assert float(row["final_score"]) == human[name]


def test_a_pasted_essay_is_scored_while_one_watches(served: Served, page: Page) -> None:
    page.goto(f"{served.address}/essays")
    page.get_by_label("The essay").fill(f"{ESSAY}\n\n{HOSTILE}")
    page.get_by_label("Writer").fill(HOSTILE)
    follow(page.get_by_role("button", name="Score this essay"))
    expect(page.locator(".score .big")).to_have_text(re.compile("^[1-6]$"), timeout=LONG)
    loaded(page)
    page.locator("a.err.m", has_text="freinds").hover()
    expect(page.locator("a.err.m:hover .tip")).to_be_visible()
    assert violations(page) == []
