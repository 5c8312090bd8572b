"""Test information relaxation: exact bounds over all games of small rules, and sampled bounds."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given, settings

from commands import run
from rollwise import Score, Scorecard, load_rules, solve
from rollwise.distribution import Distribution
from rollwise.evaluation.forward_pass import follow
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_moves
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.kernels.penalty import (
    DifferenceValues,
    DistributionChange,
    subtract_penalty,
)
from rollwise.solving.kernels.score import Rows
from rollwise.solving.policy import OptimalPolicy
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.solver import Solver
from rollwise.two_player.bounds import (
    endgame_values,
    sampled_bounds,
    student_quantile,
)
from rollwise.two_player.card_distributions import turn_distribution
from rollwise.two_player.information_relaxation import RelaxedResponse
from rollwise.two_player.solver import DuelSolver
from small_games import small_rules

MICRO = load_rules("micro-yahtzee")
ROUNDING = 1e-6
"""The largest rounding error of tables in float32."""

Trajectory = tuple[tuple[CardIndex, Distribution], ...]
"""The scorecard and the distribution of the final score, before each turn and at the end."""
Games = list[tuple[float, Trajectory]]
"""The probability and the trajectory of each game."""

few_categories = small_rules(saves=True).filter(
    lambda rules: rules.dice < 3 and len(rules.categories) < 3
)


def games_from(
    policy: OptimalPolicy, place: CardIndex, turns: int
) -> Iterator[tuple[float, Trajectory]]:
    """Yield the probability and the trajectory of each possible game of a policy."""
    model = policy.sweep.model
    filled = int(model.mask_C[place.c]).bit_count()
    if filled == turns:
        yield 1.0, ((place, Distribution.certain(place.score + int(model.bonus_L[place.lane]))),)
        return
    distribution = follow(policy, place).score
    probability, outcomes = turn_distribution(
        model, policy.of_layer(filled), place.c, np.array([place.lane])
    )
    for o, p in zip(outcomes.tolist(), probability[0].tolist(), strict=True):
        if p > 0:
            c, lane = int(model.class_after(place.c, o)), int(model.lane_after(place.lane, o))
            after = CardIndex(c, lane, place.score + int(model.total_points_O[o]))
            for q, rest in games_from(policy, after, turns):
                yield p * q, ((place, distribution), *rest)


def all_games(expected: CardSolution) -> Games:
    """Return all possible games of the policy that maximizes points."""
    return list(games_from(OptimalPolicy(expected), START, len(expected.rules.categories)))


def guaranteed(expected: CardSolution, games: Games, *, first: bool, exact_from: int = 0) -> float:
    """Return the win probability that maximizing points guarantees, moving first or second.

    Exact play begins when ``exact_from`` categories are open.
    """
    rules = expected.rules
    widest = 2 * int(games[0][1][0][1].scores.max() + 50)
    response = RelaxedResponse(expected, widest, threads=1)
    total, end = 0.0, None
    turns = len(rules.categories) - exact_from + first if exact_from else len(rules.categories)
    for p, game in games:
        distributions = [distribution for _, distribution in game[: turns + 1]]
        if exact_from:
            end = endgame_values(rules, exact_from, game[turns][0], second=first)
        total += p * response.value(distributions, second=first, end=end)
    return 1 - total


class BestResponse:
    """The best response to maximizing points in the smallest game, by backward induction."""

    def __init__(self) -> None:
        self._points, self._values = solve(MICRO), dict[object, float]()

    def value(self, mover: Scorecard, other: Scorecard, *, responds: bool) -> float:
        """Return the win probability of the player to move, who responds or maximizes points."""
        if mover.is_full:
            return (mover.points > other.points) + (mover.points == other.points) / 2
        key = mover.boxes, other.boxes, responds
        if key not in self._values:
            rolled = (self._after(mover, other, die, responds) for die in range(1, 7))
            self._values[key] = sum(rolled) / 6
        return self._values[key]

    def _after(self, mover: Scorecard, other: Scorecard, die: int, responds: bool) -> float:
        best = self._points.options(Position.of(mover, (die,), 0))[0].action
        cards = [
            mover.fill(move, 0)
            for move in legal_moves(MICRO, mover.state, (die,), 0)
            if responds or Score(move.category) == best
        ]
        return max(1 - self.value(other, card, responds=not responds) for card in cards)


@pytest.mark.parametrize("first", [True, False])
def test_bound_is_tight_in_the_smallest_game(first: bool) -> None:
    """Check that the value of the best response is within the bound and close to it."""
    empty = Scorecard.empty(MICRO)
    exact = BestResponse().value(empty, empty, responds=not first)
    worst = exact if first else 1 - exact
    bound = guaranteed(solve(MICRO), all_games(solve(MICRO)), first=first)
    assert worst - 0.005 < bound < worst + ROUNDING


@pytest.mark.slow
def test_exact_play_from_the_first_turn() -> None:
    """Check that the bound equals the value if no turn is known in advance."""
    solution, games = DuelSolver(MICRO).solve(ties=False), all_games(solve(MICRO))
    first, second = (
        guaranteed(solve(MICRO), games, first=seat, exact_from=2) for seat in (True, False)
    )
    assert 1 - second == pytest.approx(solution.value(), abs=ROUNDING)
    assert first < solution.value() + ROUNDING


@pytest.mark.slow
@settings(max_examples=20)
@given(few_categories)
def test_bounds_contain_the_value(rules: Rules) -> None:
    """Check that bounds over all games, which have no sampling error, contain the exact value."""
    expected = Solver(rules, cache=False).solve()
    games = all_games(expected)
    assume(len(games) < 50)
    value = DuelSolver(rules, threads=1, cache=False).solve(ties=False).value()
    for number in range(len(rules.categories) + 1):
        first, second = (
            guaranteed(expected, games, first=seat, exact_from=number) for seat in (True, False)
        )
        assert first - ROUNDING < value < 1 - second + ROUNDING


@pytest.mark.slow
def test_sampled_bounds_of_generala() -> None:
    """Check that the interval contains the value, and earlier exact play tightens the bounds."""
    few, many = (sampled_bounds(solve("generala"), 8, open_categories=n) for n in (1, 4))
    low, high = many.interval
    assert low < 0.49482397 < high
    assert few.first + 0.01 < many.first == pytest.approx(0.4948, abs=4 * many.first_error)
    assert few.second + 0.01 < many.second == pytest.approx(0.5052, abs=4 * many.second_error)
    assert max(many.first_error, many.second_error) < 0.006


@pytest.mark.parametrize("second", [True, False])
def test_endgames_of_one_scorecard(second: bool) -> None:
    """Check that endgames of a single scorecard are bit-identical to endgames of all scorecards."""
    rules = load_rules("yatzy-forced-order")
    model, card = solve(rules).model, CardIndex(11, 21, 70)
    number = len(rules.categories) - int(model.mask_C[card.c]).bit_count() + second
    solver = DuelSolver(rules)
    mover, other = (None, card) if second else (card, None)
    single = solver.solve_endgames(number, mover=mover, other=other)
    every = solver.solve_endgames(number)
    layer = single.layers[0]
    b, a, score = np.indices((len(layer.moved), len(layer.movers), 400))
    moved = layer.moved.class_A[b], layer.moved.lane_A[b], score if not second else score * 0 + 70
    to_move = layer.movers.class_A[a], layer.movers.lane_A[a], score if second else score * 0 + 70
    values = single.look_up(0, moved, to_move)
    assert not np.isnan(values).all()
    np.testing.assert_array_equal(values, every.look_up(0, moved, to_move))


def test_penalty() -> None:
    """Check that the kernel subtracts the mean approximate value under a change of distribution."""
    rows = Rows(np.array([0, 2]), np.array([-3, 5]), np.array([20, 30]), np.array([16, 80]))
    value_rows = Rows(np.array([0, 2]), np.array([-9, -40]), np.array([9, 40]), np.array([5, 40]))
    rng = np.random.default_rng(3)
    approximate = rng.random(140).astype(np.float32)
    mass_S = rng.random(37) - 0.5
    mass_S -= mass_S.mean()
    values, difference_values = rng.random(140), DifferenceValues(value_rows, approximate)
    change = DistributionChange(30, mass_S)
    result = values.copy()
    subtract_penalty(0, 2, np.empty(200), rows, result, difference_values, change)

    def value_of(x: int, difference: int) -> float:
        low, high, start = (array[x] for array in value_rows[1:])
        inside = low <= difference < high
        return float(approximate[start + difference - low] if inside else difference >= high)

    for x, (low, high, start) in enumerate(zip(*rows[1:], strict=True)):
        for points in range(low, high):
            mean = sum(p * value_of(x, points - 30 + s) for s, p in enumerate(mass_S))
            position = start + points - low
            assert result[position] == pytest.approx(values[position] - mean, abs=1e-12)
        assert (result[start + high - low :][:16] == 1).all()


def test_student_quantile() -> None:
    """Check that quantiles agree with published tables of Student's t distribution."""
    assert [round(student_quantile(0.995, n), 3) for n in (1, 2, 3, 10)] == [
        63.657,
        9.925,
        5.841,
        3.169,
    ]
    assert student_quantile(0.975, 200) == pytest.approx(1.9719, abs=1e-4)


def test_command() -> None:
    command = ("duel", "--rules", "micro-yahtzee", "--bounds", "--games")
    result = json.loads(run(*command, "40", "--json")[1])
    assert result["low"] < result["of_games"]["low"] <= result["of_games"]["first"]
    assert result["of_games"]["boxes"] == 2
    assert result["of_games"]["games"] == 40
    code, out, _ = run(*command, "2")
    assert code == 0
    assert "With 99% confidence, the value is between" in out
    code, out, err = run(*command, "1")
    assert (code, out) == (2, "")
    assert "--bounds needs at least 2 games for an SE. Use --games 2" in err
