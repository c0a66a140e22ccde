"""Who people are elsewhere: identities, courses of LTI platforms, and what directories tell of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
NAME, ADDRESS = 400, 2000


def upgrade() -> None:
    for column in ("email", "full_name", "external_id"):
        op.add_column("accounts", sa.Column(column, sa.String(length=NAME), nullable=True))
    op.create_table(
        "identities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(length=NAME), nullable=False),
        sa.Column("subject", sa.String(length=NAME), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_identities_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer_subject")),
    )
    op.create_index(op.f("ix_identities_account_id"), "identities", ["account_id"], unique=False)
    op.create_table(
        "sign_on_states",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_on_states")),
    )
    _lti()


def _lti() -> None:
    needed = ("issuer", "client_id", "deployment", "context")
    op.create_table(
        "lti_courses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("course_id", sa.String(length=16), nullable=False),
        *(sa.Column(name, sa.String(length=NAME), nullable=False) for name in needed),
        sa.Column("memberships_url", sa.String(length=ADDRESS), nullable=True),
        sa.Column("line_items_url", sa.String(length=ADDRESS), nullable=True),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_lti_courses_course_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lti_courses")),
        sa.UniqueConstraint(*needed, name=op.f("uq_lti_courses_issuer_client_id_deployment_context")),
    )
    op.create_index(op.f("ix_lti_courses_course_id"), "lti_courses", ["course_id"], unique=False)
    op.create_table(
        "lti_line_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("lti_course_id", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.String(length=16), nullable=True),
        sa.Column("resource_link", sa.String(length=NAME), nullable=False),
        sa.Column("url", sa.String(length=ADDRESS), nullable=False),
        sa.ForeignKeyConstraint(
            ["lti_course_id"], ["lti_courses.id"], name=op.f("fk_lti_line_items_lti_course_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_lti_line_items_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lti_line_items")),
        sa.UniqueConstraint(
            "lti_course_id", "resource_link", name=op.f("uq_lti_line_items_lti_course_id_resource_link")
        ),
    )
    op.create_index(op.f("ix_lti_line_items_workspace_id"), "lti_line_items", ["workspace_id"], unique=False)
