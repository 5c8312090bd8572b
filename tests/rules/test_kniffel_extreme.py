"""Test Kniffel Extreme: dice of two kinds, categories for sums, and chips (extra rolls)."""

import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_solver import Reference
from repository import COUNTS
from rollwise.errors import IllegalError, MalformedError
from rollwise.evaluation.evaluate import evaluate
from rollwise.experiments.simulation import simulate
from rollwise.game.dice_notation import format_dice, format_keep, parse_dice, parse_keep
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard, State
from rollwise.game.scoring import natural_points
from rollwise.model.dice_lattice import ABSENT, lattice
from rollwise.rules import Rules, load_rules, parse_rules
from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal, PayoffLine
from rule_texts import ANY, game, mistakes_in
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
FACE = 'kind = "face", face = 6'


class TestDiceOfTwoKinds:
    def test_kinds_and_numbers(self) -> None:
        assert EXTREME.kinds == ((5, 6), (1, 10))
        assert EXTREME.numbers == (1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

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


SUM = 'kind = "sum", at_least = 5, at_most = 4'
NUMBERS = "other_dice.1: expected different numbers in increasing order"


@pytest.mark.parametrize(
    ("part", "broken", "mistake"),
    [
        ("dice = 1\n", "dice = 2\n", "other_dice: expected fewer dice than the 2 dice of the game"),
        ("[0, 6]", "[6, 0]", NUMBERS),
        ("[0, 6]", "[1, 1, 2]", NUMBERS),
        ('"matched"', '"matched"\nworth = [1]', "sixes.worth: has no effect if dice are of differ"),
        (FACE, 'kind = "sum"', "sixes.pattern: expected at_least or at_most"),
        (FACE, SUM, "sixes.pattern: expected at_most as high as at_least"),
        ('"matched"', "5\ntimes = 2", "sixes.times: has no effect with fixed points; remove times"),
    ],
)
def test_rule_files_with_mistakes(part: str, broken: str, mistake: str) -> None:
    (found,) = mistakes_in(GAME.replace(part, broken))
    assert found.startswith(mistake)


def test_both_bounds_of_a_sum() -> None:
    rules = parse_rules(GAME.replace(FACE, 'kind = "sum", at_least = 6, at_most = 7'))
    points = {format_dice(rules, d): natural_points(rules, 0, d) for d in rules.every_roll()}
    assert {dice: score for dice, score in points.items() if score} == {"6+0": 6, "1+6": 7}


CHIPS = game("extra_rolls = 1", ANY, ANY, rolls=1)


class TestExtraRolls:
    """Tests of the chips of Kniffel Extreme; test_mechanisms.py has the rules of extra rolls."""

    def test_preset_has_three_chips(self) -> None:
        chips = load_rules("kniffel-extreme")
        assert chips.extra_rolls == 3
        texts = {"name": "", "title": "", "about": ""}
        assert chips.unsaved.model_copy(update=texts) == EXTREME.model_copy(update=texts)

    def test_optimal_play_wastes_no_chip(self) -> None:
        best = Optimal(solve(CHIPS, cache=False))
        keep_R = best.turns(Cards.one(best.solution.model, 0, 0)).keeps[0, 0]
        # Lattice point 0 has no dice, and the others have one die. Keeping the die ends the turn.
        assert keep_R.tolist() == [0, 0, 3, 4, 5, 6]

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


@pytest.mark.parametrize("rules", [parse_rules(GAME), CHIPS], ids=["two kinds", "chips"])
def test_simulated_scores_match_the_distribution(rules: Rules) -> None:
    best, games = Optimal(solve(rules, cache=False)), 20_000
    scores, distribution = (
        simulate(best, rules, games, seed=3).scores_N,
        evaluate(best).distribution,
    )
    error = 4 * distribution.sd / np.sqrt(games)
    assert scores.mean() == pytest.approx(distribution.mean, abs=error)
    assert set(scores) == set(distribution.scores)
