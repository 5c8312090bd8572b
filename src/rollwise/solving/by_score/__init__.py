"""Dynamic programming for objectives of the final score: the points so far are part of a state."""
