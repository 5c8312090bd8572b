"""Test parsing and formatting of profiles, dice, and targets, and errors for invalid strings."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise.decision_analysis import (
    Multisets,
    Profiles,
    analyze_turn,
    keeps_within,
    multiset_turn,
    profile_turn,
    target_turn,
)
from rollwise.decision_analysis.dice_graph import Notation, Point


@given(st.lists(st.integers(1, 30), max_size=60))
def test_profiles_round_trip(dice: list[int]) -> None:
    notation = Profiles(30)
    point = notation.of_dice(dice)
    assert notation.parse(notation.format(point)) == point
    assert sum(i * d for i, d in enumerate(point, start=1)) == len(dice)


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
def test_one_more_die(notation: Notation, dice: list[int]) -> None:
    # Each face leads to the dice with this face added.
    ways = Counter(notation.of_dice([*dice, face]) for face in range(1, 5))
    assert dict(notation.roll_one(notation.of_dice(dice))) == ways


TARGETS: dict[str, Callable[[Point], object]] = {
    "yahtzee": lambda d: len(set(d)) == 1,
    "5-of-a-kind": lambda d: len(set(d)) == 1,
    "three-of-a-kind": lambda d: d[0] == d[2] or d[1] == d[3] or d[2] == d[4],
    "4-of-a-kind": lambda d: d[0] == d[3] or d[1] == d[4],
    "full-house": lambda d: len(set(d)) == 2 and d[0] == d[1] and d[3] == d[4],
    "small-straight": lambda d: re.search("1234|2345|3456", "".join(map(str, sorted(set(d))))),
    "large-straight": lambda d: d in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)),
    "2x6": lambda d: d[2] != 6 == d[3],
    "4x6+": lambda d: d[1] == 6,
    "sum>=25": lambda d: sum(d) >= 25,
    "sum<=7": lambda d: sum(d) <= 7,
    "sum=18": lambda d: sum(d) == 18,
}


@pytest.mark.parametrize("target", TARGETS)
def test_targets(target: str) -> None:
    condition = TARGETS[target]
    payoff = target_turn(target).payoff
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert bool(payoff(dice)) == bool(condition(dice)), dice


def test_words_equal_profiles() -> None:
    assert analyze_turn(target_turn("yahtzee")).value == analyze_turn(target_turn("00001")).value
    assert analyze_turn(target_turn("full-house")).value == analyze_turn(target_turn("011")).value


@pytest.mark.parametrize(
    ("target", "sizes", "message"),
    [
        ("foo", {}, "unknown target 'foo'; use a profile such as 201, yahtzee,"),
        ("0-of-a-kind", {}, "unknown target '0-of-a-kind'; use a profile"),
        ("x" * 99, {}, "unknown target"),
        ("00001", {"faces": 0}, "faces must be a whole number from 1 to 1,000, not 0"),
        ("yahtzee", {"faces": 0}, "faces must be a whole number from 1 to 1,000, not 0"),
        ("00001", {"dice": 0}, "the profile '00001' has 5 dice; it must have 0"),
        ("yahtzee", {"dice": 0}, "dice must be a whole number from 1 to 100, not 0"),
        ("00001", {"rolls": 0}, "rolls must be a whole number from 1 to 1,000, not 0"),
        ("0001", {}, "the profile '0001' has 4 dice; it must have 5"),
        ("5", {"faces": 4}, "the profile '5' has 5 different faces; a die has only 4"),
        ("1,,2", {}, "cannot read '1,,2' as a profile; write the number of singles, pairs,"),
        ("large-straight", {"faces": 4}, "5 dice with 4 faces cannot show 'large-straight';"),
        ("6x1+", {}, r"5 dice with 6 faces cannot show '6x1\+';"),
        (
            "sum>=31",
            {},
            "5 dice with 6 faces cannot show 'sum>=31'; choose a target that a roll can meet",
        ),
        (
            "sum>=3",
            {"faces": 100, "dice": 100},
            "100 dice with 100 faces have too many different rolls; use fewer dice",
        ),
    ],
)
def test_bad_targets(target: str, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        target_turn(target, **sizes)


def test_bad_queries() -> None:
    analysis = analyze_turn(profile_turn("00001"))
    for left in (0, 4, -1):
        with pytest.raises(ValueError, match=f"rolls left must be from 1 to 3, not {left}"):
            analysis.keep_value("0", left)
    with pytest.raises(ValueError, match="cannot keep '000001'; this turn has 5 dice"):
        analysis.keep_value("000001", 1)
    with pytest.raises(ValueError, match="'1' has 1 dice; a roll of this turn has 5"):
        analysis.best_keeps("1", 1)
    with pytest.raises(ValueError, match="a die cannot show 7; its faces are 1 to 6"):
        analysis.turn.text_of([1, 7])
    with pytest.raises(ValueError, match="cannot read '6a' as dice; write faces from 1 to 6"):
        Multisets(6).parse("6a")
    with pytest.raises(ValueError, match="the roll has 59,049 different sets of dice to keep"):
        keeps_within(tuple(sorted([*range(1, 11)] * 2)))


def test_invalid_payoffs() -> None:
    with pytest.raises(
        ValueError, match=r"the payoff of roll '1' is the float 0\.5; use an int or"
    ):
        analyze_turn(multiset_turn(lambda dice: dice[0] / 2, dice=1))
    with pytest.raises(ValueError, match="the payoff of roll '1' must be a finite number, not nan"):
        analyze_turn(multiset_turn(lambda _: float("nan"), dice=1), exact=False)
    with pytest.raises(ValueError, match="the profile '1' has 1 dice; it must have 2"):
        profile_turn({"1": 3}, dice=2)


def test_keeps_within_dice() -> None:
    assert keeps_within((1, 1, 6)) == [(), (1,), (6,), (1, 1), (1, 6), (1, 1, 6)]
