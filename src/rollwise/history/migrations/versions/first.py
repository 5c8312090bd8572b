"""Version 1: the original tables, which older databases have without a version number."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Create missing tables, and add the ``robots`` column that the oldest databases lack."""
    inspector = sa.inspect(op.get_bind())
    tables = inspector.get_table_names()
    if "games" not in tables:
        op.create_table(
            "games",
            sa.Column("id", sa.String(40), primary_key=True),
            sa.Column("rules", sa.String(40), nullable=False),
            sa.Column("record", sa.Text, nullable=False),
            sa.Column("robots", sa.Text, nullable=False),
            sa.Column("is_over", sa.Boolean, nullable=False),
            sa.Column("saved_at", sa.DateTime, nullable=False),
        )
    elif "robots" not in {column["name"] for column in inspector.get_columns("games")}:
        op.add_column("games", sa.Column("robots", sa.Text, nullable=False, server_default="{}"))
    if "played" not in tables:
        op.create_table(
            "played",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column(
                "game_id",
                sa.String(40),
                sa.ForeignKey("games.id", ondelete="CASCADE"),
                nullable=False,
            ),
            sa.Column("name", sa.String(40), nullable=False),
            sa.Column("objective", sa.String(80), nullable=False),
            sa.Column("score", sa.Integer, nullable=False),
            sa.Column("start", sa.Float, nullable=False),
            sa.Column("luck", sa.Float, nullable=False),
            sa.Column("loss", sa.Float, nullable=False),
        )
    if "decisions" not in tables:
        op.create_table(
            "decisions",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column(
                "played_id",
                sa.Integer,
                sa.ForeignKey("played.id", ondelete="CASCADE"),
                nullable=False,
            ),
            sa.Column("turn", sa.Integer, nullable=False),
            sa.Column("category", sa.String(40), nullable=False),
            sa.Column("position", sa.Text, nullable=False),
            sa.Column("chosen", sa.String(80), nullable=False),
            sa.Column("best", sa.String(80), nullable=False),
            sa.Column("loss", sa.Float, nullable=False),
            sa.Column("verdict", sa.String(20), nullable=False),
            sa.Column("counted", sa.Boolean, nullable=False),
        )
