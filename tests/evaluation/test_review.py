"""Check that luck and EV losses add up to the score, and that optimal play has no EV loss."""

import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from games import at_random, play, records
from rollwise import Position, Score, load_rules, solve
from rollwise.game.actions import Roll
from rollwise.game.game import Game
from rollwise.questions.review import Reviews
from rollwise.reviews.grades import VERDICTS, luck_words, sparkline, verdict_of
from rollwise.reviews.page import MARKED_GRADES, chart_of, steps_of
from rollwise.reviews.review import Review, review
from rollwise.reviews.sample_size import games_to_tell_apart, sample_size_sentence
from rollwise.solving.solution import Solution

YAHTZEE = load_rules("yahtzee")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(YAHTZEE)


def identity(one: Review) -> float:
    """Return the error of the identity score = start + luck − loss."""
    return abs(one.start + one.luck - one.loss - one.score)


def check_identity(solution: Solution, games: range, players: list[str]) -> None:
    for seed in games:
        game = play(YAHTZEE, players, seed, at_random(seed + 1))
        assert max(identity(player_review) for player_review in review(game, solution)) < 1e-9


def test_score_is_start_plus_luck_minus_loss(solution: Solution) -> None:
    check_identity(solution, range(10), ["Ada", "Ben"])


@pytest.mark.slow
def test_score_is_start_plus_luck_minus_loss_in_1000_games(solution: Solution) -> None:
    check_identity(solution, range(1000), ["Ada"])


@settings(max_examples=25)
@given(records())
def test_values_add_up_for_any_rules(record: Game) -> None:
    for player_review in review(record, solve(record.rules, cache=False)):
        assert player_review.value == pytest.approx(
            player_review.start + player_review.luck - player_review.loss, abs=1e-9
        )
        assert player_review.line()[-1] == player_review.value
        if player_review.is_over:
            assert identity(player_review) < 1e-9


def test_optimal_play_has_no_loss(solution: Solution) -> None:
    rng = random.Random(2)

    def best(game: Game) -> Score:
        assert game.position is not None
        options = [option for option in solution.options(game.position) if option.best]
        return rng.choice(options).action  # type: ignore[return-value]

    for seed in range(20):
        (player_review,) = review(play(YAHTZEE, ["Ada"], seed, best), solution)
        assert player_review.loss == 0
        assert player_review.luck_adjusted == player_review.start
        assert player_review.share_best == 1
        assert player_review.worst() == []
        assert {decision.verdict for decision in player_review.decisions} == {"best"}


def test_luck_has_mean_zero_over_all_first_rolls(solution: Solution) -> None:
    lattice = solution.model.lattice
    luck = []
    for dice in lattice.rolls:
        (player_review,) = review(Game(YAHTZEE, events=[Roll(dice)]), solution)
        luck.append(player_review.luck)
    weights = lattice.weight_R / lattice.weight_R.sum()
    assert float(np.array(luck) @ weights) == pytest.approx(0, abs=1e-9)


def test_the_value_after_each_turn(solution: Solution) -> None:
    (player_review,) = review(Game.parse("11366 66 25666 666 46666 6\n11234 ss"), solution)
    assert player_review.line_by_turn() == [
        player_review.start,
        player_review.decisions[2].chosen.value,
        player_review.value,
    ]
    (player_review,) = review(Game.parse("11366 6\n11234 keep 1234"), solution)
    assert player_review.line_by_turn() == [
        player_review.start,
        player_review.decisions[0].chosen.value,
        player_review.value,
    ]


class TestKnownDecisions:
    def test_a_blunder(self, solution: Solution) -> None:
        record = Game.parse("66666 score chance = 30\n11234 keep -; 66666 score yahtzee")
        (player_review,) = review(record, solution)
        first = player_review.decisions[0]
        assert first.verdict == "blunder"
        assert first.best.action == Score("yahtzee")
        position = Position.of(Game(YAHTZEE).card, (6, 6, 6, 6, 6), 2)
        losses = {option.action: option.loss for option in solution.options(position)}
        assert first.loss == losses[Score("chance")]
        assert player_review.worst(1) == [first]
        assert player_review.rolls[0].words == "very lucky"

    def test_forced_choices_do_not_count(self) -> None:
        micro = load_rules("micro-yahtzee")
        (player_review,) = review(
            Game.parse("rules: micro-yahtzee\n4 square\n1 double"), solve(micro)
        )
        assert [decision.counted for decision in player_review.decisions] == [True, False]
        assert player_review.mean_loss == player_review.decisions[0].loss > 0

    def test_grades(self) -> None:
        losses = [0, 1e-10, 0.01, 0.19, 0.2, 0.99, 1, 4.99, 5, 60]
        grades = [verdict_of(loss) for loss in losses]
        assert grades == [v for v in VERDICTS for _ in range(2)]
        assert verdict_of(0.06, point=0.01) == "blunder"

    def test_sparkline(self) -> None:
        assert sparkline([0, 7, 3.4, 7]) == "▁█▄█"
        assert sparkline([5.0]) == "▁"

    def test_luck_in_words(self) -> None:
        words = [luck_words(luck) for luck in (23, 10, 9.9, 0, -9.9, -10, -23)]
        assert words == ["very lucky", "lucky", "", "", "", "unlucky", "very unlucky"]


def test_turns_with_saved_rolls_have_the_same_width_on_the_chart(solution: Solution) -> None:
    (player_review,) = review(Game.parse("11366"), solution)
    numbers = [(1, 1), *((2, number) for number in range(1, 6)), (3, 1)]
    rolls = tuple(
        replace(player_review.rolls[0], turn=turn, number=number) for turn, number in numbers
    )
    times = [time for time, _ in steps_of(replace(player_review, rolls=rolls))]
    assert times == sorted(times)
    assert times[1:] == pytest.approx([1 / 6, *(1 + x / 10 for x in (1, 3, 5, 7, 9)), 2 + 1 / 6])


def test_the_chart_marks_mistakes(solution: Solution) -> None:
    (player_review,) = review(play(YAHTZEE, ["Ada"], 3, at_random(3)), solution)
    (curve,) = chart_of([player_review]).curves
    assert {dot.decision.verdict for dot in curve.dots} <= set(MARKED_GRADES)
    assert 0 < len(curve.dots) < len(player_review.decisions)


def test_data_frame(solution: Solution) -> None:
    record = play(YAHTZEE, ["Ada"], 3, at_random(3))
    reviews = review(record, solution)
    (player_review,) = reviews
    frame = Reviews(game=record, reviews=reviews).frame("polars")
    assert isinstance(frame, pl.DataFrame)
    assert len(frame) == len(player_review.decisions)
    assert frame["loss"].sum() == pytest.approx(player_review.loss)
    assert player_review.start + frame["luck"].sum() - frame["loss"].sum() == pytest.approx(
        player_review.score
    )


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
