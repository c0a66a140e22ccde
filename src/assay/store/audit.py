"""Who did what, when: a list that only grows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select

from assay.store.database import rows_as
from assay.store.schema import Json, audit, fields


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
