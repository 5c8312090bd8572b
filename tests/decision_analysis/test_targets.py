"""Test targets of a turn, and errors for invalid targets."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from rollwise.decision_analysis import Multisets, Profiles, target_turn
from rollwise.decision_analysis.turn import Point

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
    pays = target_turn(target).pays
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert bool(pays(dice)) == bool(condition(dice)), dice


@pytest.mark.parametrize(
    ("target", "faces", "dice", "is_roll"),
    [
        ("23456", 6, 5, True),
        ("66666", 6, 5, True),
        ("11111", 6, 5, True),
        ("00001", 6, 5, False),
        ("5", 6, 5, False),
        ("5", 6, 1, True),
        ("11", 6, 2, True),
        ("1", 6, 1, False),
        ("12", 20, 1, True),
        ("12,", 20, 12, False),
        ("3,10,12", 12, 3, True),
    ],
)
def test_digits_are_a_profile_or_a_roll(target: str, faces: int, dice: int, is_roll: bool) -> None:
    turn = target_turn(target, faces=faces, dice=dice)
    assert isinstance(turn.notation, Profiles) != is_roll
    if is_roll:
        (met,) = (roll for roll, x in turn.payoffs(0).items() if x)
        assert turn.notation.parse(met) == tuple(sorted(Multisets(faces).parse(target)))


def test_a_specific_straight() -> None:
    turn = target_turn("23456")
    assert turn.keep_value("256", 2) == turn.payoffs(2)["12566"] == Fraction(53, 324)


def test_words_equal_profiles() -> None:
    assert target_turn("yahtzee").value == target_turn("00001").value
    assert target_turn("full-house").value == target_turn("011").value


@pytest.mark.parametrize(
    ("target", "sizes", "message"),
    [
        ("0-of-a-kind", {}, "unknown target '0-of-a-kind'. Did you mean"),
        ("x" * 99, {}, "unknown target"),
        ("0001", {}, r"'0001' is neither a profile \(.* has 4 dice; .*\) nor a roll \(.* show 0;"),
        ("12347", {}, r"a profile \(.* 17 different faces.*\) nor a roll \(.* cannot show 7;"),
        ("1,,2", {}, "cannot read '1,,2' as a profile; write the number of singles, pairs,"),
        ("6x1+", {}, r"5 dice with 6 faces cannot show '6x1\+';"),
        ("sum>=31", {}, "cannot show 'sum>=31'; choose a target that a roll can meet"),
        ("sum>=3", {"faces": 100, "dice": 100}, "100 dice with 100 faces have too many different"),
    ],
)
def test_bad_targets(target: str, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        target_turn(target, **sizes)
