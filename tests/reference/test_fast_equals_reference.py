"""Check that the fast solver agrees with an independent reference solver on small games."""

import numpy as np
import pytest
from hypothesis import given, settings

from games import EVERY, card_in
from reference_solver import Chance, Reference, best, mean, worst
from rollwise.game.position import Position
from rollwise.game.scorecard import State
from rollwise.game.scoring import natural_points
from rollwise.model.arrays import unsaved
from rollwise.model.dice_lattice import lattice
from rollwise.model.roll_points import category_points
from rollwise.model.size import reachable
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE, CardObjective
from rollwise.solving.solver import Solver, solve
from small_games import small_rules

ROUNDING = 1e-11
"""The tolerance for values up to a few hundred in games of a few turns."""


def states_of(solution: CardSolution) -> set[State]:
    """Return the states that the arrays mark as reachable."""
    model, game = solution.model, unsaved(solution.model)
    reached_C_L = reachable(game)
    states = set()
    for c in range(model.n_classes):
        filled, eligible = int(model.mask_C[c]), bool(model.eligible_C[c])
        lanes = np.flatnonzero(reached_C_L[game.class_of(filled, eligible)]).tolist()
        states |= {State(filled, lane, eligible, int(model.saved_C[c])) for lane in lanes}
    return states


def assert_agree(rules: Rules, objective: CardObjective, chance: Chance) -> None:
    """Check that both solvers have the same reachable states with the same values."""
    solution = Solver(rules, cache=False, threads=1).solve_by_card(objective)
    reference = Reference(rules, chance)
    states = reference.states()
    assert states_of(solution) == states
    for state in states:
        c = solution.model.class_of(state.filled, state.eligible, state.saved)
        to_come = solution.table_C_L[c, state.upper]
        ours = to_come - solution.model.bonus_L[state.upper]
        assert abs(ours - float(reference.value(state))) < ROUNDING, state


class TestEveryState:
    @settings(max_examples=30)
    @given(small_rules(saves=True))
    def test_expected(self, rules: Rules) -> None:
        assert_agree(rules, EXPECTED, mean)

    @settings(max_examples=12)
    @given(small_rules(saves=True))
    def test_worst_case(self, rules: Rules) -> None:
        assert_agree(rules, WORST_CASE, worst)

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_best_case(self, rules: Rules) -> None:
        assert_agree(rules, BEST_CASE, best)


class TestEveryOption:
    @settings(max_examples=12)
    @given(small_rules(saves=True))
    def test_options_of_every_position(self, rules: Rules) -> None:
        solution = solve(rules, cache=False, threads=1)
        reference = Reference(rules)
        full = (1 << len(rules.categories)) - 1
        rolls = list(rules.every_roll())
        for state in [state for state in reference.states() if state.filled != full][:4]:
            card = card_in(rules, state)
            for dice in rolls:
                for rolls_left in range(rules.rolls_with(state.saved)):
                    position = Position.of(card, dice, rolls_left)
                    ours = {o.action: o.value - card.points for o in solution.options(position)}
                    theirs = reference.options(state, dice, rolls_left)
                    assert ours.keys() == theirs.keys()
                    for action, value in theirs.items():
                        assert abs(ours[action] - float(value)) < ROUNDING


class TestScoring:
    @pytest.mark.parametrize("name", EVERY)
    def test_every_roll_in_every_category(self, name: str) -> None:
        rules = load_rules(name)
        points = lattice(rules.kinds)
        counts_R_F = points.counts_P_F[points.first_roll :]
        for k, category in enumerate(rules.categories):
            for left in range(rules.rolls):
                points_R = category_points(rules, category, counts_R_F, left)
                theirs = [
                    natural_points(rules, k, roll, rules.rolls - left) for roll in points.rolls
                ]
                assert points_R.tolist() == theirs
