"""Solvers for roll-and-keep dice games: dynamic programming over all reachable states."""
