"""Scorecards, positions, games, notation, and game records: the exact but slow game engine."""
