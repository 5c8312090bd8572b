"""Games as records that replay exactly: as text, as JSON, in files."""
