"""Test Kniffel Extreme: dice of two kinds, categories for sums, and chips (extra rolls)."""

import re
import tomllib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import run
from reference_solver import Reference
from repository import COUNTS
from rollwise.errors import IllegalError, InconsistentError, MalformedError
from rollwise.evaluation.evaluate import evaluate
from rollwise.experiments.simulation import simulate
from rollwise.game.actions import Keep, Roll, Score
from rollwise.game.dice_notation import format_dice, format_keep, parse_dice, parse_keep
from rollwise.game.game import Game
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, State, after, format_card, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.model.dice_lattice import ABSENT, lattice
from rollwise.rules import Rules, RulesError, load_rules, parse_rules
from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal, PayoffLine
from small_games import mixed_dice

EXTREME = load_rules("kniffel-extreme-no-chips")

GAME = """
name = "two-kinds"
title = "Two kinds of dice"
dice = 2
faces = 6
rolls = 2

[[other_dice]]
dice = 1
numbers = [0, 6]

[[categories]]
key = "sixes"
title = "Sixes"
pattern = { kind = "face", face = 6 }
points = "matched"
"""


def points(rules: Rules, key: str, dice: str) -> int:
    """Return the points of a roll in a category, without the joker rule."""
    return natural_points(rules, rules.category_index(key), parse_dice(rules, dice))


def mistakes(text: str) -> list[str]:
    """Return the errors in a rule file, without line numbers."""
    with pytest.raises(RulesError) as error:
        parse_rules(text)
    return [re.sub(r"^line \d+, ", "", mistake) for mistake in error.value.mistakes]


class TestTheSheet:
    """Tests of the pattern and points of each category; the ten-sided die follows a plus sign."""

    def test_six_dice_three_rolls_twenty_two_categories(self) -> None:
        assert EXTREME.kinds == ((5, 6), (1, 10))
        assert EXTREME.numbers == (1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        assert (EXTREME.rolls, len(EXTREME.categories)) == (3, 22)
        assert (EXTREME.joker, EXTREME.extra_bonus, EXTREME.order) == (None, None, "free")

    def test_bonus_of_45_at_73(self) -> None:
        bonus = EXTREME.upper_bonus
        assert bonus is not None
        assert [bonus.at(total) for total in (72, 73, 126)] == [0, 45, 45]

    @pytest.mark.parametrize(
        ("key", "dice", "worth"),
        [
            ("ones", "11366+1", 3),
            ("sixes", "11366+6", 18),
            ("sixes", "11345+9", 0),
            ("three-of-a-kind", "33124+3", 16),
            ("three-of-a-kind", "33124+9", 0),
            ("four-of-a-kind", "33314+3", 17),
            ("four-of-a-kind", "33314+4", 0),
            ("two-pairs", "11223+9", 18),
            ("two-pairs", "11245+5", 18),
            ("two-pairs", "33332+1", 0),
            ("three-pairs", "11223+3", 35),
            ("three-pairs", "11223+4", 0),
            ("three-pairs", "11112+2", 0),
            ("two-triples", "11133+3", 45),
            ("two-triples", "11133+1", 0),
            ("full-house", "11133+9", 25),
            ("full-house", "11334+3", 25),
            ("full-house", "11111+9", 0),
            ("big-full-house", "11113+3", 45),
            ("big-full-house", "11133+3", 0),
            ("small-straight", "11236+0", 30),
            ("small-straight", "34566+9", 30),
            ("small-straight", "45666+7", 30),
            ("small-straight", "12366+9", 0),
            ("large-straight", "12341+0", 40),
            ("large-straight", "34566+7", 40),
            ("large-straight", "12346+8", 0),
            ("highway", "12345+6", 50),
            ("highway", "12345+0", 50),
            ("highway", "23456+7", 50),
            ("highway", "12346+7", 0),
            ("kniffel", "33333+9", 50),
            ("kniffel", "33336+3", 50),
            ("kniffel", "33336+6", 0),
            ("kniffel-extreme", "33333+3", 75),
            ("kniffel-extreme", "33333+9", 0),
            ("ten-or-less", "11222+2", 40),
            ("ten-or-less", "11222+3", 0),
            ("thirty-three-or-more", "55555+8", 40),
            ("thirty-three-or-more", "55555+7", 0),
            ("chance", "12345+9", 24),
            ("super-chance", "12345+9", 48),
            ("super-chance", "11111+0", 10),
        ],
    )
    def test_points(self, key: str, dice: str, worth: int) -> None:
        assert points(EXTREME, key, dice) == worth

    def test_highest_score(self) -> None:
        # The best sum is five sixes and a nine; the sheet gives the points of the other categories.
        upper = sum(6 * face for face in range(1, 7)) + 45
        sums = [6 * 5 + 9, 6 * 5 + 9, 2 * 6 + 2 * 5 + 6 + 9, 39, 2 * 39]
        fixed = [35, 45, 25, 45, 30, 40, 50, 50, 75, 40, 40]
        best = sum(
            max(natural_points(EXTREME, k, dice) for dice in EXTREME.every_roll())
            for k in range(22)
        )
        assert best + 45 == upper + sum(sums) + sum(fixed)


class TestDiceOfTwoKinds:
    def test_points_of_the_lattice_multiply(self) -> None:
        both = lattice(EXTREME.kinds)
        assert (len(both.rolls), len(both.points)) == (252 * 10, 462 * 11)
        assert both.weight_R.sum() == both.ways == 6**5 * 10

    def test_next_die_is_of_a_single_kind(self) -> None:
        both = lattice(EXTREME.kinds)
        faces = (both.parent_K_F != ABSENT).sum(axis=1)
        usual = both.counts_P_F[: both.first_roll, :6].sum(axis=1)
        assert (faces == np.where(usual < 5, 6, 10)).all()

    def test_value_of_keeping_a_die_depends_on_its_kind(self) -> None:
        rules = parse_rules(GAME)
        # The other die shows a six with probability 1/2, and the ordinary die with probability 1/6.
        options = Reference(rules).options(State(), parse_dice(rules, "6+6"), 1)
        values = {format_keep(rules, a.dice): v for a, v in options.items() if a.kind == "keep"}
        assert values == {"6+": 9, "+6": 7, "-": 4}
        assert Reference(rules).value() == pytest.approx(solve(rules, cache=False).value())

    def test_n_of_a_kind_with_two_kinds_of_dice(self) -> None:
        assert [format_dice(EXTREME, roll) for roll in EXTREME.alike] == [
            f"{str(face) * 5}+{face}" for face in range(1, 7)
        ]

    def test_simulated_scores_match_the_distribution(self) -> None:
        rules = parse_rules(GAME)
        best = Optimal(solve(rules, cache=False))
        scores = simulate(best, rules, games=20_000, seed=3).scores_N
        distribution = evaluate(best).distribution
        assert scores.mean() == pytest.approx(
            distribution.mean, abs=4 * distribution.sd / np.sqrt(20_000)
        )
        assert set(scores) == {0, 6, 12}

    def test_payoff_lines_need_dice_of_one_kind(self) -> None:
        rules = parse_rules(GAME)
        with pytest.raises(IllegalError, match="because its dice differ; choose another strategy"):
            PayoffLine().aim(rules, 0, parse_dice(rules, "6+6"), 1)


class TestNotation:
    @given(mixed_dice(), st.data())
    def test_dice_and_positions_round_trip(self, rules: Rules, data: st.DataObject) -> None:
        dice = data.draw(st.sampled_from(list(rules.every_roll())))
        assert parse_dice(rules, format_dice(rules, dice)) == dice
        is_kept = data.draw(st.lists(st.booleans(), min_size=len(dice), max_size=len(dice)))
        keep = tuple(die for die, is_kept in zip(dice, is_kept, strict=True) if is_kept)
        assert parse_keep(rules, format_keep(rules, keep)) == keep
        position = Position.of(Scorecard.empty(rules), dice, rules.rolls - 1)
        assert Position(rules, format_position(position)) == position

    def test_dice_after_the_plus_are_of_the_other_kind(self) -> None:
        assert parse_dice(EXTREME, "54321+0") == (1, 2, 3, 4, 5, 7)
        assert format_dice(EXTREME, (1, 2, 3, 4, 5, 16)) == "12345+9"
        assert parse_keep(EXTREME, "33") == parse_keep(EXTREME, "33+") == (3, 3)
        assert (parse_keep(EXTREME, "+3"), parse_keep(EXTREME, "-")) == ((10,), ())
        assert [format_keep(EXTREME, keep) for keep in ((3, 3), (10,), ())] == ["33+", "+3", "-"]

    @pytest.mark.parametrize("text", ["123456", "1234+5", "12345+", "12345+10", "12340+1", "1+2+3"])
    def test_invalid_rolls(self, text: str) -> None:
        with pytest.raises(MalformedError, match="5 dice with faces 1 to 6 and 1 with 0, 1"):
            parse_dice(EXTREME, text)

    def test_too_many_dice_to_keep(self) -> None:
        with pytest.raises(MalformedError, match="expected - for no dice, or at most 5 dice"):
            parse_keep(EXTREME, "+33")


class TestRuleFiles:
    def test_other_dice_must_not_be_all_dice(self) -> None:
        assert mistakes(GAME.replace("dice = 1\n", "dice = 2\n")) == [
            "other_dice: expected fewer dice than the 2 dice of the game"
        ]

    @pytest.mark.parametrize("numbers", ["[6, 0]", "[1, 1, 2]"])
    def test_numbers_must_increase(self, numbers: str) -> None:
        [mistake] = mistakes(GAME.replace("[0, 6]", numbers))
        assert "different numbers in increasing order" in mistake

    def test_no_custom_points_of_dice(self) -> None:
        text = GAME + "worth = [1, 2, 3, 4, 5, 6]\n"
        assert mistakes(text) == [
            "sixes.worth: has no effect if dice are of different kinds; remove worth"
        ]

    def test_sum_needs_a_bound(self) -> None:
        [mistake] = mistakes(GAME.replace('kind = "face", face = 6', 'kind = "sum"'))
        assert "at_least or at_most" in mistake

    def test_bounds_of_a_sum_must_not_be_reversed(self) -> None:
        sums = 'kind = "sum", at_least = 5, at_most = 4'
        [mistake] = mistakes(GAME.replace('kind = "face", face = 6', sums))
        assert "at_most as high as at_least" in mistake

    def test_no_multiplier_for_fixed_points(self) -> None:
        text = GAME.replace('points = "matched"', "points = 5\ntimes = 2")
        assert mistakes(text) == ["sixes.times: has no effect with fixed points; remove times"]

    def test_both_bounds_of_a_sum(self) -> None:
        sums = 'kind = "sum", at_least = 6, at_most = 7'
        rules = parse_rules(GAME.replace('kind = "face", face = 6', sums))
        fits = {format_dice(rules, d): natural_points(rules, 0, d) for d in rules.every_roll()}
        assert {dice: score for dice, score in fits.items() if score} == {
            "6+0": 6,
            "1+6": 7,
        }


CHIPS = """
name = "chips"
title = "One die, one chip"
dice = 1
faces = 6
rolls = 1
extra_rolls = 1

[[categories]]
key = "a"
title = "A"
pattern = { kind = "any" }
points = "total"

[[categories]]
key = "b"
title = "B"
pattern = { kind = "any" }
points = "total"
"""


class TestExtraRolls:
    rules = parse_rules(CHIPS)

    def test_preset_has_three_chips(self) -> None:
        chips = load_rules("kniffel-extreme")
        assert chips.extra_rolls == 3
        texts = {"name": "", "title": "", "about": ""}
        assert chips.unsaved.model_copy(update=texts) == EXTREME.model_copy(update=texts)

    def test_value_by_hand(self) -> None:
        # The last turn has the value 3.5 without the chip. With the chip, 1 to 3 are rerolled, and
        # the value is 4.25. In the first turn, the chip therefore has the value 0.75, so rolls
        # below 3.5 - 0.75 are rerolled: 1 and 2.
        exact = Reference(self.rules)
        assert exact.value(State(0b01, saved=0)) == Fraction(7, 2)
        assert exact.value(State(0b01, saved=1)) == Fraction(17, 4)
        with_chip = Fraction(3 + 4 + 5 + 6, 6) + Fraction(4, 6) * Fraction(17, 4)
        without_chip = Fraction(2, 6) * (Fraction(7, 2) + Fraction(7, 2))
        assert exact.value() == with_chip + without_chip
        assert solve(self.rules, cache=False).value() == pytest.approx(float(exact.value()))

    def test_extra_roll_uses_a_chip(self) -> None:
        start = State.start(self.rules)
        move = legal_moves(self.rules, start, (3,), 1)[0]
        assert after(self.rules, start, move, 1) == State(1, saved=1)
        assert after(self.rules, start, move, 0) == State(1, saved=0)
        assert after(self.rules, State(saved=0), move, 0) == State(1, saved=0)

    def test_one_chip_in_each_turn(self) -> None:
        rules = self.rules.model_copy(update={"extra_rolls": 2, "rolls": 2})
        game = Game(rules)
        assert game.stage.rolls_left == 3
        for event in (Roll((1,)), Keep(()), Roll((2,)), Keep(()), Roll((3,))):
            game.push(event)
        with pytest.raises(IllegalError, match="no rolls are left"):
            game.push(Keep(()))
        game.push(Score("a"))
        assert (game.card.saved, game.stage.rolls_left) == (1, 3)
        game.push(Roll((1,)))
        game.push(Score("b"))
        assert (game.card.saved, game.card.points) == (1, 4)

    def test_chips_in_the_scorecard_notation(self) -> None:
        card = Scorecard(self.rules, "a=3,saved=0")
        assert (card.state, format_card(card)) == (State(1, saved=0), "a=3,saved=0")
        assert Scorecard(self.rules, "a=3").saved == 1
        assert format_card(Scorecard.empty(self.rules)) == "-"
        with pytest.raises(
            InconsistentError, match="the number of extra rolls left must be 1 after 0 turns"
        ):
            Scorecard(self.rules, "saved=0")

    def test_a_chip_adds_a_reroll(self) -> None:
        with_chip = Scorecard(self.rules, "a=3")
        assert Position.of(with_chip, (3,), 1).rolls_left == 1
        with pytest.raises(InconsistentError, match="must be 0, not"):
            Position.of(Scorecard(self.rules, "a=3,saved=0"), (3,), 1)

    def test_optimal_play_wastes_no_chip(self) -> None:
        best = Optimal(solve(self.rules, cache=False))
        model = best.solution.model
        keep_R = best.turns(Cards.one(model, 0, 0)).keeps[0, 0]
        # Lattice point 0 has no dice, and the others have one die. Keeping the die ends the turn.
        assert keep_R.tolist() == [0, 0, 3, 4, 5, 6]

    def test_distribution_of_a_game_with_chips(self) -> None:
        best = Optimal(solve(self.rules, cache=False))
        distribution = evaluate(best).distribution
        assert distribution.mean == pytest.approx(best.solution.value())
        scores = simulate(best, self.rules, games=20_000, seed=1).scores_N
        assert scores.mean() == pytest.approx(
            distribution.mean, abs=4 * distribution.sd / np.sqrt(20_000)
        )

    def test_extra_rolls_exclude_saved_rolls(self) -> None:
        text = CHIPS.replace("extra_rolls = 1", "extra_rolls = 1\nsaves_rolls = true")
        assert mistakes(text) == [
            "extra_rolls: has no effect with saves_rolls; remove extra_rolls or saves_rolls"
        ]

    def test_extra_rolls_exclude_points_by_roll(self) -> None:
        fixed = 'pattern = { kind = "groups", sizes = [1] }\npoints = [3]\n\n[['
        text = CHIPS.replace('pattern = { kind = "any" }\npoints = "total"\n\n[[', fixed)
        [mistake] = mistakes(text)
        assert mistake.startswith("a.points: cannot depend on the roll")

    def test_number_of_reachable_states(self) -> None:
        # There are 2^16 sets of lower categories. Each set of upper categories has the totals that
        # six dice in each category can make.
        totals = [{0}]
        for face in range(1, 7):
            totals += [{t + face * n for t in of_set for n in range(7)} for of_set in totals]
        upper = sum(len({min(total, 73) for total in of_set}) for of_set in totals)
        path = COUNTS / "kniffel-extreme-no-chips.toml"
        recorded = tomllib.loads(path.read_text(encoding="utf-8"))
        assert recorded["counts"]["reachable states between turns"] == upper * 2**16


def test_advise_command() -> None:
    rules = load_rules("kniffel-extreme-no-chips")
    moves = legal_moves(rules, State(), parse_dice(rules, "12345+6"))
    assert {rules.keys[move.category]: move.points for move in moves}["highway"] == 50
    code, out, err = run("advise", "123456", "--rules", "kniffel-extreme-no-chips")
    assert (code, out) == (2, "")
    assert "after a +" in err
