"""A cancelled job stops the workflow that a worker runs, between two things, and leaves nothing behind."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from sqlalchemy import select

from assay.errors import Cancelled, InputError, MissingExtra
from assay.execution.observer import with_progress
from assay.store.blobs import blob_file, keep_bytes, keep_upload, workspace_uploads
from assay.store.courses import set_retention
from assay.store.database import Database, open_database
from assay.store.items import NewItem, find_result, put_items
from assay.store.jobs import JobPiece, Leased, Progress, cancel, enqueue, failures, progress, resume
from assay.store.leases import MOST_DEATHS, begin, lease
from assay.store.schema import job_items
from assay.store.workspaces import create_workspace, entries, remove_workspaces
from assay.web.worker.observer import SECONDS_BETWEEN
from assay.web.worker.worker import Handle, Outcome, Prepare, Tools, Worker, bury, expire_the_dead, worker_name

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Database]:
    database = open_database(str(tmp_path / "assay.db"))
    yield database
    database.close()


def start_job(database: Database, pieces: int = 2) -> tuple[str, str, list[int]]:
    """The ids of a workspace, of a job in it and of its items."""
    with database.writing() as connection:
        workspace = create_workspace(connection, "evaluation", "Counting", author="you", now=NOW)
        new = [NewItem(f"{i:064d}", f"number {i}", {}) for i in range(pieces)]
        items = [item.id for item in put_items(connection, workspace.id, new, now=NOW)]
        queued = [JobPiece({}, item) for item in items]
        job = enqueue(connection, "count", workspace.id, queued, author="you", now=NOW, engine="e")
    return workspace.id, job, items


def how_far(database: Database, job: str) -> Progress:
    with database.reading() as connection:
        state = progress(connection, job, now=NOW)
    assert state is not None
    return state


class Clock:
    """A clock that ticks so far that the observer asks every time."""

    time = 0.0

    def __call__(self) -> float:
        self.time += SECONDS_BETWEEN
        return self.time


def leased_piece(database: Database) -> Leased:
    with database.writing() as connection:
        (piece,) = lease(connection, "worker", now=NOW)
    return piece


def counting(interrupt: Callable[[], object], counted: list[int]) -> Prepare:
    """Counts to ten; after three it is interrupted."""

    def handle(piece: Leased, tools: Tools) -> Outcome:
        del piece
        for (number,) in with_progress(([n] for n in range(10)), tools.observer, "Count", 10):
            counted.append(number)
            if number == 2:
                interrupt()
        return Outcome({"counted": 10})

    return lambda _job, tools: lambda piece: handle(piece, tools)


def worker_on(database: Database, prepare: Prepare, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Worker:
    monkeypatch.setattr("assay.web.worker.observer.SECONDS_BETWEEN", 0.0)
    return Worker(database, folder, name="worker", prepare=lambda _kind: prepare)


def test_cancelling_stops_the_workflow_keeps_nothing_and_fails_nothing(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, items = start_job(opened)
    counted: list[int] = []

    def stop() -> None:
        with opened.writing() as connection:
            cancel(connection, job, now=NOW)

    worker_on(opened, counting(stop, counted), tmp_path, monkeypatch).work_until_idle()

    state = how_far(opened, job)
    assert counted == [0, 1, 2]
    assert (state.state, state.done, state.failed, state.stage) == ("cancelled", 0, 0, None)
    with opened.reading() as connection:
        assert failures(connection, job) == []
        assert [find_result(connection, item, "e") for item in items] == [None, None]


def test_a_cancelled_job_that_is_resumed_is_done_whole(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, items = start_job(opened, 1)
    counted: list[int] = []
    stops = iter([cancel])

    def stop_once() -> None:
        with opened.writing() as connection:
            for act in stops:
                act(connection, job, now=NOW)

    worker = worker_on(opened, counting(stop_once, counted), tmp_path, monkeypatch)
    worker.work_until_idle()
    with opened.writing() as connection:
        resume(connection, job, now=NOW)
    worker.work_until_idle()

    assert counted == [0, 1, 2, *range(10)]
    assert how_far(opened, job).state == "done"
    with opened.reading() as connection:
        assert find_result(connection, items[0], "e") is not None


def test_removing_the_workspace_stops_the_workflow(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, job, _ = start_job(opened, 1)
    counted: list[int] = []

    def remove() -> None:
        with opened.writing() as connection:
            remove_workspaces(connection, [workspace], author="you", now=NOW)

    worker_on(opened, counting(remove, counted), tmp_path, monkeypatch).work_until_idle()

    assert (counted, how_far(opened, job).failed) == ([0, 1, 2], 0)


def test_a_workflow_that_cancels_itself_cancels_its_job(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, _ = start_job(opened, 1)

    def give_up() -> None:
        raise Cancelled("enough")

    worker_on(opened, counting(give_up, []), tmp_path, monkeypatch).work_until_idle()

    assert (how_far(opened, job).state, how_far(opened, job).failed) == ("cancelled", 0)


def test_a_worker_that_stops_leaves_its_piece_for_others(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, _ = start_job(opened, 1)
    counted: list[int] = []
    workers: list[Worker] = []

    def stop() -> None:
        workers[0].stop.set()

    workers.append(worker_on(opened, counting(stop, counted), tmp_path, monkeypatch))
    workers[0].work_once()

    assert (counted, how_far(opened, job).state) == ([0, 1, 2], "running")


def attempts(database: Database) -> list[tuple[int, int]]:
    """Attempts and deaths of each piece."""
    query = select(job_items.c.attempts, job_items.c.deaths).order_by(job_items.c.position)
    with database.reading() as connection:
        return [tuple(row) for row in connection.execute(query)]


@pytest.mark.parametrize(
    "cause",
    [
        MemoryError(),
        SystemError(),
        ImportError("cannot open shared object file"),
        ModuleNotFoundError("No module named 'assay.io'", name="assay.io"),  # it is there, and could not be looked for
    ],
)
def test_a_piece_without_memory_ends_its_worker_and_is_given_up_alone_while_the_others_are_done(
    opened: Database, tmp_path: Path, cause: Exception
) -> None:
    _, job, items = start_job(opened, 3)

    def handle(piece: Leased) -> Outcome:
        if piece.item_id == items[0]:
            raise MissingExtra("A report", "pdf") from cause
        return Outcome({})

    ended = 0
    while how_far(opened, job).is_open:
        worker = Worker(opened, tmp_path, name=worker_name(10**9 + ended), prepare=lambda _kind: lambda _j, _t: handle)
        try:
            worker.work_until_idle()
        except type(cause):
            bury(opened, 10**9 + ended)
            ended += 1

    assert ended == 1 + MOST_DEATHS
    assert (how_far(opened, job).done, how_far(opened, job).failed) == (2, 1)
    with opened.reading() as connection:
        ((item, reason),) = failures(connection, job)
    assert item == items[0]
    assert "memory" in reason


def test_workers_that_are_gone_leave_a_suspect_and_no_death_when_the_server_went_too(opened: Database) -> None:
    start_job(opened, 2)
    with opened.writing() as connection:
        first, _ = lease(connection, worker_name(2**22 + 1), now=NOW, most=2)
        begin(connection, first, now=NOW)
    expire_the_dead(opened)

    assert attempts(opened) == [(1, 0), (0, 0)]


def test_a_machine_without_file_handles_fails_no_piece(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, _ = start_job(opened, 1)
    troubles = [OSError(24, "Too many open files")] * 5

    def handle(_piece: Leased) -> Outcome:
        try:
            if troubles:
                raise troubles.pop()
        except OSError:  # as readers do
            raise InputError("it cannot be read: Too many open files", source="ada.json") from None
        worker.stop.set()
        return Outcome({})

    worker = Worker(opened, tmp_path, name="worker", prepare=lambda _kind: lambda _j, _t: handle)
    monkeypatch.setattr("assay.web.worker.worker.AWAY_SECONDS", 0.0)
    worker.work()

    assert (how_far(opened, job).done, how_far(opened, job).failed, attempts(opened)) == (1, 0, [(1, 0)])


def test_a_file_that_was_deleted_from_the_cache_is_fetched_again(
    opened: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, job, _ = start_job(opened, 1)
    with opened.writing() as connection:
        digest = keep_bytes(connection, b"content", now=NOW)

    def prepare(_job: Leased, tools: Tools) -> Handle:
        path = tools.file(digest, ".txt")
        if not read:
            path.unlink()

        def handle(_piece: Leased) -> Outcome:
            read.append(path.exists())
            if not path.exists():
                raise InputError("there is no such file", source=path)
            worker.stop.set()
            return Outcome({"content": path.read_text()})

        return handle

    read: list[bool] = []
    worker = Worker(opened, tmp_path, name="worker", prepare=lambda _kind: prepare)
    monkeypatch.setattr("assay.web.worker.worker.AWAY_SECONDS", 0.0)
    worker.work()

    assert read == [False, True]
    assert (how_far(opened, job).done, how_far(opened, job).failed) == (1, 0)


def test_a_part_that_is_really_not_installed_fails_the_piece_with_the_words_of_the_error(
    opened: Database, tmp_path: Path
) -> None:
    _, job, _ = start_job(opened, 1)

    def handle(_piece: Leased) -> Outcome:
        raise MissingExtra("A report", "pdf") from ModuleNotFoundError("No module named 'absent'", name="absent")

    Worker(opened, tmp_path, name="worker", prepare=lambda _kind: lambda _j, _t: handle).work_until_idle()

    with opened.reading() as connection:
        ((_, reason),) = failures(connection, job)
    assert "assay-scoring[pdf]" in reason


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
@pytest.mark.parametrize(("called_off", "code"), [(False, -signal.SIGALRM), (True, 0)])
def test_a_worker_that_hangs_is_ended_by_the_system(called_off: bool, code: int) -> None:
    again = "end_after(0)" if called_off else "signal.sigwait({signal.SIGUSR1})"
    script = f"import signal; from assay.web.worker.worker import end_after; end_after(1); {again}"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == code


def test_work_that_its_course_no_longer_keeps_is_erased_with_its_cached_file(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'kept.db'}")
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    with database.writing() as connection:
        workspace = create_workspace(connection, "essays", "Letter", author="x", now=long_ago).id
        old = keep_upload(connection, workspace, "essays", "a.txt", BytesIO(b"old words"), author="x", now=long_ago)
        cached = blob_file(connection, old.digest, ".txt", tmp_path / "cache")
        set_retention(connection, "default", 30)
    worker = Worker(database, tmp_path / "cache")
    worker.upkeep()
    worker.upkeep()
    with database.reading() as connection:
        left = workspace_uploads(connection, workspace)
        lines = [line.action for line in entries(connection, course_id="default")]
    database.close()

    assert left == []
    assert not cached.exists()
    assert lines == ["erase old work"], "once, and not again within the hour"
