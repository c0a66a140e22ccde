"""A real browser for journeys: pages that must report no error, and what a screen reader would stumble over."""

import os
import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PATIENCE = 90_000
"""Milliseconds; the machine may be busy with other tests."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    os.environ.setdefault("PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS", "1")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1440, "height": 900})
    opened.set_default_timeout(PATIENCE)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "console",
        lambda message: problems.append(f"{message.text} {message.location}") if message.type == "error" else None,
    )
    yield opened
    opened.close()
    # a form that was refused on purpose is an error of the network to the browser, and none of the page
    left = [problem for problem in problems if "status of 422" not in problem]
    assert left == [], left


def follow(link: Locator) -> None:
    """A click that leads to another page, and the wait until that page has its look and its scripts."""
    with link.page.expect_navigation(wait_until="load"):
        link.click()


def loaded(page: Page) -> None:
    """The wait until a page that came by itself has its look and its scripts: its words can be read before that."""
    page.wait_for_load_state("load")


def violations(page: Page) -> list[str]:
    """What axe finds on the page, every disclosure open, in both themes; then they are as they were."""
    loaded(page)
    found = []
    closed = "all => all.forEach(it => { it.dataset.closed = it.open ? '' : 'yes'; it.open = true; })"
    page.eval_on_selector_all("details", closed)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        told = Axe().run(page).response["violations"]
        found += [f"{theme} {page.url} {v['id']}: {v['nodes'][0]['html'][:200]}" for v in told]
    page.emulate_media(color_scheme="light")
    page.eval_on_selector_all("details", "all => all.forEach(it => { it.open = it.dataset.closed !== 'yes'; })")
    return found


def too_wide(page: Page, addresses: list[str], width: int = 390) -> list[str]:
    """The pages that would scroll sideways on a phone."""
    page.set_viewport_size({"width": width, "height": 844})
    found = []
    for address in addresses:
        page.goto(address)
        needed = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{address}: {needed}"] if needed > width else []
    page.set_viewport_size({"width": 1440, "height": 900})
    return found


_STOP = """() => {
  const it = document.activeElement;
  if (!it || it === document.body || it.dataset.walked) return null;
  it.dataset.walked = 'yes';
  const style = getComputedStyle(it), box = it.getBoundingClientRect();
  const told = [it.tagName.toLowerCase(), it.id, it.textContent.trim().slice(0, 30)].join(' ');
  if (style.outlineStyle === 'none' || !parseFloat(style.outlineWidth)) return `${told}: no outline`;
  const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 2);
  const meets = top => top && (it.contains(top) || top.contains(it));
  const here = y => meets(document.elementFromPoint(x, y));
  const seen = [Math.min(box.height / 2, 20), box.height / 2, box.height - 20].some(down => here(box.top + down));
  return seen ? '' : `${told}: out of sight, or covered`;
}"""


def keyboard_walk(page: Page, most: int = 300) -> list[str]:
    """What Tab meets on its way through the page that cannot be seen there; and whether it never comes out again."""
    loaded(page)
    found: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        told = page.evaluate(_STOP)
        if told is None:
            return found
        found += [told] if told else []
    return [*found, f"no end after {most} steps"]
