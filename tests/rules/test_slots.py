"""Test categories with several slots, and categories for the number 0."""

import re

import pytest

from reference_solver import Reference
from rollwise.game.scorecard import Move, State, after, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.rules import Rules
from rollwise.solving.solver import solve
from rule_texts import ANY, GAME, PAIR, UPPER, game, mistakes_in
from test_mechanisms import scores
from text_tables import indented

ONES = 'pattern = { kind = "face", face = 1 }\npoints = "matched"' + UPPER
RUN = 'pattern = { kind = "run", length = 2 }\npoints = 50'
TWICE = "\nslots = 2"
JOKER = '[joker]\nbox = "a"\npolicy = "free"'


def values(rules: Rules) -> tuple[float, float]:
    """Return the values of a game from the reference solver and from the fast solver."""
    return float(Reference(rules).value()), solve(rules, cache=False).value()


class TestJokers:
    """Tests of jokers.

    A joker needs the first slot of its category and all slots of the upper category.
    """

    def test_all_slots_of_the_upper_category(self) -> None:
        rules = game(JOKER, PAIR, ONES + TWICE, RUN, dice=2, faces=3)
        a, first, second = 0b0001, 0b0010, 0b0100
        assert scores(rules, State(a), [1, 1])["c"] == 0
        assert scores(rules, State(a | first), [1, 1])["c"] == 0
        assert scores(rules, State(a | first | second), [1, 1])["c"] == 50

    def test_first_slot_of_the_joker_category(self) -> None:
        rules = game(JOKER, PAIR + TWICE, RUN, dice=2)
        assert scores(rules, State(0b000), [1, 1]) == {"a": 9, "b": 0}
        assert scores(rules, State(0b001), [1, 1]) == {"a-2": 9, "b": 50}

    def test_several_upper_categories_for_one_face(self) -> None:
        rules = game(JOKER, PAIR, ONES, ONES.replace('"matched"', "3"), RUN, dice=2)
        assert scores(rules, State(0b0011), [1, 1]) == {"c": 3, "d": 0}
        assert scores(rules, State(0b0111), [1, 1]) == {"d": 50}
        forced = game(
            JOKER.replace("free", "forced"), PAIR, ONES, ONES.replace('"matched"', "3"), RUN, dice=2
        )
        assert scores(forced, State(0b0001), [1, 1]) == {"b": 2, "c": 3}
        assert scores(forced, State(0b0011), [1, 1]) == {"c": 3}
        assert scores(forced, State(0b0111), [1, 1]) == {"d": 50}

    def test_value_of_a_game(self) -> None:
        rules = game(JOKER, PAIR.replace("9", "10"), ONES + TWICE, RUN, dice=2, faces=3)
        assert values(rules) == pytest.approx((61.8192097, 61.8192097), abs=1e-7)


class TestExtraBonus:
    """Tests of the extra bonus, which depends on the points in the first slot."""

    rules = game('[extra_bonus]\nbox = "a"\npoints = 100', PAIR + TWICE, ANY, dice=2)

    def test_paid_in_the_second_slot_too(self) -> None:
        eligible = after(self.rules, State(), Move(0, 9))
        assert eligible == State(0b001, eligible=True)
        assert legal_moves(self.rules, eligible, [4, 4])[0] == Move(1, 9, 100)

    def test_not_paid_after_a_zero_in_the_first_slot(self) -> None:
        state = after(self.rules, State(0b001), Move(1, 9))
        assert state == State(0b011)
        assert legal_moves(self.rules, state, [4, 4]) == (Move(2, 8),)

    def test_value_of_a_game(self) -> None:
        ours, theirs = values(self.rules)
        assert ours == pytest.approx(theirs, abs=1e-9)


class TestAfter:
    """Tests of a category that is filled after all slots of another category."""

    def test_category_after_the_last_slot(self) -> None:
        rules = game("", ANY + TWICE, ANY + '\nafter = "a"')
        assert rules.chains == ((0, 1, 2),)
        assert [list(scores(rules, State(f), [4])) for f in (0b0, 0b1, 0b11)] == [
            ["a"], ["a-2"], ["b"]
        ]  # fmt: skip

    def test_slots_after_a_category(self) -> None:
        rules = game("", ANY, ANY + TWICE + '\nafter = "a"')
        assert rules.chains == ((0, 1, 2),)


def box(key: str, more: str = "") -> str:
    """Return a category of a rule file."""
    return f'[[categories]]\nkey = "{key}"\ntitle = "{key}"\n{PAIR}\n{more}\n'


MISTAKES = """
[a: slots = 2] [a-2:]
    a-2.key: 'a-2' is taken by a slot of 'a': keys and codes must be unique
[a: slots = 2, code = "4"] [b: code = "42"]
    b.code: '42' is taken by a slot of 'a': keys and codes must be unique
[a: slots = 2] [b: after = "a-2"]
    b.after: 'a-2' is a single slot: expected 'a', which has all of them
joker = { box = "a-2", policy = "free" } [a: slots = 2]
    joker.box: 'a-2' is a single slot: expected 'a', which has all of them
order = "upward" [b:] [a: slots = 2]
    a.slots: expected one table for each slot with order = 'upward'
[b: slots = 2] [d: code = "abcd", slots = 2]
    d.code: expected 1 to 4 lower-case letters and digits, got 'abcd2'
joker = { box = "a", policy = "forced" } [a:] [b: slots = 2]
    joker.policy: expected 'free' if categories are filled after others
[b: slots = 2] [c: after = "b"] [d: after = "b"]
    d.after: 'c' already comes after 'b'; use another category
"""
"""The end of a rule file, with each category as [key: settings], and below it the mistake."""


@pytest.mark.parametrize(("text", "mistake"), indented(MISTAKES))
def test_errors_name_the_keys_of_the_file(text: str, mistake: str) -> None:
    def table(found: re.Match[str]) -> str:
        return "\n" + box(found[1], found[2].replace(", ", "\n"))

    assert mistakes_in(GAME + re.sub(r"\[(.+?): ?(.*?)\]", table, text)) == [mistake]


def test_too_many_categories() -> None:
    (mistake,) = mistakes_in(GAME + "".join(box(f"box{key}", "slots = 8") for key in "abcde"))
    assert mistake.startswith("categories: expected 32 or fewer of them")


class TestZero:
    """Tests of a category for the number 0, and a die that shows this number."""

    NAUGHT = 'pattern = { kind = "face", face = 0 }\npoints = '
    ZEROS = "[[other_dice]]\ndice = 1\nnumbers = [0, 1, 2, 3]\n"

    def test_points(self) -> None:
        rules = game(self.ZEROS, self.NAUGHT + "5", self.NAUGHT + '"matched"\nplus = 7', dice=2)
        symbol_of_0, symbol_of_1 = 7, 8  # the symbols of the other die
        assert [natural_points(rules, k, (3, symbol_of_0)) for k in (0, 1)] == [5, 7]
        assert [natural_points(rules, k, (3, symbol_of_1)) for k in (0, 1)] == [0, 0]

    def test_value_of_a_game(self) -> None:
        rules = game(self.ZEROS, self.NAUGHT + "5", dice=2, rolls=1)
        assert values(rules) == pytest.approx((5 / 4, 5 / 4))

    @pytest.mark.parametrize(
        "pattern",
        [
            '{ kind = "face", face = 0 }',
            '{ kind = "faces", faces = [0, 1] }',
            '{ kind = "either", of = [{ kind = "face", face = 0 }, { kind = "run", length = 2 }] }',
        ],
    )
    def test_no_die_shows_the_number(self, pattern: str) -> None:
        category = box("a").replace('{ kind = "groups", sizes = [2] }', pattern)
        assert mistakes_in(GAME + category) == [
            "a.pattern: no die shows 0; use a face that the dice have"
        ]
