"""`python -m faults.waiting`: how long another writer waits while a ZIP of very many small files is uploaded.

The app and one worker run in this process on SQLite; another process writes a row every 20 ms and remembers how long
each took, first for a while in which nothing else happens. Writes out/faults/waiting.json.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

from sqlalchemy import Connection, Engine, event

from assay.web.worker.worker import Worker
from tests.web.annotated import TRUTH, coco
from tests.web.visits import Visit

PACE = 0.02
"""Seconds between two writes of the other writer."""
QUIET = 4.0
"""Seconds in which it is alone."""


@dataclass(frozen=True, slots=True)
class Waited:
    """What the other writer met, in milliseconds."""

    files: int
    writes: int
    longest_hold_cpu_ms: float
    """Processor time of the app's longest transaction: what a wait would be on a machine that does nothing else."""
    longest_ms: float
    within_99_ms: float
    longest_alone_ms: float
    within_99_alone_ms: float
    upload_seconds: float
    prepared_seconds: float


def zip_of(count: int) -> bytes:
    """As many tiny submissions, no two alike."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(count):
            archive.writestr(
                f"s{number:06d}.json", b'{"images": [], "annotations": [], "categories": [], "n": %d}' % number
            )
    return content.getvalue()


OTHER_WRITER = """
import sqlite3, sys, time
other = sqlite3.connect(sys.argv[1], timeout=600, isolation_level=None)
other.execute("CREATE TABLE IF NOT EXISTS other_writer (n INTEGER)")
print("begun", flush=True)
while True:
    time.sleep(float(sys.argv[2]))
    begun = time.time()
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO other_writer VALUES (1)")
    other.execute("COMMIT")
    print(begun, time.time() - begun, flush=True)
"""
"""Another program that writes to the same file, and says when and for how long."""


def _quantile(times: Sequence[float], share: float) -> float:
    """Milliseconds within which this share of the writes was done."""
    return round(1000 * sorted(times)[int(share * (len(times) - 1))], 1)


def watch_transactions(engine: Engine) -> list[float]:
    """Processor seconds of each transaction that writes, as they end."""
    holds: list[float] = []

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.info["begun"] = time.thread_time()

    @event.listens_for(engine, "commit")
    def commit(connection: Connection) -> None:
        if connection.get_execution_options().get("assay_writes"):
            holds.append(time.thread_time() - connection.info["begun"])

    return holds


def measure(count: int) -> Waited:
    """Upload, queue and prepare a ZIP of so many files."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/assay.db"
        visit = Visit(f"sqlite:///{path}", Path(folder) / "cache")
        here = visit.client.post("/api/v1/workspaces", json={"kind": "annotations", "name": "Many"}).json()["id"]
        address, content = f"/api/v1/workspaces/{here}", zip_of(count)
        holds = watch_transactions(visit.site.database.engine)
        command = [sys.executable, "-c", OTHER_WRITER, path, str(PACE)]
        other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        time.sleep(QUIET)
        begun = time.time()
        for role, name, sent in (("truth", "truth.json", coco(TRUTH)), ("submissions", "all.zip", content)):
            answer = visit.client.post(f"{address}/uploads/{role}", files={"files": (name, BytesIO(sent))})
            assert answer.status_code == 201, answer.text
        job = visit.client.post(f"{address}/jobs", json={}).json()["job"]["id"]
        uploaded = time.time()
        worker = Worker(visit.site.database, visit.settings.cache)
        while visit.client.get(f"/api/v1/jobs/{job}").json()["job"]["state"] == "preparing":
            worker.work_once()
        prepared = time.time()
        other.terminate()
        lines = [list(map(float, line.split())) for line in other.communicate()[0].splitlines()[1:-1]]
        visit.close()
    alone, beside = ([took for at, took in lines if (at < begun) == quiet] for quiet in (True, False))
    return Waited(
        files=count,
        writes=len(beside),
        longest_hold_cpu_ms=round(1000 * max(holds), 1),
        longest_ms=_quantile(beside, 1),
        within_99_ms=_quantile(beside, 0.99),
        longest_alone_ms=_quantile(alone, 1),
        within_99_alone_ms=_quantile(alone, 0.99),
        upload_seconds=round(uploaded - begun, 1),
        prepared_seconds=round(prepared - uploaded, 1),
    )


def main() -> None:
    """Measure, say and write."""
    parser = argparse.ArgumentParser(prog="python -m faults.waiting", description=__doc__)
    parser.add_argument("--files", type=int, default=60_000)
    waited = measure(parser.parse_args().files)
    out = Path("out/faults")
    out.mkdir(parents=True, exist_ok=True)
    (out / "waiting.json").write_text(json.dumps(asdict(waited), indent=2) + "\n", encoding="utf-8")
    print(json.dumps(asdict(waited), indent=2))


if __name__ == "__main__":
    main()
