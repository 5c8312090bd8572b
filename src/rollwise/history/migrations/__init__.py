"""How a database of an older version becomes one of this version; Alembic runs them."""
