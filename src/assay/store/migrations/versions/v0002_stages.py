"""How far a worker is inside one piece of a job."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("job_items", sa.Column("stage", sa.String(length=80), nullable=True))
    op.add_column("job_items", sa.Column("stage_done", sa.Integer(), nullable=True))
    op.add_column("job_items", sa.Column("stage_total", sa.Integer(), nullable=True))
