"""Studies of a game: adversarial dice, opening and last-turn tables, size, trees, publications."""
