"""A worker: leases pieces, does them, keeps each result in the transaction that closes its piece.

Progress goes to the job (`JobObserver`), and a cancelled job stops the work.
"""

import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from typing import TypeAlias

from assay.errors import AssayError, Cancelled
from assay.execution.observer import SILENT, Observer
from assay.store import jobs
from assay.store.blobs import blob_file, read_blob
from assay.store.database import STORAGE_ERRORS, Database, cause_of, is_passing, open_database
from assay.store.items import put_result
from assay.store.jobs import LEASE, Leased, LeaseLost, is_leased
from assay.store.schema import Json
from assay.store.workspaces import hold_workspace
from assay.web.problems import page_words, storage_problem
from assay.web.site import ThreadSafeCache
from assay.web.site import utc_now as now
from assay.web.worker.observer import JobObserver
from assay.web.workspaces.scoring import refresh_summary

AT_ONCE = 4
"""Pieces leased together; what one worker holds, another cannot take over before the lease ends."""
IDLE_SECONDS = 0.25
AWAY_SECONDS = 1.0
"""Until a database that did not answer is asked again."""
JOBS_REMEMBERED = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one piece; `files` are kept as blobs beside the payload."""

    payload: Json
    score: float | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Tools:
    """How a handler reaches the bytes it works on, and whom the workflows it calls tell how far they are."""

    database: Database
    cache: Path
    observer: Observer = SILENT
    """It follows the piece in hand: `check` raises Cancelled when the job is cancelled."""

    def file(self, digest: str, suffix: str) -> Path:
        """A blob as a file, for readers that need one."""
        return self.database.read(blob_file, digest, suffix, self.cache)

    def read(self, digest: str) -> bytes:
        return self.database.read(read_blob, digest)


Handle: TypeAlias = Callable[[Leased], Outcome]
Prepare: TypeAlias = Callable[[Leased, Tools], Handle]
"""Called with the first piece of a job that a worker meets."""
HANDLERS: Mapping[str, str] = {
    "evaluation": "assay.web.worker.evaluation",
    "annotations": "assay.web.worker.annotations",
    "annotations-together": "assay.web.worker.annotations",
    "essays": "assay.web.worker.essays",
    "essays-train": "assay.web.worker.essays",
    "essays-refit": "assay.web.worker.essays",
}
"""Kind of a job -> the module whose `prepare` does it."""


def prepare_for(kind: str) -> Prepare:
    """The `prepare` of a kind of job."""
    prepare: Prepare = import_module(HANDLERS[kind]).prepare
    return prepare


class Worker:
    """Works until it is told to stop, or until nothing is left."""

    def __init__(
        self, database: Database, cache: Path, *, name: str = "", prepare: Callable[[str], Prepare] = prepare_for
    ) -> None:
        self.database = database
        self.name = name or f"{socket.gethostname()}-{os.getpid()}"
        self.stop = Event()
        self._observer = JobObserver(database, self.stop)
        self._tools = Tools(database, cache, self._observer)
        self._prepare = prepare
        self._prepared: ThreadSafeCache[Handle] = ThreadSafeCache(JOBS_REMEMBERED)

    def work(self) -> None:
        """Do what there is and wait for more, until told to stop; a database that is busy or away is waited for."""
        while not self.stop.is_set():
            try:
                if not self.work_once():
                    self.stop.wait(IDLE_SECONDS)
            except STORAGE_ERRORS as error:
                if not is_passing(error):
                    raise
                print(f"{self.name}: {cause_of(error)}; trying again", file=sys.stderr)
                self.stop.wait(AWAY_SECONDS)
                try:  # what is in hand goes back to the queue: nothing of it was kept, and it was not its fault
                    with self.database.writing() as connection:
                        jobs.release(connection, self.name)
                except STORAGE_ERRORS as again:
                    print(f"{self.name}: {cause_of(again)}", file=sys.stderr)

    def work_until_idle(self) -> None:
        """Do what there is."""
        while self.work_once():
            pass

    def work_once(self) -> bool:
        """Lease and do some pieces; False when there were none."""
        with self.database.reading() as connection:
            if not jobs.is_work_waiting(connection, now=now()):
                return False
        with self.database.writing() as connection:
            pieces = jobs.lease(connection, self.name, now=now(), most=AT_ONCE)
        for piece in pieces:
            if self.stop.is_set():
                break
            self._do(piece)
        return bool(pieces)

    def _do(self, piece: Leased) -> None:
        try:
            with self._observer.watching(piece):
                prepare = partial(self._prepare(piece.kind), piece, self._tools)
                outcome = self._prepared.get(piece.job_id, prepare)(piece)
        except (
            Cancelled
        ):  # nothing of the piece is kept: its job is cancelled; a worker that stops gives it back instead
            if not self.stop.is_set():
                with self.database.writing() as connection:
                    if is_leased(connection, piece):
                        jobs.cancel(connection, piece.job_id, now=now())
        except AssayError as error:
            self._close(piece, None, page_words(error))
        except Exception as error:  # whatever a hostile file does to a library, the other pieces go on
            self._give_up(piece, error)
        else:
            try:
                self._close(piece, outcome, "")
            except STORAGE_ERRORS as error:  # the database refuses what was made
                self._give_up(piece, error)

    def _give_up(self, piece: Leased, error: Exception) -> None:
        """The piece fails, unless the same may go well later: then `work` takes it up again."""
        if is_passing(error):
            raise error
        traceback.print_exception(error, file=sys.stderr)
        failed = f"Assay failed on this item ({type(error).__name__}); the server's log says more."
        _, words = storage_problem(error) or (None, failed)
        self._close(piece, None, words)

    def _close(self, piece: Leased, outcome: Outcome | None, reason: str) -> None:
        """The result and the end of the piece in one transaction; nothing if the lease was lost."""
        try:
            with self.database.writing() as connection:
                hold_workspace(connection, piece.workspace_id)
                if outcome is None:
                    jobs.fail(connection, piece, reason, now=now())
                else:
                    jobs.finish(connection, piece, now=now())
                    if piece.item_id is not None:
                        put_result(
                            connection,
                            piece.item_id,
                            piece.engine,
                            payload=outcome.payload,
                            score=outcome.score,
                            files=outcome.files,
                            now=now(),
                        )
                state = jobs.progress(connection, piece.job_id, now=now())
                if state is not None and not state.is_open:
                    refresh_summary(connection, piece.workspace_id, now=now())
        except LeaseLost:
            pass

    def beat(self) -> None:
        """Extend the leases now and then, as long as the worker lives; run it in a thread."""
        while not self.stop.wait(LEASE.total_seconds() / 3):
            try:
                with self.database.writing() as connection:
                    jobs.extend(connection, self.name, now=now())
            except Exception:  # the database may be away for a moment; the next beat tries again
                traceback.print_exc(file=sys.stderr)


def expire_the_dead(database: Database) -> None:
    """End the leases of workers that ran on this machine and run no more, so that their work goes on at once."""
    for name in filter(_is_gone, database.read(jobs.holders)):
        with database.writing() as connection:
            jobs.expire(connection, name, now=now())


def _is_gone(name: str) -> bool:
    """Whether a worker of this machine has no process any more; False when that cannot be told."""
    host, _, number = name.rpartition("-")
    if host == socket.gethostname() and number.isdecimal() and os.name == "posix":
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return True
        except (OSError, OverflowError):
            pass
    return False


def main() -> None:
    """Work for the database named in the environment, until SIGTERM or until the parent is gone."""
    database = open_database(os.environ["ASSAY_DB"])
    expire_the_dead(database)
    worker = Worker(database, Path(os.environ["ASSAY_CACHE"]))
    signal.signal(signal.SIGTERM, lambda *_: worker.stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    Thread(target=worker.beat, daemon=True).start()
    Thread(target=_watch_parent, daemon=True).start()
    worker.work()
    with database.writing() as connection:
        jobs.release(connection, worker.name)
    database.close()


def _watch_parent() -> None:
    """End at once when the parent is gone: it holds the other end of our standard input."""
    while os.read(0, 64):
        pass
    os._exit(1)
