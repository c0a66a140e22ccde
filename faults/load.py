"""`python -m faults.load`: many people who are signed in read pages over loopback while a batch is scored.

Each has a session of their own and asks for a page every five seconds, for a minute. Writes out/load/summary.json:
errors, how long pages took, and the servers' processor time for each; the clock says as much about what else the
machine does.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2

from assay.store.accounts import create_account, start_session
from assay.store.courses import DEFAULT_COURSE, enroll
from assay.store.database import open_database
from assay.web.visitors import SESSION
from benchmarks.bench_web import Visits
from benchmarks.web_batches import Serve, done, start_batch

BATCH = 200
PAUSE = 5.0
"""Seconds from one page of a person to the next."""
SECONDS = 60.0
TABS = ("submissions", "trust", "history", "rules")


def people(database: str, users: int) -> tuple[str, list[str]]:
    """A token for programs of the one who uploads, and a browser session for each user: all teach the one course."""
    opened, now = open_database(database), datetime.now(UTC)
    with opened.writing() as connection:
        names = [f"user {number:03d}" for number in range(users)]
        ids = [create_account(connection, name, "no password", "trainer", now=now) for name in names]
        for name, id_ in zip(names, ids, strict=True):
            enroll(connection, DEFAULT_COURSE, "teacher", name, now=now, account_id=id_)
        token = start_session(connection, ids[0], now=now, kind="api")
        sessions = [start_session(connection, id_, now=now) for id_ in ids]
    opened.close()
    return token, sessions


async def visits_of(address: str, workspace: str, sessions: list[str], seconds: float) -> Visits:
    """What users met who each ask for a page every five seconds."""
    paths = ["/", "/annotations", *(f"/annotations/{workspace}/{tab}" for tab in TABS)]
    times: list[float] = []
    errors = 0
    start = time.perf_counter()

    async def user(number: int, session: str, client: httpx2.AsyncClient) -> None:
        nonlocal errors
        due = start + PAUSE * number / len(sessions)
        visit = 0
        while due < start + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            begun = time.perf_counter()
            try:
                path = paths[(number + visit) % len(paths)]
                answer = await client.get(path, headers={"Cookie": f"{SESSION}={session}"})
                errors += answer.status_code != 200
            except httpx2.HTTPError:
                errors += 1
            times.append(time.perf_counter() - begun)
            visit, due = visit + 1, due + PAUSE

    limits = httpx2.Limits(max_connections=len(sessions) + 5, max_keepalive_connections=len(sessions) + 5)
    async with httpx2.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        await asyncio.gather(*(user(number, session, client) for number, session in enumerate(sessions)))
    return Visits(tuple(times), errors, time.perf_counter() - start)


def server_seconds(process: int) -> float:
    """Processor seconds of a server and the processes that answer for it, without its workers."""
    own = [process, *(number for number in _children(process) if b"server_process" in _command(number))]
    return sum(_seconds(number) for number in own)


def _children(process: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()]


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(users: int, batch: int, *, servers: int, seconds: float = SECONDS) -> dict[str, Any]:
    """What so many users met."""
    with tempfile.TemporaryDirectory() as folder:
        token, sessions = people(f"{folder}/assay.db", users)
        options = ("--accounts", "--servers", str(servers))
        serve = Serve(f"{folder}/assay.db", *options, workers=1, cache=Path(folder))
        serve.api.headers["Authorization"] = f"Bearer {token}"
        try:
            workspace, job = start_batch(serve, batch)
            used = server_seconds(serve.process.pid)
            visits = asyncio.run(visits_of(serve.address, workspace, sessions, seconds))
            used = server_seconds(serve.process.pid) - used
            scored, total, _ = done(serve, job)
        finally:
            serve.stop()
    return {
        "users": users,
        "servers": servers,
        "pause_s": PAUSE,
        "pages": len(visits.times),
        "errors": visits.errors,
        "seconds": round(visits.seconds, 1),
        **{f"p{share}_ms": round(visits.within(share / 100)) for share in (50, 95, 99)},
        "server_cpu_ms_per_page": round(1000 * used / len(visits.times), 2),
        "scored": f"{scored} of {total}",
        "load_average": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
        "made": datetime.now(UTC).date().isoformat(),
    }


def main() -> None:
    """Measure, write, say."""
    parser = argparse.ArgumentParser(prog="python -m faults.load", description=__doc__)
    parser.add_argument("--users", type=int, nargs="*", default=[50, 200])
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--servers", type=int, default=1)
    asked = parser.parse_args()
    summary = [measure(users, asked.batch, servers=asked.servers) for users in asked.users]
    out = Path("out/load")
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
