"""Reviews: what was lost and how lucky it was add up, and best play loses nothing."""

import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from games import at_random, play, records
from rollwise import Position, Score, load_rules, solve
from rollwise.game.events import Roll
from rollwise.game.game import Game
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record
from rollwise.reviews.grades import VERDICTS, luck_words, sparkline, verdict_of
from rollwise.reviews.page import TOLD, Chart, Curve, Dot, chart_of, steps_of
from rollwise.reviews.review import Review, review
from rollwise.solving.solution import Solution

YAHTZEE = load_rules("yahtzee")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(YAHTZEE)


def identity(one: Review) -> float:
    """Return how far the review is from: score = start + luck − loss."""
    return abs(one.start + one.luck - one.loss - one.score)


def check_identity(solution: Solution, games: range, players: list[str]) -> None:
    for seed in games:
        game = play(YAHTZEE, players, seed, at_random(seed + 1))
        assert max(identity(one) for one in review(game, solution)) < 1e-9


def test_score_is_start_plus_luck_less_loss(solution: Solution) -> None:
    check_identity(solution, range(10), ["Ada", "Ben"])


@pytest.mark.slow
def test_score_is_start_plus_luck_less_loss_over_1000_games(solution: Solution) -> None:
    check_identity(solution, range(1000), ["Ada"])


@settings(max_examples=50)
@given(records())
def test_values_add_up_for_any_rules(record: Record) -> None:
    for one in review(record, solve(record.rules, cache=False)):
        assert one.value == pytest.approx(one.start + one.luck - one.loss, abs=1e-9)
        assert one.line()[-1] == one.value
        if one.is_over:
            assert identity(one) < 1e-9


def test_the_optimal_player_loses_nothing_and_any_other_option_loses_its_loss(
    solution: Solution,
) -> None:
    rng = random.Random(2)

    def best(game: Game) -> Score:
        assert game.position is not None
        options = [option for option in solution.options(game.position) if option.best]
        return rng.choice(options).action  # type: ignore[return-value]

    for seed in range(20):
        (one,) = review(play(YAHTZEE, ["Ada"], seed, best), solution)
        assert one.loss == 0
        assert one.luck_adjusted == one.start
        assert one.share_best == 1
        assert one.worst() == []
        assert {decision.verdict for decision in one.decisions} == {"best"}


def test_luck_has_mean_zero_over_all_first_rolls(solution: Solution) -> None:
    lattice = solution.model.lattice
    luck = []
    for dice in lattice.rolls:
        (one,) = review(Game(YAHTZEE, events=[Roll(dice)]), solution)
        luck.append(one.luck)
    weights = lattice.weight_R / lattice.weight_R.sum()
    assert float(np.array(luck) @ weights) == pytest.approx(0, abs=1e-9)


def test_the_line_by_turn(solution: Solution) -> None:
    (one,) = review(parse_record("11366 66 25666 666 46666 6\n11234 ss"), solution)
    assert one.line_by_turn() == [one.start, one.decisions[2].chosen.value, one.value]
    (one,) = review(parse_record("11366 6\n11234 keep 1234"), solution)
    assert one.line_by_turn() == [one.start, one.decisions[0].chosen.value, one.value]


class TestKnownDecisions:
    def test_a_blunder(self, solution: Solution) -> None:
        record = parse_record("66666 score chance = 30\n11234 keep -; 66666 score yahtzee")
        (one,) = review(record, solution)
        first = one.decisions[0]
        assert first.verdict == "blunder"
        assert first.best.action == Score(YAHTZEE.category_index("yahtzee"))
        position = Position.of(Game(YAHTZEE).card, (6, 6, 6, 6, 6), 2)
        losses = {option.action: option.loss for option in solution.options(position)}
        assert first.loss == losses[Score(YAHTZEE.category_index("chance"))]
        assert one.worst(1) == [first]
        assert one.rolls[0].words == "very lucky"

    def test_forced_choices_do_not_count(self) -> None:
        micro = load_rules("micro-yahtzee")
        (one,) = review(parse_record("rules: micro-yahtzee\n4 square\n1 double"), solve(micro))
        assert [decision.counted for decision in one.decisions] == [True, False]
        assert one.mean_loss == one.decisions[0].loss > 0

    def test_classes(self) -> None:
        losses = [0, 1e-10, 0.01, 0.19, 0.2, 0.99, 1, 4.99, 5, 60]
        found = [verdict_of(loss) for loss in losses]
        assert found == [v for v in VERDICTS for _ in range(2)]
        assert verdict_of(0.06, point=0.01) == "blunder"

    def test_a_line_of_blocks(self) -> None:
        assert sparkline([0, 7, 3.4, 7]) == "▁█▄█"
        assert sparkline([5.0]) == "▁"

    def test_luck_in_words(self) -> None:
        words = [luck_words(luck) for luck in (23, 10, 9.9, 0, -9.9, -10, -23)]
        assert words == ["very lucky", "lucky", "", "", "", "unlucky", "very unlucky"]


def test_turns_with_saved_rolls_keep_their_place_on_the_chart(solution: Solution) -> None:
    (one,) = review(parse_record("11366").game(), solution)
    numbers = [(1, 1), *((2, number) for number in range(1, 6)), (3, 1)]
    rolls = tuple(replace(one.rolls[0], turn=turn, number=number) for turn, number in numbers)
    times = [time for time, _ in steps_of(replace(one, rolls=rolls))]
    assert times == sorted(times)
    assert times[1:] == pytest.approx([1 / 6, *(1 + x / 10 for x in (1, 3, 5, 7, 9)), 2 + 1 / 6])


def test_a_press_on_the_chart_means_the_nearest_mistake_in_reach_else_the_nearest_decision(
    solution: Solution,
) -> None:
    (one,) = review(play(YAHTZEE, ["Ada"], 3, at_random(3)), solution)
    (curve,) = chart_of([one]).curves
    assert [dot.decision for dot in curve.decided] == list(one.decisions)
    bad, good = (
        next(each for each in one.decisions if (each.verdict in TOLD) == told)
        for told in (True, False)
    )
    curves = [
        Curve("Ada", "", "", [Dot(50.0, 50.0, good)]),
        Curve("Ben", "", "", [Dot(52.0, 50.0, bad), Dot(60.0, 50.0, bad)]),
    ]
    chart, size = Chart(curves, [], []), (300.0, 100.0)
    pressed = {(151, 50): 1, (150, 69): 1, (120, 50): 0, (150, 90): 0, (170, 53): 1}
    for at, number in pressed.items():
        assert chart.nearest(at, size) == (number, (good, bad)[number])


def test_data_frame(solution: Solution) -> None:
    (one,) = review(play(YAHTZEE, ["Ada"], 3, at_random(3)), solution)
    frame = one.frame("polars")
    assert isinstance(frame, pl.DataFrame)
    assert len(frame) == len(one.decisions)
    assert frame["loss"].sum() == pytest.approx(one.loss)
    assert one.start + frame["luck"].sum() - frame["loss"].sum() == pytest.approx(one.score)
