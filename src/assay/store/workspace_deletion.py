"""Workspaces out of sight and back: the work that went on in them stops, and goes on when they are back."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from assay.store.audit import note
from assay.store.jobs import OPEN, cancel, resume
from assay.store.schema import jobs, workspaces
from assay.store.workspaces import hold_workspace


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
