"""How workers take pieces of jobs and give them back.

A worker leases pieces for a while, extends the lease as long as it lives, and marks the one it has in hand as started.
A piece is finished in the transaction that keeps its result, and only by the worker that still holds its lease: after
kill -9 nothing that was finished is done again, nothing that was not is lost, and no result is kept twice.

A piece that was stopped in the middle is a suspect: it comes after all others and is leased alone. It is given up when
its worker died of it, alone, too often; what was only leased is never blamed.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select, update

from assay.store.jobs import FREED, RUNNABLE, Leased, PieceStage
from assay.store.schema import job_items, jobs

LEASE = timedelta(seconds=30)
MOST_DEATHS = 3
"""A piece that ended its worker so many times while it was leased alone is given up: it would end the next one too."""
MOST_ATTEMPTS = 10
"""So often a piece may be stopped in the middle for whatever reason: one that takes down the whole server ends too."""


class LeaseLost(Exception):
    """The piece was leased to another worker, finished or cancelled meanwhile; what was made of it must not be kept."""


def lease(
    connection: Connection, worker: str, *, now: datetime, most: int = 1, lasts: timedelta = LEASE
) -> list[Leased]:
    """The next pieces of the job that waited longest for its turn; an empty list when there is nothing to do.

    A piece that was stopped in the middle before is leased alone, once nothing else of the job waits.
    """
    waiting = job_items.c.state == "waiting"
    has_waiting = select(job_items.c.position).where(job_items.c.job_id == jobs.c.id, waiting).exists()
    runnable = select(jobs).where(jobs.c.state.in_(RUNNABLE), has_waiting)
    # the row of the job is locked first by whoever changes the job or its pieces: PostgreSQL never meets a deadlock,
    # and on SQLite a writer is alone anyway
    job = connection.execute(runnable.order_by(jobs.c.turn).limit(1).with_for_update()).mappings().first()
    if job is None:
        return []
    own = and_(job_items.c.job_id == job["id"], waiting)
    unsuspected = select(job_items.c.position).where(own, job_items.c.attempts == 0).order_by(job_items.c.position)
    chosen = list(connection.execute(unsuspected.limit(most)).scalars())
    if not chosen:
        suspects = select(job_items.c.position).where(own).order_by(job_items.c.attempts, job_items.c.position)
        chosen = list(connection.execute(suspects.limit(1)).scalars())
    leased = {"state": "leased", "worker": worker, "lease_until": now + lasts}
    columns = [job_items.c[name] for name in ("position", "task", "item_id", "attempts")]
    pieces = update(job_items).where(own, job_items.c.position.in_(chosen)).values(**leased).returning(*columns)
    rows = sorted(connection.execute(pieces).mappings(), key=lambda row: row["position"])
    running = {"state": "running", "started": func.coalesce(jobs.c.started, now), "turn": now}
    connection.execute(update(jobs).where(jobs.c.id == job["id"]).values(**running))
    shared = {name: job[name] for name in ("kind", "workspace_id", "engine", "settings")}
    return [Leased(job_id=job["id"], worker=worker, **shared, **row) for row in rows]


def begin(connection: Connection, leased: Leased, *, now: datetime, prepared: bool = True) -> bool:
    """Mark a leased piece as in hand: from now on it is blamed for what happens. False when it is no longer ours.

    Unless the worker is `prepared` for the job (its models are loaded), a death is not blamed on the piece alone.
    """
    _lock(connection, leased.job_id)
    if not is_leased(connection, leased):
        return False
    connection.execute(
        update(job_items).where(_at(leased.job_id, leased.position)).values(started=now, prepared=prepared)
    )
    return True


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


def is_work_waiting(connection: Connection, *, now: datetime) -> bool:
    """Whether there is something to do; it only reads, so idle workers disturb nobody."""
    preparing = select(jobs.c.id).where(jobs.c.state == "preparing").limit(1)
    free = select(job_items.c.position).join(jobs, jobs.c.id == job_items.c.job_id)
    free = free.where(jobs.c.state.in_(RUNNABLE), or_(job_items.c.state == "waiting", _expired(now))).limit(1)
    return any(connection.execute(query).first() is not None for query in (free, preparing))


def has_expired(connection: Connection, *, now: datetime) -> bool:
    """Whether a lease ran out."""
    return connection.execute(select(job_items.c.position).where(_expired(now)).limit(1)).first() is not None


def holders(connection: Connection) -> list[str]:
    """The workers that hold a lease."""
    query = select(job_items.c.worker).where(job_items.c.state == "leased").distinct()
    return [name for name in connection.execute(query).scalars() if name is not None]


def extend(connection: Connection, worker: str, *, now: datetime, lasts: timedelta = LEASE) -> None:
    """Extend every lease a worker holds: it is alive."""
    connection.execute(update(job_items).where(_held_by(worker)).values(lease_until=now + lasts))


def reclaim(connection: Connection, *, now: datetime) -> set[str]:
    """Take back what ran out, and give up what was stopped too often; the workspaces in which a job ended by that."""
    return _take_back(connection, _expired(now), now=now, died=False)


def expire(connection: Connection, worker: str, *, now: datetime, died: bool = False) -> set[str]:
    """Take back what a worker holds that is gone; the workspaces in which a job ended by that.

    `died`: it ended by itself while the server that looks after it lived on, so what it had in hand may be the cause.
    """
    return _take_back(connection, _held_by(worker), now=now, died=died)


def release(connection: Connection, worker: str, *, suspect: bool = False) -> None:
    """Give back what a worker holds, because it stops; it is nobody's fault and does not count.

    `suspect`: what it had in hand met a database or a disk that would not work, and comes after the others.
    """
    in_hand = and_(job_items.c.started.is_not(None), job_items.c.attempts == 0)
    attempts = case((in_hand, 1), else_=job_items.c.attempts) if suspect else job_items.c.attempts
    given_back = {"state": "waiting", "attempts": attempts, **FREED}
    connection.execute(update(job_items).where(_held_by(worker)).values(**given_back))


def _take_back(connection: Connection, chosen: ColumnElement[bool], *, now: datetime, died: bool) -> set[str]:
    leased = and_(job_items.c.state == "leased", chosen)
    ended = set()
    for job_id in sorted(connection.execute(select(job_items.c.job_id).where(leased).distinct()).scalars()):
        _lock(connection, job_id)
        own, in_hand = job_items.c.job_id == job_id, job_items.c.started.is_not(None)
        alone = and_(in_hand, job_items.c.prepared, job_items.c.attempts > 0)
        counts = {"attempts": job_items.c.attempts + case((in_hand, 1), else_=0)}
        counts |= {"deaths": job_items.c.deaths + case((alone, 1), else_=0)} if died else {}
        connection.execute(update(job_items).where(own, leased).values(state="waiting", **counts, **FREED))
        hopeless = or_(job_items.c.deaths >= MOST_DEATHS, job_items.c.attempts >= MOST_ATTEMPTS)
        columns = select(job_items.c.position, job_items.c.attempts).where(own, job_items.c.state == "waiting")
        for position, attempts in connection.execute(columns.where(hopeless)).all():
            reason = f"Stopped {attempts} times in the middle: it may be too large for the memory of this machine."
            _close(connection, job_id, position, reason, now)
        done = select(jobs.c.workspace_id).where(jobs.c.id == job_id, jobs.c.state == "done")
        ended |= set(connection.execute(done).scalars())
    return ended


def _expired(now: datetime) -> ColumnElement[bool]:
    return and_(job_items.c.state == "leased", job_items.c.lease_until < now)


def _held_by(worker: str) -> ColumnElement[bool]:
    return and_(job_items.c.worker == worker, job_items.c.state == "leased")


def _lock(connection: Connection, job_id: str) -> None:
    connection.execute(select(jobs.c.id).where(jobs.c.id == job_id).with_for_update())


def _at(job_id: str, position: int) -> ColumnElement[bool]:
    return and_(job_items.c.job_id == job_id, job_items.c.position == position)


def _close(connection: Connection, job_id: str, position: int, error: str | None, now: datetime) -> None:
    state, column = ("done", jobs.c.done) if error is None else ("failed", jobs.c.failed)
    closed = {"state": state, "error": error, "finished": now, **FREED}
    connection.execute(update(job_items).where(_at(job_id, position)).values(**closed))
    connection.execute(update(jobs).where(jobs.c.id == job_id).values({column: column + 1}))
    ended = (jobs.c.id == job_id) & (jobs.c.done + jobs.c.failed >= jobs.c.total) & jobs.c.state.in_(RUNNABLE)
    connection.execute(update(jobs).where(ended).values(state="done", finished=now))
