"""Game records that replay a game exactly: text form, JSON form, and files."""
