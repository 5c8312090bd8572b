"""A game has an owner where several people share a history; those of before have none."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the column, and an index for the list of what one of them has."""
    op.add_column("games", sa.Column("owner", sa.String(40), nullable=True))
    op.create_index("games_by_owner", "games", ["owner", "saved_at", "id"])
