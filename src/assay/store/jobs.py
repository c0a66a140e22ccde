"""Work that outlives a request: queued, leased, resumed, cancelled. One table of jobs, one of their pieces.

A worker leases pieces for a while and extends the lease as long as it lives. A piece is finished in the transaction
that keeps its result, and only by the worker that still holds its lease: after kill -9 nothing that was finished is
done again, nothing that was not is lost, and no result is kept twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from assay.store.schema import Json, job_items, jobs, new_id

State = Literal["queued", "running", "done", "cancelled"]
OPEN = ("queued", "running")
LEASE = timedelta(seconds=30)
MOST_ATTEMPTS = 3
"""A piece that took down its worker so many times is given up: it would take down the next one too."""
RECENT = 40
"""The rate is measured over so many pieces finished last."""
UNCOUNTED = "uncounted_pieces"
"""In the settings of a job: so many pieces at its end are not counted."""
_FREED = {"worker": None, "lease_until": None, "stage": None, "stage_done": None, "stage_total": None}
"""A piece in nobody's hands."""


class LeaseLost(Exception):
    """The piece was leased to another worker, finished or cancelled meanwhile; what was made of it must not be kept."""


@dataclass(frozen=True, slots=True)
class JobPiece:
    """A piece of a job; `item_id` names the item its result belongs to, if any.

    One that is not `counted` comes last and puts the others together: progress leaves it out.
    """

    task: Json
    item_id: int | None = None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Leased:
    """A piece in the hands of a worker, with all it needs to know of the job."""

    job_id: str
    position: int
    kind: str
    workspace_id: str
    engine: str
    settings: Json
    task: Json
    item_id: int | None
    worker: str
    attempts: int


@dataclass(frozen=True, slots=True)
class PieceStage:
    """How far a worker is inside one piece: what it does, and how many things of it are done."""

    title: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is, in pieces that count.

    `rate` is pieces a second, `seconds_left` a guess from it; None while nothing is known. `stage` is that of the first
    piece in hand that says one.
    """

    job_id: str
    workspace_id: str
    kind: str
    state: State
    done: int
    failed: int
    total: int
    rate: float | None
    seconds_left: float | None
    created: datetime
    finished: datetime | None
    stage: PieceStage | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


def enqueue(
    connection: Connection,
    kind: str,
    workspace_id: str,
    pieces: Sequence[JobPiece],
    *,
    author: str,
    now: datetime,
    engine: str = "",
    settings: Json | None = None,
) -> str:
    """Put work into the queue; the id of the job. A job without pieces is done at once."""
    job_id = new_id()
    pieces = sorted(pieces, key=lambda piece: not piece.counted)
    counted = sum(piece.counted for piece in pieces)
    alone = {UNCOUNTED: len(pieces) - counted} if 0 < counted < len(pieces) else {}
    state = {"state": "queued", "finished": None} if pieces else {"state": "done", "finished": now}
    job = {"id": job_id, "workspace_id": workspace_id, "kind": kind, "engine": engine, "author": author}
    counts = {"total": len(pieces), "done": 0, "failed": 0}
    new = insert(jobs).values(**job, **counts, **state, created=now, turn=now, settings={**(settings or {}), **alone})
    connection.execute(new)
    if pieces:
        waiting = {"job_id": job_id, "state": "waiting", "attempts": 0}
        rows = [{**waiting, "position": i, "task": p.task, "item_id": p.item_id} for i, p in enumerate(pieces)]
        connection.execute(insert(job_items), rows)
    return job_id


def lease(
    connection: Connection, worker: str, *, now: datetime, most: int = 1, lasts: timedelta = LEASE
) -> list[Leased]:
    """The next pieces of the job that waited longest for its turn; an empty list when there is nothing to do."""
    # what was leased too often and not finished has failed
    hopeless = and_(job_items.c.state == "leased", job_items.c.lease_until < now, job_items.c.attempts >= MOST_ATTEMPTS)
    reason = f"Stopped {MOST_ATTEMPTS} times in the middle: it may be too large for the memory of this machine."
    for job_id in connection.execute(select(job_items.c.job_id).where(hopeless).distinct()).scalars().all():
        _lock(connection, job_id)
        query = select(job_items.c.position).where(hopeless, job_items.c.job_id == job_id)
        for position in connection.execute(query).scalars().all():
            _close(connection, job_id, position, reason, now)
    free = _free(now)
    has_free_pieces = select(job_items.c.position).where(job_items.c.job_id == jobs.c.id, free).exists()
    waiting = select(jobs).where(jobs.c.state.in_(OPEN), has_free_pieces)
    # the row of the job is locked first by whoever changes the job or its pieces: PostgreSQL never meets a deadlock,
    # and on SQLite a writer is alone anyway
    job = connection.execute(waiting.order_by(jobs.c.turn).limit(1).with_for_update()).mappings().first()
    if job is None:
        return []
    own, attempts = job_items.c.job_id == job["id"], job_items.c.attempts + 1
    chosen = select(job_items.c.position).where(own, free).order_by(job_items.c.position).limit(most)
    leased = {"state": "leased", "worker": worker, "lease_until": now + lasts, "attempts": attempts}
    columns = [job_items.c[name] for name in ("position", "task", "item_id", "attempts")]
    pieces = update(job_items).where(own, job_items.c.position.in_(chosen)).values(**leased).returning(*columns)
    rows = sorted(connection.execute(pieces).mappings(), key=lambda row: row["position"])
    running = {"state": "running", "started": func.coalesce(jobs.c.started, now), "turn": now}
    connection.execute(update(jobs).where(jobs.c.id == job["id"]).values(**running))
    shared = {name: job[name] for name in ("kind", "workspace_id", "engine", "settings")}
    return [Leased(job_id=job["id"], worker=worker, **shared, **row) for row in rows]


def _free(now: datetime) -> ColumnElement[bool]:
    expired = and_(job_items.c.state == "leased", job_items.c.lease_until < now)
    return or_(job_items.c.state == "waiting", expired)


def _lock(connection: Connection, job_id: str) -> None:
    connection.execute(select(jobs.c.id).where(jobs.c.id == job_id).with_for_update())


def finish(connection: Connection, leased: Leased, *, now: datetime, error: str | None = None) -> None:
    """Mark a piece as done; call it in the transaction that keeps its result. LeaseLost when it is no longer ours."""
    _lock(connection, leased.job_id)
    if not is_leased(connection, leased):
        raise LeaseLost
    _close(connection, leased.job_id, leased.position, error, now)


def fail(connection: Connection, leased: Leased, reason: str, *, now: datetime) -> None:
    """Mark a piece as failed, with a reason a person can act on; the other pieces go on."""
    finish(connection, leased, now=now, error=reason)


def is_leased(connection: Connection, leased: Leased) -> bool:
    """Whether a piece is still in the hands of its worker: not cancelled, and not given to another."""
    piece = _at(leased.job_id, leased.position)
    query = select(job_items.c.worker).where(piece, job_items.c.state == "leased")
    return connection.execute(query).scalar() == leased.worker


def note_stage(connection: Connection, leased: Leased, stage: PieceStage) -> None:
    """Say how far a piece is, as long as it is in the hands of its worker."""
    piece = _at(leased.job_id, leased.position) & (job_items.c.worker == leased.worker)
    values = {"stage": stage.title[:80], "stage_done": stage.done, "stage_total": stage.total}
    connection.execute(update(job_items).where(piece).values(**values))


def _at(job_id: str, position: int) -> ColumnElement[bool]:
    return and_(job_items.c.job_id == job_id, job_items.c.position == position)


def _close(connection: Connection, job_id: str, position: int, error: str | None, now: datetime) -> None:
    state, column = ("done", jobs.c.done) if error is None else ("failed", jobs.c.failed)
    closed = {"state": state, "error": error, "finished": now, **_FREED}
    connection.execute(update(job_items).where(_at(job_id, position)).values(**closed))
    connection.execute(update(jobs).where(jobs.c.id == job_id).values({column: column + 1}))
    ended = (jobs.c.id == job_id) & (jobs.c.done + jobs.c.failed >= jobs.c.total) & jobs.c.state.in_(OPEN)
    connection.execute(update(jobs).where(ended).values(state="done", finished=now))


def cancel(connection: Connection, job_id: str, *, now: datetime) -> None:
    """Stop a job: what is finished stays, what is in the hands of a worker will not be kept."""
    open_ = (jobs.c.id == job_id) & jobs.c.state.in_(OPEN)
    if connection.execute(update(jobs).where(open_).values(state="cancelled", finished=now)).rowcount:
        waiting = (job_items.c.job_id == job_id) & job_items.c.state.in_(("waiting", "leased"))
        connection.execute(update(job_items).where(waiting).values(state="cancelled", **_FREED))


def resume(connection: Connection, job_id: str, *, now: datetime) -> None:
    """Take up a cancelled job where it was stopped."""
    stopped = (jobs.c.id == job_id) & (jobs.c.state == "cancelled")
    if connection.execute(update(jobs).where(stopped).values(state="queued", finished=None, turn=now)).rowcount:
        left = (job_items.c.job_id == job_id) & (job_items.c.state == "cancelled")
        connection.execute(update(job_items).where(left).values(state="waiting", attempts=0))


def progress(connection: Connection, job_id: str, *, now: datetime) -> Progress | None:
    """How far a job is; None if there is no such job."""
    job = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().first()
    if job is None:
        return None
    rate = stage = None
    if job["state"] in OPEN:
        c = job_items.c  # the rate is that of the pieces finished last; None until a second has been measured
        query = select(c.finished).where(c.job_id == job_id, c.finished.is_not(None))
        recent = connection.execute(query.order_by(c.finished.desc()).limit(RECENT)).scalars().all()
        seconds = (now - recent[-1]).total_seconds() if recent else 0
        rate = (len(recent) - 1) / seconds if len(recent) > 1 and seconds > 0.2 else None
        said = select(c.stage, c.stage_done, c.stage_total).where(c.job_id == job_id, c.state == "leased")
        stage = connection.execute(said.where(c.stage != "").order_by(c.position).limit(1)).first()
    total, done, failed = (job[name] for name in ("total", "done", "failed"))
    if alone := job["settings"].get(UNCOUNTED, 0):  # pieces that only put the others together are left out
        last = (job_items.c.job_id == job_id) & (job_items.c.position >= total - alone)
        ended = connection.execute(select(job_items.c.state).where(last)).scalars().all()
        total, done, failed = total - alone, done - ended.count("done"), failed - ended.count("failed")
    return Progress(
        job_id=job_id,
        **{name: job[name] for name in ("workspace_id", "kind", "state", "created", "finished")},
        done=done,
        failed=failed,
        total=total,
        rate=rate,
        seconds_left=(total - done - failed) / rate if rate else None,
        stage=PieceStage(*stage) if stage else None,
    )


def workspace_jobs(connection: Connection, workspace_id: str, *, now: datetime, most: int = 20) -> list[Progress]:
    """The jobs of a workspace, newest first."""
    query = select(jobs.c.id).where(jobs.c.workspace_id == workspace_id)
    ids = connection.execute(query.order_by(jobs.c.created.desc()).limit(most)).scalars().all()
    return [job for id_ in ids if (job := progress(connection, id_, now=now)) is not None]


def latest_job(connection: Connection, workspace_id: str, *, now: datetime) -> Progress | None:
    """The job that was started last in a workspace."""
    return next(iter(workspace_jobs(connection, workspace_id, now=now, most=1)), None)


def failures(connection: Connection, job_id: str, *, most: int = 200) -> list[tuple[int | None, str]]:
    """Which items failed, and why."""
    c = job_items.c
    query = select(c.item_id, c.error).where(c.job_id == job_id, c.state == "failed").order_by(c.position).limit(most)
    return [(item_id, error or "no reason given") for item_id, error in connection.execute(query)]


def is_work_waiting(connection: Connection, *, now: datetime) -> bool:
    """Whether a lease would find something; it only reads, so idle workers disturb nobody."""
    query = select(job_items.c.position).join(jobs, jobs.c.id == job_items.c.job_id)
    return connection.execute(query.where(jobs.c.state.in_(OPEN), _free(now)).limit(1)).first() is not None


def holders(connection: Connection) -> list[str]:
    """The workers that hold a lease."""
    query = select(job_items.c.worker).where(job_items.c.state == "leased").distinct()
    return [name for name in connection.execute(query).scalars() if name is not None]


def extend(connection: Connection, worker: str, *, now: datetime, lasts: timedelta = LEASE) -> None:
    """Extend every lease a worker holds: it is alive."""
    leased = and_(job_items.c.worker == worker, job_items.c.state == "leased")
    connection.execute(update(job_items).where(leased).values(lease_until=now + lasts))


def expire(connection: Connection, worker: str, *, now: datetime) -> None:
    """End the leases of a worker that is known to be dead: others need not wait for them. It counts as an attempt."""
    extend(connection, worker, now=now, lasts=timedelta(seconds=-1))


def release(connection: Connection, worker: str) -> None:
    """Give back what a worker holds, because it stops: others need not wait for the leases to run out."""
    given_back = {"state": "waiting", "attempts": job_items.c.attempts - 1, **_FREED}
    leased = and_(job_items.c.worker == worker, job_items.c.state == "leased")
    connection.execute(update(job_items).where(leased).values(**given_back))
