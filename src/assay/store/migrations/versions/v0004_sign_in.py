"""Links to set a password, attempts to sign in, second factors, and what a token may do."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("second_factor", sa.String(length=64), nullable=True))
    op.add_column("accounts", sa.Column("second_factor_step", sa.Integer(), nullable=True))
    op.add_column("sessions", sa.Column("scope", sa.String(length=8), nullable=False, server_default="all"))
    op.create_table(
        "account_links",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_account_links_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_account_links")),
    )
    op.create_index(op.f("ix_account_links_account_id"), "account_links", ["account_id"], unique=False)
    op.create_table(
        "sign_in_attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("origin", sa.String(length=80), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempts")),
    )
    op.create_index(op.f("ix_sign_in_attempts_name_at"), "sign_in_attempts", ["name", "at"], unique=False)
    op.create_index(op.f("ix_sign_in_attempts_origin_at"), "sign_in_attempts", ["origin", "at"], unique=False)
