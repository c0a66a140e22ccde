"""Workers as real processes: killed in the middle, several at once, stopped politely."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

import pytest
from sqlalchemy import select

from assay.store.database import Database, open_database
from assay.store.items import NewItem, put_items, workspace_items
from assay.store.jobs import JobPiece, Progress, enqueue, progress
from assay.store.schema import job_items, results
from assay.store.workspaces import create_workspace
from assay.web.worker import __main__ as module
from assay.web.worker.worker import main

SLOW_WORKER = dedent("""
    import sys, time
    from datetime import timedelta
    from pathlib import Path
    from threading import Thread
    from assay.store import jobs
    from assay.store.database import open_database
    from assay.web.worker.worker import Outcome
    from assay.web.worker.worker import Worker

    def prepare(job, tools):
        def handle(piece):
            with open(sys.argv[2], "a") as log:
                log.write(f"{piece.item_id}\\n")
            time.sleep(0.02)
            return Outcome({"square": piece.task["number"] ** 2}, float(piece.task["number"]), {"note.txt": b"done"})
        return handle

    worker = Worker(open_database(sys.argv[1]), Path(sys.argv[3]), prepare=lambda kind: prepare)
    Thread(target=worker.beat, daemon=True).start()
    worker.work()
""")


@pytest.fixture
def opened(database_url: str) -> Iterator[Database]:
    database = open_database(database_url)
    yield database
    database.close()


def start_job(database: Database, count: int) -> str:
    now = datetime.now(UTC)
    with database.writing() as connection:
        workspace = create_workspace(connection, "evaluation", "Squares", author="you", now=now)
        new = [NewItem(f"{i:064d}", f"number {i}", {"number": i}) for i in range(count)]
        made = put_items(connection, workspace.id, new, now=now)
        pieces = [JobPiece(item.detail, item.id) for item in made]
        assert len(workspace_items(connection, workspace.id)) == count
        return enqueue(connection, "squares", workspace.id, pieces, author="you", now=now, engine="e")


def how_far(database: Database, job: str) -> Progress:
    with database.reading() as connection:
        found = progress(connection, job, now=datetime.now(UTC))
    assert found is not None
    return found


def wait_until(reached: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


@pytest.fixture
def start_worker(database_url: str, tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    running: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        arguments = [database_url, str(tmp_path / "log"), str(tmp_path / "cache")]
        running.append(subprocess.Popen([sys.executable, "-c", SLOW_WORKER, *arguments]))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def test_kill_9_in_the_middle_of_200_pieces_loses_nothing_and_keeps_nothing_twice(
    opened: Database, start_worker: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    job = start_job(opened, 200)
    first, second = start_worker(), start_worker()
    wait_until(lambda: how_far(opened, job).done >= 40)
    for process in (first, second):
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    done_before = how_far(opened, job).done
    with opened.writing() as connection:
        finished = set(connection.execute(select(job_items.c.item_id).where(job_items.c.state == "done")).scalars())
        # the leases of the dead would run out by themselves in half a minute
        connection.execute(job_items.update().values(lease_until=datetime(2020, 1, 1, tzinfo=UTC)))
    before = (tmp_path / "log").read_text().split()
    start_worker()
    wait_until(lambda: how_far(opened, job).state == "done")

    again = (tmp_path / "log").read_text().split()[len(before) :]
    with opened.reading() as connection:
        kept = connection.execute(select(results.c.score, results.c.payload, results.c.files)).all()
    assert done_before < 200
    assert not finished & {int(item) for item in again}
    assert sorted(row.score for row in kept) == [float(i) for i in range(200)]
    assert all(row.payload == {"square": int(row.score) ** 2} for row in kept)
    assert {row.files["note.txt"] for row in kept} == {kept[0].files["note.txt"]}


def test_a_worker_ends_by_itself_when_its_parent_is_gone(database_url: str, tmp_path: Path) -> None:
    environment = {**os.environ, "ASSAY_DB": database_url, "ASSAY_CACHE": str(tmp_path)}
    worker = subprocess.Popen(
        [sys.executable, "-m", "assay.web.worker"], env=environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert worker.stdin is not None
    time.sleep(0.5)
    worker.stdin.close()

    assert worker.wait(30) in (1, -signal.SIGIO)


def test_a_worker_that_hangs_inside_a_library_ends_with_its_parent() -> None:
    hangs = "import re; from assay.web.worker.worker import end_with_parent; end_with_parent(); print(flush=True); "
    command = [sys.executable, "-c", hangs + "re.match('(a+)+$', 'a' * 60 + 'b')"]  # no other thread has its turn
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdout.readline()
    worker.stdin.close()

    assert worker.wait(60) in (1, -signal.SIGIO)
    worker.stdout.close()


def test_a_worker_asked_to_stop_ends_after_the_piece_in_hand(
    opened: Database, database_url: str, tmp_path: Path
) -> None:
    job = start_job(opened, 1)  # a kind of work no worker knows: it fails, and so the worker is seen to be there
    environment = {**os.environ, "ASSAY_DB": database_url, "ASSAY_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "assay.web.worker"]
    worker = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wait_until(lambda: how_far(opened, job).failed == 1)
    worker.terminate()

    assert worker.wait(30) == 0
    assert worker.stdin is not None
    worker.stdin.close()


def test_the_module_starts_a_worker_when_it_is_run_and_not_when_it_is_imported() -> None:
    assert vars(module)["main"] is main
