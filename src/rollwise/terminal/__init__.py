"""Playing, practicing and reviewing games in a terminal."""
