"""Ways to play: one file each, all of one type."""

from rollwise.strategies.base import Strategy, TurnPolicy
from rollwise.strategies.optimal import Optimal
from rollwise.strategies.uniform import RandomCategory, RandomPlay

__all__ = ["Optimal", "RandomCategory", "RandomPlay", "Strategy", "TurnPolicy"]
