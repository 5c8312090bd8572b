"""Check that two notations, two methods, and closed forms give the same values of a turn."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.decision_analysis import Multisets, Profiles, Turn, analyze, expected
from rollwise.decision_analysis.turn import MAX_ARROWS, Point
from rollwise.errors import InputError, TooLargeError

payoffs = st.one_of(st.integers(-9, 9), st.fractions(min_value=-3, max_value=3, max_denominator=12))


@st.composite
def profile_turns(draw: st.DrawFn) -> Turn:
    """Draw a small turn with payoffs of some profiles."""
    notation, dice, rolls = Profiles(draw(st.integers(1, 5))), *draw(st.tuples(*[SMALL] * 2))
    states = Turn(notation, {}, dice).states
    return Turn(notation, draw(st.dictionaries(st.sampled_from(states), payoffs)), dice, rolls)


SMALL = st.integers(1, 4)


@given(profile_turns())
@settings(deadline=None, max_examples=150)
def test_profiles_equal_multisets(turn: Turn) -> None:
    faces = Multisets(turn.notation.faces)
    of_dice = turn.notation.of_dice
    by_faces = Turn(faces, lambda dice: turn.pays(of_dice(dice)), turn.dice, turn.rolls)
    assert turn.value == by_faces.value
    for left in range(1, turn.rolls + 1):
        for dice, keeps in by_faces.moves(left).items():
            state = turn.text_of(faces.parse(dice))
            assert by_faces.payoffs(left)[dice] == turn.payoffs(left)[state]
            assert {turn.text_of(faces.parse(k)) for k in keeps} == set(turn.moves(left)[state])


@given(profile_turns())
@settings(deadline=None, max_examples=150)
def test_graph_equals_general_method(turn: Turn) -> None:
    problem, first_roll = turn.decision_problem(), turn.outcomes(turn.start)
    assert all(sum(outcomes.values()) == 1 for outcomes in problem.options.values())
    if turn.rolls == 1:
        assert turn.value == expected(first_roll, turn.payoffs(0))
        return
    decisions = analyze([problem] * (turn.rolls - 1))
    assert turn.value == expected(first_roll, decisions[0].values)
    for decision, left in zip(decisions, range(turn.rolls - 1, 0, -1), strict=True):
        assert decision.option_values == turn.keep_values(left)
        assert decision.values == turn.payoffs(left)
        assert decision.best == turn.moves(left)


@given(SMALL, st.integers(1, 3), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=100)
def test_equals_brute_force_over_ordered_rolls(
    faces: int, dice: int, rolls: int, random: Random
) -> None:
    payoffs = {
        roll: random.randint(-5, 5)
        for roll in combinations_with_replacement(range(1, faces + 1), dice)
    }
    turn = Turn(Multisets(faces), payoffs.__getitem__, dice, rolls)
    assert turn.value == brute_force(payoffs, faces, dice, rolls)


def test_brute_force_over_all_7776_ordered_rolls() -> None:
    # This tries every reroll of every subset of every ordered roll of five dice, with two rolls.
    payoffs: dict[Point, int] = {
        roll: sum(roll) if len(set(roll)) < 4 else -sum(roll)
        for roll in combinations_with_replacement(range(1, 7), 5)
    }
    turn = Turn(Multisets(), payoffs.__getitem__, rolls=2)
    assert turn.value == brute_force(payoffs, 6, 5, 2)


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
        turn = Turn(Profiles(faces), {"0" * (dice - 1) + "1": 1}, dice, rolls=1)
        assert turn.value == Fraction(faces, faces**dice)

    @given(st.integers(1, 8), st.integers(1, 6))
    @settings(deadline=None)
    def test_number_of_sixes_is_binomial(self, dice: int, rolls: int) -> None:
        # Each die is rolled until it shows a six or no roll is left, so the number is binomial.
        p = 1 - Fraction(5, 6) ** rolls
        wanted = dice // 2
        turn = Turn(Multisets(), lambda roll: roll.count(6) >= wanted, dice, rolls)
        tail = (comb(dice, n) * p**n * (1 - p) ** (dice - n) for n in range(wanted, dice + 1))
        assert turn.value == sum(tail)

    @given(st.integers(1, 9))
    @settings(deadline=None)
    def test_two_faces_one_reroll(self, dice: int) -> None:
        # The target is equal coins. Keep the majority; each other coin must show the same side.
        turn = Turn(Profiles(2), {"0" * (dice - 1) + "1": 1}, dice, rolls=2)
        majority = (max(heads, dice - heads) for heads in range(dice + 1))
        value = sum(
            Fraction(comb(dice, heads), 2**dice)
            * (Fraction(1, 2) ** (dice - most) if most < dice else 1)
            for heads, most in enumerate(majority)
        )
        assert turn.value == value

    @pytest.mark.parametrize("dice", [20, 40])
    def test_many_dice(self, dice: int) -> None:
        turn = Turn(Profiles(), {"0" * (dice - 1) + "1": 1}, dice, rolls=4)
        assert (6**dice) ** 4 % turn.value.denominator == 0
        state = "1" + "0" * (dice - 3) + "1"
        for left in (1, 2, 3):
            assert turn.payoffs(left)[state] == 1 - Fraction(5, 6) ** left
        assert turn.moves(3)[state] == ("0" * (dice - 2) + "1",)


class Counted(Multisets):
    """A notation of multisets that counts the calls of ``roll_one``."""

    calls = 0

    def roll_one(self, point: Point) -> Iterator[tuple[Point, int]]:
        Counted.calls += 1
        return super().roll_one(point)


def test_a_turn_that_is_too_large_is_refused_early() -> None:
    """Check that a lower bound on the number of arrows suffices to refuse a turn."""
    with pytest.raises(TooLargeError, match="30 dice with 30 faces have too many different rolls;"):
        _ = Turn(Counted(30), sum, 30).states
    assert Counted.calls < MAX_ARROWS / 30 / 10


@given(st.lists(st.integers(1, 30), max_size=60))
def test_profiles_round_trip(dice: list[int]) -> None:
    notation = Profiles(30)
    point = notation.of_dice(dice)
    assert notation.parse(notation.format(point)) == point
    assert notation.count(point) == len(dice)


@given(st.sampled_from([6, 9, 10, 30]), st.data())
def test_dice_round_trip(faces: int, data: st.DataObject) -> None:
    notation = Multisets(faces)
    dice = data.draw(st.lists(st.integers(1, faces), max_size=12))
    text = notation.format(notation.of_dice(dice))
    assert notation.parse(text) == tuple(sorted(dice))


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("0", ()),
        ("201", (2, 0, 1)),
        ("2,0,1", (2, 0, 1)),
        ("2010", (2, 0, 1)),
        ("12", (1, 2)),
        ("12,", (12,)),
        ("10,0,1", (10, 0, 1)),
    ],
)
def test_profiles(text: str, point: tuple[int, ...]) -> None:
    assert Profiles(20).parse(text) == point


def test_dice_in_any_order() -> None:
    assert Multisets(6).parse("6 1,2 66") == (1, 2, 6, 6, 6)
    assert Multisets(12).parse("12 3,10") == (3, 10, 12)
    assert Multisets(6).parse("-") == ()


@given(st.sampled_from([Profiles(4), Multisets(4)]), st.lists(st.integers(1, 4), max_size=6))
def test_one_more_die(notation: Multisets, dice: list[int]) -> None:
    # Each face leads to the dice with this face added.
    ways = Counter(notation.of_dice([*dice, face]) for face in range(1, 5))
    assert dict(notation.roll_one(notation.of_dice(dice))) == ways


def test_bad_queries() -> None:
    turn = Turn(Profiles(), {"00001": 1})
    for left in (0, 4, -1):
        with pytest.raises(InputError, match=f"rolls left must be from 1 to 3, not {left}"):
            turn.keep_value("0", left)
    with pytest.raises(InputError, match="cannot keep '000001'; this turn has 5 dice"):
        turn.keep_value("000001", 1)
    with pytest.raises(InputError, match="a die cannot show 7; its faces are 1 to 6"):
        turn.text_of([1, 7])
    with pytest.raises(InputError, match="cannot read '6a' as dice; write faces from 1 to 6"):
        Multisets(6).parse("6a")


def test_bad_turns() -> None:
    for notation, sizes, message in (
        (Multisets, (6, 0, 3), "dice must be a whole number from 1 to 100, not 0"),
        (Profiles, (6, 5, 1_001), "rolls must be a whole number from 1 to 1,000, not 1001"),
        (Profiles, (0, 5, 3), "faces must be a whole number from 1 to 1,000, not 0"),
    ):
        with pytest.raises(InputError, match=message):
            Turn(notation(sizes[0]), {}, *sizes[1:])
    with pytest.raises(InputError, match="the profile '1' has 1 dice; it must have 2"):
        Turn(Profiles(), {"1": 3}, dice=2)
    with pytest.raises(InputError, match="the roll '1234' has 4 dice; it must have 5"):
        Turn(Multisets(), {"1234": 3})
    for payoff in (lambda _: 0.5, {"1": float("nan")}):
        with pytest.raises(InputError, match=r"the payoff of roll '1' is .*; use an int or a Frac"):
            _ = Turn(Multisets(), payoff, dice=1).value  # type: ignore[arg-type]
