"""A cancelled job stops the workflow that a worker runs, between two things, and leaves nothing behind."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from assay.errors import Cancelled
from assay.execution.observer import with_progress
from assay.store.database import Database, open_database
from assay.store.items import NewItem, find_result, put_items
from assay.store.jobs import JobPiece, Leased, PieceStage, Progress, cancel, enqueue, failures, lease, progress, resume
from assay.store.workspaces import create_workspace, remove_workspaces
from assay.web.worker.observer import SECONDS_BETWEEN, JobObserver
from assay.web.worker.worker import Outcome, Prepare, Tools, Worker

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


def test_progress_inside_a_piece_is_that_of_the_job(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    observer = JobObserver(opened, Event(), clock=Clock())
    with observer.watching(leased_piece(opened)):
        observer.begin("Evaluate", 12)
        observer.advance(5)
        inside = how_far(opened, job).stage
        observer.end()

    assert inside == PieceStage("Evaluate", 5, 12)


def test_outside_of_a_piece_nothing_is_noted_and_nothing_stops(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    stop = Event()
    stop.set()
    observer = JobObserver(opened, stop)

    observer.begin("Read", None)
    observer.advance(1)
    observer.check()  # raises inside of a piece
    noted = how_far(opened, job)
    observer.end()

    assert (noted.stage, noted.done) == (None, 0)


def test_the_database_is_not_asked_after_every_row(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    seconds = [0.0]
    observer = JobObserver(opened, Event(), clock=lambda: seconds[0])
    with observer.watching(leased_piece(opened)):
        with opened.writing() as connection:
            cancel(connection, job, now=NOW)
        observer.check()  # half a second has not passed: the piece goes on for now
        seconds[0] = 1.0
        with pytest.raises(Cancelled):
            observer.check()
