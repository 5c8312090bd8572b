"""A player's dice thrown again: whoever plays best gets the same game, others a fair one."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from games import at_random, play
from rollwise import evaluate, load_rules, solve
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record
from rollwise.reviews.hindsight import best_with_same_dice, dice_rolled, with_same_dice
from rollwise.reviews.review import review
from rollwise.reviews.sample_size import games_to_tell_apart, words_on_two
from rollwise.rules import Rules


@pytest.mark.parametrize("name", ["crag", "micro-yahtzee"])
def test_the_best_play_gets_the_score_that_it_made(name: str) -> None:
    solution = solve(name)

    def best(game: Game) -> Action:
        assert game.position is not None
        return solution.options(game.position)[0].action

    for seed in range(2):
        record = Record.of(play(solution.rules, ["Ada", "Ben"], seed, best))
        reviews = with_same_dice(review(record, solution), record, solution)
        assert [one.best_with_same_dice for one in reviews] == [one.score for one in reviews]


def test_what_was_thrown_lacks_what_was_kept() -> None:
    record = parse_record("players: Ada, Ben\n11366 66 25666 666 46666 6\n11234 1234 12344 ss")
    assert dice_rolled(record, 0) == {(1, 1): (1, 1, 3, 6, 6), (1, 2): (2, 5, 6), (1, 3): (4, 6)}
    assert dice_rolled(record, 1) == {(1, 1): (1, 1, 2, 3, 4), (1, 2): (4,)}


def test_who_has_not_finished_has_no_such_score() -> None:
    record = parse_record("rules: micro-yahtzee\n4 square")
    (one,) = with_same_dice(review(record), record, solve("micro-yahtzee"))
    assert one.best_with_same_dice is None
    assert "best play with the same dice" not in one.facts()


def test_over_many_games_its_scores_are_those_of_best_play() -> None:
    """Also where whoever had the dice rerolled more of them: no lower ones are taken first."""
    boxes = [
        {"key": "chance", "code": "c", "title": "Chance", "pattern": {"kind": "any"}},
        {"key": "sixes", "code": "6", "title": "Sixes", "pattern": {"kind": "face", "face": 6}},
    ]
    rules = Rules.model_validate(
        {"name": "two", "title": "Two", "dice": 3, "faces": 6, "rolls": 2}
        | {"categories": [{**boxes[0], "points": "total"}, {**boxes[1], "points": "matched"}]}
    )
    solution, distribution, games = (
        solve(rules, cache=False),
        evaluate("optimal", rules).distribution,
        200,
    )

    def reroll(game: Game) -> Action:
        keep = Keep(())
        return keep if keep in game.legal_actions() else game.legal_actions()[0]

    played = (Record.of(play(rules, ["Ada"], seed, reroll)) for seed in range(games))
    scores = np.array([best_with_same_dice(record, 0, solution) for record in played])
    assert abs(scores.mean() - distribution.mean) < 4 * distribution.sd / sqrt(games)


def test_games_to_tell_two_players_apart() -> None:
    assert games_to_tell_apart(2.0, 10.0) == 97
    assert games_to_tell_apart(-2.0, 10.0) == 97
    assert games_to_tell_apart(0.0, 10.0) is None
    rules = load_rules("crag")
    record = Record.of(play(rules, ["Ada", "Ben"], 3, at_random(3)))
    one, other = review(record, solve(rules, moments=True))
    words = words_on_two(one, other)
    better, worse = (one, other) if one.loss < other.loss else (other, one)
    assert words.startswith(f"{better.player} lost {worse.loss - better.loss:.1f} points less")
    assert words == words_on_two(other, one)
    assert words_on_two(one, one) == ""
    assert words_on_two(one, replace(other, sd=None)) == ""
