"""The game as arrays, stating the same rules independently of :mod:`rollwise.game`."""
