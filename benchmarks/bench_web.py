"""The web app: pages with 10,000 items, 50 users while a batch is scored, kill -9 in the middle of a batch."""

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import httpx2

from benchmarks.crowded_app import REVIEWED, crowded_app, page_cost
from benchmarks.page import Effort, Page
from benchmarks.web_batches import Serve, done, interrupted, start_batch, undisturbed

MOST_PAGE = 200
"""Milliseconds of a page with many items."""
MOST_MEDIAN = 300
"""Milliseconds of the median page while a batch is scored."""
MOST_SECONDS = 60
"""Users stop after so many seconds, whatever is still to be scored."""
PAUSE = 1.0
"""Seconds between two pages of a user."""

ITEMS = {Effort.TINY: 600, Effort.QUICK: 2000, Effort.WHOLE: 10_000}
USERS = {Effort.TINY: 5, Effort.QUICK: 20, Effort.WHOLE: 50}
BATCH = {Effort.TINY: 10, Effort.QUICK: 50, Effort.WHOLE: 200}


def measure(page: Page) -> None:
    """Pages; for the page of figures also users and a crash, which are told on the clock."""
    show_pages(page)
    if page.effort is Effort.WHOLE:
        show_users(page)
        show_crash(page)


# ---- pages with many items ---------------------------------------------------------------------------------------


def show_pages(page: Page) -> None:
    """Processor time of each page of each kind of workspace."""
    count = ITEMS[page.effort]
    page.heading(f"Pages with {count:,} items")
    page.say(
        f"Three workspaces with {count:,} submissions, essays and responses, {REVIEWED} of the first two reviewed, on "
        "SQLite. Processor time of a request in the app's own process: of the first, which fills caches, and the "
        "median of five more."
    )
    page.table("page", "first, CPU ms", "then, CPU ms", "KB")
    slowest = 0.0
    with crowded_app(count) as app:
        for words, path in app.paths.items():
            cost = page_cost(app, path)
            slowest = max(slowest, cost.again)
            page.row(words, f"{1000 * cost.first:.0f}", f"{1000 * cost.again:.0f}", f"{cost.size / 1024:.0f}")
    page.end()
    page.figure(f"slowest page with {count:,} items, CPU ms", 1000 * slowest, most=MOST_PAGE)


# ---- many users --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visits:
    """Seconds of each page that users asked for, how many were not as they should be, and how long it all took."""

    times: tuple[float, ...]
    errors: int
    seconds: float

    def within(self, share: float) -> float:
        """Milliseconds within which this share of the pages came."""
        return 1000 * sorted(self.times)[int(share * (len(self.times) - 1))]


def show_users(page: Page) -> None:
    """Many users read pages while a batch is scored."""
    users, batch = USERS[page.effort], BATCH[page.effort]
    with tempfile.TemporaryDirectory() as folder:
        serve = Serve(f"{folder}/assay.db", workers=1, cache=Path(folder))
        workspace, job = start_batch(serve, batch)
        used = _processor_seconds(serve)
        visits = asyncio.run(_users(serve, workspace, job, users))
        used = _processor_seconds(serve) - used
        finished, total, _ = done(serve, job)
        serve.stop()
    page.heading(f"{users} users at once while {batch} submissions are scored")
    page.say(
        "`assay serve` with one worker on the loopback address; each user reads one page a second: "
        f"{len(visits.times)} pages in {visits.seconds:.0f} s. On the clock, as the users see it, which says as much "
        f"about what else the machine does ({os.getloadavg()[0]:.1f} processes wanted its {os.cpu_count()} processors)."
    )
    page.table(
        "errors", "median, ms", "90 % within, ms", "99 % within, ms", "server's CPU ms a page", "scored meanwhile"
    )
    quantiles = [f"{visits.within(share):.0f}" for share in (0.5, 0.9, 0.99)]
    page.row(visits.errors, *quantiles, f"{1000 * used / len(visits.times):.0f}", f"{finished} of {total}")
    page.end()
    page.figure(f"{users} users: errors", visits.errors, most=0)
    if page.effort is Effort.WHOLE:
        page.figure(f"{users} users: median page, ms", visits.within(0.5), most=MOST_MEDIAN)


async def _users(serve: Serve, workspace: str, job: str, users: int) -> Visits:
    tabs = ("submissions", "trust", "history", "rules")
    paths = ["/", "/annotations", *(f"/annotations/{workspace}/{tab}" for tab in tabs)]
    times: list[float] = []
    errors = 0
    over = asyncio.Event()
    start = time.perf_counter()

    async def user(number: int, client: httpx2.AsyncClient) -> None:
        nonlocal errors
        await asyncio.sleep(PAUSE * number / users)
        visits = 0
        while not over.is_set() or visits < 4:
            begun = time.perf_counter()
            try:
                answer = await client.get(paths[(number + visits) % len(paths)])
                errors += answer.status_code != 200
            except httpx2.HTTPError:
                errors += 1
            times.append(time.perf_counter() - begun)
            visits += 1
            await asyncio.sleep(PAUSE)

    async def watch(client: httpx2.AsyncClient) -> None:
        while time.perf_counter() - start < MOST_SECONDS:
            await asyncio.sleep(1)
            if (await client.get(f"/api/v1/jobs/{job}")).json()["job"]["state"] == "done":
                break
        over.set()

    limits = httpx2.Limits(max_connections=users + 5, max_keepalive_connections=users + 5)
    async with httpx2.AsyncClient(base_url=serve.address, timeout=120, limits=limits) as client:
        await asyncio.gather(watch(client), *(user(number, client) for number in range(users)))
    return Visits(tuple(times), errors, time.perf_counter() - start)


def _processor_seconds(serve: Serve) -> float:
    """Processor seconds of the server itself, without its workers; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{serve.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- kill -9 -----------------------------------------------------------------------------------------------------


def show_crash(page: Page) -> None:
    """A batch cut off in the middle, beside one nobody disturbed."""
    batch = BATCH[page.effort]
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        whole = undisturbed(f"{first}/assay.db", Path(first), batch, workers=2)
        again, before, total = interrupted(f"{second}/assay.db", Path(second), batch, workers=2)
    same = sum(again.get(name) == result for name, result in whole.items())
    page.heading("kill -9 in the middle of a batch")
    page.say(
        f"Server and two workers killed after {before} of {total} submissions, started again: {same} of {len(whole)} "
        "submissions have the score and the details they have undisturbed."
    )
    page.figure("share of results that are the same after kill -9", same / len(whole), least=1)
