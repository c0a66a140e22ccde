"""How pages look in a real browser: hostile names keep their place, panes fill the screen, rules are tried out."""

import signal
from collections.abc import Iterator
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect

from tests.web.annotated import BEN, CY, TRUTH, coco
from tests.web.browsers import browser, follow, keyboard_walk, page, too_wide, violations
from tests.web.pages.test_evaluation import SCORES
from tests.web.serving import Served

__all__ = ["browser", "page"]
HOSTILE = ("<script>alert(1)</script>", "N" * 300, "שלום עולם, ארוך ומימין לשמאל", "🚗👩‍👩‍👧‍👦 \"a\" & 'b'")
ESSAY = "In my opinon <script>alert(1)</script> schools shuold start later.\n\n" + "W" * 400 + " is a word.\n\n"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app on a file of its own; looks do not depend on the database."""
    running = Served(f"sqlite:///{tmp_path_factory.mktemp('looks') / 'assay.db'}", "--workers", "1")
    yield running
    running.stop(signal.SIGKILL)


def made(local: Served, kind: str, name: str, **roles: dict[str, bytes]) -> str:
    """A workspace that is scored; its address."""
    api = "/api/v1/workspaces"
    workspace = local.client.post(api, json={"kind": kind, "name": name}).json()["id"]
    for role, files in roles.items():
        sent = [("files", (file, BytesIO(content))) for file, content in files.items()]
        assert local.client.post(f"{api}/{workspace}/uploads/{role}", files=sent).status_code == 201
    assert local.client.post(f"{api}/{workspace}/jobs", json={}).status_code == 202
    local.wait_for(f"/api/v1/workspaces/{workspace}/jobs", '"state":"done"')
    return f"{local.address}/{kind}/{workspace}"


def annotated(local: Served) -> str:
    labelled = [(image, HOSTILE[at], box, {HOSTILE[0]: HOSTILE[2]}) for at, (image, _, box, _) in enumerate(TRUTH)]
    students = {f"{name.replace('/', '_')[:120]}.json": coco(labelled) for name in HOSTILE}
    students["ben.json"] = coco([labelled[0], (1, HOSTILE[3], (140, 10, 20, 20), {})])
    return made(local, "annotations", HOSTILE[1], truth={"truth.json": coco(labelled)}, submissions=students)


def test_hostile_labels_and_names_neither_run_nor_break_the_pages(local: Served, page: Page) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    url = annotated(local)
    page.goto(f"{url}/submissions")
    first = str(page.get_by_role("link", name="ben", exact=True).get_attribute("href"))
    tabs = ("submissions", "files", "rules", "insights", "trust", "exports", "history")
    addresses = [f"{url}/{tab}" for tab in tabs] + [f"{local.address}{first}", f"{local.address}/"]

    assert too_wide(page, addresses, 360) == []
    assert too_wide(page, addresses, 1440) == []
    for address in addresses[-2:]:
        page.goto(address)
        assert violations(page) == []


def test_a_hostile_essay_stays_within_its_pane_and_the_page_does_not_scroll_below_it(local: Served, page: Page) -> None:
    url = made(local, "essays", HOSTILE[0], essays={f"{HOSTILE[3]}.txt": (ESSAY * 6).encode()})
    page.goto(f"{url}/submissions")
    follow(page.locator("table.grades tbody th a").first)
    expect(page.locator("article.essay")).to_contain_text("alert(1)")

    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert violations(page) == []


def test_the_keyboard_sees_where_it_is_on_every_page_of_essays_and_evaluations(local: Served, page: Page) -> None:
    essays = made(local, "essays", "Keys", essays={f"{name}.txt": (ESSAY * 3).encode() for name in "abc"})
    scores = made(local, "evaluation", "Keys", scores={"scores.csv": SCORES.encode()})
    page.goto(f"{essays}/submissions")
    first = str(page.locator("table.grades tbody th a").first.get_attribute("href"))
    tabs = {essays: ("model", "insights", "trust", "exports", "history"), scores: ("report", "columns", "trust")}
    addresses = [f"{url}/{tab}" for url, names in tabs.items() for tab in ("", *names)]
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for address in [
            *addresses,
            f"{local.address}{first}",
            f"{local.address}/essays",
            f"{local.address}/evaluation",
        ]:
            page.goto(address)
            assert keyboard_walk(page) == [], (address, width)


def test_the_theme_and_the_single_keys_switch_once_on_every_page(local: Served, page: Page) -> None:
    url = made(local, "essays", "Themes", essays={"one.txt": (ESSAY * 3).encode()})
    page.goto(f"{url}/submissions")
    follow(page.locator("table.grades tbody th a").first)
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Single keys").click()
    page.keyboard.press("n")
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    assert page.evaluate("document.activeElement.className") == "linkbtn small"
    page.wait_for_load_state("networkidle")
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Single keys")).to_have_attribute("aria-pressed", "false")


def test_a_moved_slider_tells_what_would_change_and_reset_takes_it_back(local: Served, page: Page) -> None:
    files = {"ben.json": coco(BEN), "cy.json": coco(CY)}
    url = made(local, "annotations", "Sliders", truth={"truth.json": coco(TRUTH)}, submissions=files)
    page.goto(f"{url}/rules")
    page.get_by_label("Share of quality, slider").fill("100")
    expect(page.locator("#preview")).to_contain_text("nothing is saved")
    expect(page.locator("#preview tr", has_text="ben")).to_contain_text("100.0")
    expect(page.locator("#effect")).to_be_hidden()
    page.get_by_role("button", name="Reset").click()

    expect(page.locator("#preview")).to_be_empty()
    expect(page.locator("#effect")).to_be_visible()
