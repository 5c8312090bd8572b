"""A game at the table: people and robots, dice that lie where they fell, undo, hints."""
