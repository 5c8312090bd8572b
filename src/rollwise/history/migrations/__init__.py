"""Alembic migrations from older versions of the database schema to the current version."""
