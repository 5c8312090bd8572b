"""Check that two notations, two methods, and closed forms give the same values of a turn."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.decision_analysis import (
    TurnProblem,
    analyze,
    analyze_turn,
    decide,
    expected,
    multiset_turn,
    profile_turn,
)
from rollwise.decision_analysis.dice_graph import MAX_ARROWS, Point, grow
from rollwise.decision_analysis.dice_multisets import Multisets
from rollwise.decision_analysis.dice_profiles import Profiles
from rollwise.errors import TooLargeError

small_turns = st.tuples(st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
payoffs = st.one_of(st.integers(-9, 9), st.fractions(min_value=-3, max_value=3, max_denominator=12))


@st.composite
def profile_turns(draw: st.DrawFn) -> TurnProblem:
    """Draw a small turn with a single target, or with payoffs of some profiles."""
    faces, dice, rolls = draw(small_turns)
    states = profile_turn(lambda _: 0, faces=faces, dice=dice).states
    if draw(st.booleans()):
        return profile_turn(draw(st.sampled_from(states)), faces=faces, dice=dice, rolls=rolls)
    paid = draw(st.dictionaries(st.sampled_from(states), payoffs))
    return profile_turn(paid, faces=faces, dice=dice, rolls=rolls)


def on_faces(turn: TurnProblem) -> TurnProblem:
    """Return the same turn with rolls represented as multisets."""
    notation = turn.notation
    return multiset_turn(
        lambda dice: turn.payoff(notation.of_dice(dice)),
        faces=notation.faces,
        dice=turn.dice,
        rolls=turn.rolls,
    )


@given(profile_turns())
@settings(deadline=None, max_examples=150)
def test_profiles_equal_multisets(turn: TurnProblem) -> None:
    by_profile, by_faces = analyze_turn(turn), analyze_turn(on_faces(turn))
    assert by_profile.value == by_faces.value
    for left in range(1, turn.rolls + 1):
        values, moves = by_profile.payoffs(left), by_profile.moves(left)
        for roll in combinations_with_replacement(range(1, turn.notation.faces + 1), turn.dice):
            state, dice_text = turn.text_of(roll), by_faces.turn.text_of(roll)
            assert by_faces.payoffs(left)[dice_text] == values[state]
            keeps = (by_faces.turn.notation.parse(k) for k in by_faces.best_keeps(dice_text, left))
            assert {turn.text_of(keep) for keep in keeps} == set(moves[state])


@given(profile_turns())
@settings(deadline=None, max_examples=150)
def test_graph_equals_general_method(turn: TurnProblem) -> None:
    analysis, problem = analyze_turn(turn), turn.decision_problem()
    first_roll = turn.outcomes(turn.start)
    if turn.rolls == 1:
        assert analysis.value == expected(first_roll, problem.payoff or {})
        return
    decisions = analyze([problem] * (turn.rolls - 1))
    assert analysis.value == expected(first_roll, decisions[0].values)
    for decision, left in zip(decisions, range(turn.rolls - 1, 0, -1), strict=True):
        assert decision.option_values == analysis.keep_values(left)
        assert decision.values == analysis.payoffs(left)
        assert decision.best == analysis.moves(left)


@given(profile_turns())
@settings(deadline=None, max_examples=150)
def test_floats_equal_fractions(turn: TurnProblem) -> None:
    exact, fast = analyze_turn(turn), analyze_turn(turn, exact=False)
    for left in range(1, turn.rolls + 1):
        for option, value in exact.keep_values(left).items():
            assert isclose(fast.keep_values(left)[option], value, abs_tol=1e-12)
    rounded = decide(turn.decision_problem().in_floats())
    for state, value in decide(turn.decision_problem()).values.items():
        assert isinstance(rounded.values[state], float)
        assert isclose(rounded.values[state], value, abs_tol=1e-12)


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=100)
def test_equals_brute_force_over_ordered_rolls(
    faces: int, dice: int, rolls: int, random: Random
) -> None:
    payoffs: dict[Point, int] = {
        roll: random.randint(-5, 5)
        for roll in combinations_with_replacement(range(1, faces + 1), dice)
    }
    turn = multiset_turn(payoffs.__getitem__, faces=faces, dice=dice, rolls=rolls)
    assert analyze_turn(turn).value == brute_force(payoffs, faces, dice, rolls)


def test_brute_force_over_all_7776_ordered_rolls() -> None:
    # This tries every reroll of every subset of every ordered roll of five dice, with two rolls.
    payoffs: dict[Point, int] = {
        roll: sum(roll) if len(set(roll)) < 4 else -sum(roll)
        for roll in combinations_with_replacement(range(1, 7), 5)
    }
    assert analyze_turn(multiset_turn(payoffs.__getitem__, rolls=2)).value == brute_force(
        payoffs, 6, 5, 2
    )


def brute_force(payoffs: dict[Point, int], faces: int, dice: int, rolls: int) -> Fraction:
    """Return the value of a turn by enumerating ordered rolls, without using code of the solver."""
    sides = range(1, faces + 1)

    @cache
    def keep(point: Point, left: int) -> Fraction:
        rerolls = list(product(sides, repeat=dice - len(point)))
        return sum((best(tuple(sorted(point + r)), left - 1) for r in rerolls), Fraction(0)) / len(
            rerolls
        )

    @cache
    def best(roll: Point, left: int) -> Fraction:
        if left == 0:
            return Fraction(payoffs[roll])
        sizes = range(dice + 1)
        return max(keep(point, left) for size in sizes for point in combinations(roll, size))

    return keep((), rolls)


class TestClosedForms:
    @given(st.integers(1, 6), st.integers(1, 5))
    @settings(deadline=None)
    def test_one_roll_of_n_of_a_kind(self, faces: int, dice: int) -> None:
        turn = profile_turn("0" * (dice - 1) + "1", faces=faces, dice=dice, rolls=1)
        assert analyze_turn(turn).value == Fraction(faces, faces**dice)

    @given(st.integers(2, 12), st.integers(1, 8))
    def test_one_die_until_a_face_shows(self, faces: int, rolls: int) -> None:
        turn = multiset_turn(lambda dice: dice == (1,), faces=faces, dice=1, rolls=rolls)
        assert analyze_turn(turn).value == 1 - Fraction(faces - 1, faces) ** rolls

    @given(st.integers(1, 10), st.integers(1, 6))
    @settings(deadline=None)
    def test_number_of_sixes_is_binomial(self, dice: int, rolls: int) -> None:
        # Each die is rolled until it shows a six or no roll is left, so the number is binomial.
        p = 1 - Fraction(5, 6) ** rolls
        wanted = dice // 2
        turn = TurnProblem(_SixOrNot(), lambda point: point[0] >= wanted, dice, rolls)
        tail = (comb(dice, n) * p**n * (1 - p) ** (dice - n) for n in range(wanted, dice + 1))
        assert analyze_turn(turn).value == sum(tail)

    @given(st.integers(1, 9))
    @settings(deadline=None)
    def test_two_faces_one_reroll(self, dice: int) -> None:
        # The target is equal coins. Keep the majority; each other coin must show the same side.
        turn = profile_turn("0" * (dice - 1) + "1", faces=2, dice=dice, rolls=2)
        majority = (max(heads, dice - heads) for heads in range(dice + 1))
        value = sum(
            Fraction(comb(dice, heads), 2**dice)
            * (Fraction(1, 2) ** (dice - most) if most < dice else 1)
            for heads, most in enumerate(majority)
        )
        assert analyze_turn(turn).value == value

    @given(st.integers(1, 5), st.integers(1, 4))
    @settings(deadline=None)
    def test_more_rolls_are_never_worse(self, faces: int, dice: int) -> None:
        analysis = analyze_turn(multiset_turn(sum, faces=faces, dice=dice, rolls=4))
        for left in range(1, 5):
            before, after = analysis.payoffs(left - 1), analysis.payoffs(left)
            assert all(after[state] >= before[state] for state in analysis.turn.states)


class _SixOrNot:
    """A custom notation that distinguishes only whether a die shows a six."""

    faces = 6

    def empty(self) -> Point:
        return (0, 0)

    def roll_one(self, point: Point) -> list[tuple[Point, int]]:
        sixes, others = point
        return [((sixes + 1, others), 1), ((sixes, others + 1), 5)]

    def of_dice(self, dice: Sequence[int]) -> Point:
        return (dice.count(6), len(dice) - dice.count(6))

    def parse(self, text: str) -> Point:
        sixes, others = text.split("/")
        return (int(sixes), int(others))

    def format(self, point: Point) -> str:
        return f"{point[0]}/{point[1]}"


def test_large_turns_stay_exact() -> None:
    turn = profile_turn("0" * 19 + "1", dice=20, rolls=4)
    exact, fast = analyze_turn(turn), analyze_turn(turn, exact=False)
    assert isinstance(exact.value, Fraction)
    assert (6**20) ** 4 % exact.value.denominator == 0
    assert isclose(fast.value, exact.value, rel_tol=1e-12)
    for left in (1, 2, 3):
        assert exact.payoffs(left)["1" + "0" * 17 + "1"] == 1 - Fraction(5, 6) ** left


def test_forty_dice_in_floats() -> None:
    analysis = analyze_turn(profile_turn("0" * 39 + "1", dice=40, rolls=4), exact=False)
    state = "1" + "0" * 37 + "1"
    for left in (1, 2, 3):
        assert isclose(analysis.payoffs(left)[state], 1 - (5 / 6) ** left, rel_tol=1e-12)
    assert analysis.best_keeps(state, 3) == ("0" * 38 + "1",)


@pytest.mark.parametrize("faces", [1, 2, 6, 30])
def test_profile_distribution_sums_to_one(faces: int) -> None:
    turn = profile_turn(lambda _: 0, faces=faces, dice=4)
    for option in turn.options:
        assert sum(turn.outcomes(option).values()) == 1


class Counted(Multisets):
    """A notation of multisets that counts the calls of ``roll_one``."""

    calls = 0

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        Counted.calls += 1
        return super().roll_one(point)


def test_a_graph_that_is_too_large_is_refused_early() -> None:
    """Check that a lower bound on the number of arrows suffices to refuse a graph.

    The first layers give the lower bound, because layers grow.
    """
    with pytest.raises(TooLargeError, match="30 dice with 30 faces have too many different rolls;"):
        grow(Counted(30), 30)
    assert Counted.calls < MAX_ARROWS / 30 / 10
    for notation in (Multisets(4), Profiles(7)):
        arrows = [len(layer.heads) for layer in grow(notation, 9).up]
        assert arrows == sorted(arrows)
