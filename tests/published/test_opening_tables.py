"""Check the published opening and last-turn tables."""

import json
import re

import pytest

from commands import run
from rollwise.game.scorecard import Scorecard
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
from rollwise.studies.opening_tables import last_turns, rated_rolls


class TestLastTurns:
    def test_last_turns_do_not_depend_on_the_order(self) -> None:
        free, forced = (last_turns(load_rules(name)) for name in ("yatzy", "yatzy-forced-order"))
        for category, distribution in free.items():
            assert forced[category].mean == pytest.approx(distribution.mean, abs=1e-12)

    def test_last_turn_value_depends_on_the_tie_rule(self) -> None:
        # The source prints 15.19, SD 10.42, and 28.76% zeros for Three of a Kind. With one reroll
        # left, keeping 11 or 6 of 11236 is a tie. By default, rollwise keeps more dice in a tie;
        # the source keeps the six.
        rules = load_rules("yahtzee")
        distribution, printed = (
            last_turns(rules, fewer_dice=fewer)["three-of-a-kind"] for fewer in (False, True)
        )
        assert distribution.mean == pytest.approx(printed.mean, abs=1e-9)
        assert abs(printed.mean - 15.19) <= 0.005
        assert abs(printed.sd - 10.42) <= 0.005
        assert abs(100 * printed.probability(0) - 28.76) <= 0.005
        assert distribution.sd < printed.sd - 0.02
        assert distribution.probability(0) < printed.probability(0) - 0.002


class TestRatedRolls:
    def test_values_are_optimal(self) -> None:
        rules = load_rules("micro-yahtzee")
        rated = rated_rolls(solve(rules))
        expected = {(r,): max(2 * r + 91 / 6, r * r + 7) for r in range(1, 7)}
        assert {dice: option.value for dice, option in rated} == pytest.approx(expected)
        assert [dice for dice, _ in rated] == [(6,), (5,), (4,), (3,), (2,), (1,)]

    def test_mean_of_first_rolls_is_the_value_of_the_game(self) -> None:
        solution = solve(load_rules("yahtzee"))
        lattice = solution.model.lattice
        weight = dict(zip(lattice.rolls, lattice.weight_R, strict=True))
        total = sum(weight[dice] * option.value for dice, option in rated_rolls(solution))
        assert total / 6**5 == pytest.approx(solution.value(), abs=1e-9)

    def test_a_scorecard_with_one_open_category(self) -> None:
        solution = solve(load_rules("micro-yahtzee"))
        card = Scorecard(solution.rules, (None, 36))
        assert rated_rolls(solution, 0, card)[0][1].value == 36 + 12


class TestCommands:
    def test_openings_of_a_game_without_rerolls(self) -> None:
        data = json.loads(run("report", "--openings", "--rules", "micro-yahtzee", "--json")[1])
        assert list(data["first_turn"]) == ["best_roll_1", "worst_roll_1"]

    def test_openings_state_the_tie_rule_of_each_table(self) -> None:
        lines = run("report", "--openings", "--tie-break", "fewer-dice")[1].splitlines()
        rules = [line for line in lines if line.startswith("Of equally good options")]
        # The SDs of rolls belong to the solution, which keeps more dice. The last turns do not.
        assert rules[0].endswith("more dice. --tie-break changes only the last turns.")
        assert [re.findall("more dice|fewer dice", line) for line in rules] == [
            ["more dice"],
            ["fewer dice"],
        ]
        assert lines.index(rules[0]) < next(
            i for i, line in enumerate(lines) if line.startswith("last turn for")
        )
        lines = run("report", "--openings")[1].splitlines()
        assert len([line for line in lines if line.startswith("Of equally good options")]) == 1

    def test_tiny_probabilities_in_scientific_notation(self) -> None:
        def rows(at: str) -> dict[str, list[str]]:
            lines = run("report", "--at", at)[1].splitlines()
            table = lines[[line.startswith("score ") for line in lines].index(True) + 1 :]
            return {line.split()[0]: line.split()[1:] for line in table}

        perfect = rows("1575,1574,300")
        assert perfect["1575"] == ["1.38e-20", "1.38e-20", "6.24e-109", "-1.38e-20"]
        assert perfect["1574"][1] == "0.00000000"  # this score cannot occur
        assert perfect["300"][0] == "0.14326577"
        assert "-0.00000000" not in str(rows("1575,2000,0"))
