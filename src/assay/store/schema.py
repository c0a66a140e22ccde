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


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _workspace() -> Column[str]:
    return Column("workspace_id", Plain(ID), ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False)


def _item(*, nullable: bool = False) -> Column[int]:
    return Column("item_id", Integer, ForeignKey("items.id", ondelete="CASCADE"), nullable=nullable)


def _needed(**types: Any) -> list[Column[Any]]:
    """Columns that always hold a value, by name."""
    return [Column(name, type_, nullable=False) for name, type_ in types.items()]


def _optional(**types: Any) -> list[Column[Any]]:
    return [Column(name, type_) for name, type_ in types.items()]


installation = Table("installation", metadata, Column("name", Plain(40), primary_key=True), *_needed(value=Plain))

accounts = Table(
    "accounts",
    metadata,
    _id(),
    Column("name", Plain(80), nullable=False, unique=True),
    *_needed(password_hash=Plain, role=Plain(12), created=Moment),
    *_optional(disabled=Moment),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Plain(DIGEST), primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("label", Plain(80), nullable=False, default=""),
    *_needed(kind=Plain(8), created=Moment, expires=Moment),
    Index(None, "account_id"),
)

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Plain(ID), primary_key=True),
    *_needed(kind=Plain(20), name=Plain(NAME), settings=JSON, summary=JSON, author=Plain(80)),
    Column("example", Boolean, nullable=False, default=False),
    *_needed(created=Moment, changed=Moment),
    *_optional(removed=Moment),
    Index(None, "changed"),
)

blobs = Table(
    "blobs", metadata, Column("digest", Plain(DIGEST), primary_key=True), *_needed(size=Integer, created=Moment)
)

blob_parts = Table(
    "blob_parts",
    metadata,
    Column("digest", Plain(DIGEST), ForeignKey("blobs.digest", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    *_needed(content=LargeBinary),
)

uploads = Table(
    "uploads",
    metadata,
    _id(),
    _workspace(),
    *_needed(role=Plain(20), name=Plain(NAME)),
    Column("digest", Plain(DIGEST), ForeignKey("blobs.digest"), nullable=False),
    *_needed(size=Integer, author=Plain(80), created=Moment),
    *_optional(removed=Moment),
    Index(None, "workspace_id", "role"),
)

items = Table(
    "items",
    metadata,
    _id(),
    _workspace(),
    *_needed(position=Integer, digest=Plain(DIGEST), name=Plain(NAME), detail=JSON, created=Moment),
    Column("upload_id", Integer, ForeignKey("uploads.id")),
    *_optional(student=Plain(80), removed=Moment),
    UniqueConstraint("workspace_id", "digest"),
    Index(None, "workspace_id", "position"),
    Index(None, "student"),
)

results = Table(
    "results",
    metadata,
    _id(),
    _item(),
    *_needed(engine=Plain(DIGEST), payload=JSON, files=JSON, made=Moment),
    *_optional(score=Float),
    UniqueConstraint("item_id", "engine"),
)

overrides = Table(
    "overrides",
    metadata,
    _id(),
    _workspace(),
    _item(),
    *_needed(item_digest=Plain(DIGEST), engine=Plain(DIGEST), target=Plain(NAME), kind=Plain(12)),
    *_needed(value=JSON, previous=JSON, reason=Plain, author=Plain(80), made=Moment),
    *_optional(system_score=Float, human_score=Float, undone=Moment, undone_by=Plain(80)),
    Index(None, "workspace_id", "engine"),
    Index(None, "item_id"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Plain(ID), primary_key=True),
    _workspace(),
    *_needed(kind=Plain(40), engine=Plain(DIGEST), settings=JSON, state=Plain(12), author=Plain(80)),
    *_needed(total=Integer, done=Integer, failed=Integer, created=Moment, turn=Moment),
    *_optional(started=Moment, finished=Moment),
    Index(None, "workspace_id", "created"),
    Index(None, "state", "turn"),
)

job_items = Table(
    "job_items",
    metadata,
    Column("job_id", Plain(ID), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    _item(nullable=True),
    *_needed(task=JSON, state=Plain(12), attempts=Integer),
    *_optional(worker=Plain(80), lease_until=Moment, error=Plain, finished=Moment),
    *_optional(stage=Plain(80), stage_done=Integer, stage_total=Integer),
    Index(None, "job_id", "state", "position"),
    Index(None, "job_id", "finished"),
)

audit = Table(
    "audit",
    metadata,
    _id(),
    *_needed(made=Moment, author=Plain(80), action=Plain(60), detail=JSON),
    *_optional(workspace_id=Plain(ID)),
    Index(None, "workspace_id", "made"),
)
