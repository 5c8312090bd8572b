"""Test rule sheets, with one class for each sheet and one method for each clause."""

from itertools import combinations_with_replacement

import pytest

from rollwise.errors import InconsistentError
from rollwise.game.scorecard import Move, Scorecard, State, after, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.rules import Rules, load_rules


def points(rules: Rules, key: str, dice: str) -> int:
    """Return the points of a roll in a category, without the joker rule."""
    return natural_points(rules, rules.category_index(key), [int(die) for die in dice])


def filled(rules: Rules, *keys: str) -> int:
    """Return the bit mask of these categories."""
    return sum(1 << rules.category_index(key) for key in keys)


def moves(rules: Rules, state: State, dice: str) -> dict[str, Move]:
    """Return the legal moves for a roll, by category key."""
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
    """Tests of the score table in a blog about a greedy player."""

    rules = load_rules("yams")

    def test_upper_categories_add_only_their_face(self) -> None:
        assert points(self.rules, "threes", "13336") == 9

    def test_n_of_a_kind_adds_only_the_equal_dice(self) -> None:
        assert points(self.rules, "three-of-a-kind", "13336") == 9
        assert points(self.rules, "three-of-a-kind", "13333") == 9
        assert points(self.rules, "four-of-a-kind", "13333") == 12
        assert points(self.rules, "four-of-a-kind", "66666") == 24
        assert points(self.rules, "four-of-a-kind", "33366") == 0

    def test_fixed_points(self) -> None:
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

    def test_upper_categories_add_only_their_face(self) -> None:
        assert points(self.rules, "threes", "13336") == 9
        assert points(self.rules, "threes", "12456") == 0

    def test_n_of_a_kind_adds_all_dice(self) -> None:
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

    def test_extra_bonus_only_after_points_in_the_category(self) -> None:
        rules = self.rules
        yahtzee = filled(rules, "yahtzee")
        assert moves(rules, State(yahtzee, 0, True), "44444")["fours"].extra == 100
        assert moves(rules, State(yahtzee, 0, False), "44444")["fours"].extra == 0
        assert moves(rules, State(), "44444")["yahtzee"].extra == 0
        assert moves(rules, State(yahtzee, 0, True), "44445")["fours"].extra == 0

    def test_eligible_after_a_yahtzee_but_not_after_a_zero(self) -> None:
        rules = self.rules
        k = rules.category_index("yahtzee")
        assert after(rules, State(), Move(k, 50)).eligible
        assert not after(rules, State(), Move(k, 0)).eligible

    def test_joker_must_be_scored_in_its_upper_category(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, True)
        assert set(moves(self.rules, state, "44444")) == {"fours"}

    def test_joker_scores_full_points_in_any_open_lower_category(self) -> None:
        state = State(filled(self.rules, "yahtzee", "fours"), 8, True)
        legal = moves(self.rules, state, "44444")
        assert {key: move.points for key, move in legal.items()} == {
            "three-of-a-kind": 20,
            "four-of-a-kind": 20,
            "full-house": 25,
            "small-straight": 30,
            "large-straight": 40,
            "chance": 20,
        }

    def test_joker_scores_zero_if_the_lower_section_is_full(self) -> None:
        state = State(filled(self.rules, "fours", *LOWER), 8, True)
        legal = moves(self.rules, state, "44444")
        assert {key: move.points for key, move in legal.items()} == dict.fromkeys(
            ("ones", "twos", "threes", "fives", "sixes"), 0
        )

    def test_joker_also_after_a_zero_in_the_category(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, False)
        assert set(moves(self.rules, state, "44444")) == {"fours"}


class TestFreeChoiceJoker:
    rules = load_rules("yahtzee")

    def test_joker_can_be_scored_in_any_category(self) -> None:
        state = State(filled(self.rules, "yahtzee"), 0, True)
        assert len(moves(self.rules, state, "44444")) == 12

    def test_joker_points_only_if_both_categories_are_filled(self) -> None:
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


class TestKniffelBooklet:
    """Tests of the rules for a second or later Kniffel in Schmidt's booklet."""

    rules = load_rules("kniffel-booklet")
    kniffel = filled(rules, "kniffel")

    def test_same_scorecard_as_kniffel(self) -> None:
        block = load_rules("kniffel")
        assert self.rules.categories == block.categories
        assert self.rules.upper_bonus == block.upper_bonus

    def test_bonus_of_50_only_in_the_upper_category_of_the_face(self) -> None:
        legal = moves(self.rules, State(self.kniffel, 0, True), "55555")
        assert {key: (m.points, m.extra) for key, m in legal.items() if m.extra} == {
            "fives": (25, 50)
        }

    def test_no_joker_while_the_upper_category_is_open(self) -> None:
        legal = moves(self.rules, State(self.kniffel, 0, True), "55555")
        assert {key: legal[key].points for key in LOWER if key != "yahtzee"} == {
            "three-of-a-kind": 25, "four-of-a-kind": 25, "full-house": 0, "small-straight": 0,
            "large-straight": 0, "chance": 25,
        }  # fmt: skip

    def test_joker_if_the_upper_category_is_filled(self) -> None:
        state = State(self.kniffel | filled(self.rules, "fives"), 25, True)
        legal = moves(self.rules, state, "55555")
        assert (legal["large-straight"].points, legal["full-house"].points) == (40, 25)
        assert not any(move.extra for move in legal.values())

    def test_joker_scores_zero_if_the_lower_section_is_full(self) -> None:
        lower = filled(self.rules, *(key for key in LOWER if key != "yahtzee"))
        state = State(self.kniffel | lower | filled(self.rules, "fives"), 25, True)
        assert {move.points for move in moves(self.rules, state, "55555").values()} == {0}

    def test_no_bonus_after_a_zero(self) -> None:
        assert moves(self.rules, State(self.kniffel), "55555")["fives"].extra == 0

    def test_possible_extra_bonus(self) -> None:
        assert Scorecard(self.rules, "kniffel=50,fives=25,sixes=30,extra-bonus=100").points == 205
        with pytest.raises(InconsistentError, match="remove extra-bonus"):
            Scorecard(self.rules, "kniffel=50,chance=25,fives=20,extra-bonus=50")


class TestJokersOf1956:
    rules = load_rules("yahtzee-1956")

    def test_extra_bonus_and_upper_bonus(self) -> None:
        rules = self.rules
        assert rules.upper_bonus is not None
        assert (rules.upper_bonus.threshold, rules.upper_bonus.points) == (63, 35)
        eligible = State(filled(rules, "yahtzee"), 0, True)
        assert moves(rules, eligible, "44444")["full-house"].extra == 100
        assert moves(rules, State(filled(rules, "yahtzee")), "44444")["full-house"].extra == 0

    def test_joker_in_any_lower_category_while_its_upper_category_is_open(self) -> None:
        legal = moves(self.rules, State(filled(self.rules, "yahtzee"), 0, True), "44444")
        assert {key: move.points for key, move in legal.items()} == {
            "three-of-a-kind": 20,
            "four-of-a-kind": 20,
            "full-house": 25,
            "small-straight": 30,
            "large-straight": 40,
            "chance": 20,
        }

    def test_zero_in_the_upper_section_if_the_lower_section_is_full(self) -> None:
        legal = moves(self.rules, State(filled(self.rules, *LOWER), 0, True), "44444")
        assert {key: (move.points, move.extra) for key, move in legal.items()} == dict.fromkeys(
            self.rules.keys[:6], (0, 100)
        )

    def test_first_yahtzee_can_be_scored_in_any_category(self) -> None:
        legal = moves(self.rules, State(), "44444")
        assert len(legal) == 13
        assert (legal["fours"].points, legal["full-house"].points) == (20, 0)

    def test_extra_bonus_needs_a_category_that_fits_a_joker(self) -> None:
        def card(**points: int) -> Scorecard:
            scores = [points.get(key.replace("-", "_")) for key in self.rules.keys]
            return Scorecard(self.rules, tuple(scores), extra_bonus=100)

        assert card(yahtzee=50, large_straight=40).points == 190
        for impossible in ({"fours": 20}, {"large_straight": 0}):
            with pytest.raises(InconsistentError, match="extra-bonus="):
                card(yahtzee=50, **impossible)


class TestKniffelBlock:
    rules = load_rules("kniffel")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("threes", "13336", 9),
            ("three-of-a-kind", "13336", 16),
            ("four-of-a-kind", "33336", 18),
            ("full-house", "22333", 25),
            ("full-house", "33333", 0),
            ("small-straight", "13456", 30),
            ("large-straight", "23456", 40),
            ("kniffel", "44444", 50),
            ("chance", "12466", 19),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_no_bonus_for_a_second_kniffel(self) -> None:
        state = State(filled(self.rules, "kniffel", "fours"), 20, False)
        move = moves(self.rules, state, "44444")["full-house"]
        assert (move.points, move.extra) == (0, 0)

    def test_the_same_game_as_plain_yahtzee(self) -> None:
        ours, plain = self.rules, load_rules("yahtzee-plain")
        parts = [(c.section, c.pattern, c.points, c.worth) for c in ours.categories]
        assert parts == [(c.section, c.pattern, c.points, c.worth) for c in plain.categories]
        assert (ours.dice, ours.rolls, ours.upper_bonus) == (5, 3, plain.upper_bonus)
        assert not any((ours.extra_bonus, ours.joker, plain.extra_bonus, plain.joker))


class TestYachtOf1938:
    rules = load_rules("yacht")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("sixes", "16666", 24),
            ("full-house", "22333", 13),
            ("full-house", "33333", 0),
            ("four-of-a-kind", "33336", 12),
            ("four-of-a-kind", "33333", 12),
            ("four-of-a-kind", "33366", 0),
            ("little-straight", "12345", 30),
            ("little-straight", "23456", 0),
            ("big-straight", "23456", 30),
            ("big-straight", "12345", 0),
            ("choice", "12466", 19),
            ("yacht", "44444", 50),
            ("yacht", "44445", 0),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_no_bonus(self) -> None:
        rules = self.rules
        assert not any((rules.upper_bonus, rules.extra_bonus, rules.joker))
        assert len(rules.categories) == 12


class TestCrag:
    rules = load_rules("crag")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("sixes", "366", 12),
            ("odd-straight", "531", 20),
            ("even-straight", "246", 20),
            ("low-straight", "123", 20),
            ("low-straight", "124", 0),
            ("high-straight", "456", 20),
            ("three-of-a-kind", "444", 25),
            ("three-of-a-kind", "445", 0),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_thirteen_and_crag_match_their_definitions(self) -> None:
        for roll in combinations_with_replacement(range(1, 7), 3):
            dice = "".join(map(str, roll))
            thirteen, pair = sum(roll) == 13, len(set(roll)) < 3
            assert points(self.rules, "thirteen", dice) == 26 * thirteen
            assert points(self.rules, "crag", dice) == 50 * (thirteen and pair)

    def test_two_rolls_and_no_bonus(self) -> None:
        assert (self.rules.dice, self.rules.rolls, len(self.rules.categories)) == (3, 2, 13)
        assert self.rules.upper_bonus is None

    def test_the_highest_total_is_244(self) -> None:
        rolls = list(combinations_with_replacement(range(1, 7), 3))
        best = [max(natural_points(self.rules, k, roll) for roll in rolls) for k in range(13)]
        assert sum(best) == 244


class TestMaxiYatzy:
    """Tests of the examples and the exclusions on the rule sheet."""

    rules = load_rules("maxi-yatzy-no-saving")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("ones", "311614", 3),
            ("sixes", "464366", 18),
            ("one-pair", "642651", 12),
            ("two-pairs", "213355", 16),
            ("two-pairs", "333312", 0),
            ("three-pairs", "225566", 26),
            ("three-pairs", "222266", 0),
            ("three-of-a-kind", "453554", 15),
            ("four-of-a-kind", "242252", 8),
            ("five-of-a-kind", "332333", 15),
            ("small-straight", "123453", 15),
            ("large-straight", "234566", 20),
            ("full-straight", "123456", 21),
            ("full-house", "344666", 26),
            ("full-house", "344446", 0),
            ("villa", "222555", 21),
            ("villa", "222222", 0),
            ("tower", "336666", 30),
            ("tower", "666666", 0),
            ("chance", "342654", 24),
            ("maxi-yatzy", "444444", 100),
            ("maxi-yatzy", "444445", 0),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth

    def test_bonus_of_100_at_84(self) -> None:
        full = (4, 8, 12, 16, 20, 24)
        assert Scorecard(self.rules, (*full, *[None] * 14)).points == 84 + 100
        assert Scorecard(self.rules, (3, *full[1:], *[None] * 14)).points == 83


class TestYachtOfOpenSpiel:
    rules = load_rules("yacht-openspiel")

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("four-of-a-kind", "33336", 18),
            ("full-house", "22333", 13),
            ("full-house", "33333", 15),
            ("small-straight", "12345", 30),
            ("large-straight", "23456", 30),
            ("large-straight", "12345", 0),
            ("yacht", "66666", 50),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth


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
    def test_points(self, key: str, dice: str, worth: int) -> None:
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
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(self.rules, key, dice) == worth


class TestMicroYahtzee:
    def test_double_and_square(self) -> None:
        rules = load_rules("micro-yahtzee")
        assert [points(rules, "double", str(face)) for face in range(1, 7)] == [2, 4, 6, 8, 10, 12]
        assert [points(rules, "square", str(face)) for face in range(1, 7)] == [1, 4, 9, 16, 25, 36]
