"""The game as people see it: scorecards, positions, games, notation, records; exact but slow."""
