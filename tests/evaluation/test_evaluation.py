"""Compare exact evaluations with brute force in small games and with simulated games."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from reference_solver import Reference
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.evaluation.forward_pass import forward_pass
from rollwise.evaluation.policy_value import policy_of
from rollwise.game.actions import Keep
from rollwise.game.scorecard import Dice, Move, State, after, legal_keeps, legal_moves
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.rows import by_row
from rollwise.solving.solver import Solver, solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal
from rows_of_policies import outcome_probabilities
from small_games import small_rules


def upper_bonus(rules: Rules, state: State) -> int:
    """Return the upper bonus of a full scorecard."""
    return rules.bonus_at(state.upper)


class BruteForce:
    """The exact score distribution of optimal play, computed only with the reference solver."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.reference = Reference(rules)
        self.distribution = cache(self._distribution)

    def _distribution(self, state: State) -> dict[int, Fraction]:
        if state.filled == (1 << len(self.rules.categories)) - 1:
            return {upper_bonus(self.rules, state): Fraction(1)}
        distribution: dict[int, Fraction] = {}
        for move, left, share in self.moves(state):
            for points, p in self.distribution(after(self.rules, state, move, left)).items():
                total = move.points + move.extra + points
                distribution[total] = distribution.get(total, Fraction(0)) + share * p
        return distribution

    def moves(self, state: State) -> Iterator[tuple[Move, int, Fraction]]:
        """Yield each way that a turn can end: the final move, rolls left, and probability.

        :meth:`keep` and :meth:`best_move` break ties.
        """
        rolls = self.reference.distribution(())
        for left in range(self.rules.rolls_with(state.saved) - 1, 0, -1):
            thrown: dict[Dice, Fraction] = {}
            for dice, share in rolls.items():
                keep = self.keep(state, dice, left)
                if self.rules.stops and keep == dice:
                    yield self.best_move(state, dice, left), left, share
                    continue
                for roll, p in self.reference.distribution(keep).items():
                    thrown[roll] = thrown.get(roll, Fraction(0)) + share * p
            rolls = thrown
        for dice, share in rolls.items():
            yield self.best_move(state, dice, 0), 0, share

    def best_move(self, state: State, dice: Dice, left: int) -> Move:
        """Return the best move for a roll; if several moves are tied, the first category."""
        moves = legal_moves(self.rules, state, dice, left)
        return max(moves, key=lambda move: self.reference.scored(state, move, left))

    def keep(self, state: State, dice: Dice, left: int) -> Dice:
        """Return the best dice to keep.

        If options are tied, the function prefers keeping more dice, and then rerolling lower faces.
        """
        options = self.reference.options(state, dice, left)
        values = {keep: options[Keep(keep)] for keep in legal_keeps(dice)}
        if self.rules.stops:  # keeping all dice ends the turn
            stop = self.best_move(state, dice, left)
            values[dice] = self.reference.scored(state, stop, left)
        else:
            values[dice] = self.reference.roll_value(state, dice, left - 1)
        best = max(values.values())

        def given_up(keep: Dice) -> Dice:
            rest = list(dice)
            for die in keep:
                rest.remove(die)
            return tuple(rest)

        equal = [keep for keep, value in values.items() if value == best]
        return min(equal, key=lambda keep: (-len(keep), given_up(keep)))


class TestBruteForce:
    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_distribution_of_small_games(self, rules: Rules) -> None:
        ours = evaluate(Optimal(solve(rules, cache=False, threads=1)), threads=1).distribution
        exact = BruteForce(rules).distribution(State.start(rules))
        assert sum(exact.values()) == 1
        assert set(ours.scores.tolist()) == set(exact)
        for score, p in exact.items():
            assert ours.probability(score) == pytest.approx(float(p), abs=1e-12)

    @settings(max_examples=15)
    @given(small_rules(saves=True))
    def test_moments_of_small_games(self, rules: Rules) -> None:
        solution = Solver(rules, cache=False, threads=1).solve_by_card(moments=True)
        assert solution.moments is not None
        exact = BruteForce(rules).distribution(State.start(rules))
        mean = sum(score * p for score, p in exact.items())
        second = sum(score * score * p for score, p in exact.items())
        assert solution.moments.mean_C_L[0, 0] == pytest.approx(float(mean), abs=1e-10)
        assert solution.moments.second_C_L[0, 0] == pytest.approx(float(second), abs=1e-8)


@cache
def optimal(rules: str) -> tuple[CardSolution, Evaluation]:
    """Return the solution of a game with moments, and the evaluation of its optimal policy."""
    solution = Solver(load_rules(rules)).solve_by_card(moments=True)
    return solution, evaluate(Optimal(solution), solution.rules, cache=True)


class TestOptimal:
    @pytest.mark.parametrize(
        "name", ["yahtzee", "yahtzee-forced-joker", pytest.param("yatzy", marks=pytest.mark.slow)]
    )
    def test_mean_total_probability_and_sd(self, name: str) -> None:
        solution, evaluation = optimal(name)
        distribution = evaluation.distribution
        assert distribution.mean == pytest.approx(solution.value(), abs=1e-9)
        assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
        assert solution.moments is not None
        mean, second = solution.moments.mean_C_L[0, 0], solution.moments.second_C_L[0, 0]
        assert distribution.sd == pytest.approx((second - mean**2) ** 0.5, abs=1e-6)

    def test_parts_add_up_to_the_total(self) -> None:
        _, evaluation = optimal("yahtzee")
        parts = sum(row.mean for row in evaluation.categories.values())
        assert evaluation.upper_bonus is not None
        assert evaluation.extra_bonus is not None
        total = parts + evaluation.upper_bonus.mean + evaluation.extra_bonus.mean
        assert total == pytest.approx(evaluation.distribution.mean, abs=1e-9)
        assert evaluation.bonus_and_alike is not None
        assert evaluation.bonus_and_alike.sum() == pytest.approx(1, abs=1e-12)

    def test_result_does_not_depend_on_threads(self) -> None:
        solution = solve(load_rules("yahtzee-plain"))
        single, double = (
            evaluate(Optimal(solution), threads=threads).distribution for threads in (1, 2)
        )
        assert np.array_equal(single.probabilities, double.probabilities)

    def test_highest_score(self) -> None:
        assert optimal("yahtzee")[1].distribution.maximum == 1575


class TestKernelsAgreeWithNumpy:
    @pytest.mark.parametrize("fewer_dice", [False, True])
    def test_outcome_probabilities_of_random_cards(self, fewer_dice: bool) -> None:
        solution, _ = optimal("yahtzee")
        model = solution.model
        strategy = Optimal(solution, fewer_dice=fewer_dice)
        play = policy_of(strategy)
        random = np.random.default_rng(1)
        for layer in (3, 9, 12):
            played = play.of_layer(layer)
            first, last = play.compiled.layers[layer]
            for c in random.integers(first, last, 6):
                r = int(random.integers(model.rows_C[c]))
                lane = int(model.first_lane_C[c]) + r
                turns = strategy.turns(Cards.one(model, int(c), lane))
                (expected,) = turns.outcome_probabilities()
                probability_O = outcome_probabilities(play, played, int(c), r)
                assert np.abs(probability_O - expected).max() < 1e-12


class TestExport:
    def test_notebook(self) -> None:
        html = optimal("yahtzee-plain")[1]._repr_html_()
        assert "<table>" in html
        assert "245.8708" in html


def test_probabilities_of_states() -> None:
    """Points scored so far and values of the states reached add up to the value of the game."""
    solution = Solver("crag").solve_by_card()
    forward = forward_pass(Optimal(solution))
    scored_T = forward.results().taken_T_O @ solution.model.total_points_O
    value_X = by_row(solution.model, solution.table_C_L)
    first = 0
    for turn, probability_X in enumerate(forward.states()):
        reached, value = probability_X > 0, value_X[first : first + len(probability_X)]
        assert probability_X.sum() == pytest.approx(1, abs=1e-12)
        to_come = probability_X[reached] @ value[reached]
        assert scored_T[:turn].sum() + to_come == pytest.approx(solution.value(), abs=1e-9)
        first += len(probability_X)
