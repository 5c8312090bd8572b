"""The array model of a game, which implements the rules independently of :mod:`rollwise.game`."""
