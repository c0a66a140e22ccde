"""Which piece a worker has in hand and how often its worker died of it; leases alone no longer count as attempts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("job_items", sa.Column("started", sa.DateTime(), nullable=True))
    op.add_column("job_items", sa.Column("prepared", sa.Boolean(), nullable=True))
    op.add_column("job_items", sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE job_items SET attempts = 0 WHERE state IN ('waiting', 'leased', 'cancelled')")
    op.add_column("items", sa.Column("staged", sa.String(length=16), nullable=True))
    op.create_index(op.f("ix_items_workspace_id_staged"), "items", ["workspace_id", "staged"], unique=False)
