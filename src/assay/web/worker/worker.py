"""A worker: leases pieces, does them, keeps each result in the transaction that closes its piece.

Progress goes to the job (`JobObserver`), and a cancelled job stops the work.
"""

import errno
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TypeAlias

if sys.platform != "win32":
    import fcntl

from assay.errors import AssayError, Cancelled
from assay.execution import children
from assay.execution.limits import value_of
from assay.execution.observer import SILENT, Observer
from assay.store import jobs, leases
from assay.store.blobs import blob_file, read_blob
from assay.store.classroom.erasure import erase_expired
from assay.store.database import STORAGE_ERRORS, Database, cause_of, is_passing, open_database
from assay.store.items import find_item, put_result
from assay.store.jobs import Leased
from assay.store.leases import LEASE, LeaseLost, is_leased
from assay.store.overrides import CarriedDecision, carry_over
from assay.store.schema import Connection, Json
from assay.store.staging import prepare_next
from assay.store.workspaces import hold_workspace
from assay.web.classroom.person_data import forget_files
from assay.web.problems import page_words, storage_problem
from assay.web.site import ThreadSafeCache
from assay.web.site import utc_now as now
from assay.web.worker.observer import JobObserver
from assay.web.workspaces.scoring import pause_after, refresh_summary

AT_ONCE = 4
"""Pieces leased together; what one worker holds, another cannot take over before the lease ends."""
IDLE_SECONDS = 0.25
AWAY_SECONDS = 1.0
"""Until a database that did not answer is asked again."""
JOBS_REMEMBERED = 4
ERASE_SECONDS = 3600.0
"""Between two looks for work that its course no longer keeps."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one piece; `files` are kept as blobs beside the payload."""

    payload: Json
    score: float | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    carried: Sequence[CarriedDecision] = ()
    """Decisions from under other rules that hold under these, too."""


@dataclass(frozen=True, eq=False, slots=True)
class Tools:
    """How a handler reaches the bytes it works on, and whom the workflows it calls tell how far they are."""

    database: Database
    cache: Path
    observer: Observer = SILENT
    """It follows the piece in hand: `check` raises Cancelled when the job is cancelled."""
    files: set[Path] = field(default_factory=set)
    """Those that were handed out."""

    def file(self, digest: str, suffix: str) -> Path:
        """A blob as a file, for readers that need one."""
        path = self.database.read(blob_file, digest, suffix, self.cache)
        self.files.add(path)
        return path

    def read(self, digest: str) -> bytes:
        return self.database.read(read_blob, digest)


Handle: TypeAlias = Callable[[Leased], Outcome]
Prepare: TypeAlias = Callable[[Leased, Tools], Handle]
"""Called with the first piece of a job that a worker meets."""
HANDLERS: Mapping[str, str] = {
    "evaluation": "assay.web.worker.evaluation",
    "panels": "assay.web.worker.panels",
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
        self,
        database: Database,
        cache: Path,
        *,
        name: str = "",
        prepare: Callable[[str], Prepare] = prepare_for,
        lasts: timedelta = LEASE,
        set_alarm: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`set_alarm` hears with each sign of progress in how many seconds the worker counts as hung."""
        self.database = database
        self.name = name or worker_name(os.getpid())
        self._lasts = lasts
        self.stop = Event()
        self._set_alarm = set_alarm
        self._observer = JobObserver(database, self.stop, set_alarm=set_alarm)
        self._tools = Tools(database, cache, self._observer)
        self._prepare = prepare
        self._next_erasure = 0.0
        self._prepared: ThreadSafeCache[Handle] = ThreadSafeCache(JOBS_REMEMBERED)

    def upkeep(self) -> None:
        """Now and then, erase what courses no longer keep."""
        if monotonic() < self._next_erasure:
            return
        self._next_erasure = monotonic() + ERASE_SECONDS
        while not self.stop.is_set():
            with self.database.writing() as connection:
                gone = erase_expired(connection, now())
            if gone is None:
                return
            forget_files(self._tools.cache, gone.digests)

    def work(self) -> None:
        """Do what there is and wait for more, until told to stop; a database that is busy or away is waited for."""
        while not self.stop.is_set():
            self._set_alarm(value_of("idle_seconds"))
            try:
                self.upkeep()
                if not self.work_once():
                    self.stop.wait(IDLE_SECONDS)
            except STORAGE_ERRORS as error:
                if not is_passing(error):
                    raise
                print(f"{self.name}: {cause_of(error)}; trying again", file=sys.stderr)
                self.stop.wait(AWAY_SECONDS)
                try:  # what is in hand goes back to the queue: nothing of it was kept, and it was not its fault
                    with self.database.writing() as connection:
                        leases.release(connection, self.name, suspect=True)
                except STORAGE_ERRORS as again:
                    print(f"{self.name}: {cause_of(again)}", file=sys.stderr)

    def work_until_idle(self) -> None:
        """Do what there is."""
        while self.work_once():
            pass

    def work_once(self) -> bool:
        """Lease and do some pieces, or prepare part of a job; False when there was nothing to do."""
        with self.database.reading() as connection:
            if not leases.is_work_waiting(connection, now=now()):
                return False
            has_expired = leases.has_expired(connection, now=now())
        if has_expired:
            take_back(self.database, lambda connection: leases.reclaim(connection, now=now()))
        begun = monotonic()
        with self.database.writing() as connection:
            is_preparing = prepare_next(connection, now=now())
            pieces = leases.lease(connection, self.name, now=now(), most=AT_ONCE, lasts=self._lasts)
        if is_preparing and not pieces:
            self.stop.wait(pause_after(begun))
        for piece in pieces:
            if self.stop.is_set():
                break
            if self._begin(piece):
                self._do(piece)
        return is_preparing or bool(pieces)

    def _begin(self, piece: Leased) -> bool:
        """Whether the piece is ours still; from now on it is in hand."""
        prepared = self._prepared.find(piece.job_id) is not None
        with self.database.writing() as connection:
            return leases.begin(connection, piece, now=now(), prepared=prepared)

    def _prepare_for(self, piece: Leased) -> Handle:
        handle = self._prepare(piece.kind)(piece, self._tools)
        self._prepared.put(piece.job_id, handle)
        if not self._begin(piece):
            raise Cancelled("The job was cancelled.")
        return handle

    def _do(self, piece: Leased) -> None:
        try:
            with self._observer.watching(piece):
                outcome = (self._prepared.find(piece.job_id) or self._prepare_for(piece))(piece)
        except Cancelled:  # nothing is kept: its job is cancelled; a worker that stops gives the piece back instead
            if not self.stop.is_set():
                with self.database.writing() as connection:
                    if is_leased(connection, piece):
                        jobs.cancel(connection, piece.job_id, now=now())
        except Exception as error:  # whatever a hostile file does to a library, the other pieces go on
            self._give_up(piece, error)
        else:
            try:
                self._close(piece, outcome, "")
            except STORAGE_ERRORS as error:  # the database refuses what was made
                self._give_up(piece, error)

    def _give_up(self, piece: Leased, error: Exception) -> None:
        """The piece fails, unless the same may go well later: then `work` takes it up again."""
        for cause in causes(error):
            if is_passing(cause) or is_starved(cause):
                raise cause
        self._check_files()
        if isinstance(error, AssayError):
            words = page_words(error)
        else:
            traceback.print_exception(error, file=sys.stderr)
            failed = f"Assay failed on this item ({type(error).__name__}); the server's log says more."
            _, words = storage_problem(error) or (None, failed)
        self._close(piece, None, words)

    def _check_files(self) -> None:
        """An error that passes when a file of the cache is gone, which anybody may delete at any time."""
        if not all(path.exists() for path in self._tools.files):
            self._tools.files.clear()
            self._prepared = ThreadSafeCache(JOBS_REMEMBERED)  # what was prepared would read the file that is gone
            raise OSError(errno.EIO, "Files were taken from the cache")

    def _close(self, piece: Leased, outcome: Outcome | None, reason: str) -> None:
        """The result and the end of the piece in one transaction; nothing if the lease was lost."""
        try:
            with self.database.writing() as connection:
                hold_workspace(connection, piece.workspace_id)
                if outcome is None:
                    leases.fail(connection, piece, reason, now=now())
                else:
                    leases.finish(connection, piece, now=now())
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
                        item = find_item(connection, piece.workspace_id, piece.item_id) if outcome.carried else None
                        if item is not None:
                            carry_over(connection, item, piece.engine, outcome.carried)
                state = jobs.progress(connection, piece.job_id, now=now())
                if state is not None and not state.is_open:
                    refresh_summary(connection, piece.workspace_id, now=now())
        except LeaseLost:
            pass

    def beat(self) -> None:
        """Extend the leases now and then, as long as the worker lives; run it in a thread."""
        while not self.stop.wait(self._lasts.total_seconds() / 3):
            try:
                with self.database.writing() as connection:
                    leases.extend(connection, self.name, now=now(), lasts=self._lasts)
            except Exception:  # the database may be away for a moment; the next beat tries again
                traceback.print_exc(file=sys.stderr)


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from, also where a reader has put it into words of its own."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def is_starved(error: BaseException) -> bool:
    """Whether the process has no memory or file handles left, which libraries say in several ways.

    Earlier pieces may be why: the worker ends, and a fresh one tries this piece alone.
    """
    if isinstance(error, ModuleNotFoundError):  # it is there when one looks again
        return error.name is not None and find_spec(error.name.partition(".")[0]) is not None
    return isinstance(error, MemoryError | SystemError | ImportError)


def worker_name(process: int) -> str:
    """What a worker of this machine is called in the database."""
    return f"{socket.gethostname()}-{process}"


def take_back(database: Database, act: Callable[[Connection], set[str]]) -> None:
    """Take leases back, and refresh the workspaces in which a job ended by that."""
    with database.writing() as connection:
        ended = act(connection)
    for workspace_id in sorted(ended):
        with database.writing() as connection:
            refresh_summary(connection, workspace_id, now=now())


def expire_the_dead(database: Database) -> None:
    """End the leases of workers that ran on this machine and run no more, so that their work goes on at once."""
    for name in filter(_is_gone, database.read(leases.holders)):
        take_back(database, lambda connection, name=name: leases.expire(connection, name, now=now()))  # type: ignore[misc]


def bury(database: Database, process: int) -> None:
    """Take back what a worker held that died while its server lives: what it had in hand may be why."""
    take_back(database, lambda connection: leases.expire(connection, worker_name(process), now=now(), died=True))


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
    end_after(value_of("idle_seconds"))
    end_with_parent()
    database = open_database(os.environ["ASSAY_DB"])
    expire_the_dead(database)
    lasts = timedelta(seconds=float(os.environ.get("ASSAY_LEASE_SECONDS", LEASE.total_seconds())))
    worker = Worker(database, Path(os.environ["ASSAY_CACHE"]), lasts=lasts, set_alarm=end_after)
    signal.signal(signal.SIGTERM, lambda *_: worker.stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    Thread(target=worker.beat, daemon=True).start()
    children.warm_up()
    worker.work()
    with database.writing() as connection:
        leases.release(connection, worker.name)
    database.close()


def end_after(seconds: int) -> None:
    """Let the system end this process in so many seconds, unless it is called again before.

    It ends a worker that hangs in a library, too, where no thread has its turn; the server starts another.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_with_parent() -> None:
    """End at once when the parent is gone: it holds the other end of our standard input.

    The system says so with SIGIO, which ends a process; also one that hangs in a library, where no thread has its turn.
    """
    if sys.platform != "win32":
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    while os.read(0, 64):
        pass
    os._exit(1)
