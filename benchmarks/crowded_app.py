"""The web app in this process with workspaces of every kind that hold many items, and what a page of it costs."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import insert, select

from assay.store.database import Database
from assay.store.items import NewItem, put_items
from assay.store.overrides import Consequence, decide
from assay.store.schema import Json, items, results
from assay.web.app import create_app
from assay.web.site import WebSettings
from assay.web.worker.worker import Worker
from benchmarks.responses import score_table

REVIEWED = 500
"""Items in each workspace that a person has decided about."""


@dataclass(frozen=True, eq=False, slots=True)
class CrowdedApp:
    """The app, and the paths whose cost is of interest, by words that tell what they show."""

    client: TestClient
    paths: dict[str, str]


@dataclass(frozen=True, slots=True)
class PageCost:
    """Processor seconds of the first request, which fills caches, and of the median of five more; bytes."""

    first: float
    again: float
    size: int


@contextmanager
def crowded_app(count: int) -> Iterator[CrowdedApp]:
    """An app on SQLite whose workspaces hold so many submissions, essays and responses."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(WebSettings(f"sqlite:///{folder}/assay.db", Path(folder) / "cache"))
        client = TestClient(app, base_url="http://127.0.0.1:8765", follow_redirects=True)
        database: Database = app.state.site.database
        token = client.get("/sign-in").text.partition('csrf-token" content="')[2].partition('"')[0]
        client.post("/example", data={"csrf": token})
        client.cookies.clear()
        ids = {w["kind"]: w["id"] for w in client.get("/api/v1/workspaces").json()["workspaces"]}
        ids["evaluation"] = _evaluation(client, count)
        Worker(database, Path(folder) / "cache").work_until_idle()
        real = {kind: _crowd(database, client, ids[kind], count) for kind in ("annotations", "essays")}
        yield CrowdedApp(client, _paths(ids, real))
        database.close()


def _evaluation(client: TestClient, rows: int) -> str:
    """A workspace with a table of so many responses in it, about to be evaluated."""
    made: str = client.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Many"}).json()["id"]
    here = f"/api/v1/workspaces/{made}"
    table = BytesIO(score_table(rows).write_csv().encode())
    assert client.post(f"{here}/uploads/scores", files={"files": ("scores.csv", table)}).status_code == 201
    answer = client.post(f"{here}/jobs", json={"settings": {}})
    assert answer.status_code == 202, answer.text
    return made


def _crowd(database: Database, client: TestClient, workspace: str, count: int) -> int:
    """Add so many items with the results of the example's, some of them reviewed; the id of one of the example's."""
    engine = client.get(f"/api/v1/workspaces/{workspace}").json()["settings"]["engine"]
    now = datetime.now(UTC)
    with database.writing() as connection:
        of_engine = select(results, items.c.detail).join(items).where(results.c.engine == engine)
        real = connection.execute(of_engine.where(items.c.workspace_id == workspace, results.c.score.is_not(None)))
        known = [dict(row) for row in real.mappings()]
        new = [NewItem(f"{i:064d}", f"student {i:05d}", known[i % len(known)]["detail"]) for i in range(count)]
        made = put_items(connection, workspace, new, now=now)
        copies = [_copied(known[i % len(known)], item.id) for i, item in enumerate(made)]
        connection.execute(insert(results), copies)
        for number, (item, copy) in enumerate(zip(made[:REVIEWED], copies, strict=False)):
            decide(
                connection,
                item,
                engine,
                kind="override",
                target="score",
                value=copy["score"],
                consequence=Consequence(copy["score"], copy["score"], max(1.0, copy["score"] + number % 3 - 1)),
                reason="made up",
                author="bench",
                now=now - timedelta(hours=REVIEWED - number),
            )
    return int(known[0]["item_id"])


def _copied(row: Json, item_id: int) -> Json:
    return {name: value for name, value in row.items() if name not in ("id", "detail")} | {"item_id": item_id}


def _paths(ids: dict[str, str], real: dict[str, int]) -> dict[str, str]:
    paths = {"the first page": "/", "the API page": "/api"}
    tabs = {
        "annotations": ("rules", "insights", "trust", "exports", "history", "files"),
        "essays": ("insights", "model", "trust", "exports", "history"),
        "evaluation": ("report", "engines", "columns", "trust", "exports", "history"),
    }
    for kind, names in tabs.items():
        here, api = f"/{kind}/{ids[kind]}", f"/api/v1/workspaces/{ids[kind]}"
        paths |= {f"{kind}": f"/{kind}"}
        if kind != "evaluation":
            paths |= {f"{kind}: all, first page": f"{here}/submissions"}
            paths |= {f"{kind}: all, found by name": f"{here}/submissions?find=777"}
            paths |= {f"{kind}: all, to be reviewed": f"{here}/submissions?state=review"}
            paths |= {f"{kind}: one": f"{here}/submissions/{real[kind]}"}
        paths |= {f"{kind}: {name}": f"{here}/{name}" for name in names}
        paths |= {f"{kind}: API, 100 results": f"{api}/results", f"{kind}: API, trust": f"{api}/trust"}
    return paths


def page_cost(app: CrowdedApp, path: str) -> PageCost:
    """What one page costs."""
    costs: list[float] = []
    answer: Any = None
    for _ in range(6):
        start = time.process_time()
        answer = app.client.get(path)
        costs.append(time.process_time() - start)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
    return PageCost(costs[0], statistics.median(costs[1:]), len(answer.content))
