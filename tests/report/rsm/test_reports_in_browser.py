"""Reports on models in a real browser: accessible, and no wider than the screen."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from assay.report.render.html import to_html
from tests.report.rsm.test_reports import documents

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking"]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 360)])
@pytest.mark.parametrize("name", ["experiment", "explain", "xval"])
def test_axe_finds_nothing_and_the_page_fits(
    browser: Browser, tmp_path: Path, name: str, scheme: str, width: int
) -> None:
    address = tmp_path / "report.html"
    address.write_text(to_html(documents()[name]), encoding="utf-8")
    # the policy of the page forbids scripts; only the test may put axe into it
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page.goto(address.as_uri())

    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    found = Axe().run(page).response["violations"]

    assert wide <= 0
    assert [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found] == []
    page.close()
