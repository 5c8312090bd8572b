"""The same for objectives that depend on the points so far: another axis of lanes."""
