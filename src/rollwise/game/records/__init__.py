"""Game records, from which games are replayed exactly: text form, JSON form, and files."""
