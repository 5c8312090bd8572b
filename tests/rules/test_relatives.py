"""Test rule sheets with colors, bonus steps, slots, and saved rolls."""

from itertools import combinations_with_replacement

import pytest

from rollwise.game.scorecard import Scorecard, State, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.rules import Rules, load_rules, parse_rules
from test_rule_files import GAME, PAIR, mistakes_in

ROLLS = ["".join(map(str, r)) for r in combinations_with_replacement(range(1, 7), 5)]
COLOR = dict(zip("123456", ["black", "red", "green", "green", "red", "black"], strict=True))


def points(rules: Rules, key: str, dice: str, roll: int = 1) -> int:
    """Return the points of dice in a category after roll number ``roll`` of a turn."""
    return natural_points(rules, rules.category_index(key), [int(die) for die in dice], roll)


def open_boxes(rules: Rules, *filled: str) -> list[str]:
    """Return the keys of the categories that can be filled after the filled categories."""
    state = State(sum(1 << rules.category_index(key) for key in filled))
    return [rules.keys[move.category] for move in legal_moves(rules, state, (1, 2, 3, 4, 6), 0)]


def highest_total(rules: Rules) -> int:
    """Return the sum, over all categories, of the highest points on the last roll of a turn."""
    return sum(max(points(rules, key, dice, 3) for dice in ROLLS) for key in rules.keys)


class TestKismet:
    rules = load_rules("kismet")

    def test_fifteen_categories(self) -> None:
        assert len(self.rules.categories) == 15
        assert [c.section for c in self.rules.categories].count("upper") == 6

    def test_color_categories_match_their_definitions(self) -> None:
        for dice in ROLLS:
            total = sum(map(int, dice))
            pairs = [face for face in set(dice) if dice.count(face) >= 2]
            one_colour = len({COLOR[face] for face in dice}) == 1
            two_pairs = len(pairs) == 2 and COLOR[pairs[0]] == COLOR[pairs[1]]
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
            ("full-house", "22333", 13 + 15),
            ("full-house", "22555", 19 + 15),
            ("full-house-one-colour", "22555", 19 + 20),
            ("full-house-one-colour", "33344", 17 + 20),
            ("full-house-one-colour", "22333", 0),
            ("four-of-a-kind", "22223", 11 + 25),
            ("four-of-a-kind", "22233", 0),
            ("yarborough", "12466", 19),
            ("kismet", "66666", 30 + 50),
            ("kismet", "66665", 0),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_bonus_in_three_steps(self) -> None:
        bonus = self.rules.upper_bonus
        assert bonus is not None
        steps = {0: 0, 62: 0, 63: 35, 70: 35, 71: 55, 77: 55, 78: 75, 105: 75}
        assert {total: bonus.at(total) for total in steps} == steps

    def test_bonus_on_the_scorecard(self) -> None:
        for sixes, bonus in ((12, 0), (18, 35), (24, 35), (30, 55)):
            card = Scorecard(self.rules, (3, 6, 9, 12, 15, sixes, *[None] * 9))
            assert (card.upper, card.upper_bonus) == (45 + sixes, bonus)
        card = Scorecard(self.rules, (4, 6, 9, 12, 20, 30, *[None] * 9))
        assert (card.upper, card.points) == (81, 81 + 75)

    def test_no_extra_bonus_and_no_joker(self) -> None:
        assert self.rules.extra_bonus is None
        assert self.rules.joker is None


class TestKismetAlike:
    rules, usual = load_rules("kismet-alike"), load_rules("kismet")

    def test_four_and_five_of_a_kind_are_also_pairs_and_full_houses(self) -> None:
        keys = ("two-pairs-one-colour", "full-house", "full-house-one-colour")
        for dice in ROLLS:
            most, total = max(map(dice.count, dice)), sum(map(int, dice))
            for key in self.rules.keys:
                fits = key in keys and (most == 5 or (most == 4 and key == keys[0]))
                plus = {"full-house": 15, "full-house-one-colour": 20}.get(key, 0)
                expected = total + plus if fits else points(self.usual, key, dice)
                assert points(self.rules, key, dice) == expected, (key, dice)

    def test_other_rules_equal_kismet(self) -> None:
        assert self.rules.upper_bonus == self.usual.upper_bonus
        assert self.rules.keys == self.usual.keys


class TestBalut:
    rules = load_rules("balut")

    def test_seven_categories_with_four_slots_each(self) -> None:
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
            ("balut", "44444", 20 + 20),
            ("balut-3", "44445", 0),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_no_bonus(self) -> None:
        assert self.rules.upper_bonus is None

    def test_category_is_open_until_all_four_slots_are_filled(self) -> None:
        keys = ["fours", "fives", "sixes", "straight", "full-house", "choice", "balut"]
        assert open_boxes(self.rules) == keys
        filled = ["fours", "fours-2", "fours-3", "straight"]
        assert open_boxes(self.rules, *filled)[:4] == ["fours-4", "fives", "sixes", "straight-2"]
        assert open_boxes(self.rules, *filled, "fours-4")[0] == "fives"

    def test_the_highest_score_is_812(self) -> None:
        assert highest_total(self.rules) == 812


class TestYamb:
    rules = load_rules("yamb-free")

    def test_three_orders_of_the_same_column(self) -> None:
        free, down, up = (load_rules(f"yamb-{way}") for way in ("free", "down", "up"))
        assert free.categories == down.categories == up.categories
        assert [rules.order for rules in (free, down, up)] == ["free", "card", "upward"]

    def test_open_categories(self) -> None:
        keys = list(self.rules.keys)
        assert open_boxes(self.rules, "ones", "yamb") == keys[1:-1]
        assert open_boxes(load_rules("yamb-down"), "ones", "twos") == ["threes"]
        assert open_boxes(load_rules("yamb-up")) == ["yamb"]
        assert open_boxes(load_rules("yamb-up"), "yamb", "poker") == ["full-house"]

    @pytest.mark.parametrize("dice", ["12345", "23456"])
    def test_straight_scores_less_with_each_roll(self, dice: str) -> None:
        points_by_roll = [points(self.rules, "straight", dice, roll) for roll in (1, 2, 3)]
        assert points_by_roll == [66, 56, 46]

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("sixes", "16666", 24),
            ("full-house", "22333", 13 + 30),
            ("full-house", "33333", 0),
            ("poker", "33336", 12 + 40),
            ("poker", "33333", 12 + 40),
            ("poker", "33366", 0),
            ("yamb", "33333", 15 + 50),
            ("yamb", "33336", 0),
        ],
    )
    @pytest.mark.parametrize("roll", [1, 2, 3])
    def test_other_categories_do_not_depend_on_the_roll(
        self, key: str, dice: str, worth: int, roll: int
    ) -> None:
        assert points(self.rules, key, dice, roll) == worth

    def test_bonus_of_30_at_60(self) -> None:
        bonus = load_rules("yamb-free").upper_bonus
        assert bonus is not None
        assert [bonus.at(total) for total in (59, 60, 105)] == [0, 30, 30]


class TestGenerala:
    rules = load_rules("generala")

    def test_ten_categories_and_no_bonus(self) -> None:
        assert len(self.rules.categories) == 10
        assert self.rules.upper_bonus is None

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("straight", "12345", (25, 20, 20)),
            ("straight", "13456", (25, 20, 20)),
            ("straight", "12346", (0, 0, 0)),
            ("full-house", "22333", (35, 30, 30)),
            ("full-house", "33333", (0, 0, 0)),
            ("four-of-a-kind", "22226", (45, 40, 40)),
            ("four-of-a-kind", "22222", (45, 40, 40)),
            ("generala", "22222", (120, 60, 60)),
            ("fours", "24446", (12, 12, 12)),
        ],
    )
    def test_first_roll_scores_more(self, key: str, dice: str, worth: tuple[int]) -> None:
        assert tuple(points(self.rules, key, dice, roll) for roll in (1, 2, 3)) == worth


class TestMaxiYatzy:
    def test_differs_from_no_saving_only_in_saved_rolls(self) -> None:
        rules, without = load_rules("maxi-yatzy"), load_rules("maxi-yatzy-no-saving")
        same: list[Rules] = [
            r.model_copy(update={"name": "", "title": "", "about": "", "sources": ()})
            for r in (rules, without.model_copy(update={"saves_rolls": True}))
        ]
        assert same[0] == same[1]

    def test_every_turn_uses_at_least_one_roll(self) -> None:
        saved = [load_rules("maxi-yatzy").saved_after(turns) for turns in (0, 1, 5)]
        assert saved == [range(1), range(3), range(11)]


class TestAmong:
    """Tests of the pattern of categories for colors."""

    def test_all_dice_show_one_of_the_faces(self) -> None:
        box = PAIR.replace('{ kind = "groups", sizes = [2] }', '{ kind = "among", faces = [1, 6] }')
        rules = parse_rules(GAME + box)
        fits = [d for d in ("11", "16", "66", "12", "26", "34") if points(rules, "pair", d)]
        assert fits == ["11", "16", "66"]

    def test_a_face_that_no_die_has(self) -> None:
        box = PAIR.replace('{ kind = "groups", sizes = [2] }', '{ kind = "among", faces = [7, 8] }')
        assert mistakes_in(GAME + box) == [
            "pair.pattern: no roll fits, because the pattern needs 7 faces and a die has 6"
        ]


class TestEither:
    """The pattern of several alternatives."""

    GAME = GAME.replace("faces = 6", "faces = 4") + PAIR

    def text(self, *alternatives: str) -> str:
        """Return a game with four-sided dice and a category of alternative patterns."""
        pattern = '{ kind = "groups", sizes = [2] }'
        assert pattern in self.GAME
        either = f'{{ kind = "either", of = [{", ".join(alternatives)}] }}'
        return self.GAME.replace(pattern, either)

    def test_one_alternative_that_fits_is_enough(self) -> None:
        rules = parse_rules(
            self.text('{ kind = "face", face = 6 }', '{ kind = "groups", sizes = [2] }')
        )
        assert [d for d in ("11", "12", "44") if points(rules, "pair", d)] == ["11", "44"]

    def test_no_alternative_fits(self) -> None:
        """One needs too many faces, and the other too many dice."""
        text = self.text('{ kind = "face", face = 6 }', '{ kind = "groups", sizes = [3] }')
        assert mistakes_in(text) == [
            "pair.pattern: no roll fits, because the pattern needs 6 faces and a die has 4"
        ]
