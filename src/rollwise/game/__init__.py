"""The game as a person reads it: cards, positions, games, notation, records; slow and exact."""
