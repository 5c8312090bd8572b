"""Dynamic programming for objectives of the final score; states include the points so far."""
