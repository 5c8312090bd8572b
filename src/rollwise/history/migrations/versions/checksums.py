"""Version 5: reviews and their decisions have checksums; older rows have none."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Add the ``checksum`` columns."""
    for table in ("played", "decisions"):
        op.add_column(table, sa.Column("checksum", sa.BigInteger, nullable=True))
