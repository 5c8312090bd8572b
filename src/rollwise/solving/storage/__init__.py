"""Storage of value tables and of the layers of large games in files."""
