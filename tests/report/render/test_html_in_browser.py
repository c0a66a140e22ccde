"""The HTML report in a real browser: accessible, no wider than the screen, readable on paper."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from assay.report.render.html import to_html
from tests.report.sample import sample_document

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking"]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    page: Path = tmp_path_factory.mktemp("report") / "report.html"
    page.write_text(to_html(sample_document()), encoding="utf-8")
    return page.as_uri()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 360), ("dark", 360)])
def test_axe_finds_nothing(browser: Browser, address: str, scheme: str, width: int) -> None:
    # the policy of the page forbids scripts; only the test may put axe into it
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=True,
    )
    page.goto(address)
    page.eval_on_selector_all("details", "all => all.forEach(it => it.open = true)")

    violations = Axe().run(page).response["violations"]

    page.close()
    assert [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in violations] == []


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1440])
def test_the_page_never_scrolls_sideways(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(address)
    page.eval_on_selector_all("details", "all => all.forEach(it => it.open = true)")

    needed = page.evaluate("document.documentElement.scrollWidth")

    page.close()
    assert needed == width


def test_the_page_reports_no_error_and_asks_for_nothing(browser: Browser, address: str) -> None:
    page = browser.new_page()
    messages: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("request", lambda request: requests.append(request.url))

    page.goto(address)

    page.close()
    assert (messages, requests) == ([], [address])


def test_the_first_key_press_reaches_the_skip_link(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)

    page.keyboard.press("Tab")

    focused = page.evaluate("document.activeElement.textContent")
    page.close()
    assert focused == "Skip to the report"
