"""What a person looked at when they decided, and the rules it was under: decisions outlive a change of rules."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("overrides", sa.Column("seen", sa.String(length=64), nullable=True))
    op.add_column("overrides", sa.Column("made_under", sa.String(length=64), nullable=True))
