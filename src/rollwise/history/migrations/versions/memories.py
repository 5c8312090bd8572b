"""Version 4: each practiced decision has an FSRS card for spaced repetition."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Add the ``memory`` column."""
    op.add_column("decisions", sa.Column("memory", sa.Text, nullable=True))
