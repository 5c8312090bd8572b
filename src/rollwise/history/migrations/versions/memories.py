"""A decision that was asked again has a memory: when it is due next, and how well it is known."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Add the column."""
    op.add_column("decisions", sa.Column("memory", sa.Text, nullable=True))
