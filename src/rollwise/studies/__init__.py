"""Studies of a game: adversarial dice, opening tables, game trees, and published numbers."""
