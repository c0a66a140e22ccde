"""The tables of the web app; SQLite and PostgreSQL hold the same ones.

A *workspace* has *uploads* (named files; their bytes are blobs, kept once by SHA-256) and *items*: what is scored, a
submission, an essay, an engine. An item has one *result* for each engine that scored it, where an engine is the digest
of all that bears on the score: rules, model, version. An *override* belongs to the content of an item and to an
engine, never to a name. *Jobs* are work in the queue, one row of job_items for each piece of it.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

Json = dict[str, Any]  # what a JSON column holds has no closer type
ID, DIGEST, NAME = 16, 64, 400
"""Longest ids, digests and names."""


class Moment(TypeDecorator[datetime]):
    """A point in time: UTC without an offset in the table (SQLite knows none), with its offset in Python."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


class Plain(TypeDecorator[str]):
    """Text without what PostgreSQL or UTF-8 refuse: NUL and halves of surrogate pairs."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else value.replace("\0", "").encode("utf-8", "replace").decode()


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _workspace() -> Column[str]:
    return Column("workspace_id", Plain(ID), ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False)


def _item(*, nullable: bool = False) -> Column[int]:
    return Column("item_id", Integer, ForeignKey("items.id", ondelete="CASCADE"), nullable=nullable)


installation = Table(
    "installation",
    metadata,
    Column("name", Plain(40), primary_key=True),
    Column("value", Plain, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Plain(80), nullable=False, unique=True),
    Column("password_hash", Plain, nullable=False),
    Column("role", Plain(12), nullable=False),
    Column("created", Moment, nullable=False),
    Column("disabled", Moment),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Plain(DIGEST), primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Plain(8), nullable=False),
    Column("label", Plain(80), nullable=False, default=""),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Index(None, "account_id"),
)

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Plain(ID), primary_key=True),
    Column("kind", Plain(20), nullable=False),
    Column("name", Plain(NAME), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("summary", JSON, nullable=False),
    Column("author", Plain(80), nullable=False),
    Column("example", Boolean, nullable=False, default=False),
    Column("created", Moment, nullable=False),
    Column("changed", Moment, nullable=False),
    Column("removed", Moment),
    Index(None, "changed"),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", Plain(DIGEST), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("created", Moment, nullable=False),
)

blob_parts = Table(
    "blob_parts",
    metadata,
    Column("digest", Plain(DIGEST), ForeignKey("blobs.digest", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("id", Integer, primary_key=True),
    _workspace(),
    Column("role", Plain(20), nullable=False),
    Column("name", Plain(NAME), nullable=False),
    Column("digest", Plain(DIGEST), ForeignKey("blobs.digest"), nullable=False),
    Column("size", Integer, nullable=False),
    Column("author", Plain(80), nullable=False),
    Column("created", Moment, nullable=False),
    Column("removed", Moment),
    Index(None, "workspace_id", "role"),
)

items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    _workspace(),
    Column("position", Integer, nullable=False),
    Column("digest", Plain(DIGEST), nullable=False),
    Column("name", Plain(NAME), nullable=False),
    Column("student", Plain(80)),
    Column("upload_id", Integer, ForeignKey("uploads.id")),
    Column("detail", JSON, nullable=False),
    Column("created", Moment, nullable=False),
    Column("removed", Moment),
    UniqueConstraint("workspace_id", "digest"),
    Index(None, "workspace_id", "position"),
    Index(None, "student"),
)

results = Table(
    "results",
    metadata,
    Column("id", Integer, primary_key=True),
    _item(),
    Column("engine", Plain(DIGEST), nullable=False),
    Column("score", Float),
    Column("payload", JSON, nullable=False),
    Column("files", JSON, nullable=False),
    Column("made", Moment, nullable=False),
    UniqueConstraint("item_id", "engine"),
)

overrides = Table(
    "overrides",
    metadata,
    Column("id", Integer, primary_key=True),
    _workspace(),
    _item(),
    Column("item_digest", Plain(DIGEST), nullable=False),
    Column("engine", Plain(DIGEST), nullable=False),
    Column("target", Plain(NAME), nullable=False),
    Column("kind", Plain(12), nullable=False),
    Column("value", JSON, nullable=False),
    Column("previous", JSON, nullable=False),
    Column("system_score", Float),
    Column("human_score", Float),
    Column("reason", Plain, nullable=False),
    Column("author", Plain(80), nullable=False),
    Column("made", Moment, nullable=False),
    Column("undone", Moment),
    Column("undone_by", Plain(80)),
    Index(None, "workspace_id", "engine"),
    Index(None, "item_id"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Plain(ID), primary_key=True),
    _workspace(),
    Column("kind", Plain(40), nullable=False),
    Column("engine", Plain(DIGEST), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("state", Plain(12), nullable=False),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("author", Plain(80), nullable=False),
    Column("created", Moment, nullable=False),
    Column("started", Moment),
    Column("turn", Moment, nullable=False),
    Column("finished", Moment),
    Index(None, "workspace_id", "created"),
    Index(None, "state", "turn"),
)

job_items = Table(
    "job_items",
    metadata,
    Column("job_id", Plain(ID), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    _item(nullable=True),
    Column("task", JSON, nullable=False),
    Column("state", Plain(12), nullable=False),
    Column("worker", Plain(80)),
    Column("lease_until", Moment),
    Column("attempts", Integer, nullable=False),
    Column("error", Plain),
    Column("finished", Moment),
    Column("stage", Plain(80)),
    Column("stage_done", Integer),
    Column("stage_total", Integer),
    Index(None, "job_id", "state", "position"),
    Index(None, "job_id", "finished"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("made", Moment, nullable=False),
    Column("author", Plain(80), nullable=False),
    Column("action", Plain(60), nullable=False),
    Column("workspace_id", Plain(ID)),
    Column("detail", JSON, nullable=False),
    Index(None, "workspace_id", "made"),
)
