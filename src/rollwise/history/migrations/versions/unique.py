"""Each person plays a game once for an objective; lists and proficiency have indexes.

Two reviews of one game at the same time could both be kept: of such twins the last one stays.
"""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Delete twins, and make the indexes."""
    latest = "SELECT max(id) FROM played GROUP BY game_id, name, objective"
    op.execute(
        "DELETE FROM decisions WHERE played_id IN "
        f"(SELECT id FROM played WHERE id NOT IN ({latest}))"
    )
    op.execute(f"DELETE FROM played WHERE id NOT IN ({latest})")
    found = sa.inspect(op.get_bind())
    for table, index in (("played", "played_of_game"), ("decisions", "decisions_of_played")):
        if index in {one["name"] for one in found.get_indexes(table)}:
            op.drop_index(index, table)
    op.create_index("games_by_time", "games", ["saved_at", "id"])
    op.create_index("played_once", "played", ["game_id", "name", "objective"], unique=True)
    op.create_index(
        "decisions_of_played",
        "decisions",
        ["played_id", "counted", "turn", "category", "verdict", "loss"],
    )
