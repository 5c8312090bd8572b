"""Two-player games, in which both players respond to each other and play to win."""
