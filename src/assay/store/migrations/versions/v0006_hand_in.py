"""Hand-in, release and appeals. What students could see before, scores and all, counts as released to them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("courses", sa.Column("retention_days", sa.Integer(), nullable=True))
    op.create_table(
        "assignments",
        _reference("workspace_id", sa.String(length=16), "workspaces", "assignments"),
        sa.Column("instructions", sa.String(), nullable=False),
        sa.Column("opens", sa.DateTime(), nullable=True),
        sa.Column("due", sa.DateTime(), nullable=True),
        sa.Column("takes_late", sa.Boolean(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("appeal_days", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_assignments")),
    )
    op.create_table(
        "assignment_students",
        _reference("workspace_id", sa.String(length=16), "workspaces", "assignment_students"),
        _reference("enrollment_id", sa.Integer(), "enrollments", "assignment_students"),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("extension", sa.DateTime(), nullable=True),
        sa.Column("released", sa.DateTime(), nullable=True),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "enrollment_id", name=op.f("pk_assignment_students")),
        sa.UniqueConstraint("workspace_id", "code", name=op.f("uq_assignment_students_workspace_id_code")),
    )
    _drafts()
    _messages()
    for table, *columns in (
        ("assignment_students", "enrollment_id"),
        ("drafts", "upload_id"),
        ("drafts", "enrollment_id"),
        ("messages", "workspace_id", "closed"),
        ("messages", "item_id"),
        ("messages", "enrollment_id"),
    ):
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=False)
    _move_data()


def _reference(name: str, kind: sa.String | sa.Integer, other: str, table: str) -> sa.Column[Any]:
    key = sa.ForeignKey(f"{other}.id", name=op.f(f"fk_{table}_{name}"), ondelete="CASCADE")
    return sa.Column(name, kind, key, nullable=False)


def _drafts() -> None:
    op.create_table(
        "drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        _reference("workspace_id", sa.String(length=16), "workspaces", "drafts"),
        _reference("enrollment_id", sa.Integer(), "enrollments", "drafts"),
        sa.Column("number", sa.Integer(), nullable=False),
        _reference("upload_id", sa.Integer(), "uploads", "drafts"),
        sa.Column("name", sa.String(length=400), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.String(length=200), nullable=False),
        sa.Column("receipt", sa.String(length=16), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drafts")),
        sa.UniqueConstraint("receipt", name=op.f("uq_drafts_receipt")),
        sa.UniqueConstraint(
            "workspace_id", "enrollment_id", "number", name=op.f("uq_drafts_workspace_id_enrollment_id_number")
        ),
    )


def _messages() -> None:
    item = sa.ForeignKey("items.id", name=op.f("fk_messages_item_id"), ondelete="SET NULL")
    appeal = sa.ForeignKey("messages.id", name=op.f("fk_messages_appeal_id"), ondelete="CASCADE")
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        _reference("workspace_id", sa.String(length=16), "workspaces", "messages"),
        _reference("enrollment_id", sa.Integer(), "enrollments", "messages"),
        sa.Column("item_id", sa.Integer(), item, nullable=True),
        sa.Column("appeal_id", sa.Integer(), appeal, nullable=True),
        sa.Column("about", sa.String(length=12), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(length=80), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("closed", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )


def _move_data() -> None:
    """Nobody loses what they saw: work that has an owner was open to that student, with everything about it."""
    op.execute(
        "INSERT INTO assignment_students (workspace_id, enrollment_id, code, released, shown)"
        " SELECT workspace_id, enrollment_id, CAST(enrollment_id AS VARCHAR), CURRENT_TIMESTAMP,"
        """ CAST('["score", "advice", "errors", "sums", "overlay"]' AS """
        f"{'JSON' if op.get_bind().dialect.name == 'postgresql' else 'TEXT'})"
        " FROM items WHERE enrollment_id IS NOT NULL GROUP BY workspace_id, enrollment_id"
    )
