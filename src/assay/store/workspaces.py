"""Workspaces: what a person opens, fills and comes back to; and who did what in them, when."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from assay.store.database import first_as, rows_as
from assay.store.jobs import OPEN, cancel, resume
from assay.store.schema import Json, audit, clipped, fields, jobs, new_id, workspaces


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the audit log."""

    id: int
    made_at: datetime
    author: str
    action: str
    workspace_id: str | None
    detail: Json


def note(
    connection: Connection,
    action: str,
    *,
    author: str,
    now: datetime,
    workspace_id: str | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    """Add a line: an action in words (`upload`, `override`, `sign in`), and what it was about."""
    row = {"made": now, "author": author, "action": action, "workspace_id": workspace_id, "detail": dict(detail or {})}
    connection.execute(insert(audit).values(**row))


def entries(
    connection: Connection, *, workspace_id: str | None = None, most: int = 100, before: int | None = None
) -> list[Entry]:
    """The last lines, newest first; of one workspace or of all. `before` pages on from an id."""
    query = select(*fields(audit)).order_by(audit.c.id.desc()).limit(most)
    if workspace_id is not None:
        query = query.where(audit.c.workspace_id == workspace_id)
    if before is not None:
        query = query.where(audit.c.id < before)
    return rows_as(connection, Entry, query)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace of one kind.

    `settings` is what its pages ask for (columns, rules, a model). `summary` is what lists show of it, kept up to date
    by whoever changes it: `state` in words, `verdict` of it (met, unsure, doubt, not, idle), `count` in words, `trust`
    and `trust_detail`.
    """

    id: str
    kind: str
    name: str
    settings: Json
    summary: Json
    author: str
    example: bool
    created: datetime
    changed: datetime
    removed: datetime | None

    @property
    def engine(self) -> str:
        """The engine whose results count, by the digest of all that bears on a score; empty until it was chosen."""
        engine: str = self.settings.get("engine", "")
        return engine


def create_workspace(
    connection: Connection,
    kind: str,
    name: str,
    *,
    settings: Json | None = None,
    author: str,
    now: datetime,
    example: bool = False,
) -> Workspace:
    """A new, empty workspace."""
    workspace = Workspace(new_id(), kind, clipped(name), settings or {}, {}, author, example, now, now, None)
    connection.execute(insert(workspaces).values(**asdict(workspace)))
    return workspace


def find_workspace(connection: Connection, workspace_id: str) -> Workspace | None:
    """The workspace; None if there is none or it was removed."""
    query = select(workspaces).where(workspaces.c.id == workspace_id, workspaces.c.removed.is_(None))
    return first_as(connection, Workspace, query)


def hold_workspace(connection: Connection, workspace_id: str) -> Workspace | None:
    """The workspace as it is now, which nobody else changes until this transaction ends; None as in `find_workspace`.

    Whoever changes a workspace, its decisions or its jobs holds it first: two people who decide at once take turns on
    PostgreSQL as they do on SQLite, where a writer is alone anyway, and nobody meets a deadlock.
    """
    query = select(workspaces).where(workspaces.c.id == workspace_id, workspaces.c.removed.is_(None))
    return first_as(connection, Workspace, query.with_for_update(key_share=True))


def recent_workspaces(connection: Connection, *, kind: str | None = None, most: int = 50) -> list[Workspace]:
    """Workspaces, last changed first."""
    query = select(workspaces).where(workspaces.c.removed.is_(None)).order_by(workspaces.c.changed.desc()).limit(most)
    return rows_as(connection, Workspace, query if kind is None else query.where(workspaces.c.kind == kind))


def change_workspace(
    connection: Connection,
    workspace_id: str,
    *,
    now: datetime,
    name: str | None = None,
    settings: Json | None = None,
    summary: Json | None = None,
) -> None:
    """Replace the name, the settings or the summary; what is None stays."""
    values = {"name": clipped(name) if name else None, "settings": settings, "summary": summary}
    changes = {column: value for column, value in values.items() if value is not None}
    connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(changed=now, **changes))


def remove_workspaces(connection: Connection, ids: Sequence[str], *, author: str, now: datetime) -> None:
    """Take workspaces out of sight, and stop what is being worked on in them; `restore_workspace` brings them back."""
    for workspace_id in ids:
        if hold_workspace(connection, workspace_id) is None:
            continue
        open_jobs = select(jobs.c.id).where(jobs.c.workspace_id == workspace_id, jobs.c.state.in_(OPEN))
        for job_id in connection.execute(open_jobs).scalars().all():
            cancel(connection, job_id, now=now)
        connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(removed=now))
        note(connection, "remove workspace", author=author, now=now, workspace_id=workspace_id)


def restore_workspace(connection: Connection, workspace_id: str, *, author: str, now: datetime) -> None:
    """Bring a workspace back; jobs that stopped because it was removed go on."""
    removed = select(workspaces.c.removed).where(workspaces.c.id == workspace_id).scalar_subquery()
    stopped = select(jobs.c.id).where(jobs.c.workspace_id == workspace_id, jobs.c.state == "cancelled")
    ids = connection.execute(stopped.where(jobs.c.finished == removed)).scalars().all()
    connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(removed=None))
    for job_id in ids:
        resume(connection, job_id, now=now)
    note(connection, "restore workspace", author=author, now=now, workspace_id=workspace_id)
