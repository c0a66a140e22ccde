"""A scientist's way through the evaluation pages in a real browser: from a table to a report, a comparison, a file."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.store.databases import postgresql
from tests.web.browsers import browser, follow, loaded, page, too_wide, violations
from tests.web.pages.test_evaluation import SCORES, SECOND
from tests.web.serving import Served, served

__all__ = ["browser", "page", "postgresql", "served"]


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "pilot_scores.csv", tmp_path / "judge.csv"
    first.write_text(SCORES + "r98,,2.5,3,south\n")
    second.write_text(SECOND)
    return first, second


def test_from_a_table_to_a_comparison_one_can_take_away(served: Served, page: Page, tables: tuple[Path, Path]) -> None:
    wrong: list[str] = []

    def look() -> None:
        # the markup is the same on both databases: one look is enough
        wrong.extend(violations(page) if served.database.startswith("sqlite") else [])

    page.goto(f"{served.address}/")
    look()
    follow(page.get_by_role("link", name="Evaluate a score table"))
    look()
    page.get_by_label("Drop a score table here").set_input_files(tables[0])
    expect(page).to_have_url(re.compile("/columns$"))
    loaded(page)
    look()
    page.get_by_label("Score scale").fill("one to five")
    follow(page.get_by_role("button", name="Evaluate the engine"))
    expect(page.get_by_text("Cannot read the scale")).to_be_visible()
    page.get_by_label("Score scale").fill("1-5")
    follow(page.get_by_role("button", name="Evaluate the engine"))
    expect(page.get_by_text("Agreement with human scores").first).to_be_visible()
    look()
    workspace = page.url.removesuffix("/report")

    follow(page.get_by_role("link", name="Add a second engine"))
    page.get_by_label("Table with the scores of the other engine").set_input_files(tables[1])
    follow(page.get_by_role("button", name="Compare this table"))
    expect(page.get_by_text("2 engines against human scores")).to_be_visible()
    look()

    follow(page.get_by_role("link", name="Trust", exact=True))
    expect(page.get_by_role("heading", name="Review next")).to_be_visible()
    expect(page.get_by_role("rowheader", name="r98")).to_be_visible()
    look()

    follow(page.get_by_role("link", name="Exports", exact=True))
    look()
    with page.expect_download() as taken:
        page.get_by_role("link", name="All figures as JSON", exact=True).first.click()
    assert '"qwk"' in Path(taken.value.path()).read_text()
    follow(page.get_by_role("link", name="History", exact=True))
    expect(page.get_by_text("judge.csv").first).to_be_visible()
    look()

    paths = ("columns", "report", "engines", "trust", "exports", "history")
    assert too_wide(page, [f"{workspace}/{path}" for path in paths]) == []
    assert wrong == []


def test_every_step_can_be_taken_with_the_keyboard_alone(served: Served, page: Page, tables: tuple[Path, Path]) -> None:
    page.goto(f"{served.address}/evaluation")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "file"
    outlined = page.evaluate("getComputedStyle(document.activeElement.closest('.drop')).outlineStyle")
    assert outlined == "solid"
    page.get_by_label("Drop a score table here").set_input_files(tables[0])
    expect(page).to_have_url(re.compile("/columns$"))
    loaded(page)
    button = page.get_by_role("button", name="Evaluate the engine")
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("it => it === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_text("Agreement with human scores").first).to_be_visible()
