"""Version 2: a game has one review per player and objective; indexes speed up lists and ratings.

Before this version, two simultaneous reviews of a game could both be saved. The migration keeps the
last review of each player and objective.
"""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Delete duplicate reviews, and create the indexes."""
    latest = "SELECT max(id) FROM played GROUP BY game_id, name, objective"
    op.execute(
        "DELETE FROM decisions WHERE played_id IN "
        f"(SELECT id FROM played WHERE id NOT IN ({latest}))"
    )
    op.execute(f"DELETE FROM played WHERE id NOT IN ({latest})")
    inspector = sa.inspect(op.get_bind())
    for table, index in (("played", "played_of_game"), ("decisions", "decisions_of_played")):
        if index in {existing["name"] for existing in inspector.get_indexes(table)}:
            op.drop_index(index, table)
    op.create_index("games_by_time", "games", ["saved_at", "id"])
    op.create_index("played_once", "played", ["game_id", "name", "objective"], unique=True)
    op.create_index(
        "decisions_of_played",
        "decisions",
        ["played_id", "counted", "turn", "category", "verdict", "loss"],
    )
