"""Strategies compared: games in number, what they lose, rules varied; on one machine or many."""
