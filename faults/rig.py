"""The app under fault: its processes, and what a program that uses it does and remembers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import polars as pl

from assay.store.database import Database, open_database
from faults.databases import FaultyDatabase, PostgresqlServer, free_port
from faults.zygote import CLOCK, Forked, ask
from tests.journeys.test_web_load import handed_in
from tests.paths import EXAMPLES
from tests.web.annotated import TRUTH, coco

LEASE_SECONDS = 1.5
"""Short, so that a process that is stopped for two seconds has lost its leases."""
IDLE_SECONDS = 60
"""After so long a worker that hangs is replaced: a library may wait for a thread that could not start."""
SUBMISSIONS = 24
PATIENCE = 180
"""Seconds until something that should happen by itself counts as lost."""
Files = dict[str, bytes]


@dataclass(slots=True)
class Work:
    """A workspace and its job, as the program that made them knows them."""

    kind: str
    workspace: str
    job: str
    uploads: int
    decisions: list[int] = field(default_factory=list)
    """Those that were acknowledged."""


@dataclass(eq=False, slots=True)
class Rig:
    """A database, a server with workers, and a client."""

    database: FaultyDatabase
    workers: int = 2
    port: int = field(default_factory=free_port)
    server: Forked | None = None
    zygote: Any = None
    client: Any = None
    store: Database | None = None

    def __enter__(self) -> "Rig":
        address = str(self.database.folder / "zygote")
        command = [sys.executable, "-m", "faults.zygote", address]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
        self.zygote = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        assert self.zygote.stdout.readline() == b"loaded\n"
        self.clock.write_text("0", "ascii")
        fresh = httpx2.Limits(max_keepalive_connections=0)
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30, limits=fresh)
        self.start()
        self.store = open_database(self.direct_url)
        return self

    def __exit__(self, *_: object) -> None:
        if self.store is not None:
            self.store.close()
        for pid in (*self.pids("server"), *self.pids("worker")):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.client.close()
        self.zygote.terminate()
        self.zygote.wait()
        self.zygote.stdout.close()
        self.database.close()

    @property
    def direct_url(self) -> str:
        return self.database.direct_url if isinstance(self.database, PostgresqlServer) else self.database.url

    @property
    def clock(self) -> Path:
        return self.database.folder / "clock"

    @property
    def log(self) -> Path:
        return self.database.folder / "log"

    def fork_server(self, port: int, workers: int) -> Forked:
        """Another server on the same database."""
        cache = self.database.folder / "tmp"
        cache.mkdir(exist_ok=True)
        own = {
            "FAULTS_ZYGOTE": str(self.database.folder / "zygote"),
            "FAULTS_LOG": str(self.log),
            CLOCK: str(self.clock),
        }
        own |= {"FAULTS_DB": self.database.url, "FAULTS_PORT": str(port), "FAULTS_WORKERS": str(workers)}
        own |= {"TMPDIR": str(cache), "ASSAY_LEASE_SECONDS": str(LEASE_SECONDS)}
        own["ASSAY_LIMIT_IDLE_SECONDS"] = str(IDLE_SECONDS)
        return Forked("server", own, self.log)

    def start(self) -> None:
        """The server, again if it ended; waits until it answers."""
        end = time.monotonic() + PATIENCE
        self.server = self.fork_server(self.port, self.workers)
        while True:
            with suppress(httpx2.HTTPError):
                if self.client.get("/api/v1/workspaces").status_code == 200:
                    return
            if self.server.poll() is not None:
                self.server = self.fork_server(self.port, self.workers)
            assert time.monotonic() < end, self.log.read_text("utf-8", "replace")[-4000:]
            time.sleep(0.05)

    def pids(self, what: str) -> list[int]:
        """The processes there are: `server`, `worker`."""
        pids: list[int] = ask(str(self.database.folder / "zygote"), {"list": what})["pids"]
        return pids

    def wait_for_workers(self, count: int | None = None) -> list[int]:
        """Until the server has replaced those that ended."""
        self.until(lambda: len(self.pids("worker")) >= (self.workers if count is None else count))
        return self.pids("worker")

    def until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end, self.log.read_text("utf-8", "replace")[-4000:]
            time.sleep(0.05)

    def send(self, method: str, path: str, **what: Any) -> Any:
        """The answer to a request, sent again while the app says that nothing was saved."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = None
            with suppress(httpx2.HTTPError):
                answer = self.client.request(method, f"/api/v1{path}", **what)
            if answer is not None and answer.status_code not in (500, 502, 503, 507, 409):
                assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
                return answer.json() if answer.content else None
            assert time.monotonic() < end, f"{method} {path}: {answer and answer.text[:500]}"
            time.sleep(0.2)

    def upload(self, workspace: str, role: str, files: Files) -> None:
        """Files under a role; where no answer came, it is looked up whether they are there."""
        sent = [("files", (name, BytesIO(content))) for name, content in files.items()]
        known = {one["name"] for one in self.send("get", f"/workspaces/{workspace}/uploads")["uploads"]}
        if not known >= set(files):
            self.send("post", f"/workspaces/{workspace}/uploads/{role}", files=sent)

    def make(self, kind: str) -> Work:
        """A workspace of a kind with its job in the queue."""
        workspace = self.send("post", "/workspaces", json={"kind": kind, "name": kind})["id"]
        roles, settings = CONTENTS[kind]()
        for role, files in roles.items():
            self.upload(workspace, role, files)
        job = self.send("post", f"/workspaces/{workspace}/jobs", json={"settings": settings})["job"]
        if job is None:  # an earlier try went through, and its answer did not
            job = self.send("get", f"/workspaces/{workspace}/jobs")["jobs"][0]
        return Work(kind, workspace, job["id"], sum(map(len, roles.values())))

    def progress(self, work: Work) -> dict[str, Any]:
        job: dict[str, Any] = self.send("get", f"/jobs/{work.job}")["job"]
        return job

    def results(self, work: Work) -> dict[str, str]:
        """Name -> score and payload, without ids."""
        listed = self.send("get", f"/workspaces/{work.workspace}/results", params={"limit": 1000})["results"]
        said = {one["item"]["name"]: (one["score"], dict(one["payload"] or {})) for one in listed}
        for _, payload in said.values():
            payload.pop("subtitle", None)  # it says when the report was made
        return {name: json.dumps(result, sort_keys=True) for name, result in said.items()}

    def decide(self, work: Work) -> None:
        """Confirm the first result; what was acknowledged is remembered."""
        item = self.send("get", f"/workspaces/{work.workspace}/results", params={"limit": 1})["results"][0]["item"]
        decision = {"kind": "confirm", "target": "score", "value": None, "reason": "looked at it"}
        made = self.send("post", f"/workspaces/{work.workspace}/results/{item['id']}/decisions", json=decision)
        work.decisions.append(int(made["id"]))


def annotations() -> tuple[dict[str, Files], dict[str, Any]]:
    submissions = {f"student {i:03d}.json": handed_in(i) for i in range(SUBMISSIONS)}
    return {"truth": {"truth.json": coco(TRUTH)}, "submissions": submissions}, {}


def evaluation() -> tuple[dict[str, Files], dict[str, Any]]:
    rows = "".join(f"{i},{1 + i % 5},{1 + (i * 7) % 5}\n" for i in range(60))
    return {"scores": {"scores.csv": f"id,rater,engine\n{rows}".encode()}}, {
        "human": ["rater"],
        "system": ["engine"],
        "id": "id",
        "scale": "1-5",
    }


def essays() -> tuple[dict[str, Files], dict[str, Any]]:
    table = pl.read_csv(EXAMPLES / "essays.csv").select("id", "text").head(3)
    return {"essays": {"class.csv": table.write_csv().encode()}}, {"text": "text", "id": "id"}


CONTENTS: dict[str, Callable[[], tuple[dict[str, Files], dict[str, Any]]]] = {
    "annotations": annotations,
    "evaluation": evaluation,
    "essays": essays,
}


def open_jobs(rig: Rig, works: Sequence[Work]) -> list[Work]:
    """Those that are still going on."""
    return [work for work in works if rig.progress(work)["state"] in ("preparing", "queued", "running")]
