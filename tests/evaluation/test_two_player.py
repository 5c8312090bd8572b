"""Test properties of the exact two-player solver for any rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from rollwise.distribution import Distribution
from rollwise.errors import InconsistentError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules
from rollwise.solving.objectives import beating
from rollwise.solving.position_index import CardIndex
from rollwise.solving.solver import Solver
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from small_games import small_rules

MICRO = load_rules("micro-yahtzee")

few_categories = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 4
)


@pytest.fixture(scope="module")
def micro() -> DuelSolution:
    """Return the two-player solution of Micro Yahtzee."""
    return DuelSolver(MICRO).solve()


def open_values(solution: DuelSolution) -> list[NDArray[np.float64]]:
    """Return the values of the open score differences of each layer, shape (1 or 2, lanes)."""
    by_layer = []
    for layer, values in zip(solution.layers, solution.values, strict=True):
        spans = zip(layer.start_P, layer.high_P - layer.low_P, strict=True)
        positions = [np.arange(start, start + length) for start, length in spans]
        assert values is not None
        by_layer.append(np.asarray(values)[:, np.concatenate(positions)])
    return by_layer


class TestEndOfGame:
    @pytest.mark.parametrize(
        ("mine", "other", "value"),
        [
            ("double=2,square=9", "double=4,square=4", 1.0),
            ("double=4,square=9", "double=12,square=1", 0.5),
            ("double=2,square=1", "double=4,square=1", 0.0),
        ],
    )
    def test_full_cards(self, micro: DuelSolution, mine: str, other: str, value: float) -> None:
        cards = (CardIndex.of_card(micro.model, Scorecard(MICRO, text)) for text in (mine, other))
        assert micro.value(*cards) == value

    def test_a_full_opponent_is_a_target_score(self) -> None:
        rules = load_rules("yahtzee")
        filled = (
            "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,three-of-a-kind=20,full-house=25"
        )
        filled += ",four-of-a-kind=0,small-straight=30,large-straight=40,chance=22"
        card = Scorecard(rules, filled)
        opponent = Scorecard(rules, f"{filled},yahtzee=50")
        position = Position.of(card, (1, 1, 3, 6, 6), 2)
        beat = Solver(rules).solve(
            beating([(Distribution.certain(opponent.points), 1)]), position=position
        )
        duel = DuelSolver(rules).solve(card, opponent)
        theirs = {option.action: option.value for option in beat.options(position)}
        ours = {option.action: option.value for option in duel.options(position)}
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[action] - theirs[action]) < 1e-12 for action in ours)


class TestProperties:
    @settings(max_examples=10)
    @given(few_categories)
    def test_probabilities_sum_to_one(self, rules: Rules) -> None:
        chances = DuelSolver(rules, threads=1, cache=False).solve().chances()
        assert chances is not None
        assert abs(sum(chances) - 1) < 1e-12
        assert min(chances) > -1e-12

    @settings(max_examples=5)
    @given(few_categories)
    def test_the_value_increases_with_the_value_of_a_tie(self, rules: Rules) -> None:
        solver = DuelSolver(rules, threads=1, cache=False)
        usual, must_win, need_not = (solver.solve(tie=tie) for tie in (0.5, 0.0, 1.0))
        assert must_win.value() <= usual.value() + 1e-12 <= need_not.value() + 2e-12

    @settings(max_examples=5)
    @given(few_categories)
    def test_results_do_not_depend_on_threads_or_ties(self, rules: Rules) -> None:
        single, double = (DuelSolver(rules, threads=n, cache=False).solve() for n in (1, 2))
        without = DuelSolver(rules, threads=2, cache=False).solve(ties=False)
        assert all(map(np.array_equal, open_values(single), open_values(double)))
        assert all(
            np.array_equal(a[0], b[0])
            for a, b in zip(open_values(single), open_values(without), strict=True)
        )


@pytest.mark.parametrize(
    ("name", "win", "tie", "loss"),
    [
        ("yamb-down", 0.49224558, 0.00910966, 0.49864476),
        ("yatzy-forced-order", 0.49051245, 0.00986055, 0.49962699),
        ("yamb-up", 0.49572459, 0.00841715, 0.49585826),
        pytest.param("generala", 0.48922493, 0.01119809, 0.49957698, marks=pytest.mark.slow),
    ],
)
def test_games_in_the_documentation(name: str, win: float, tie: float, loss: float) -> None:
    """Check that the solver reproduces the probabilities in docs/two-player-theory.md."""
    assert DuelSolver(name).solve().chances() == pytest.approx((win, tie, loss), abs=6e-9)


class TestInProgress:
    @pytest.mark.parametrize(
        ("mine", "other", "expected"),
        [
            ("double=2", "-", "must have 1 open category, or 0"),
            ("-", "double=2,square=4", "must have 2 open categories"),
            ("double=2,square=4", "double=2,square=4", "leave at least one category open"),
        ],
    )
    def test_unequal_numbers_of_turns(self, mine: str, other: str, expected: str) -> None:
        with pytest.raises(InconsistentError, match=expected):
            DuelSolver(MICRO).solve(Scorecard(MICRO, mine), Scorecard(MICRO, other))

    def test_unequal_rules(self) -> None:
        with pytest.raises(ValueError, match="the scorecards are of different games"):
            DuelSolver(MICRO).solve(Scorecard(MICRO, "-"), Scorecard("yahtzee", "-"))
