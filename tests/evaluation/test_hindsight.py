"""Test hindsight: optimal play with the dice that a player rolled in a recorded game."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from games import at_random, play
from rollwise import evaluate, load_rules, solve
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.reviews.hindsight import best_with_same_dice, dice_rolled, with_same_dice
from rollwise.reviews.review import review
from rollwise.reviews.sample_size import games_to_tell_apart, sample_size_sentence
from rollwise.rules import Rules


@pytest.mark.parametrize("name", ["crag", "micro-yahtzee"])
def test_optimal_play_gets_the_same_score_again(name: str) -> None:
    solution = solve(name)

    def best(game: Game) -> Action:
        assert game.position is not None
        return solution.options(game.position)[0].action

    for seed in range(2):
        record = play(solution.rules, ["Ada", "Ben"], seed, best)
        reviews = with_same_dice(review(record, solution), record, solution)
        assert [player_review.best_with_same_dice for player_review in reviews] == [
            player_review.score for player_review in reviews
        ]


def test_rolled_dice_exclude_kept_dice() -> None:
    record = Game.parse("players: Ada, Ben\n11366 66 25666 666 46666 6\n11234 1234 12344 ss")
    assert dice_rolled(record, 0) == {(1, 1): (1, 1, 3, 6, 6), (1, 2): (2, 5, 6), (1, 3): (4, 6)}
    assert dice_rolled(record, 1) == {(1, 1): (1, 1, 2, 3, 4), (1, 2): (4,)}


def test_an_unfinished_game_has_no_such_score() -> None:
    record = Game.parse("rules: micro-yahtzee\n4 square")
    (player_review,) = with_same_dice(review(record), record, solve("micro-yahtzee"))
    assert player_review.best_with_same_dice is None
    assert "optimal play with the same dice" not in player_review.facts()


def test_mean_score_over_many_games_is_optimal() -> None:
    """Check that reused dice are unbiased, even if the player rerolled more than optimal play."""
    categories = [
        {"key": "chance", "code": "c", "title": "Chance", "pattern": {"kind": "any"}},
        {"key": "sixes", "code": "6", "title": "Sixes", "pattern": {"kind": "face", "face": 6}},
    ]
    rules = Rules.model_validate(
        {"name": "two", "title": "Two", "dice": 3, "faces": 6, "rolls": 2}
        | {
            "categories": [
                {**categories[0], "points": "total"},
                {**categories[1], "points": "matched"},
            ]
        }
    )
    solution, distribution, games = (
        solve(rules, cache=False),
        evaluate("optimal", rules).distribution,
        200,
    )

    def reroll(game: Game) -> Action:
        keep = Keep(())
        return keep if keep in game.legal_actions() else game.legal_actions()[0]

    played = (play(rules, ["Ada"], seed, reroll) for seed in range(games))
    scores = np.array([best_with_same_dice(record, 0, solution) for record in played])
    assert abs(scores.mean() - distribution.mean) < 4 * distribution.sd / sqrt(games)


def test_games_to_tell_two_players_apart() -> None:
    assert games_to_tell_apart(2.0, 10.0) == 97
    assert games_to_tell_apart(-2.0, 10.0) == 97
    assert games_to_tell_apart(0.0, 10.0) is None
    rules = load_rules("crag")
    record = play(rules, ["Ada", "Ben"], 3, at_random(3))
    first, second = review(record, solve(rules, moments=True))
    words = sample_size_sentence(first, second)
    better, worse = (first, second) if first.loss < second.loss else (second, first)
    difference = f"{worse.loss - better.loss:.1f}"
    assert words.startswith(
        f"The EV loss of {better.player} was {difference} points lower than the EV loss of "
        f"{worse.player}. "
    )
    assert words == sample_size_sentence(second, first)
    assert sample_size_sentence(first, first) == ""
    assert sample_size_sentence(first, replace(second, sd=None)) == ""
