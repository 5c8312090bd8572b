"""The migrations, one file for each version of the database schema."""
