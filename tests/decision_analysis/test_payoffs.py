"""Compare payoff files with functions that have the same payoffs, and test errors."""

from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from rollwise.decision_analysis import (
    Profiles,
    analyze_turn,
    multiset_turn,
    parse_payoffs,
    payoff_turn,
)
from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.dice_graph import Point

FILE = """
otherwise = -0.1

[targets]
yahtzee = 50
"4x6+" = "sum"
"1001" = "1/3"
full-house = 25

[rolls]
"6 1,2 66" = 7
"11111" = 99
"""


def by_hand(dice: Point) -> Number:
    counts = sorted(dice.count(face) for face in set(dice))
    if dice == (1, 2, 6, 6, 6):
        return 7
    if dice == (1, 1, 1, 1, 1):
        return 99
    if counts == [5]:
        return 50
    if dice.count(6) >= 4:
        return sum(dice)
    if counts == [1, 4]:
        return Fraction(1, 3)
    return 25 if counts == [2, 3] else Fraction(-1, 10)


def test_rolls_precede_targets_and_the_first_target_counts() -> None:
    turn = parse_payoffs(FILE)
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert turn.payoff(dice) == by_hand(dice), dice
    assert analyze_turn(turn).value == analyze_turn(multiset_turn(by_hand)).value


def test_files_with_only_profiles_use_profiles() -> None:
    turn = parse_payoffs('otherwise = 1\n[targets]\n"00001" = 50\n"011" = 2.5\n')
    assert isinstance(turn.notation, Profiles)
    assert dict(zip(turn.states, map(turn.payoff, turn.graph.layers[-1]), strict=True)) == {
        **dict.fromkeys(turn.states, 1),
        "00001": 50,
        "011": Fraction(5, 2),
    }
    with_words = parse_payoffs('otherwise = 1\n[targets]\nyahtzee = 50\n"011" = 2.5\n')
    assert len(with_words.states) == 252
    assert analyze_turn(turn).value == analyze_turn(with_words).value


def test_sum() -> None:
    assert analyze_turn(payoff_turn("sum")).value == Fraction(70, 3)
    text = 'otherwise = "sum"\n[targets]\n"sum<=5" = 0\n'  # only five ones
    turn = parse_payoffs(text)
    assert [turn.payoff(d) for d in [(1, 1, 1, 1, 1), (1, 1, 1, 1, 2)]] == [0, 6]


def test_other_sizes() -> None:
    turn = parse_payoffs('[rolls]\n"10,3" = 5\n', faces=12, dice=2, rolls=1)
    assert analyze_turn(turn).value == Fraction(5 * 2, 144)


def test_numbers_are_exact_as_written() -> None:
    turn = parse_payoffs('otherwise = 0.1\n[targets]\nyahtzee = 1_0.25\n"4x6" = 1e-3\n')
    assert turn.payoff((1, 2, 3, 4, 6)) == Fraction(1, 10)
    assert turn.payoff((6, 6, 6, 6, 6)) == Fraction(41, 4)
    assert turn.payoff((1, 6, 6, 6, 6)) == Fraction(1, 1000)


BAD = [
    ("otherwise = ", r"not TOML: Invalid value \(at"),
    ("", r"no payoff is given; add a line below \[targets\] or \[rolls\]"),
    ("[targets]\n", r"no payoff is given; add a line below \[targets\] or \[rolls\]"),
    ("targets = 3\n", r"targets must be a table: write \[targets\] and put its lines below it"),
    (
        "[target]\nyahtzee = 3\n",
        r"unknown key 'target'; the keys are otherwise, \[targets\], and \[rolls\]",
    ),
    ("[targets]\nyatzee = 3\n", "unknown target 'yatzee'; use a profile such as 201, yahtzee,"),
    (
        "[targets]\nyahtzee = true\n",
        "'yahtzee' cannot have the payoff True; use a number of at most 30 digits, a",
    ),
    (
        "[targets]\nyahtzee = 'much'\n",
        "'yahtzee' cannot have the payoff 'much'; use a number of at",
    ),
    ("[targets]\nyahtzee = '1/0'\n", "'yahtzee' cannot have the payoff '1/0'; use a number of at"),
    ("[targets]\nyahtzee = nan\n", "'yahtzee' cannot have the payoff 'nan'; use a number of at"),
    ("[targets]\nyahtzee = 1e99\n", "'yahtzee' cannot have the payoff '1e99'; use a number of at"),
    ("[targets]\nyahtzee = 1e999999999999999999999\n", "'yahtzee' cannot have the payoff"),
    (
        f"[targets]\nyahtzee = {10**30}\n",
        "'yahtzee' cannot have the payoff 1000000000000000000000000000000; use a",
    ),
    (
        "otherwise = []\n[targets]\nyahtzee = 1\n",
        r"'otherwise' cannot have the payoff \[\]; use a number of at",
    ),
    ("[rolls]\n1234 = 3\n", "the roll '1234' has 4 dice; it must have 5"),
    ("[rolls]\n12347 = 3\n", "a die cannot show 7; its faces are 1 to 6"),
    ("[targets]\n0001 = 3\n", "the profile '0001' has 4 dice; it must have 5"),
    ("[targets]\n0001 = 3\nyahtzee = 1\n", "the profile '0001' has 4 dice; it must have 5"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_files(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        parse_payoffs(text)
    path = tmp_path / "payoffs.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        payoff_turn(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as caught:
        payoff_turn(tmp_path / "none.toml")
    assert caught.value.filename == str(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"bytes\.toml: not UTF-8 text"):
        payoff_turn(tmp_path / "bytes.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * 65_537)
    with pytest.raises(OSError, match=r"it can have at most 65,536 bytes: .*large\.toml"):
        payoff_turn(tmp_path / "large.toml")
