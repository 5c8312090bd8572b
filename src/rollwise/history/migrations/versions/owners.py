"""Version 3: games have an owner if several people share a history; older games have none."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the ``owner`` column, and an index for listing the games of an owner."""
    op.add_column("games", sa.Column("owner", sa.String(40), nullable=True))
    op.create_index("games_by_owner", "games", ["owner", "saved_at", "id"])
