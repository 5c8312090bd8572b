"""Game records that replay exactly: as text, as JSON, and in files."""
