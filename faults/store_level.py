"""Faults inside the store, without processes, acted out one after the other on a real database.

Workers vanish, wake up too late, abort a transaction, or have a wrong clock. Thousands of faults cost some seconds.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from assay.store.database import Database, open_database
from assay.store.items import NewItem, put_result, stage_items
from assay.store.jobs import Leased, cancel, resume
from assay.store.leases import MOST_DEATHS, LeaseLost, begin, expire, finish, has_expired, lease, reclaim, release
from assay.store.schema import items, job_items, jobs, results
from assay.store.staging import enqueue_unscored, prepare_next
from assay.store.workspaces import create_workspace
from faults.invariants import Problems
from tests.store.databases import fresh_postgresql, postgresql_server

ITEMS = 40
WORKERS = 3
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class Aborted(Exception):
    """A transaction that ends in the middle."""


@dataclass(eq=False, slots=True)
class Actors:
    """Workers with what each believes to hold, the time, and how wrong their clocks are."""

    database: Database
    rng: random.Random
    job: str
    now: datetime = START
    held: dict[str, list[Leased]] = field(default_factory=lambda: {f"w{i}": [] for i in range(WORKERS)})
    asleep: list[Leased] = field(default_factory=list)
    """What workers hold that were stopped; they wake up later."""
    skew: dict[str, float] = field(default_factory=dict)

    def time(self, worker: str) -> datetime:
        return self.now + timedelta(seconds=self.skew.get(worker, 0))

    def work(self, worker: str) -> None:
        """What an undisturbed worker does: one step of it."""
        self.now += timedelta(seconds=0.2)
        now = self.time(worker)
        if self.held[worker]:
            self.close(self.held[worker].pop(0))
            self.begin(worker)
            return
        with self.database.writing() as connection:
            if has_expired(connection, now=now):
                reclaim(connection, now=now)
            prepare_next(connection, now=now)
            pieces = lease(connection, worker, now=now, most=4)
        self.held[worker] = pieces
        self.begin(worker)

    def begin(self, worker: str) -> None:
        """The first piece a worker holds is in hand."""
        for piece in self.held[worker][:1]:
            with self.database.writing() as connection:
                begin(connection, piece, now=self.time(worker))

    def close(self, piece: Leased, *, abort: bool = False) -> None:
        """Result and end of a piece in one transaction, which may be cut off."""
        with suppress(LeaseLost, Aborted), self.database.writing() as connection:
            finish(connection, piece, now=self.time(piece.worker))
            payload = {"square": piece.task["number"] ** 2}
            assert piece.item_id is not None
            content = {"note.txt": str(piece.task).encode()}
            put_result(connection, piece.item_id, "e", payload=payload, score=1.0, files=content, now=self.now)
            if abort:
                raise Aborted


def vanish(actors: Actors, worker: str) -> None:
    """The worker is gone; the next one that starts ends its leases, or the server does."""
    actors.held[worker] = []
    died = actors.rng.random() < 0.3
    with actors.database.writing() as connection:
        expire(connection, worker, now=actors.now, died=died)


def sleep(actors: Actors, worker: str) -> None:
    """The worker is stopped for longer than its leases; what it holds it will try to keep later."""
    actors.asleep += actors.held[worker]
    actors.held[worker] = []
    actors.now += timedelta(seconds=40)


def wake(actors: Actors, _worker: str) -> None:
    """What was asleep tries to keep its results, long after others took its pieces."""
    for piece in actors.asleep:
        actors.close(piece)
    actors.asleep = []


def abort(actors: Actors, worker: str) -> None:
    """The database goes away while a result is kept, in the middle; the worker gives back what it holds."""
    for piece in actors.held[worker][:1]:
        actors.close(piece, abort=True)
    actors.held[worker] = []
    with actors.database.writing() as connection:
        release(connection, worker, suspect=True)


def jump(actors: Actors, worker: str) -> None:
    """The clock of one worker is wrong from now on."""
    actors.skew[worker] = actors.rng.choice((-3600, -60, 0, 0, 60, 3600))


def stop_and_go(actors: Actors, _worker: str) -> None:
    """Somebody stops the job and takes it up again."""
    with actors.database.writing() as connection:
        cancel(connection, actors.job, now=actors.now)
    with actors.database.writing() as connection:
        resume(connection, actors.job, now=actors.now)


def half_prepared(actors: Actors, _worker: str) -> None:
    """A batch of a job that is being prepared is cut off."""
    with suppress(Aborted), actors.database.writing() as connection:
        prepare_next(connection, now=actors.now)
        raise Aborted


FAULTS: dict[str, Callable[[Actors, str], None]] = {
    "worker vanishes": vanish,
    "worker sleeps past its leases": sleep,
    "late worker wakes up": wake,
    "transaction cut off": abort,
    "clock jumps": jump,
    "job stopped and resumed": stop_and_go,
    "preparation cut off": half_prepared,
}


@contextmanager
def databases(name: str) -> Iterator[Callable[[], Database]]:
    """Opens a new, empty database each time."""
    if name == "postgresql":
        with postgresql_server() as server:
            yield lambda: open_database(fresh_postgresql(server))
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield lambda: open_database(str(Path(tempfile.mkdtemp(dir=folder)) / "assay.db"))


def store_faults(name: str, *, count: int, seed: int) -> tuple[Counter[str], Problems]:
    """Faults injected by kind, and the problems met; a new job after every so many of them."""
    rng, injected, problems = random.Random(f"store {name} {seed}"), Counter[str](), Problems()
    with databases(name) as fresh:
        database = fresh()
        while sum(injected.values()) < count:
            actors = _begun(database, rng)
            for _ in range(min(ITEMS, count - sum(injected.values()))):
                for _ in range(rng.randrange(4)):
                    actors.work(rng.choice(list(actors.held)))
                fault = rng.choice(list(FAULTS))
                FAULTS[fault](actors, rng.choice(list(actors.held)))
                injected[fault] += 1
            problems += _drained(actors)
        database.close()
    return injected, +problems


def _begun(database: Database, rng: random.Random) -> Actors:
    """A job that is still to be prepared."""
    with database.writing() as connection:
        workspace = create_workspace(connection, "evaluation", "Squares", author="you", now=START).id
        new = [NewItem(f"{workspace}{i:052d}", f"number {i}", {"number": i}) for i in range(ITEMS)]
        stage_items(connection, workspace, new, "s", now=START)
        job = enqueue_unscored(
            connection, "squares", workspace, engine="e", settings={}, author="you", now=START, stamp="s", at_once=False
        )
    assert job is not None
    return Actors(database, rng, job)


def _drained(actors: Actors) -> Problems:
    """The rest is done undisturbed; then everything is there once."""
    actors.skew, actors.now = {}, actors.now + timedelta(hours=3)
    for worker in actors.held:
        with actors.database.writing() as connection:
            release(connection, worker)
        actors.held[worker] = []
    state = select(jobs.c.state).where(jobs.c.id == actors.job)
    while True:
        with actors.database.reading() as connection:
            if connection.execute(state).scalar_one() == "done":
                break
        actors.work("w0")
    wake(actors, "w0")
    problems, own = Problems(), job_items.c.job_id == actors.job
    with actors.database.reading() as connection:
        failed = select(job_items.c.item_id).where(own, job_items.c.state == "failed")
        given_up = set(connection.execute(failed).scalars())
        innocent = connection.execute(failed.where(job_items.c.deaths < MOST_DEATHS)).scalars().all()
        listed = select(items.c.id, items.c.detail).join(job_items, job_items.c.item_id == items.c.id)
        rows = [
            (id_, detail, connection.execute(select(results.c.payload).where(results.c.item_id == id_)).scalars().all())
            for id_, detail in connection.execute(listed.where(own, items.c.removed.is_(None))).all()
        ]
    problems["wrongly failed"] += len(innocent)
    problems["lost"] += ITEMS - len(rows)
    for item_id, detail, payloads in rows:
        problems["lost"] += not payloads and item_id not in given_up
        problems["doubled"] += max(0, len(payloads) - 1)
        problems["changed"] += sum(payload != {"square": detail["number"] ** 2} for payload in payloads)
    return +problems
