"""Rule sheets with colours, steps, slots and saved rolls: one class a sheet, a method a clause."""

from itertools import combinations_with_replacement

import pytest

from rollwise.rules import Rules, load_rules, parse_rules
from test_rule_files import GAME, PAIR, found
from test_rules import points

ROLLS = ["".join(map(str, r)) for r in combinations_with_replacement(range(1, 7), 5)]
COLOUR = dict(zip("123456", ["black", "red", "green", "green", "red", "black"], strict=True))


class TestKismet:
    rules = load_rules("kismet")

    def test_fifteen_boxes(self) -> None:
        assert len(self.rules.categories) == 15
        assert [c.section for c in self.rules.categories].count("upper") == 6

    def test_colours_by_their_words(self) -> None:
        for dice in ROLLS:
            total = sum(map(int, dice))
            pairs = [face for face in set(dice) if dice.count(face) >= 2]
            one_colour = len({COLOUR[face] for face in dice}) == 1
            two_pairs = len(pairs) == 2 and COLOUR[pairs[0]] == COLOUR[pairs[1]]
            assert points(self.rules, "flush", dice) == 35 * one_colour, dice
            assert points(self.rules, "two-pairs-one-colour", dice) == total * two_pairs, dice

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("fives", "25555", 20),
            ("three-of-a-kind", "13336", 16),
            ("straight", "12345", 30),
            ("straight", "23456", 30),
            ("straight", "12346", 0),
            ("yarborough", "12466", 19),
        ],
    )
    def test_box(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_bonus_in_three_steps(self) -> None:
        bonus = self.rules.upper_bonus
        assert bonus is not None
        steps = {0: 0, 62: 0, 63: 35, 70: 35, 71: 55, 77: 55, 78: 75, 105: 75}
        assert {total: bonus.at(total) for total in steps} == steps

    def test_nothing_for_a_further_kismet(self) -> None:
        assert self.rules.extra_bonus is None
        assert self.rules.joker is None


class TestBalut:
    rules = load_rules("balut")

    def test_seven_boxes_four_times_each(self) -> None:
        assert [len(chain) for chain in self.rules.chains] == [4] * 7
        assert self.rules.keys[:5] == ("fours", "fours-2", "fours-3", "fours-4", "fives")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("fours", "13446", 8),
            ("sixes-3", "66666", 30),
            ("straight", "12345", 15),
            ("straight-4", "23456", 20),
            ("straight", "13456", 0),
            ("full-house", "22555", 19),
            ("full-house", "55555", 0),
            ("choice-2", "12466", 19),
        ],
    )
    def test_box(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_no_bonus(self) -> None:
        assert self.rules.upper_bonus is None


class TestYamb:
    def test_one_column_three_ways(self) -> None:
        free, down, up = (load_rules(f"yamb-{way}") for way in ("free", "down", "up"))
        assert free.categories == down.categories == up.categories
        assert [rules.order for rules in (free, down, up)] == ["free", "card", "upward"]

    def test_bonus_of_30_at_60(self) -> None:
        bonus = load_rules("yamb-free").upper_bonus
        assert bonus is not None
        assert [bonus.at(total) for total in (59, 60, 105)] == [0, 30, 30]


class TestGenerala:
    rules = load_rules("generala")

    def test_ten_boxes_and_no_bonus(self) -> None:
        assert len(self.rules.categories) == 10
        assert self.rules.upper_bonus is None


class TestMaxiYatzy:
    def test_the_sheet_without_saved_rolls_and_saved_rolls(self) -> None:
        rules, without = load_rules("maxi-yatzy"), load_rules("maxi-yatzy-no-saving")
        same: list[Rules] = [
            r.model_copy(update={"name": "", "title": "", "about": "", "sources": ()})
            for r in (rules, without.model_copy(update={"saves_rolls": True}))
        ]
        assert same[0] == same[1]

    def test_one_roll_has_to_be_made_in_each_turn(self) -> None:
        assert [load_rules("maxi-yatzy").saved_after(turns) for turns in (0, 1, 5)] == [0, 2, 10]


class TestAmong:
    """The pattern that makes colours."""

    def test_all_dice_show_one_of_the_faces(self) -> None:
        box = PAIR.replace('{ kind = "groups", sizes = [2] }', '{ kind = "among", faces = [1, 6] }')
        rules = parse_rules(GAME + box)
        fits = [d for d in ("11", "16", "66", "12", "26", "34") if points(rules, "pair", d)]
        assert fits == ["11", "16", "66"]

    def test_a_face_that_no_die_has(self) -> None:
        box = PAIR.replace('{ kind = "groups", sizes = [2] }', '{ kind = "among", faces = [7, 8] }')
        assert found(GAME + box) == [
            "categories.0.pattern: no roll fits: it needs 7 faces, a die has 6"
        ]
