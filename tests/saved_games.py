"""Small games for histories, and their reviews."""

from games import at_random, play
from rollwise import load_rules
from rollwise.game.game import Game
from rollwise.reviews.review import Review, review
from rollwise.solving.solver import solve

SMALL = load_rules("micro-yahtzee")


def game(seed: int, names: tuple[str, ...] = ("Ada", "Ben")) -> Game:
    """Return a finished game of Micro Yahtzee."""
    return Game(SMALL, names, play(SMALL, list(names), seed, at_random(seed)).events, seed=seed)


def reviews(record: Game) -> list[Review]:
    """Return the reviews of a game of Micro Yahtzee."""
    return review(record, solve(SMALL))
