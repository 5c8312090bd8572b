"""Dynamic programming for objectives of the final score, with the points so far in the state."""
