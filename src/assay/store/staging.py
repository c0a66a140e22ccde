"""Many items and pieces at once, written in short transactions: nobody who writes waits long for an upload of 60,000.

Items are *staged* first: written down, but out of sight. A job is then *preparing*: batch by batch its items are shown
and get a piece each, and items that were not staged go out of sight. Where a batch ended is kept with it, so whoever
comes next goes on there, after a crash too; nobody works on the job before it is whole.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from assay.store.classroom.drafts import name_items
from assay.store.items import BATCH, by_engine, in_sight
from assay.store.jobs import PREPARING, UNCOUNTED
from assay.store.rosters import match_items
from assay.store.schema import Json, items, job_items, jobs, new_id, results

UNCOUNTED_FROM = 1_000_000_000
"""Positions of pieces that are not counted: behind all others, however many there are."""


def count_staged(connection: Connection, workspace_id: str, stamp: str) -> int:
    """How many items bear a stamp."""
    query = select(func.count()).select_from(items).where(items.c.workspace_id == workspace_id)
    return connection.execute(query.where(items.c.staged == stamp)).scalar_one()


def enqueue_unscored(
    connection: Connection,
    kind: str,
    workspace_id: str,
    *,
    engine: str,
    settings: Json,
    author: str,
    now: datetime,
    stamp: str | None = None,
    at_once: bool = True,
) -> str | None:
    """A job with a piece for every item the engine has not scored; its id, None when there is nothing to do.

    With a stamp, the items that bear it replace those in sight. Unless it happens `at_once`, workers prepare the job.
    The task of a piece is the detail of its item; one whose `counted` is false stays out of sight.
    """
    scope = in_sight(workspace_id) if stamp is None else (items.c.workspace_id == workspace_id) & _staged(stamp)
    total = connection.execute(select(func.count()).select_from(items).where(scope)).scalar_one()
    preparing = {"stamp": stamp, "after": 0, "counted": 0, "uncounted": 0}
    job = {"id": new_id(), "workspace_id": workspace_id, "kind": kind, "engine": engine, "author": author}
    counts = {"total": total, "done": 0, "failed": 0}
    values = {"settings": {**settings, PREPARING: preparing}, "state": "preparing", "created": now, "turn": now}
    connection.execute(insert(jobs).values(**job, **counts, **values))
    while at_once and prepare_next(connection, now=now, job_id=job["id"]):
        pass
    if at_once and not connection.execute(select(jobs.c.total).where(jobs.c.id == job["id"])).scalar_one():
        connection.execute(delete(jobs).where(jobs.c.id == job["id"]))
        return None
    return job["id"]


def prepare_next(connection: Connection, *, now: datetime, job_id: str | None = None) -> bool:
    """Prepare the next batch of a job that is not whole yet; False when there is none."""
    waiting = select(jobs).where(jobs.c.state == "preparing", jobs.c.id == (job_id or jobs.c.id))
    job = connection.execute(waiting.order_by(jobs.c.turn).limit(1).with_for_update()).mappings().first()
    if job is None:
        return False
    state, workspace_id = dict(job["settings"][PREPARING]), job["workspace_id"]
    scope = in_sight(workspace_id) if state["stamp"] is None else _staged(state["stamp"])
    query = select(items.c.id, items.c.detail, results.c.id.label("result")).outerjoin(
        results, by_engine(job["engine"])
    )
    query = query.where(items.c.workspace_id == workspace_id, scope, items.c.id > state["after"])
    rows = connection.execute(query.order_by(items.c.id).limit(BATCH)).all()
    if not rows:
        _hide_others(connection, job, state, now) or _open(connection, job, state, now)
        return True
    counted = {row.id: row.detail.get("counted", True) for row in rows}
    shown = (items.c.id.in_([id_ for id_, counts in counted.items() if counts])) & items.c.removed.is_not(None)
    connection.execute(update(items).where(shown).values(removed=None))
    pieces = []
    for row in (row for row in rows if row.result is None):
        kind = "counted" if counted[row.id] else "uncounted"
        position = state[kind] + (0 if counted[row.id] else UNCOUNTED_FROM)
        pieces.append({"job_id": job["id"], "position": position, "item_id": row.id, "task": row.detail})
        state[kind] += 1
    if pieces:
        connection.execute(insert(job_items).values(state="waiting", attempts=0, deaths=0), pieces)
    settings = {**job["settings"], PREPARING: state | {"after": rows[-1].id}}
    connection.execute(update(jobs).where(jobs.c.id == job["id"]).values(settings=settings))
    return True


def _hide_others(connection: Connection, job: Any, state: Json, now: datetime) -> bool:
    """Take a batch of the items that the staged ones replace out of sight; False when there are none."""
    if state["stamp"] is None:
        return False
    # each of the three is a range of an index: `!=` would look at every item
    others = or_(items.c.staged.is_(None), items.c.staged < state["stamp"], items.c.staged > state["stamp"])
    query = select(items.c.id).where(in_sight(job["workspace_id"]), others).limit(BATCH)
    gone = connection.execute(query).scalars().all()
    connection.execute(update(items).where(items.c.id.in_(gone)).values(removed=now))
    return bool(gone)


def _open(connection: Connection, job: Any, state: Json, now: datetime) -> bool:
    """Let workers take its pieces; work that bears the name of somebody in the course is theirs from now on."""
    name_items(connection, job["workspace_id"], now=now)
    match_items(connection, job["workspace_id"])
    counted, uncounted = state["counted"], state["uncounted"]
    settings = {name: value for name, value in job["settings"].items() if name != PREPARING}
    settings |= {UNCOUNTED: uncounted} if counted and uncounted else {}
    total = counted + uncounted
    ended = {"state": "queued", "finished": None} if total else {"state": "done", "finished": now}
    connection.execute(update(jobs).where(jobs.c.id == job["id"]).values(settings=settings, total=total, **ended))
    return True


def _staged(stamp: str) -> ColumnElement[bool]:
    return items.c.staged == stamp
