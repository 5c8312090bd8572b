"""The array model of a game, which states the rules independently of :mod:`rollwise.game`."""
