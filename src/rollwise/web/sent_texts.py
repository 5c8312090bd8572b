"""Texts that a server sends to a table after its page, which the client translates."""

from rollwise.playing.rating_scale import RATINGS
from rollwise.solving.solution import rule_for_ties

TOO_LARGE = "the game is too large for this server"
TIES = f"{rule_for_ties()}; another choice can change the distribution."
COLUMNS = ("Value", "Points lost", "SD")
"""The titles of the cells of an option."""

PERCENT_COLUMNS = ("Value %", "Win %", "Tie %", "Lose %")
"""The titles of the cells of an option against opponents."""

SENT = (TOO_LARGE, TIES, *COLUMNS, *PERCENT_COLUMNS, "Computing…", *RATINGS, "random")
