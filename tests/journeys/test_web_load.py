"""`assay serve` killed in the middle of its work, and read by many people while it works."""

import asyncio
import json
import os
import signal
import subprocess
import time
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from assay.store.database import open_database
from assay.store.schema import items, results
from assay.web.worker.worker import Worker
from tests.store.databases import database_url, postgresql
from tests.web.annotated import TRUTH, Drawn, coco
from tests.web.serving import Served
from tests.web.visits import Visit

__all__ = ["database_url", "postgresql"]

BATCH = 200
USERS = 50


def handed_in(number: int) -> bytes:
    """The work of one of many students, no two alike: boxes are shifted, one is missing now and then."""
    shift = number % 17
    drawn: list[Drawn] = [(i, label, (x + shift, y, w, h), told) for i, label, (x, y, w, h), told in TRUTH]
    extra: Drawn = (0, "car", (150, 80, 10 + number / 10, 10), {})
    return coco([*drawn[: 2 + (number % 3 > 0)], extra])


class Batch:
    """A batch of submissions in a workspace, as a program sees it."""

    def __init__(self, api: Any, count: int) -> None:
        self.api = api
        made = self._sent("post", "/api/v1/workspaces", json={"kind": "annotations", "name": "A batch"})["id"]
        self.here = f"/api/v1/workspaces/{made}"
        self._upload("truth", {"truth.json": coco(TRUTH)})
        self._upload("submissions", {f"student {i:03d}.json": handed_in(i) for i in range(count)})
        self.job = self._sent("post", f"{self.here}/jobs", json={})["job"]["id"]

    def _sent(self, method: str, path: str, **what: Any) -> dict[str, Any]:
        answer = self.api.request(method, path, **what)
        assert answer.status_code < 300, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def _upload(self, role: str, files: dict[str, bytes]) -> None:
        sent = [("files", (name, BytesIO(content))) for name, content in files.items()]
        self._sent("post", f"{self.here}/uploads/{role}", files=sent)

    def progress(self) -> dict[str, Any]:
        told: dict[str, Any] = self._sent("get", f"/api/v1/jobs/{self.job}")["job"]
        return told

    def wait_for(self, done: int) -> int:
        """Until so many are done; how many are."""
        end = time.monotonic() + 240
        while (told := self.progress())["done"] < done:
            assert time.monotonic() < end, told
            time.sleep(0.02)
        return int(told["done"])

    def results(self) -> dict[str, str]:
        """Name -> score and payload."""
        found = self._sent("get", f"{self.here}/results", params={"limit": 1000})["results"]
        return {one["item"]["name"]: json.dumps([one["score"], one["payload"]]) for one in found}


def kept(database: str) -> dict[object, tuple[object, ...]]:
    """Every result of a submission as it lies in the database: a piece done again would have a row of its own."""
    opened = open_database(database)
    with opened.reading() as connection:
        query = select(results.c.id, results.c.item_id, results.c.made).join(items).where(items.c.student.is_not(None))
        found: dict[object, tuple[object, ...]] = {id_: (item, made) for id_, item, made in connection.execute(query)}
    opened.close()
    return found


def kill_9(served: Served) -> None:
    """The server and its workers, as the machine would do it when it runs out of memory."""
    listed = subprocess.run(["pgrep", "-P", str(served.process.pid)], capture_output=True, text=True, check=False)
    for number in (*map(int, listed.stdout.split()), served.process.pid):
        os.kill(number, signal.SIGKILL)
    served.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The results of the batch when nothing happens."""
    folder = tmp_path_factory.mktemp("undisturbed")
    visit = Visit(f"sqlite:///{folder / 'assay.db'}", folder / "cache")
    batch, worker = Batch(visit.client, BATCH), Worker(visit.site.database, visit.settings.cache)
    while batch.progress()["done"] < BATCH:
        worker.work_once()
    found = batch.results()
    visit.close()
    return found


def test_kill_9_in_the_middle_of_200_submissions_changes_no_result(
    database_url: str, undisturbed: dict[str, str]
) -> None:
    first = Served(database_url, "--workers", "2")
    batch = Batch(first.client, BATCH)
    batch.wait_for(BATCH // 10)
    kill_9(first)
    before = kept(database_url)
    again = Served(database_url, "--workers", "2")
    batch.api = again.client
    done = batch.wait_for(BATCH)
    found, after = batch.results(), kept(database_url)
    again.stop(signal.SIGKILL)

    assert 0 < len(before) < BATCH
    assert done == len(after) == BATCH
    assert {id_: after.get(id_) for id_ in before} == before
    assert found == undisturbed


async def read_pages(address: str, paths: list[str], rounds: int) -> list[int]:
    """Many users at once, each from page to page; the statuses of all answers."""
    limits = httpx2.Limits(max_connections=USERS, max_keepalive_connections=USERS)
    async with httpx2.AsyncClient(base_url=address, timeout=120, limits=limits) as client:

        async def user(number: int) -> list[int]:
            return [(await client.get(paths[(number + i) % len(paths)])).status_code for i in range(rounds)]

        return [status for statuses in await asyncio.gather(*map(user, range(USERS))) for status in statuses]


def test_50_people_read_pages_while_a_batch_is_scored_and_none_meets_an_error(tmp_path: Path) -> None:
    served = Served(str(tmp_path / "assay.db"), "--workers", "1")
    batch = Batch(served.client, BATCH)
    first = served.client.get(f"{batch.here}/results").json()["results"][0]["item"]["id"]
    tabs = ("submissions", "trust", "history", "rules", f"submissions/{first}")
    page = batch.here.replace("/api/v1/workspaces", "/annotations")
    paths = ["/", "/annotations", f"{batch.here}/results", *(f"{page}/{tab}" for tab in tabs)]
    statuses = asyncio.run(read_pages(served.address, paths, 4))
    done = batch.wait_for(BATCH)
    served.stop(signal.SIGKILL)

    assert statuses == [200] * (4 * USERS)
    assert done == BATCH
