"""Cards and points so far, for objectives of the final score: values have one more axis."""
