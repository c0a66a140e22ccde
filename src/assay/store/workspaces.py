"""Workspaces: what a person opens, fills and comes back to; and who did what in them, when."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from assay.store.database import first_as, rows_as
from assay.store.jobs import OPEN, cancel, resume
from assay.store.schema import Json, accounts, audit, clipped, courses, fields, jobs, new_id, workspaces


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the audit log."""

    id: int
    made_at: datetime
    author: str
    action: str
    workspace_id: str | None
    detail: Json
    course_id: str | None = None
    organization_id: int | None = None


def note(
    connection: Connection,
    action: str,
    *,
    author: str,
    now: datetime,
    workspace_id: str | None = None,
    course_id: str | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    """Add a line: an action in words (`upload`, `override`, `sign in`), and what it was about.

    It is for the organization of the workspace or course, or else of whoever did it, to read.
    """
    row = {"made": now, "author": author, "action": action, "workspace_id": workspace_id, "detail": dict(detail or {})}
    in_course = select(workspaces.c.course_id).where(workspaces.c.id == workspace_id).scalar_subquery()
    course = course_id if workspace_id is None else in_course
    of_course = select(courses.c.organization_id).where(courses.c.id == course).scalar_subquery()
    of_author = select(accounts.c.organization_id).where(accounts.c.name == author).scalar_subquery()
    connection.execute(
        insert(audit).values(**row, course_id=course, organization_id=func.coalesce(of_course, of_author, 1))
    )


def entries(
    connection: Connection,
    *,
    workspace_id: str | None = None,
    organization_id: int | None = None,
    course_id: str | None = None,
    most: int = 100,
    before: int | None = None,
) -> list[Entry]:
    """The last lines, newest first, of a workspace, a course, an organization or all; `before` pages on from an id."""
    query = select(*fields(audit)).order_by(audit.c.id.desc()).limit(most)
    if workspace_id is not None:
        query = query.where(audit.c.workspace_id == workspace_id)
    if organization_id is not None:
        query = query.where(audit.c.organization_id == organization_id)
    if course_id is not None:
        query = query.where(audit.c.course_id == course_id)
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
    course_id: str = "default"

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
    course_id: str = "default",
) -> Workspace:
    """A new, empty workspace of a course."""
    workspace = Workspace(new_id(), kind, clipped(name), settings or {}, {}, author, example, now, now, None, course_id)
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


def recent_workspaces(
    connection: Connection, *, within: Collection[str] | None, kind: str | None = None, most: int = 50
) -> list[Workspace]:
    """Workspaces of some courses, last changed first; None is for whoever may see all."""
    query = select(workspaces).where(workspaces.c.removed.is_(None)).order_by(workspaces.c.changed.desc()).limit(most)
    if within is not None:
        query = query.where(workspaces.c.course_id.in_(list(within)))
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
