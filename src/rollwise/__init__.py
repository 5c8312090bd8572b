"""Roll-and-keep dice games, Yahtzee and all its relatives, solved exactly and explained."""

__version__ = "0.1.0"
