"""A game and an objective in, the value of every card out."""
