"""The pictures of docs/how-to/web-app.md, taken anew from `assay serve --demo`.

    python docs/screenshots.py

Needs chromium. The demo runs on a port and in a folder of its own, which are gone afterwards.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).resolve().parent / "how-to" / "pictures"
SIZE = (1440, 900)
PHONE = (390, 844)
QUALITY = 72
PATIENCE = 180.0
"""Seconds until the examples are scored."""


@contextmanager
def demo() -> Iterator[str]:
    """The address of a web app that holds the examples, all of them scored."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "assay", "serve", "--demo", "--port", "0", "--db", f"{folder}/assay.db"]
        names = {"LOGNAME": "teacher", "USER": "teacher", "PYTHONUNBUFFERED": "1"}
        served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **names})
        try:
            yield _scored(_address(served))
        finally:
            served.terminate()
            served.wait(20)


def _address(served: "subprocess.Popen[str]") -> str:
    for line in served.stdout or ():
        if found := re.search(r"http://\S+:\d+", line):
            return found[0]
    raise SystemExit("assay serve ended before it said its address.")


def _scored(address: str) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            workspaces = _asked(f"{address}/api/v1/workspaces")["workspaces"]
            jobs = [job for w in workspaces for job in _asked(f"{address}/api/v1/workspaces/{w['id']}/jobs")["jobs"]]
            if len(workspaces) == 3 and jobs and not any(job["state"] in ("queued", "running") for job in jobs):
                return address
        except URLError:
            pass  # not listening yet
        time.sleep(1)
    raise SystemExit("The examples were not scored in time.")


def _asked(address: str) -> Any:
    with urlopen(address, timeout=30) as answer:
        return json.load(answer)


def take(page: Page, name: str) -> None:
    """What the window shows, as a small WebP file."""
    page.wait_for_timeout(300)
    asked = {"format": "webp", "quality": QUALITY}
    told = page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)
    content = base64.b64decode(told["data"])
    (PICTURES / f"{name}.webp").write_bytes(content)
    print(f"{name}.webp {len(content) / 1024:.0f} KB")


def annotations(page: Page, here: str) -> None:
    """The table, a finding with its reasons, the rules, what all have in common."""
    page.goto(f"{here}/submissions")
    take(page, "annotations-table")
    page.get_by_role("link", name="dmitri").click()
    page.wait_for_load_state()
    page.goto(_differing(page))
    take(page, "annotations-finding")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.reload()
    take(page, "phone")
    page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
    page.goto(f"{here}/rules")
    page.get_by_label("Label, slider").fill("40")
    page.get_by_text("nothing is saved").wait_for()
    take(page, "annotations-rules")
    page.goto(f"{here}/insights")
    take(page, "annotations-insights")


def _differing(page: Page) -> str:
    """A finding of the open submission whose label differs."""
    here = page.url.split("?")[0]
    for image in range(1, 13):
        page.goto(f"{here}?image={image}")
        vans = page.locator(".findings a", has_text="van").evaluate_all("all => all.map(one => one.href)")
        for address in vans:
            page.goto(address)
            if page.locator(".vstab .bad").count():
                return str(address)
    return here


def essays(page: Page, here: str) -> None:
    """The class, one essay in light and in dark, trust."""
    page.goto(f"{here}/submissions")
    take(page, "essays-class")
    page.goto(f"{here}/submissions?sort=errors&order=down")
    page.locator("table.grades tbody th a").first.click()
    page.wait_for_load_state()
    page.keyboard.press("n")
    page.keyboard.press("n")
    take(page, "essays-essay")
    page.emulate_media(color_scheme="dark")
    page.goto(f"{here}/trust")
    take(page, "essays-trust-dark")
    page.emulate_media(color_scheme="light")


def evaluation(page: Page, here: str) -> None:
    """The report, the comparison."""
    page.goto(f"{here}/report")
    take(page, "evaluation-report")
    page.goto(f"{here}/engines")
    take(page, "evaluation-engines")


def main() -> None:
    browser_at = shutil.which("chromium") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with demo() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_at, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
        page.goto(address)
        take(page, "home")
        found = {w["kind"]: w["id"] for w in _asked(f"{address}/api/v1/workspaces")["workspaces"]}
        for kind, pictures in (("annotations", annotations), ("essays", essays), ("evaluation", evaluation)):
            pictures(page, f"{address}/{kind}/{found[kind]}")
        browser.close()
    total = sum(file.stat().st_size for file in PICTURES.glob("*.webp"))
    print(f"{total / 1024:.0f} KB together in {PICTURES.name}")


if __name__ == "__main__":
    main()
