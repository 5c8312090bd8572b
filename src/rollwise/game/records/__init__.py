"""Game records, which replay a game exactly, as text, as JSON, and in files."""
