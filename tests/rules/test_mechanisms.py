"""Test the rules that relatives of Yahtzee add, with one class for each rule."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import records
from reference_solver import Reference
from rollwise.errors import IllegalError, InconsistentError, MalformedError
from rollwise.game.actions import Keep, Roll, Score
from rollwise.game.game import Game
from rollwise.game.position import Position, format_position
from rollwise.game.records.as_text import RecordError
from rollwise.game.scorecard import Move, Scorecard, State, after, format_card, legal_moves
from rollwise.game.scoring import joker_points, natural_points
from rollwise.playing.category_codes import CodeMatch, code_of, match_code
from rollwise.rules import Rules, RulesError
from rollwise.rules.describe import describe_category
from rule_texts import ANY, PAIR, SIXES, UPPER, game
from small_games import small_rules


def scores(rules: Rules, state: State, dice: list[int], rolls_left: int = 0) -> dict[str, int]:
    """Return the points of the legal moves, by category key."""
    legal = legal_moves(rules, state, dice, rolls_left)
    return {rules.keys[move.category]: move.points for move in legal}


class TestSteps:
    """Tests of an upper bonus with several steps, where a higher step replaces the lower steps."""

    rules = game(
        "[upper_bonus]\nthreshold = 4\npoints = 10\nhigher = [{ threshold = 9, points = 25 }]",
        *[ANY + UPPER] * 3, ANY,
    )  # fmt: skip

    @pytest.mark.parametrize(
        ("boxes", "bonus"),
        [((3, None), 0), ((3, 1), 10), ((6, 2), 10), ((6, 3), 25), ((6, 6), 25)],
    )
    def test_highest_step_reached_counts(
        self, boxes: tuple[int | None, int | None], bonus: int
    ) -> None:
        card = Scorecard(self.rules, (*boxes, None, 6))
        assert (card.upper_bonus, card.points) == (bonus, card.upper + 6 + bonus)

    def test_totals_are_capped_at_the_last_threshold(self) -> None:
        assert Scorecard(self.rules, (6, 6, None, None)).state == State(0b11, 9)
        assert after(self.rules, State(0b1, 6), Move(1, 5)) == State(0b11, 9)
        assert after(self.rules, State(0b1, 6), Move(3, 5)) == State(0b1001, 6)

    def test_a_move_earns_every_step_that_it_reaches(self) -> None:
        reference = Reference(self.rules)
        assert reference.earned(State(0b1, 3), Move(1, 1)) == 1 + 10
        assert reference.earned(State(0b1, 6), Move(1, 3)) == 3 + 15
        assert reference.earned(State(0b1, 3), Move(1, 6)) == 6 + 25
        assert reference.earned(State(0b11, 9), Move(2, 6)) == 6

    def test_value_by_hand(self) -> None:
        steps = "threshold = 5\npoints = 6\nhigher = [{ threshold = 6, points = 12 }]"
        rules = game(f"[upper_bonus]\n{steps}", ANY + UPPER, rolls=1)
        assert Reference(rules).value() == Fraction(7, 2) + Fraction(6 + 12, 6)


RUN, SIX = '{ kind = "run", length = 2 }', '{ kind = "face", face = 6 }'


class TestPatterns:
    """Tests of patterns of colors and of several alternatives."""

    @pytest.mark.parametrize(
        ("pattern", "fits"),
        [
            ('{ kind = "among", faces = [1, 6] }', [(1, 1), (1, 6), (6, 6)]),
            (f'{{ kind = "either", of = [{RUN}, {SIX}] }}', [(1, 2), (1, 6), (6, 6)]),
        ],
    )
    def test_rolls_that_fit(self, pattern: str, fits: list[tuple[int, int]]) -> None:
        rules = game("", f"pattern = {pattern}\npoints = 5", dice=2)
        rolls = ((1, 1), (1, 2), (1, 3), (1, 6), (2, 4), (6, 6))
        assert [roll for roll in rolls if natural_points(rules, 0, roll)] == fits


class TestPlus:
    """Tests of points that are added to the sum of the dice if a roll fits the pattern."""

    rules = game(
        '[joker]\nbox = "c"\npolicy = "free"',
        f"{SIXES}\nplus = 20{UPPER}",
        'pattern = { kind = "run", length = 2 }\npoints = "total"\nplus = 5',
        PAIR,
        f"{ANY}\nplus = 3",
        dice=2,
    )

    @pytest.mark.parametrize(
        ("key", "dice", "points"),
        [
            ("a", (6, 1), 26), ("a", (6, 6), 32), ("a", (5, 5), 0),
            ("b", (4, 5), 14), ("b", (4, 6), 0), ("d", (1, 2), 6),
        ],
    )  # fmt: skip
    def test_only_a_fitting_roll_gets_the_points(
        self, key: str, dice: tuple[int, ...], points: int
    ) -> None:
        assert natural_points(self.rules, self.rules.category_index(key), dice) == points

    def test_a_joker_fits_only_in_the_lower_section(self) -> None:
        assert [joker_points(self.rules, k, (5, 5)) for k in range(4)] == [0, 15, 9, 13]

    def test_possible_scores(self) -> None:
        assert Scorecard(self.rules, "a=32,b=8,c=0,d=15").points == 55
        with pytest.raises(InconsistentError, match="a cannot score 12"):
            Scorecard(self.rules, "a=12")


class TestPointsByRoll:
    """Tests of fixed points that depend on the number of the final roll in the turn."""

    rules = game(
        '[joker]\nbox = "a"\npolicy = "free"',
        PAIR.replace("9", "[20, 12, 9]"),
        'pattern = { kind = "run", length = 2 }\npoints = [8, 0, 5]',
        dice=2, rolls=3,
    )  # fmt: skip

    def test_points_are_the_maximum_over_this_and_later_rolls(self) -> None:
        assert [scores(self.rules, State(), [3, 3], left)["a"] for left in (2, 1, 0)] == [20, 12, 9]
        assert [scores(self.rules, State(), [3, 4], left)["b"] for left in (2, 1, 0)] == [8, 5, 5]
        assert scores(self.rules, State(), [3, 4], 2)["a"] == 0

    def test_points_of_a_joker(self) -> None:
        assert [scores(self.rules, State(1), [3, 3], left)["b"] for left in (2, 1, 0)] == [8, 5, 5]

    def test_a_game(self) -> None:
        play = Game(self.rules, events=[Roll((3, 3)), Score("a"), Roll((1, 4)), Keep((4,))])
        assert play.card.boxes[0] == 20
        play.push(Roll((4, 5)))
        with pytest.raises(IllegalError, match="it earns the points of the best roll left"):
            play.push(Keep((4, 5)))
        play.push(Score("b"))
        assert play.card.boxes == (20, 5)

    def test_possible_scores(self) -> None:
        for points in (0, 9, 12, 20):
            assert Scorecard(self.rules, (points, None)).boxes[0] == points
        with pytest.raises(InconsistentError, match="use one of 0, 9, 12, 20"):
            Scorecard(self.rules, (10, None))

    def test_game_records(self) -> None:
        text = "rules: relative\n11 a = 20\n12 - 45 - 66 keep 6; 67 b"
        with pytest.raises(RecordError, match="line 3"):
            Game.parse(text, self.rules)
        record = Game.parse("rules: relative\n12 - 55 a\n12 - 66 b = 5", self.rules)
        assert record.cards[0].boxes == (12, 5)
        with pytest.raises(RecordError, match="line 2: the roll scores 12 in a"):
            Game.parse("rules: relative\n12 - 55 a = 20", self.rules)

    def test_value_by_hand(self) -> None:
        two = 'pattern = { kind = "faces", faces = [2] }\npoints = [5, 3]'
        # A 2 on the first roll scores 5; otherwise half of the second rolls score 3.
        assert Reference(game("", two, faces=2)).value() == Fraction(5, 2) + Fraction(3, 4)

    def test_keeping_all_dice_for_a_later_roll(self) -> None:
        two = 'pattern = { kind = "face", face = 2 }\npoints = [0, 10]'
        rules = game("", two, faces=2)
        reference = Reference(rules)
        # A 2 on the first roll is kept; otherwise half of the second rolls show a 2.
        assert reference.value() == Fraction(3, 4) * 10
        assert reference.options(State(), (2,), 1) == {Score("a"): 10, Keep(()): 5}
        assert describe_category(rules.categories[0])[1] == (
            "0 or 10 after roll 1 or 2, or more if a later roll earns more"
        )

    def test_eligibility_depends_on_the_points(self) -> None:
        rules = game(
            '[extra_bonus]\nbox = "a"\npoints = 7', PAIR.replace("9", "[9, 0]"), ANY, dice=2
        )
        for left, eligible in ((1, True), (0, False)):
            move = legal_moves(rules, State(), [3, 3], left)[0]
            assert after(rules, State(), move, left).eligible is eligible


class TestChains:
    """Tests of categories that must be filled in order."""

    rules = game("", ANY + '\nafter = "c"', SIXES, ANY, ANY + '\nafter = "a"')

    def test_only_the_first_open_category_of_a_chain_may_be_filled(self) -> None:
        opened = {0b0: {"b", "c"}, 0b100: {"a", "b"}, 0b101: {"b", "d"}, 0b1101: {"b"}}
        for filled, keys in opened.items():
            assert set(scores(self.rules, State(filled), [4])) == keys

    def test_scorecard_without_the_category_before(self) -> None:
        with pytest.raises(InconsistentError, match="a cannot be filled before c"):
            Scorecard(self.rules, "a=4")
        with pytest.raises(InconsistentError, match="d cannot be filled before a"):
            Scorecard(self.rules, "c=4,d=4")

    def test_upward(self) -> None:
        rules = game('order = "upward"', ANY, ANY, ANY)
        assert [list(scores(rules, State(f), [4])) for f in (0, 0b100, 0b110)] == [
            ["c"], ["b"], ["a"]
        ]  # fmt: skip
        with pytest.raises(InconsistentError, match="b cannot be filled before c"):
            Scorecard(rules, "b=4")

    def test_value_by_hand(self) -> None:
        ten = 'pattern = { kind = "faces", faces = [6] }\npoints = 10\nafter = "b"'
        # With one roll a turn and no choice, the value is the mean of a die plus 10 for a six.
        assert Reference(game("", ten, ANY, rolls=1)).value() == Fraction(7, 2) + Fraction(10, 6)
        # With a choice, sixes and ones are scored in the category for sixes; a one scores 0 there.
        free = game("", ten.replace('\nafter = "b"', ""), ANY, rolls=1)
        there, elsewhere = 10 + 2 * Fraction(7, 2), 2 + 3 + 4 + 5 + 4 * Fraction(10, 6)
        assert Reference(free).value() == (there + elsewhere) / 6


class TestSlots:
    """Tests of a category that is filled several times."""

    rules = game("", f'{ANY}\ncode = "s"\nslots = 3', f'{SIXES}\ncode = "six"')

    def test_the_next_open_slot_is_filled(self) -> None:
        assert set(scores(self.rules, State(), [4])) == {"a", "b"}
        assert set(scores(self.rules, State(0b0011), [4])) == {"a-3", "b"}

    def test_all_slots_share_the_code_of_the_category(self) -> None:
        assert [code_of(self.rules, k) for k in range(4)] == ["s", "s", "s", "six"]
        for filled, slot in ((0, 0), (0b0001, 1), (0b1011, 2), (0b0111, 2)):
            match = match_code(self.rules, "s", filled=filled, complete=True)
            assert match == CodeMatch(slot, goes_on=False)
        assert match_code(self.rules, "s") == CodeMatch(None, goes_on=True)
        assert match_code(self.rules, "si", complete=True).category == 3

    def test_categories_in_a_chain_have_different_codes(self) -> None:
        rules = TestChains.rules
        assert [code_of(rules, k) for k in range(4)] == ["a", "b", "c", "d"]


class TestSavedRolls:
    """Tests of unused rolls of a turn, which can be used in any later turn."""

    rules = game("saves_rolls = true", ANY, SIXES, ANY, rolls=3)

    def test_unused_rolls_are_saved(self) -> None:
        move = Move(0, 4)
        assert after(self.rules, State(), move, 2) == State(1, saved=2)
        assert Scorecard.empty(self.rules).after(move, 2).saved == 2
        plain = game("", ANY, SIXES, ANY, rolls=3)
        assert after(plain, State(), move, 2) == State(1)
        assert Scorecard.empty(plain).after(move, 2).saved == 0

    def test_a_longer_turn(self) -> None:
        play = Game(self.rules, events=[Roll((4,)), Score("a")])
        assert (play.stage.rolls_left, play.card.saved) == (5, 2)
        for left in (4, 3, 2, 1, 0):
            play.push(Roll((5,)))
            assert play.stage.rolls_left == left
            if left:
                play.push(Keep(()))
        with pytest.raises(IllegalError, match="no rolls are left"):
            play.push(Keep(()))
        play.push(Score("c"))
        assert (play.stage.rolls_left, play.card.saved) == (3, 0)

    def test_each_player_has_separate_saved_rolls(self) -> None:
        play = Game(self.rules, ["Ada", "Ben"], [Roll((4,)), Score("a")])
        assert play.stage.rolls_left == 3
        for event in (Roll((4,)), Keep(()), Roll((5,)), Score("a")):
            play.push(event)
        assert [card.saved for card in play.stage.cards] == [2, 1]
        assert play.stage.rolls_left == 5

    def test_possible_saved_rolls(self) -> None:
        assert Scorecard(self.rules, "a=4,b=6,saved=4").state == State(0b11, saved=4)
        with pytest.raises(
            InconsistentError, match="rolls saved must be from 0 to 4 after 2 turns, not 5"
        ):
            Scorecard(self.rules, "a=4,b=6,saved=5")
        with pytest.raises(InconsistentError, match="has no saved rolls"):
            Scorecard(game("", ANY), "saved=1")
        with pytest.raises(MalformedError, match="saved appears twice"):
            Scorecard(self.rules, "a=4,saved=1,saved=1")

    def test_possible_rolls_left(self) -> None:
        position = Position(self.rules, "dice 4 | rolls-left 4 | card a=4,saved=2")
        assert position.rolls_left == 4
        with pytest.raises(InconsistentError, match="rolls left must be from 0 to 4"):
            Position(self.rules, "dice 4 | rolls-left 5 | card a=4,saved=2")

    def test_too_many_rolls(self) -> None:
        text = "rules: relative\n4 a\n1 - 1 - 1 - 1 - 1 c = 1\n1 - 1 - 1 - 1 b"
        with pytest.raises(RecordError, match="line 4: no rolls are left"):
            Game.parse(text, self.rules)
        record = Game.parse(text.replace("\n1 - 1 - 1 - 1 b", "\n1 - 1 - 1 b"), self.rules)
        assert record.is_over
        assert Game.parse(str(record), self.rules) == record

    def test_no_category_has_the_key_saved(self) -> None:
        with pytest.raises(
            RulesError, match="'saved' has a meaning in the scorecard notation: choose another word"
        ):
            game(f'[[categories]]\nkey = "saved"\ntitle = "Saved"\n{ANY}')

    def test_two_turns_by_hand(self) -> None:
        reference = Reference(game("saves_rolls = true", ANY, ANY))
        # By optimal stopping, a last turn with 1, 2 or 3 rolls has the value 7/2, 17/4 or 14/3.
        for saved, value in ((0, "17/4"), (1, "14/3")):
            assert reference.value(State(1, saved=saved)) == Fraction(value)
        # Stop with a first roll of 4 or more: 4 + 14/3 beats 7/2 + 17/4, but 3 + 14/3 does not.
        start = reference.options(State(), (4,), 1)
        assert start == {
            Score("a"): 4 + Fraction(14, 3),
            Score("b"): 4 + Fraction(14, 3),
            Keep(()): Fraction(7, 2) + Fraction(17, 4),
        }
        assert reference.value() == Fraction(209, 24)

    def test_states(self) -> None:
        reference = Reference(game("saves_rolls = true", ANY, ANY))
        saved = {(state.filled, state.saved) for state in reference.states()}
        after_a_turn = {(filled, left) for filled in (0b01, 0b10) for left in (0, 1)}
        assert saved == {(0, 0)} | after_a_turn | {(0b11, left) for left in (0, 1, 2)}


class TestExtraRolls:
    """Tests of the extra rolls of a game; each turn can use one extra roll."""

    rules = game("extra_rolls = 2", ANY, SIXES, ANY)

    def test_using_an_extra_roll(self) -> None:
        move = Move(0, 4)
        assert after(self.rules, State.start(self.rules), move, 1) == State(1, saved=2)
        assert after(self.rules, State.start(self.rules), move, 0) == State(1, saved=1)
        assert after(self.rules, State(1, saved=0), Move(1, 6), 0) == State(0b11, saved=0)
        assert Scorecard.empty(self.rules).after(move).saved == 1

    def test_one_extra_roll_in_each_turn(self) -> None:
        play = Game(self.rules)
        for key, left in zip("abc", (3, 3, 2), strict=True):
            assert play.stage.rolls_left == left
            while play.stage.rolls_left > 0:
                if not play.awaits_roll:
                    play.push(Keep(()))
                play.push(Roll((5,)))
            with pytest.raises(IllegalError, match="no rolls are left"):
                play.push(Keep(()))
            play.push(Score(key))
        assert play.card.saved == 0

    def test_possible_extra_rolls_left(self) -> None:
        assert Scorecard.empty(self.rules).saved == 2
        assert Scorecard(self.rules, "a=4").saved == 2  # by default, all extra rolls are left
        assert Scorecard(self.rules, "a=4,saved=1").saved == 1
        assert format_card(Scorecard(self.rules, "a=4,saved=1")) == "a=4,saved=1"
        assert format_card(Scorecard.empty(self.rules)) == "-"
        with pytest.raises(InconsistentError, match="must be from 1 to 2 after 1 turn, not 0"):
            Scorecard(self.rules, "a=4,saved=0")

    def test_possible_rolls_left(self) -> None:
        assert Position(self.rules, "dice 4 | rolls-left 2 | card a=4").rolls_left == 2
        with pytest.raises(InconsistentError, match="rolls left must be from 0 to 2"):
            Position(self.rules, "dice 4 | rolls-left 3 | card a=4")

    def test_two_turns_by_hand(self) -> None:
        reference = Reference(game("extra_rolls = 1", ANY, ANY, rolls=1))
        # The last turn has the value 17/4 with a second roll and 7/2 without a second roll.
        start = State.start(reference.rules)
        options = reference.options(start, (2,), 1)
        assert options[Score("a")] == 2 + Fraction(17, 4)
        assert options[Keep(())] == Fraction(7, 2) + Fraction(7, 2)
        assert reference.value() == Fraction(49, 6)  # stop with a first roll of 3 or more

    def test_invalid_combinations(self) -> None:
        with pytest.raises(RulesError, match="has no effect with saves_rolls"):
            game("saves_rolls = true\nextra_rolls = 1", ANY)
        straight = 'pattern = { kind = "groups", sizes = [1] }\npoints = [9, 8]'
        with pytest.raises(RulesError, match="if turns differ in length"):
            game("extra_rolls = 1", straight)


@given(records(small_rules(saves=True)), st.data())
def test_scorecards_and_positions_round_trip(record: Game, data: st.DataObject) -> None:
    rules, play = record.rules, record.copy()
    for card in record.cards:
        assert Scorecard(rules, format_card(card)) == card
    while play.position is None and play.events:
        play.pop()
    if (position := play.position) is not None:
        assert Position(rules, format_position(position)) == position


@given(records(small_rules(saves=True)))
def test_every_stage_is_a_state_of_the_reference(record: Game) -> None:
    states = Reference(record.rules).states()
    play = Game(record.rules, record.players)
    for event in record.events:
        play.push(event)
        assert {card.state for card in play.stage.cards} <= states
