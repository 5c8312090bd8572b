"""The rule sheets: one class a sheet, one method a clause."""

import pytest

from rollwise.rules import Rules, load_rules
from rollwise.scorecard import Move, Scorecard, State, after, legal_moves
from rollwise.scoring import natural_points


def points(rules: Rules, key: str, dice: str) -> int:
    """Return the points of a roll in a category by its pattern."""
    return natural_points(rules, rules.category_index(key), [int(die) for die in dice])


def filled(rules: Rules, *keys: str) -> int:
    """Return the mask of these categories."""
    return sum(1 << rules.category_index(key) for key in keys)


def moves(rules: Rules, state: State, dice: str) -> dict[str, Move]:
    """Return the legal moves of a roll by category key."""
    return {rules.keys[m.category]: m for m in legal_moves(rules, state, [int(d) for d in dice])}


LOWER = [
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
]


class TestYamsSheet:
    """The table of scores in the blog of a greedy player."""

    rules = load_rules("yams")

    def test_upper_boxes_add_their_face_only(self) -> None:
        assert points(self.rules, "threes", "13336") == 9

    def test_set_and_quad_add_the_dice_alike_only(self) -> None:
        assert points(self.rules, "three-of-a-kind", "13336") == 9
        assert points(self.rules, "three-of-a-kind", "13333") == 9
        assert points(self.rules, "four-of-a-kind", "13333") == 12
        assert points(self.rules, "four-of-a-kind", "66666") == 24
        assert points(self.rules, "four-of-a-kind", "33366") == 0

    def test_fixed_boxes(self) -> None:
        assert points(self.rules, "full-house", "22333") == 25
        assert points(self.rules, "small-straight", "12346") == 30
        assert points(self.rules, "large-straight", "23456") == 40
        assert points(self.rules, "yahtzee", "44444") == 50

    def test_luck_adds_all_dice(self) -> None:
        assert points(self.rules, "luck", "13336") == 16

    def test_no_bonus_and_no_joker(self) -> None:
        assert self.rules.upper_bonus is None
        assert self.rules.extra_bonus is None
        assert self.rules.joker is None


class TestYahtzeeSheet:
    rules = load_rules("yahtzee-forced-joker")

    def test_upper_boxes_add_their_face_only(self) -> None:
        assert points(self.rules, "threes", "13336") == 9
        assert points(self.rules, "threes", "12456") == 0

    def test_kinds_add_all_dice(self) -> None:
        assert points(self.rules, "three-of-a-kind", "13336") == 16
        assert points(self.rules, "three-of-a-kind", "13356") == 0
        assert points(self.rules, "four-of-a-kind", "33336") == 18
        assert points(self.rules, "four-of-a-kind", "33366") == 0
        assert points(self.rules, "four-of-a-kind", "66666") == 30

    def test_full_house_needs_two_faces(self) -> None:
        assert points(self.rules, "full-house", "22333") == 25
        assert points(self.rules, "full-house", "33333") == 0
        assert points(self.rules, "full-house", "22334") == 0

    @pytest.mark.parametrize("dice", ["12346", "23451", "34566", "13456"])
    def test_small_straight_is_any_four_in_sequence(self, dice: str) -> None:
        assert points(self.rules, "small-straight", dice) == 30

    def test_no_straight_around_the_corner(self) -> None:
        assert points(self.rules, "small-straight", "12356") == 0
        assert points(self.rules, "large-straight", "12356") == 0

    def test_large_straight(self) -> None:
        assert points(self.rules, "large-straight", "65432") == 40

    def test_yahtzee_and_chance(self) -> None:
        assert points(self.rules, "yahtzee", "44444") == 50
        assert points(self.rules, "yahtzee", "44445") == 0
        assert points(self.rules, "chance", "12466") == 19

    def test_upper_bonus_at_63(self) -> None:
        card = Scorecard(self.rules, (3, 6, 9, 12, 15, 18, *[None] * 7))
        assert (card.upper, card.upper_bonus, card.points) == (63, 35, 98)
        card = Scorecard(self.rules, (2, 6, 9, 12, 15, 18, *[None] * 7))
        assert (card.upper, card.upper_bonus, card.points) == (62, 0, 62)

    def test_extra_bonus_only_after_points_in_the_box(self) -> None:
        rules = self.rules
        box = filled(rules, "yahtzee")
        assert moves(rules, State(box, 0, True), "44444")["fours"].extra == 100
        assert moves(rules, State(box, 0, False), "44444")["fours"].extra == 0
        assert moves(rules, State(), "44444")["yahtzee"].extra == 0
        assert moves(rules, State(box, 0, True), "44445")["fours"].extra == 0

    def test_the_first_yahtzee_arms_and_a_zero_does_not(self) -> None:
        rules = self.rules
        k = rules.category_index("yahtzee")
        assert after(rules, State(), Move(k, 50)).armed
        assert not after(rules, State(), Move(k, 0)).armed

    def test_joker_must_take_its_upper_box(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, True)
        assert set(moves(self.rules, state, "44444")) == {"fours"}

    def test_then_any_open_lower_box_at_full_points(self) -> None:
        state = State(filled(self.rules, "yahtzee", "fours"), 8, True)
        open_to_it = moves(self.rules, state, "44444")
        assert {key: move.points for key, move in open_to_it.items()} == {
            "three-of-a-kind": 20,
            "four-of-a-kind": 20,
            "full-house": 25,
            "small-straight": 30,
            "large-straight": 40,
            "chance": 20,
        }

    def test_then_a_zero_in_any_open_upper_box(self) -> None:
        state = State(filled(self.rules, "fours", *LOWER), 8, True)
        open_to_it = moves(self.rules, state, "44444")
        assert {key: move.points for key, move in open_to_it.items()} == dict.fromkeys(
            ("ones", "twos", "threes", "fives", "sixes"), 0
        )

    def test_joker_also_after_a_zero_in_the_box(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, False)
        assert set(moves(self.rules, state, "44444")) == {"fours"}


class TestFreeChoiceJoker:
    rules = load_rules("yahtzee")

    def test_free_to_score_anywhere(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, True)
        assert len(moves(self.rules, state, "44444")) == 12

    def test_joker_points_only_once_both_boxes_are_filled(self) -> None:
        for keys, full_house in [
            (["yahtzee"], 0),
            (["fours"], 0),
            (["yahtzee", "fives"], 0),
            (["yahtzee", "fours"], 25),
        ]:
            state = State(filled(self.rules, *keys), 8 if "fours" in keys else 0)
            assert moves(self.rules, state, "44444")["full-house"].points == full_house


class TestNoJoker:
    def test_bonus_without_joker_points(self) -> None:
        rules = load_rules("yahtzee-no-joker")
        state = State(filled(rules, "yahtzee", "fours"), 8, True)
        move = moves(rules, state, "44444")["full-house"]
        assert (move.points, move.extra) == (0, 100)


class TestKniffelHolderied:
    def test_five_of_a_kind_is_a_full_house(self) -> None:
        assert points(load_rules("kniffel-holderied"), "full-house", "33333") == 25


class TestYatzySheet:
    rules = load_rules("yatzy")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("one-pair", "22355", 10),
            ("one-pair", "66666", 12),
            ("two-pairs", "22355", 14),
            ("two-pairs", "55556", 0),
            ("three-of-a-kind", "24446", 12),
            ("four-of-a-kind", "44446", 16),
            ("small-straight", "12345", 15),
            ("small-straight", "12346", 0),
            ("large-straight", "23456", 20),
            ("full-house", "22555", 19),
            ("full-house", "55555", 0),
            ("chance", "22555", 19),
            ("yatzy", "22222", 50),
        ],
    )
    def test_box(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_upper_bonus_is_50(self) -> None:
        assert self.rules.upper_bonus is not None
        assert (self.rules.upper_bonus.threshold, self.rules.upper_bonus.points) == (63, 50)

    def test_house_rules(self) -> None:
        assert points(load_rules("yatzy-fh5"), "full-house", "55555") == 25
        assert points(load_rules("yatzy-tp4"), "two-pairs", "55556") == 20
        assert points(load_rules("yatzy-tp4"), "full-house", "55555") == 0
        assert points(load_rules("yatzy-pair-in-two-pairs"), "two-pairs", "55123") == 10
        assert points(load_rules("yatzy-pair-in-two-pairs"), "two-pairs", "55122") == 14

    def test_forced_order(self) -> None:
        rules = load_rules("yatzy-forced-order")
        assert set(moves(rules, State(), "66666")) == {"ones"}
        assert set(moves(rules, State(1, 3), "66666")) == {"twos"}


class TestYachtDice:
    rules = load_rules("yacht-dice")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("four-of-a-kind", "44446", 22),
            ("full-house", "22555", 19),
            ("full-house", "55555", 25),
            ("small-straight", "12346", 15),
            ("large-straight", "23456", 30),
            ("yacht", "22222", 50),
            ("choice", "12346", 16),
        ],
    )
    def test_box(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth


class TestMicroYahtzee:
    def test_double_and_square(self) -> None:
        rules = load_rules("micro-yahtzee")
        assert [points(rules, "double", str(face)) for face in range(1, 7)] == [2, 4, 6, 8, 10, 12]
        assert [points(rules, "square", str(face)) for face in range(1, 7)] == [1, 4, 9, 16, 25, 36]
