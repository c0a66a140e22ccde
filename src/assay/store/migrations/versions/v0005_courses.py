"""Organizations, courses and enrollments. What was there belongs to one course, with everybody who could see it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
NAME = "Main course"


def upgrade() -> None:
    _new_tables()
    now = "CURRENT_TIMESTAMP"
    op.execute(f"INSERT INTO organizations (id, name, created) VALUES (1, 'Your organization', {now})")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval(pg_get_serial_sequence('organizations', 'id'), 1)")
    op.execute(f"INSERT INTO courses (id, organization_id, name, created) VALUES ('default', 1, '{NAME}', {now})")
    _reference("accounts", "organization_id", "INTEGER", "organizations")
    _reference("workspaces", "course_id", "VARCHAR(16)", "courses")
    _reference("items", "enrollment_id", "INTEGER", "enrollments", " ON DELETE SET NULL")
    for table, column in (("workspaces", "course_id"), ("items", "enrollment_id")):
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column], unique=False)
    op.add_column("items", sa.Column("owner_rule", sa.String(length=12), nullable=True))
    op.add_column("audit", sa.Column("course_id", sa.String(length=16), nullable=True))
    op.add_column("audit", sa.Column("organization_id", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_audit_organization_id_id"), "audit", ["organization_id", "id"], unique=False)
    _move_data()


def _new_tables() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=400), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organizations")),
    )
    op.create_table(
        "courses",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("organization_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=400), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("removed", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name=op.f("fk_courses_organization_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_courses")),
    )
    op.create_index(op.f("ix_courses_organization_id"), "courses", ["organization_id"], unique=False)
    op.create_table(
        "enrollments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("course_id", sa.String(length=16), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("name", sa.String(length=400), nullable=False),
        sa.Column("email", sa.String(length=400), nullable=False),
        sa.Column("number", sa.String(length=80), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("ended", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_enrollments_course_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_enrollments_account_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrollments")),
        sa.UniqueConstraint("course_id", "account_id", name=op.f("uq_enrollments_course_id_account_id")),
    )
    op.create_index(op.f("ix_enrollments_account_id"), "enrollments", ["account_id"], unique=False)


def _reference(table: str, column: str, kind: str, other: str, more: str = "") -> None:
    """A column that refers to another table, in the one form that both databases take."""
    constraint = f"CONSTRAINT fk_{table}_{column} REFERENCES {other} (id){more}"
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind} {constraint}")


def _move_data() -> None:
    """Everybody keeps what they saw: trainers all workspaces, students the work that bears their name."""
    for table in ("accounts", "audit"):
        op.execute(f"UPDATE {table} SET organization_id = 1")
    op.execute("UPDATE workspaces SET course_id = 'default'")
    op.execute(
        "INSERT INTO enrollments (course_id, account_id, role, name, email, number, created)"
        " SELECT 'default', id, CASE role WHEN 'admin' THEN 'owner' WHEN 'trainer' THEN 'teacher' ELSE 'student' END,"
        " name, '', '', created FROM accounts ORDER BY id"
    )
    op.execute(
        "UPDATE items SET enrollment_id = (SELECT e.id FROM enrollments e WHERE e.role = 'student'"
        " AND lower(e.name) = lower(items.student)) WHERE student IS NOT NULL"
    )
