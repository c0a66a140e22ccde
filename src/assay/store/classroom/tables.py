"""The tables of hand-in, release and appeals; `assay.store.schema` has all others.

An *assignment* is a workspace into which students hand in. What is between it and one student (a code that hides the
name, an extension, when the grade is released and what is shown) is a row of assignment_students. Every version handed
in is a *draft*. A *message* is an appeal of a student, or the answer to one.
"""

import sqlalchemy as sa

from assay.store.schema import DIGEST, ID, NAME, Moment, Plain, metadata


def _workspace(*, primary_key: bool = False) -> sa.Column[str]:
    key = sa.ForeignKey("workspaces.id", ondelete="CASCADE")
    return sa.Column("workspace_id", Plain(ID), key, nullable=False, primary_key=primary_key)


def _enrollment(*, primary_key: bool = False) -> sa.Column[int]:
    key = sa.ForeignKey("enrollments.id", ondelete="CASCADE")
    return sa.Column("enrollment_id", sa.Integer, key, nullable=False, primary_key=primary_key)


assignments = sa.Table(
    "assignments",
    metadata,
    _workspace(primary_key=True),
    sa.Column("instructions", Plain, nullable=False),
    sa.Column("opens", Moment),
    sa.Column("due", Moment),
    sa.Column("takes_late", sa.Boolean, nullable=False),
    sa.Column("anonymous", sa.Boolean, nullable=False),
    sa.Column("appeal_days", sa.Integer, nullable=False),
    sa.Column("created", Moment, nullable=False),
)

assignment_students = sa.Table(
    "assignment_students",
    metadata,
    _workspace(primary_key=True),
    _enrollment(primary_key=True),
    sa.Column("code", Plain(ID), nullable=False),
    sa.Column("extension", Moment),
    sa.Column("released", Moment),
    sa.Column("shown", sa.JSON, nullable=False),
    sa.UniqueConstraint("workspace_id", "code"),
    sa.Index(None, "enrollment_id"),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _workspace(),
    _enrollment(),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("upload_id", sa.Integer, sa.ForeignKey("uploads.id", ondelete="CASCADE"), nullable=False),
    sa.Column("name", Plain(NAME), nullable=False),
    sa.Column("digest", Plain(DIGEST), nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("content", Plain(200), nullable=False),
    sa.Column("receipt", Plain(ID), nullable=False, unique=True),
    sa.Column("late", sa.Boolean, nullable=False),
    sa.Column("made", Moment, nullable=False),
    sa.UniqueConstraint("workspace_id", "enrollment_id", "number"),
    sa.Index(None, "upload_id"),
    sa.Index(None, "enrollment_id"),
)

messages = sa.Table(
    "messages",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _workspace(),
    _enrollment(),
    sa.Column("item_id", sa.Integer, sa.ForeignKey("items.id", ondelete="SET NULL")),
    sa.Column("appeal_id", sa.Integer, sa.ForeignKey("messages.id", ondelete="CASCADE")),
    sa.Column("about", Plain(12), nullable=False),
    sa.Column("text", Plain, nullable=False),
    sa.Column("author", Plain(80), nullable=False),
    sa.Column("made", Moment, nullable=False),
    sa.Column("closed", Moment),
    sa.Index(None, "workspace_id", "closed"),
    sa.Index(None, "item_id"),
    sa.Index(None, "enrollment_id"),
)
