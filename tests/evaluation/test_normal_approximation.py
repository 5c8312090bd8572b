"""Test that decisions by a normal approximation equal a brute force in fractions."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reference_solver import Reference
from rollwise import Solver, evaluate, load_rules, parse_strategy, solve
from rollwise.errors import InconsistentError, InputError, MalformedError
from rollwise.experiments.comparison import compare
from rollwise.experiments.simulation import simulate
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import Dice, State, after, legal_keeps, legal_moves
from rollwise.model.arrays import build
from rollwise.playing.bot import Bot
from rollwise.rules import Rules
from rollwise.solving.option import Option
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import NormalApproximation
from small_games import small_rules

Moments = tuple[Fraction, Fraction]


def mixed(parts: Iterable[tuple[Fraction, Moments]]) -> Moments:
    """Return the moments of a mixture, given the probability and the moments of each part."""
    listed = list(parts)
    return sum((p * m for p, (m, _) in listed), Fraction()), sum(
        (p * s for p, (_, s) in listed), Fraction()
    )


def best_keep(options: Mapping[Dice, Fraction], dice: Dice) -> Dice:
    """Return the best dice to keep: of ties most dice, then those without the lowest faces."""

    def preference(keep: Dice) -> tuple[Fraction, int, list[int]]:
        given_up = list(dice)
        for die in keep:
            given_up.remove(die)
        return options[keep], len(keep), [-die for die in given_up]

    return max(options, key=preference)


class NormalReference(Reference):
    """Play by normal approximations, in fractions, with the moves of :mod:`rollwise.game`."""

    def __init__(self, rules: Rules, target: int) -> None:
        super().__init__(rules)
        self.target = target
        self.moments = lru_cache(maxsize=None)(self._state_moments)
        self.kept = lru_cache(maxsize=None)(self._kept)

    def _state_moments(self, state: State) -> Moments:
        """Return the moments of the points to come under play for points."""
        if self._is_over(state):
            return Fraction(), Fraction()
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        return self.kept(state, (), left + 1)

    def _kept(self, state: State, keep: Dice, left: int) -> Moments:
        """Return the moments of rerolling all dice but ``keep`` with ``left`` rerolls left."""
        rolls = self.distribution(keep).items()
        return mixed((p, self.for_points(state, dice, left - 1)) for dice, p in rolls)

    def scores(self, state: State, dice: Dice, left: int) -> dict[int, Moments]:
        """Return the moments of scoring in each legal category."""
        result = {}
        for move in legal_moves(self.rules, state, dice, left):
            points = self.earned(state, move)
            mean, second = self.moments(after(self.rules, state, move, left))
            result[move.category] = points + mean, points * (points + 2 * mean) + second
        return dict(sorted(result.items()))

    def for_points(self, state: State, dice: Dice, left: int) -> Moments:
        """Return the moments of the points to come from a roll under play for points."""
        if left and not self.rules.stops:
            whole = self.for_points(state, dice, left - 1)
        else:
            whole = max(self.scores(state, dice, left).values(), key=lambda moments: moments[0])
        if not left:
            return whole
        options = {dice: whole}
        options |= {keep: self.kept(state, keep, left) for keep in legal_keeps(dice)}
        return options[best_keep({keep: mean for keep, (mean, _) in options.items()}, dice)]

    def z(self, score: int, moments: Moments) -> Fraction:
        """Return the square of the z-value with its sign, or a huge number if the SD is 0."""
        mean, second = moments
        margin, variance = score + mean - self.target + Fraction(1, 2), second - mean**2
        sign = 1 if margin > 0 else -1
        return sign * margin**2 / variance if variance else Fraction(sign * 10**12)

    def decision(self, state: State, score: int, dice: Dice, left: int) -> Action:
        """Return the action of the strategy."""
        z_of = {k: self.z(score, moments) for k, moments in self.scores(state, dice, left).items()}
        category = max(z_of, key=z_of.__getitem__)  # of ties the first
        options = {dice: z_of[category]}
        if left:
            for keep in legal_keeps(dice):
                options[keep] = self.z(score, self.kept(state, keep, left))
        keep = best_keep(options, dice)
        return Score(self.rules.keys[category]) if keep == dice else Keep(keep)


SMALL = load_rules("crag").model_copy(
    update={"name": "short", "categories": load_rules("crag").categories[5:9]}
)


@cache
def normal(target: int, rules: Rules) -> NormalApproximation:
    strategy = parse_strategy(
        f"normal:{target}", rules, solve=lambda goal: solve(rules, goal.name, cache=False)
    )
    assert isinstance(strategy, NormalApproximation)
    return strategy


def check_decisions(rules: Rules, target: int, games: int) -> int:
    """Check all decisions of the computer opponent in some games, and return their number."""
    reference, bot = NormalReference(rules, target), Bot(normal(target, rules), rules)
    decided = 0
    for seed in range(games):
        game = Game(rules)
        while not game.is_over:
            if game.position is None or game.awaits_roll:
                game.push(fair_roll(game, seed))
                continue
            position = game.position
            action = bot.choose(game)
            expected = reference.decision(
                position.state, position.points, position.dice, position.rolls_left
            )
            assert action == expected, str(position)
            game.push(action)
            decided += 1
    return decided


@pytest.mark.parametrize("target", [20, 30, 45])
def test_decisions_equal_the_brute_force(target: int) -> None:
    assert check_decisions(SMALL, target, games=30) > 200


@pytest.mark.slow
@settings(max_examples=15)
@given(small_rules(saves=True), st.integers(0, 100))
def test_decisions_for_any_rules(rules: Rules, percent: int) -> None:
    highest = int(solve(rules, "best-case", cache=False).value())
    assume(highest > 0)
    check_decisions(rules, max(1, highest * percent // 100), games=5)


def test_simulated_games_follow_the_same_decisions() -> None:
    strategy, reference = normal(30, SMALL), NormalReference(SMALL, 30)
    model, random = build(SMALL), np.random.default_rng(1)
    class_N = random.integers(0, model.n_classes - 1, 40)
    score_N, roll_N = random.integers(0, (40, len(model.lattice.rolls)), (40, 2)).T
    for left in range(SMALL.rolls):
        decided = strategy.decide(Cards(model, class_N, class_N * 0, score_N), roll_N, left)
        for c, score, roll, keep, category in zip(class_N, score_N, roll_N, *decided, strict=True):
            state, dice = State(int(model.mask_C[c])), model.lattice.rolls[roll]
            action = reference.decision(state, int(score), dice, left)
            scored = Score(SMALL.keys[category]) if keep < 0 else Keep(model.lattice.points[keep])
            assert scored == action


@pytest.mark.slow
def test_one_turn_decides_by_the_displayed_mean_and_sd() -> None:
    # Every option of a position in Yahtzee, with the numbers that `rollwise advise` prints.
    text = "33345 | rolls-left 2 | card ones=3,sixes=18,full-house=25,large-straight=40,yahtzee=0"
    solution = solve("yahtzee", moments=True)
    options = solution.options(text)
    for target in (180, 230, 260, 300):

        def z(option: Option, target: int = target) -> float:
            assert option.expected is not None
            assert option.sd is not None
            return (option.expected - target + 0.5) / option.sd

        best = max(options, key=z)
        bot = Bot(normal(target, load_rules("yahtzee")), load_rules("yahtzee"))
        assert bot.action(options.position) == best.action


def test_it_has_only_simulated_statistics() -> None:
    strategy = normal(30, SMALL)
    with pytest.raises(InconsistentError, match="exact statistics are not available; use simulate"):
        evaluate(strategy)
    (row,) = compare([strategy], Solver(SMALL, cache=False).solve_by_card(), seed=1).entries
    assert not row.exact
    assert row.distribution.mean == simulate(strategy, SMALL, seed=1).distribution.mean


@pytest.mark.parametrize(
    ("name", "game", "message"),
    [
        ("normal:0", "crag", "a score from 1"),
        ("normal:", "crag", "a score from 1"),
        ("normal:2.5", "crag", "a score from 1"),
        ("normal:245", "crag", "at most 244; use a target from 1 to 244"),
    ],
)
def test_impossible_targets(name: str, game: str, message: str) -> None:
    with pytest.raises((InputError, MalformedError), match=message):
        parse_strategy(name, game)
