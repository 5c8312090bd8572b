"""Play by a normal approximation: exact results equal brute force in fractions, and simulations."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, lru_cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reference_solver import Reference
from rollwise import Scorecard, evaluate, load_rules, parse_strategy, simulate, solve
from rollwise.errors import InputError, MalformedError
from rollwise.evaluation.forward_pass_by_score import final_distribution
from rollwise.experiments.comparison import compare_with
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.game import Game, fair_roll
from rollwise.game.scorecard import Dice, State, after, legal_keeps, legal_moves
from rollwise.playing.bot import Bot
from rollwise.rules import Rules
from rollwise.solving.option import Option
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
        self.final = lru_cache(maxsize=None)(self._final)
        self.rolled = lru_cache(maxsize=None)(self._rolled)

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
        return Score(category) if keep == dice else Keep(keep)

    def _final(self, state: State, score: int) -> dict[int, Fraction]:
        """Return the distribution of the final score."""
        if self._is_over(state):
            return {score: Fraction(1)}
        left, state = self.rules.rolls_with(state.saved) - 1, state.in_turn(self.rules)
        return self._sum(self.distribution(()), lambda dice: self.rolled(state, score, dice, left))

    def _rolled(self, state: State, score: int, dice: Dice, left: int) -> dict[int, Fraction]:
        action = self.decision(state, score, dice, left)
        if isinstance(action, Keep):
            rolls = self.distribution(action.dice)
            return self._sum(rolls, lambda dice: self.rolled(state, score, dice, left - 1))
        moves = legal_moves(self.rules, state, dice, left)
        move = next(move for move in moves if Score(move.category) == action)
        total = score + self.earned(state, move)
        return self.final(after(self.rules, state, move, left), total)

    def _sum(
        self,
        rolls: Mapping[Dice, Fraction],
        distribution: Callable[[Dice], dict[int, Fraction]],
    ) -> dict[int, Fraction]:
        total: dict[int, Fraction] = defaultdict(Fraction)
        for dice, probability in rolls.items():
            for score, share in distribution(dice).items():
                total[score] += probability * share
        return total


@pytest.mark.slow
@settings(max_examples=15)
@given(small_rules(saves=True), st.integers(0, 100))
def test_the_exact_distribution_equals_brute_force(rules: Rules, percent: int) -> None:
    highest = int(solve(rules, "best-case", cache=False).value())
    assume(highest > 0)
    target = max(1, highest * percent // 100)
    reference = NormalReference(rules, target).final(State.start(rules), 0)
    strategy = parse_strategy(
        f"normal:{target}", rules, solve=lambda goal: solve(rules, goal.name, cache=False)
    )
    exact = evaluate(strategy, rules).distribution
    assert sum(exact.probabilities) == pytest.approx(1, abs=1e-12)
    for score in range(highest + 1):
        assert exact.probability(score) == pytest.approx(
            float(reference.get(score, 0)), abs=1e-12
        ), score


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


@pytest.mark.parametrize("target", [20, 30, 45])
def test_decisions_equal_the_brute_force(target: int) -> None:
    # The computer opponent decides one roll at a time, and the forward pass all scores together.
    reference, bot = NormalReference(SMALL, target), Bot(normal(target, SMALL), SMALL)
    decided = 0
    for seed in range(30):
        game = Game(SMALL)
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
    assert decided > 200


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


def test_the_distribution_equals_a_simulation() -> None:
    strategy, games = normal(160, load_rules("crag")), 40_000
    exact = evaluate(strategy).distribution
    counted = simulate(strategy, "crag", games, 3).distribution
    assert abs(counted.mean - exact.mean) < 3 * exact.sd / games**0.5
    for score in (130, 160, 190):
        p = exact.at_least(score)
        assert abs(counted.at_least(score) - p) < 3 * (p * (1 - p) / games) ** 0.5


@pytest.mark.slow
def test_a_million_games_of_yahtzee() -> None:
    strategy, games = normal(300, load_rules("yahtzee")), 1_000_000
    exact = evaluate(strategy).distribution
    counted = simulate(strategy, "yahtzee", games, 8).distribution
    assert abs(counted.mean - exact.mean) < 3 * exact.sd / games**0.5
    for score in (200, 250, 300, 400):
        p = exact.at_least(score)
        assert abs(counted.at_least(score) - p) < 3 * (p * (1 - p) / games) ** 0.5


def test_no_strategy_reaches_the_target_more_often_than_the_best() -> None:
    exact = evaluate(normal(160, load_rules("crag"))).distribution
    assert exact.at_least(160) <= evaluate("optimal:target:160", "crag").distribution.at_least(160)
    assert exact.mean <= evaluate("optimal", "crag").distribution.mean


def test_it_is_compared_by_its_exact_distribution() -> None:
    strategy = normal(30, SMALL)
    (row,) = compare_with([strategy], solve(SMALL, cache=False), games=500, seed=1).entries
    assert row.exact
    assert row.distribution.mean == pytest.approx(evaluate(strategy).distribution.mean)


def test_the_distribution_from_a_scorecard() -> None:
    strategy, card = normal(30, SMALL), Scorecard(SMALL, f"{SMALL.keys[0]}=0")
    whole, rest = evaluate(strategy).distribution, final_distribution(strategy, card)
    assert rest.probabilities.sum() == pytest.approx(1)
    assert rest.mean < whole.mean


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
