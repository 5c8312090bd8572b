"""Check the reference solver against values computed by hand and against brute force."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from reference_solver import Reference
from rollwise.game.actions import Score
from rollwise.game.scorecard import State, after, legal_moves
from rollwise.rules import Rules, load_rules
from small_games import small_rules


def game(categories: list[dict[str, Any]], **rest: Any) -> Rules:
    """Return rules with these settings and these categories, which get the names c0, c1, …."""
    listed = [
        {"key": f"c{place}", "title": "Box"} | category for place, category in enumerate(categories)
    ]
    return Rules.model_validate({"name": "game", "title": "Game", "categories": listed} | rest)


ANY = {"pattern": {"kind": "any"}, "points": "total"}
PAIR = {"pattern": {"kind": "groups", "sizes": [2]}, "points": 4}
SIXES = {"pattern": {"kind": "face", "face": 6}, "points": "matched", "section": "upper"}


class TestMicroYahtzee:
    """Tests of a game with one die and one roll, which counts double or squared."""

    reference = Reference(load_rules("micro-yahtzee"))

    def test_values(self) -> None:
        # Dice up to 4 are doubled, and 5 and 6 are squared: (20 + 4 * 91/6 + 32 + 43) / 6.
        values = [self.reference.value(State(filled)) for filled in range(4)]
        assert values == [Fraction(467, 18), Fraction(91, 6), 7, 0]

    @pytest.mark.parametrize("die", range(1, 7))
    def test_options(self, die: int) -> None:
        assert self.reference.options(State(), (die,), 0) == {
            Score("double"): 2 * die + Fraction(91, 6),
            Score("square"): die**2 + 7,
        }


class TestClosedForms:
    """Tests of values that one line of arithmetic gives."""

    @pytest.mark.parametrize(("rolls", "value"), [(1, "7/2"), (2, "17/4"), (3, "14/3")])
    def test_stopping_with_one_die(self, rolls: int, value: str) -> None:
        rules = game([ANY], dice=1, faces=6, rolls=rolls)
        assert Reference(rules).value() == Fraction(value)

    def test_one_roll_games_add_up(self) -> None:
        assert Reference(game([ANY] * 3, dice=2, faces=6, rolls=1)).value() == 21

    def test_upper_bonus_belongs_to_the_move_that_earns_it(self) -> None:
        bonus = {"threshold": 6, "points": 10}
        reference = Reference(game([SIXES], dice=1, faces=6, rolls=1, upper_bonus=bonus))
        assert reference.value() == Fraction(16, 6)
        assert reference.value(State(1, 6)) == 0

    def test_five_of_a_kind_bonus_requires_its_category(self) -> None:
        single = {"pattern": {"kind": "groups", "sizes": [1]}, "points": 5}
        extra = {"box": "c0", "points": 3}
        rules = game([single, ANY], dice=1, faces=2, rolls=1, extra_bonus=extra)
        # Every roll of one die is n of a kind. Score c0 first (5), then 3/2 on average and bonus 3.
        assert Reference(rules).value() == 5 + Fraction(3, 2) + 3

    def test_joker(self) -> None:
        straight = {"pattern": {"kind": "run", "length": 2}, "points": 6}
        joker = {"box": "c0", "policy": "free"}
        rules = game([PAIR, straight], dice=2, faces=2, rolls=1, joker=joker)
        # After the pair category, a pair is a joker, so the straight is certain. A pair in the
        # first roll leads to 4 + 6 points, and the roll 12 leads to 6 + 2 points.
        assert Reference(rules).value() == Fraction(10 + 8, 2)


def ordered_value(rules: Rules, state: State) -> Fraction:
    """Return the value of a state by brute force over ordered dice and all subsets to keep."""
    kinds = zip(rules.symbols, rules.kinds, strict=True)
    places = [symbols for symbols, (number, _) in kinds for _ in range(number)]
    if state.filled == (1 << len(rules.categories)) - 1:
        return Fraction(0)

    def bonus(upper: int) -> int:
        earned = rules.upper_bonus
        return sum(map(earned.at, rules.upper_totals(upper))) if earned else 0

    def roll_value(dice: tuple[int, ...], rolls_left: int) -> Fraction:
        scored = []
        for move in legal_moves(rules, state, dice, rolls_left):
            follower = after(rules, state, move, rolls_left)
            gained = move.points + move.extra + bonus(follower.upper) - bonus(state.upper)
            scored.append(gained + ordered_value(rules, follower))
        best = max(scored)
        if rolls_left == 0:
            return best
        for kept_dice in product([True, False], repeat=rules.dice):
            if all(kept_dice):
                continue
            choices = [
                (die,) if keep else faces
                for die, faces, keep in zip(dice, places, kept_dice, strict=True)
            ]
            rolls = [roll_value(roll, rolls_left - 1) for roll in product(*choices)]
            best = max(best, sum(rolls, Fraction(0)) / len(rolls))
        return best

    rerolls = rules.rolls_with(state.saved) - 1
    first = [roll_value(dice, rerolls) for dice in product(*places)]
    return sum(first, Fraction(0)) / len(first)


class TestBruteForce:
    """Check the solver against brute force without distributions, sorted dice, or a memo."""

    # Most small games are too large for brute force over every order of the dice.
    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    @given(
        small_rules(saves=True).filter(
            lambda rules: (
                rules.dice <= 2
                and rules.faces <= 3
                and rules.rolls <= 2
                and len(rules.categories) <= 2
            )
        )
    )
    def test_value_of_the_start(self, rules: Rules) -> None:
        assert Reference(rules).value() == ordered_value(rules, State.start(rules))
