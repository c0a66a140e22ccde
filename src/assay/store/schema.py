"""The tables of the web app; SQLite and PostgreSQL hold the same ones.

An *organization* has accounts and *courses*; an *enrollment* says who is in a course, in which role. A *workspace*
belongs to a course. It has *uploads* (named files; their bytes are blobs, kept once by SHA-256) and *items*: what is
scored, a submission, an essay, an engine. Whose an item is says its enrollment, never its name. An item has one
*result* for each engine that scored it, where an engine is the digest of all that bears on the score: rules, model,
version. An *override* belongs to the content of an item and to an engine, never to a name. *Jobs* are work in the
queue, one row of job_items for each piece of it.
"""

import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike: an id may be read aloud."""


def new_id() -> str:
    """Twelve letters and digits by chance: 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def content_digest(*parts: str | bytes) -> str:
    """SHA-256 over several parts, each with its length, so that ("ab", "c") and ("a", "bc") differ.

    >>> content_digest("ab", "c") == content_digest("a", "bc")
    False
    """
    digest = sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


Json = dict[str, Any]  # what a JSON column holds has no closer type
Connection: TypeAlias = sa.Connection
"""An open transaction, which `Database.reading` and `Database.writing` give and every function of the store takes."""
ID, DIGEST, NAME = 16, 64, 400
"""Longest ids, digests and names."""


class Moment(TypeDecorator[datetime]):
    """A point in time: UTC without an offset in the table (SQLite knows none), with its offset in Python."""

    impl = sa.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC)


class Plain(TypeDecorator[str]):
    """Text without what PostgreSQL or UTF-8 refuse: NUL and halves of surrogate pairs."""

    impl = sa.String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else value.replace("\0", "").encode("utf-8", "replace").decode()


def clipped(name: str) -> str:
    """A name as tables hold it: one line, not too long, with nothing PostgreSQL refuses."""
    return " ".join(name.replace("\0", "").encode("utf-8", "replace").decode().split())[:NAME] or "Unnamed"


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _workspace() -> sa.Column[str]:
    return sa.Column("workspace_id", Plain(ID), sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False)


def _item(*, nullable: bool = False) -> sa.Column[int]:
    return sa.Column("item_id", sa.Integer, sa.ForeignKey("items.id", ondelete="CASCADE"), nullable=nullable)


def _needed(**types: Any) -> list[sa.Column[Any]]:
    """Columns that always hold a value, by name."""
    return [sa.Column(name, type_, nullable=False) for name, type_ in types.items()]


def _optional(**types: Any) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_) for name, type_ in types.items()]


installation = sa.Table("installation", metadata, sa.Column("name", Plain(40), primary_key=True), *_needed(value=Plain))

organizations = sa.Table("organizations", metadata, _id(), *_needed(name=Plain(NAME), created=Moment))

accounts = sa.Table(
    "accounts",
    metadata,
    _id(),
    sa.Column("name", Plain(80), nullable=False, unique=True),
    *_needed(password_hash=Plain, role=Plain(12), created=Moment),
    *_optional(disabled=Moment, second_factor=Plain(64), second_factor_step=sa.Integer),
    sa.Column("organization_id", sa.Integer, sa.ForeignKey("organizations.id")),
    *_optional(email=Plain(NAME), full_name=Plain(NAME), external_id=Plain(NAME)),
)

courses = sa.Table(
    "courses",
    metadata,
    sa.Column("id", Plain(ID), primary_key=True),
    sa.Column("organization_id", sa.Integer, sa.ForeignKey("organizations.id"), nullable=False),
    *_needed(name=Plain(NAME), created=Moment),
    *_optional(removed=Moment, retention_days=sa.Integer),
    sa.Index(None, "organization_id"),
)

enrollments = sa.Table(
    "enrollments",
    metadata,
    _id(),
    sa.Column("course_id", Plain(ID), sa.ForeignKey("courses.id", ondelete="CASCADE"), nullable=False),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id", ondelete="SET NULL")),
    *_needed(role=Plain(12), name=Plain(NAME), email=Plain(NAME), number=Plain(80), created=Moment),
    *_optional(ended=Moment),
    sa.UniqueConstraint("course_id", "account_id"),
    sa.Index(None, "account_id"),
)

account_links = sa.Table(
    "account_links",
    metadata,
    sa.Column("token_hash", Plain(DIGEST), primary_key=True),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    *_needed(kind=Plain(16), created=Moment, expires=Moment),
    sa.Index(None, "account_id"),
)

identities = sa.Table(
    "identities",
    metadata,
    _id(),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    *_needed(issuer=Plain(NAME), subject=Plain(NAME), created=Moment),
    sa.UniqueConstraint("issuer", "subject"),
    sa.Index(None, "account_id"),
)

sign_on_states = sa.Table(
    "sign_on_states",
    metadata,
    sa.Column("token_hash", Plain(DIGEST), primary_key=True),
    *_needed(kind=Plain(12), detail=sa.JSON, expires=Moment),
)

lti_courses = sa.Table(
    "lti_courses",
    metadata,
    _id(),
    sa.Column("course_id", Plain(ID), sa.ForeignKey("courses.id", ondelete="CASCADE"), nullable=False),
    *_needed(issuer=Plain(NAME), client_id=Plain(NAME), deployment=Plain(NAME), context=Plain(NAME)),
    *_optional(memberships_url=Plain(2000), line_items_url=Plain(2000)),
    sa.UniqueConstraint("issuer", "client_id", "deployment", "context"),
    sa.Index(None, "course_id"),
)

lti_line_items = sa.Table(
    "lti_line_items",
    metadata,
    _id(),
    sa.Column("lti_course_id", sa.Integer, sa.ForeignKey("lti_courses.id", ondelete="CASCADE"), nullable=False),
    sa.Column("workspace_id", Plain(ID), sa.ForeignKey("workspaces.id", ondelete="CASCADE")),
    *_needed(resource_link=Plain(NAME), url=Plain(2000)),
    sa.UniqueConstraint("lti_course_id", "resource_link"),
    sa.Index(None, "workspace_id"),
)

sign_in_attempts = sa.Table(
    "sign_in_attempts",
    metadata,
    _id(),
    *_needed(name=Plain(80), origin=Plain(80), at=Moment),
    sa.Index(None, "name", "at"),
    sa.Index(None, "origin", "at"),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("token_hash", Plain(DIGEST), primary_key=True),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    sa.Column("label", Plain(80), nullable=False, default=""),
    *_needed(kind=Plain(8), created=Moment, expires=Moment),
    sa.Column("scope", Plain(8), nullable=False, default="all"),
    sa.Index(None, "account_id"),
)

workspaces = sa.Table(
    "workspaces",
    metadata,
    sa.Column("id", Plain(ID), primary_key=True),
    *_needed(kind=Plain(20), name=Plain(NAME), settings=sa.JSON, summary=sa.JSON, author=Plain(80)),
    sa.Column("example", sa.Boolean, nullable=False, default=False),
    *_needed(created=Moment, changed=Moment),
    *_optional(removed=Moment),
    sa.Column("course_id", Plain(ID), sa.ForeignKey("courses.id")),
    sa.Index(None, "changed"),
    sa.Index(None, "course_id"),
)

blobs = sa.Table(
    "blobs", metadata, sa.Column("digest", Plain(DIGEST), primary_key=True), *_needed(size=sa.Integer, created=Moment)
)

blob_parts = sa.Table(
    "blob_parts",
    metadata,
    sa.Column("digest", Plain(DIGEST), sa.ForeignKey("blobs.digest", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    *_needed(content=sa.LargeBinary),
)

uploads = sa.Table(
    "uploads",
    metadata,
    _id(),
    _workspace(),
    *_needed(role=Plain(20), name=Plain(NAME)),
    sa.Column("digest", Plain(DIGEST), sa.ForeignKey("blobs.digest"), nullable=False),
    *_needed(size=sa.Integer, author=Plain(80), created=Moment),
    *_optional(removed=Moment),
    sa.Index(None, "workspace_id", "role"),
)

items = sa.Table(
    "items",
    metadata,
    _id(),
    _workspace(),
    *_needed(position=sa.Integer, digest=Plain(DIGEST), name=Plain(NAME), detail=sa.JSON, created=Moment),
    sa.Column("upload_id", sa.Integer, sa.ForeignKey("uploads.id")),
    *_optional(student=Plain(80), removed=Moment, staged=Plain(ID), owner_rule=Plain(12)),
    sa.Column("enrollment_id", sa.Integer, sa.ForeignKey("enrollments.id", ondelete="SET NULL")),
    sa.UniqueConstraint("workspace_id", "digest"),
    sa.Index(None, "workspace_id", "position"),
    sa.Index(None, "workspace_id", "staged"),
    sa.Index(None, "student"),
    sa.Index(None, "enrollment_id"),
)

results = sa.Table(
    "results",
    metadata,
    _id(),
    _item(),
    *_needed(engine=Plain(DIGEST), payload=sa.JSON, files=sa.JSON, made=Moment),
    *_optional(score=sa.Float),
    sa.UniqueConstraint("item_id", "engine"),
)

overrides = sa.Table(
    "overrides",
    metadata,
    _id(),
    _workspace(),
    _item(),
    *_needed(item_digest=Plain(DIGEST), engine=Plain(DIGEST), target=Plain(NAME), kind=Plain(12)),
    *_needed(value=sa.JSON, previous=sa.JSON, reason=Plain, author=Plain(80), made=Moment),
    *_optional(system_score=sa.Float, human_score=sa.Float, undone=Moment, undone_by=Plain(80)),
    *_optional(seen=Plain(DIGEST), made_under=Plain(DIGEST)),
    sa.Index(None, "workspace_id", "engine"),
    sa.Index(None, "item_id"),
)

jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", Plain(ID), primary_key=True),
    _workspace(),
    *_needed(kind=Plain(40), engine=Plain(DIGEST), settings=sa.JSON, state=Plain(12), author=Plain(80)),
    *_needed(total=sa.Integer, done=sa.Integer, failed=sa.Integer, created=Moment, turn=Moment),
    *_optional(started=Moment, finished=Moment),
    sa.Index(None, "workspace_id", "created"),
    sa.Index(None, "state", "turn"),
)

job_items = sa.Table(
    "job_items",
    metadata,
    sa.Column("job_id", Plain(ID), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    _item(nullable=True),
    *_needed(task=sa.JSON, state=Plain(12), attempts=sa.Integer),
    sa.Column("deaths", sa.Integer, nullable=False, server_default="0"),
    *_optional(worker=Plain(80), lease_until=Moment, started=Moment, prepared=sa.Boolean, error=Plain, finished=Moment),
    *_optional(stage=Plain(80), stage_done=sa.Integer, stage_total=sa.Integer),
    sa.Index(None, "job_id", "state", "position"),
    sa.Index(None, "job_id", "finished"),
)

audit = sa.Table(
    "audit",
    metadata,
    _id(),
    *_needed(made=Moment, author=Plain(80), action=Plain(60), detail=sa.JSON),
    *_optional(workspace_id=Plain(ID), course_id=Plain(ID), organization_id=sa.Integer),
    sa.Index(None, "workspace_id", "made"),
    sa.Index(None, "organization_id", "id"),
)


def fields(table: sa.Table) -> list[sa.ColumnElement[Any]]:
    """The columns of a table as a class of its rows names them: the moment `made` is `made_at` there."""
    return [column.label("made_at") if column.name == "made" else column for column in table.columns]
