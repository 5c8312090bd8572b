"""The game as arrays: a second statement of the same rules, independent of :mod:`rollwise.game`."""
