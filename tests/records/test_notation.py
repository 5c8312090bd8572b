"""Check that formatted values parse to the same values, and bad text gives a clear error."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise.errors import IllegalError, InconsistentError, InputError, MalformedError
from rollwise.game.actions import Keep, Score
from rollwise.game.dice_notation import check_keep, format_dice, format_keep, parse_dice, parse_keep
from rollwise.game.game import Game
from rollwise.game.notation import format_action, parse_action
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, format_card, legal_moves
from rollwise.rules import Rules, load_rules, parse_rules
from rollwise.solving.objective_parser import parse_objective

YAHTZEE = load_rules("yahtzee")
GAMES = [load_rules(name) for name in ("yahtzee", "yatzy", "micro-yahtzee", "yatzy-forced-order")]
TEN_FACES = YAHTZEE.model_copy(update={"faces": 10, "name": "ten-faces"})


@st.composite
def played_cards(draw: st.DrawFn) -> Scorecard:
    """Draw a scorecard with open categories from a random game."""
    rules = draw(st.sampled_from(GAMES))
    card = Scorecard.empty(rules)
    for _ in range(draw(st.integers(0, len(rules.categories) - 1))):
        face = st.integers(1, rules.faces)
        alike = draw(st.booleans())
        dice = [draw(face)] * rules.dice if alike else draw(_dice(rules))
        card = card.after(draw(st.sampled_from(legal_moves(rules, card.state, dice))))
    return card


def _dice(rules: Rules) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, rules.faces), min_size=rules.dice, max_size=rules.dice)


class TestRoundTrip:
    @given(st.sampled_from([*GAMES, TEN_FACES]), st.data())
    def test_dice_and_keeps(self, rules: Rules, data: st.DataObject) -> None:
        dice = tuple(sorted(data.draw(_dice(rules))))
        assert parse_dice(rules, format_dice(rules, dice)) == dice
        keep = dice[: data.draw(st.integers(0, rules.dice))]
        assert parse_keep(rules, format_keep(rules, keep)) == keep
        assert parse_action(rules, format_action(rules, Keep(keep))) == Keep(keep)

    @given(st.sampled_from(GAMES), st.data())
    def test_scores(self, rules: Rules, data: st.DataObject) -> None:
        action = Score(data.draw(st.sampled_from(rules.keys)))
        assert parse_action(rules, format_action(rules, action)) == action

    @given(played_cards(), st.data())
    def test_cards_and_positions(self, card: Scorecard, data: st.DataObject) -> None:
        rules = card.rules
        assert Scorecard(rules, format_card(card)) == card
        left = data.draw(st.integers(0, rules.rolls - 1))
        position = Position.of(card, data.draw(_dice(rules)), left)
        assert Position(rules, format_position(position)) == position


class TestFuzz:
    """Check that parsers accept any text or raise an error of rollwise."""

    @pytest.mark.parametrize("parse", [parse_dice, parse_keep, parse_action, Scorecard, Position])
    @given(text=st.one_of(st.text(), st.text("0123456789 ,|=-keepscordiafulx", max_size=60)))
    def test_parsers(self, parse: Callable[[Rules, str], object], text: str) -> None:
        for rules in (YAHTZEE, TEN_FACES):
            with suppress(InputError):
                parse(rules, text)

    @given(st.text())
    def test_rules_objectives_and_games(self, text: str) -> None:
        for parse in (parse_rules, parse_objective, Game.parse):
            with suppress(InputError):
                parse(text)

    def test_long_text_is_refused_before_parsing(self) -> None:
        with pytest.raises(MalformedError, match="at most"):
            parse_dice(YAHTZEE, "1" * 1_000_000)


class TestForms:
    @pytest.mark.parametrize("text", ["11366", "6 3 1 6 1", "1,1,3,6,6", " 66311 "])
    def test_dice_in_any_order(self, text: str) -> None:
        assert parse_dice(YAHTZEE, text) == (1, 1, 3, 6, 6)

    def test_ten_faces_need_separators(self) -> None:
        assert parse_dice(TEN_FACES, "10 3 10 1 7") == (1, 3, 7, 10, 10)
        assert format_dice(TEN_FACES, (10, 3, 10, 1, 7)) == "1,3,7,10,10"

    def test_codes_of_the_printed_card(self) -> None:
        assert Scorecard(YAHTZEE, "1=3,fh=25") == Scorecard(YAHTZEE, "ones=3,full-house=25")
        assert parse_action(YAHTZEE, "score ch") == parse_action(YAHTZEE, "score chance")


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "quoted"),
        [
            ("", "got ''"),
            ("0", "got '0'"),
            ("11370", "got '11370'"),
            ("11377", "got '11377'"),
            ("1136", "got 4 in '1136'"),
            ("113666", "got 6 in '113666'"),
            ("abcde", "got 'abcde'"),
            ("11366!", "got '11366!'"),
            ("-1 1 3 6 6", "got '-1 1 3 6 6'"),
        ],
    )
    def test_dice(self, text: str, quoted: str) -> None:
        with pytest.raises(MalformedError, match="expected 5 dice with faces 1 to 6") as error:
            parse_dice(YAHTZEE, text)
        assert quoted in str(error.value)

    @pytest.mark.parametrize(
        ("text", "kind", "words"),
        [
            ("ones", MalformedError, "category=points"),
            ("onse=3", MalformedError, "unknown category 'onse'"),
            ("extra=100", MalformedError, "extra-bonus"),
            ("ones=x", MalformedError, "whole number"),
            ("ones=-1", MalformedError, "whole number"),
            ("ones=1,ones=2", MalformedError, "once"),
            ("twos=5", InconsistentError, "twos cannot score 5"),
            ("full-house=24", InconsistentError, "use one of 0, 25"),
            ("extra-bonus=100", InconsistentError, "extra-bonus="),
            ("yahtzee=50,extra-bonus=100", InconsistentError, "extra-bonus="),
            ("yahtzee=50,ones=5,extra-bonus=50", InconsistentError, "extra-bonus="),
        ],
    )
    def test_card(self, text: str, kind: type[Exception], words: str) -> None:
        with pytest.raises(kind, match=words):
            Scorecard(YAHTZEE, text)

    @pytest.mark.parametrize(
        ("line", "kind", "words"),
        [
            ("dice 11366 | upper 3", MalformedError, "expected a position"),
            ("dice 11366 | rolls-left 3 | card -", InconsistentError, "from 0 to 2, not 3"),
            ("dice 11366 | rolls-left -1 | card -", InconsistentError, "rolls left"),
            ("dice 11366 | rolls-left 2 | rolls-left 2", MalformedError, "once"),
        ],
    )
    def test_position(self, line: str, kind: type[Exception], words: str) -> None:
        with pytest.raises(kind, match=words):
            Position(YAHTZEE, line)

    def test_position_that_skips_a_category(self) -> None:
        with pytest.raises(InconsistentError, match="before ones; fill ones, or leave"):
            Position(GAMES[-1], "11366 | card twos=4")

    def test_keep_of_dice_that_were_not_rolled(self) -> None:
        with pytest.raises(IllegalError, match="cannot keep 666 from the roll 11366"):
            check_keep(YAHTZEE, (1, 1, 3, 6, 6), (6, 6, 6))
        check_keep(YAHTZEE, (1, 1, 3, 6, 6), (6, 6))

    def test_full_card(self) -> None:
        rules = load_rules("micro-yahtzee")
        with pytest.raises(InconsistentError, match="full"):
            Position(rules, "3 | card double=2,square=4")


def test_a_card_with_a_missing_entry_is_refused() -> None:
    for text in ("ones=3,,twos=4", "ones=3,", ",ones=3", "ones=3, , twos=4"):
        with pytest.raises(MalformedError, match="expected a scorecard as"):
            Scorecard(YAHTZEE, text)
    card = Scorecard(YAHTZEE, "ones=3 , twos=4;threes=6 fours=8")
    assert format_card(card) == "ones=3,twos=4,threes=6,fours=8"


def test_a_card_with_titles_and_blanks() -> None:
    for text in ("Twos=6,Full House = 25", "twos 6, full house 25", "2s=6 full house 25"):
        assert format_card(Scorecard(YAHTZEE, text)) == "twos=6,full-house=25"


def test_an_extra_bonus_that_forced_jokers_rule_out() -> None:
    # The forced joker rule requires 66666 to be scored in the open sixes.
    rules = load_rules("yahtzee-forced-joker")
    card = "yahtzee=50,chance=30,extra-bonus=100"
    with pytest.raises(InconsistentError, match="remove extra-bonus"):
        Scorecard(rules, card)
    assert Scorecard(rules, f"sixes=18,{card}").extra_bonus == 100
    assert Scorecard(YAHTZEE, card).extra_bonus == 100
