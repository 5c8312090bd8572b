"""Curious figures of a game: lowest totals, last turns, how many games there are, small trees."""
