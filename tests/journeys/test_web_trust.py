"""The trust page in a real browser: review what it asks for, ask how many more, draw a sample; both databases."""

import re
import signal
from io import BytesIO
from pathlib import Path

from playwright.sync_api import Page, expect

from assay.store.database import open_database
from tests.store.databases import postgresql
from tests.web.annotated import BEN, CY, TRUTH, coco
from tests.web.browsers import browser, follow, page, too_wide, violations
from tests.web.pages.test_accounts import PASSWORD
from tests.web.reviews import reviewed_essays
from tests.web.serving import Served, served

__all__ = ["browser", "page", "postgresql", "served"]


def scored_annotations(served: Served, students: int) -> str:
    """A workspace whose submissions are scored; its address."""
    api = "/api/v1/workspaces"
    made = served.client.post(api, json={"kind": "annotations", "name": "Group B"}).json()["id"]
    handed_in = {f"student {number}.json": coco(BEN if number % 2 else CY) for number in range(students)}
    for role, files in (("truth", {"truth.json": coco(TRUTH)}), ("submissions", handed_in)):
        sent = [("files", (name, BytesIO(content))) for name, content in files.items()]
        assert served.client.post(f"{api}/{made}/uploads/{role}", files=sent).status_code == 201
    assert served.client.post(f"{api}/{made}/jobs", json={}).status_code == 202
    served.wait_for(f"/api/v1/workspaces/{made}/jobs", '"state":"done"')
    return f"{served.address}/annotations/{made}"


def test_a_trainer_reviews_what_the_page_asks_for_until_it_can_say_something(served: Served, page: Page) -> None:
    url = scored_annotations(served, 4)
    page.goto(f"{url}/trust")
    for left in (3, 2, 1, 0):
        follow(page.get_by_role("link", name="Review the first"))
        follow(page.get_by_role("button", name="Submission reviewed"))
        expect(page.get_by_text(f"{4 - left} of 4 reviewed").first).to_be_visible()
        follow(page.get_by_role("link", name="Trust", exact=True))
        expect(page.get_by_role("heading", name="Review next")).to_be_visible()

    expect(page.get_by_text("Everything with a score is reviewed")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("review")
    assert violations(page) == []
    follow(page.get_by_role("link", name="Exports", exact=True))
    with page.expect_download() as taken:
        page.get_by_role("link", name="A row for each student as CSV").click()
    assert len(Path(taken.value.path()).read_text(encoding="utf-8").splitlines()) == 5


def test_a_trainer_asks_how_many_reviews_are_needed_and_draws_a_sample(served: Served, page: Page) -> None:
    database = open_database(served.database)
    made = reviewed_essays(database, items=80, reviewed=50, late_shift=1.5)
    database.close()
    url = f"{served.address}/essays/{made}"
    page.goto(f"{url}/trust")
    wrong = violations(page) if served.database.startswith("sqlite") else []
    expect(page.get_by_text(re.compile("[Dd]rift")).first).to_be_visible()
    page.get_by_label("Figure", exact=True).select_option(label="Exact agreement")
    page.get_by_label("Known within").fill("4")
    follow(page.get_by_role("button", name="Calculate"))
    expect(page.get_by_role("status")).to_contain_text("more review")
    expect(page.get_by_role("status")).to_contain_text("±4.0 percentage points")
    page.get_by_label("Essays to draw").fill("0")
    follow(page.get_by_role("button", name="Draw at random"))
    expect(page.get_by_text("Draw between 1 and")).to_be_visible()
    page.get_by_label("Essays to draw").fill("20")
    follow(page.get_by_role("button", name="Draw at random"))
    expect(page.get_by_role("link", name="Random draw")).to_have_attribute("aria-current", "page")
    wrong += violations(page) if served.database.startswith("sqlite") else []

    assert wrong == []
    assert too_wide(page, [f"{url}/trust", f"{url}/history"]) == []


def test_accounts_sign_in_and_the_log_are_accessible(tmp_path: Path, page: Page) -> None:
    running = Served(str(tmp_path / "assay.db"), "--workers", "0", "--accounts")
    told = [running.line() for _ in range(2)][-1]
    addresses = [f"{running.address}{path}" for path in ("/", "/accounts", "/account", "/audit", "/api")]
    try:
        page.goto(told[told.index("http") :].strip())
        wrong = violations(page)
        page.get_by_label("Name").fill("Ada")
        page.get_by_label("Password").fill(PASSWORD)
        follow(page.get_by_role("button", name="Create account"))
        for address in addresses:
            page.goto(address)
            wrong += violations(page)
        wrong += too_wide(page, addresses)
        follow(page.get_by_role("button", name="Sign out"))
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        wrong += violations(page)
    finally:
        page.close()  # first: it may still ask for its icon
        running.stop(signal.SIGKILL)

    assert wrong == []
