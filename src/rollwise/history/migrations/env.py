"""The Alembic environment: migrates the database of the connection in the configuration."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
