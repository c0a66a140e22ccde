"""Workspaces: what a person opens, fills and comes back to."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, RowMapping, insert, select, update

from assay.store.ids import new_id
from assay.store.schema import NAME, Json, workspaces


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
    workspace = Workspace(
        id=new_id(),
        kind=kind,
        name=clipped(name),
        settings=settings or {},
        summary={},
        author=author,
        example=example,
        created=now,
        changed=now,
        removed=None,
    )
    connection.execute(insert(workspaces).values(**{c.name: getattr(workspace, c.name) for c in workspaces.columns}))
    return workspace


def clipped(name: str) -> str:
    """A name as tables hold it: one line, not too long, with nothing PostgreSQL refuses."""
    return " ".join(name.replace("\0", "").encode("utf-8", "replace").decode().split())[:NAME] or "Unnamed"


def find_workspace(connection: Connection, workspace_id: str) -> Workspace | None:
    """The workspace; None if there is none or it was removed."""
    query = select(workspaces).where(workspaces.c.id == workspace_id, workspaces.c.removed.is_(None))
    row = connection.execute(query).mappings().first()
    return _workspace(row) if row else None


def hold_workspace(connection: Connection, workspace_id: str) -> Workspace | None:
    """The workspace as it is now, which nobody else changes until this transaction ends; None as in `find_workspace`.

    Whoever changes a workspace, its decisions or its jobs holds it first: two people who decide at once take turns on
    PostgreSQL as they do on SQLite, where a writer is alone anyway, and nobody meets a deadlock.
    """
    query = select(workspaces).where(workspaces.c.id == workspace_id, workspaces.c.removed.is_(None))
    row = connection.execute(query.with_for_update(key_share=True)).mappings().first()
    return _workspace(row) if row else None


def recent_workspaces(connection: Connection, *, kind: str | None = None, most: int = 50) -> list[Workspace]:
    """Workspaces, last changed first."""
    query = select(workspaces).where(workspaces.c.removed.is_(None)).order_by(workspaces.c.changed.desc()).limit(most)
    if kind is not None:
        query = query.where(workspaces.c.kind == kind)
    return [_workspace(row) for row in connection.execute(query).mappings()]


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
    changes = {"name": clipped(name) if name else None, "settings": settings, "summary": summary}
    kept = {column: value for column, value in changes.items() if value is not None}
    connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(changed=now, **kept))


def _workspace(row: RowMapping) -> Workspace:
    return Workspace(**row)
