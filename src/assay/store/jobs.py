"""Work that outlives a request: queued, resumed, cancelled, tried again. One table of jobs, one of their pieces.

How workers take pieces and give them back is in `leases`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, insert, select, update

from assay.store.schema import Json, job_items, jobs, new_id

State = Literal["preparing", "queued", "running", "done", "cancelled"]
RUNNABLE = ("queued", "running")
OPEN = ("preparing", *RUNNABLE)
RECENT = 40
"""The rate is measured over so many pieces finished last."""
UNCOUNTED = "uncounted_pieces"
"""In the settings of a job: so many pieces at its end are not counted unless they fail."""
PREPARING = "preparing"
"""In the settings of a job that is not whole yet: where to go on (see `staging`)."""
NO_REASON = "no reason given"
FREED = dict.fromkeys(("worker", "lease_until", "started", "prepared", "stage", "stage_done", "stage_total"))
"""A piece in nobody's hands."""
UNTRIED = {"state": "waiting", "attempts": 0, "deaths": 0, "error": None, "finished": None, **FREED}
"""A piece as if nobody had worked on it."""


@dataclass(frozen=True, slots=True)
class JobPiece:
    """A piece of a job; `item_id` names the item its result belongs to, if any.

    One that is not `counted` comes last and puts the others together: progress leaves it out unless it fails.
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
    report_error: str | None = None
    """Why the piece that puts the others together failed; it counts as one of the failed then."""

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
        waiting = {"job_id": job_id, "state": "waiting", "attempts": 0, "deaths": 0}
        rows = [{**waiting, "position": i, "task": p.task, "item_id": p.item_id} for i, p in enumerate(pieces)]
        connection.execute(insert(job_items), rows)
    return job_id


def cancel(connection: Connection, job_id: str, *, now: datetime) -> None:
    """Stop a job: what is finished stays, what is in the hands of a worker will not be kept."""
    open_ = (jobs.c.id == job_id) & jobs.c.state.in_(OPEN)
    if connection.execute(update(jobs).where(open_).values(state="cancelled", finished=now)).rowcount:
        waiting = (job_items.c.job_id == job_id) & job_items.c.state.in_(("waiting", "leased"))
        connection.execute(update(job_items).where(waiting).values(state="cancelled", **FREED))


def resume(connection: Connection, job_id: str, *, now: datetime) -> None:
    """Take up a cancelled job where it was stopped."""
    stopped = (jobs.c.id == job_id) & (jobs.c.state == "cancelled")
    settings = connection.execute(select(jobs.c.settings).where(stopped)).scalar() or {}
    again = {"state": "preparing" if PREPARING in settings else "queued", "finished": None, "turn": now}
    if connection.execute(update(jobs).where(stopped).values(**again)).rowcount:
        left = (job_items.c.job_id == job_id) & (job_items.c.state == "cancelled")
        connection.execute(update(job_items).where(left).values(**UNTRIED))


def retry(connection: Connection, job_id: str, *, now: datetime) -> None:
    """Try what failed in a job once more."""
    failed = (job_items.c.job_id == job_id) & (job_items.c.state == "failed")
    connection.execute(select(jobs.c.id).where(jobs.c.id == job_id).with_for_update())
    ended = (jobs.c.id == job_id) & (jobs.c.state == "done") & (jobs.c.failed > 0)
    again = {"state": "queued", "finished": None, "turn": now, "failed": 0}
    if connection.execute(update(jobs).where(ended).values(**again)).rowcount:
        connection.execute(update(job_items).where(failed).values(**UNTRIED))


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
    total, done, failed, report_error = job["total"], job["done"], job["failed"], None
    if alone := job["settings"].get(UNCOUNTED, 0):  # pieces that only put the others together: counted if they failed
        last = select(job_items.c.state, job_items.c.error).where(job_items.c.job_id == job_id)
        ended = connection.execute(last.order_by(job_items.c.position.desc()).limit(alone)).all()
        errors = [row.error or NO_REASON for row in ended if row.state == "failed"]
        total, done = total - alone + len(errors), done - sum(row.state == "done" for row in ended)
        report_error = " ".join(errors) or None
    return Progress(
        job_id=job_id,
        **{name: job[name] for name in ("workspace_id", "kind", "state", "created", "finished")},
        done=done,
        failed=failed,
        total=total,
        rate=rate,
        seconds_left=(total - done - failed) / rate if rate else None,
        stage=PieceStage(*stage) if stage else None,
        report_error=report_error,
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
    return [(item_id, error or NO_REASON) for item_id, error in connection.execute(query)]
