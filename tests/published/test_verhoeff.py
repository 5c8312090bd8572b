"""Check statements on T. Verhoeff's pages, prove their errors, and test commands.

Verhoeff's strategy breaks ties by keeping fewer dice. The tests use the same rule, and every number
that depends on it matches.
"""

import json
from fractions import Fraction
from itertools import product
from math import prod
from statistics import NormalDist

import pytest

from commands import run
from games import at_random, play
from reference_solver import Reference
from rollwise.experiments.simulation import simulate
from rollwise.game.actions import Keep, Score
from rollwise.game.game import Game
from rollwise.game.scorecard import Scorecard, legal_moves
from rollwise.reviews.review import review
from rollwise.rules import load_rules
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE
from rollwise.solving.option import format_value
from rollwise.solving.solver import solve
from rollwise.studies.game_tree import game_graph, game_size, game_tree
from rollwise.studies.published.figures import optimal_evaluation

MICRO = load_rules("micro-yahtzee")
ROLLS = list(product(range(1, 7), repeat=2))
"""All pairs of rolls in a game of Micro Yahtzee."""


def assert_prints(value: float, printed: str) -> None:
    """Check that a value rounds to the published number."""
    digits = len(printed.partition(".")[2])
    assert f"{value:.{digits}f}" == printed


class TestVerhoeff:
    """Statements in T. Verhoeff, Optimal Solitaire Yahtzee Strategies, by page."""

    def test_micro_yahtzee_rules(self) -> None:
        """Micro Yahtzee: Equipment & Rules."""
        assert (MICRO.dice, MICRO.faces, MICRO.rolls) == (1, 6, 1)
        moves = legal_moves(MICRO, Scorecard.empty(MICRO).state, (5,))
        assert [(MICRO.keys[move.category], move.points) for move in moves] == [
            ("double", 10),
            ("square", 25),
        ]

    def test_solving_micro_yahtzee(self) -> None:
        """Solving Micro Yahtzee: backward induction on the game tree and the game graph."""
        tree, graph = game_tree(MICRO), game_graph(MICRO)
        assert len(graph.nodes) < len(tree.nodes)
        assert graph.value == tree.value
        first_doubled = {r for r in range(1, 7) if 2 * r + Fraction(91, 6) > r * r + 7}
        games = [2 * r + s * s if r in first_doubled else r * r + 2 * s for r, s in ROLLS]
        distribution = optimal_evaluation("micro-yahtzee").distribution
        assert distribution.scores.tolist() == sorted(set(games))
        for score in distribution.scores.tolist():
            assert distribution.probability(score) == pytest.approx(
                games.count(score) / 36, abs=1e-15
            )

    def test_playing_rules(self) -> None:
        """Yahtzee playing rules: a player may keep any dice and score in any category."""
        game = Game("yahtzee", "Ada")
        for turn in range(13):
            for roll in ("11366", "66123"):
                game.push(f"roll {roll}")
                keeps = {action for action in game.legal_actions() if isinstance(action, Keep)}
                assert len(keeps) == prod(roll.count(face) + 1 for face in set(roll)) - 1
                game.push("keep 66")
            game.push("roll 66665")
            actions = game.legal_actions()
            assert {type(action) for action in actions} == {Score}
            assert len(actions) == 13 - turn
            game.push(actions[0])
        assert game.is_over

    @pytest.mark.slow
    def test_what_to_investigate(self) -> None:
        """And now what?: exact values with two or four rolls per turn, or without jokers."""
        cells = json.loads(run("sweep", "--rolls", "2-4", "--jokers", "on,off", "--json")[1])[
            "cells"
        ]
        means = {(cell["rolls"], cell["jokers"]): cell["mean"] for cell in cells}
        assert len(means) == 6
        for rolls in (2, 3, 4):
            assert means[rolls, False] < means[rolls, True]
        assert means[2, True] < means[3, True] < means[4, True]
        assert_prints(means[3, True], "254.59")

    def test_what_is_in_it(self) -> None:
        """What's in it for you?: advice for a position, and the review of a game."""
        assert "Best: keep 66" in run("advise", "11366")[1]
        game = play(MICRO, ["Ada"], 1, at_random(1))
        (reviewed,) = review(Game(MICRO, ("Ada",), game.events), solve(MICRO))
        assert reviewed.score == pytest.approx(solve(MICRO).value() + reviewed.luck - reviewed.loss)

    def test_approximate_results(self) -> None:
        """Approximate Results: the rounding error, and the error of a simulation."""
        exact = Reference(MICRO).value()
        assert abs(Fraction(solve(MICRO).value()) - exact) < Fraction(1, 10**13)
        games = simulate("optimal", MICRO, 3_000, 1)
        error = optimal_evaluation("micro-yahtzee").distribution.sd / 3_000**0.5
        assert 0 < abs(games.distribution.mean - float(exact)) < 4 * error

    def test_micro_yahtzee_game_graph(self) -> None:
        """Micro Yahtzee: Game Graph, Expected Scores: pictures."""
        graph = game_graph(MICRO)
        cards = {node.label: node.value for node in graph.nodes if node.kind == "card"}
        assert cards["open: double"] == 7
        assert cards["open: square"] == Fraction(91, 6)

    def test_micro_yahtzee_optimal_expectation(self) -> None:
        """Micro Yahtzee: Optimal Expectation: a picture."""
        # The last turn has the value 7 for the double and 91/6 for the square. The value of a
        # first roll r is the larger of 2r + 91/6 and r² + 7.
        first = [max(2 * r + Fraction(91, 6), Fraction(r * r + 7)) for r in range(1, 7)]
        by_hand = sum(first) / 6
        assert game_graph(MICRO).value == game_tree(MICRO).value == by_hand
        assert Reference(MICRO).value() == by_hand
        assert solve(MICRO).value() == pytest.approx(float(by_hand), abs=1e-12)

    def test_joker_rule(self) -> None:
        """Joker Rule."""
        rules = load_rules("yahtzee")
        for card, points in [
            ("yahtzee=0,threes=9", 40),
            ("yahtzee=50,threes=9", 40),
            ("yahtzee=0,ones=3", 0),
            ("threes=9", 0),
        ]:
            state = Scorecard(rules, card).state
            straight = rules.category_index("large-straight")
            moves = {move.category: move for move in legal_moves(rules, state, (3,) * 5)}
            assert moves[straight].points == points, card
            assert moves[straight].extra == (100 if "50" in card else 0)

    def test_optimality_criteria(self) -> None:
        """Optimality Criteria: the five objectives."""
        faces = range(1, 7)
        totals = [
            [[2 * r + s * s for s in faces], [r * r + 2 * s for s in faces]] for r in faces
        ]  # indexed by the first roll and by its category, double or square
        worst = min(max(min(choice) for choice in choices) for choices in totals)
        assert solve(MICRO, "worst-case").value() == worst
        mean = sum(max(sum(choice) for choice in choices) for choices in totals) / 36
        assert solve(MICRO, "expected").value() == pytest.approx(mean)
        for score in (20, 30, 40):
            successes = sum(
                max(len([total for total in choice if total >= score]) for choice in choices)
                for choices in totals
            )
            reached = solve(MICRO, f"target:{score}").value()
            assert reached == pytest.approx(successes / 36)
            beaten = solve(MICRO, f"beat:{score}").value()
            assert solve(MICRO, f"target:{score + 1}").value() <= beaten <= reached
        variance = -solve(MICRO, "least-variance").value()
        assert 0 < variance <= optimal_evaluation("micro-yahtzee").distribution.sd ** 2

    def test_number_of_strategies(self) -> None:
        """Yahtzee Game Tree: "10^(10^100) ??"."""
        size = game_size(load_rules("yahtzee"))
        assert size.log10_strategies is not None
        assert 10**148 < size.log10_strategies < 10**149

    def test_a_high_score_by_the_normal_distribution(self) -> None:
        """Remaining Challenges: the probability of a high score from a normal approximation."""
        command = ("report", "--at", "200,300,400")
        rows = json.loads(run(*command, "--json")[1])["at"]
        distribution = optimal_evaluation("yahtzee").distribution
        for row in rows:
            normal = NormalDist(distribution.mean, distribution.sd)
            by_mean_and_variance = 1 - normal.cdf(row["score"] - 0.5)
            assert row["normal_at_least"] == pytest.approx(by_mean_and_variance, abs=1e-12)
        # Yahtzee bonuses cause a long tail: 14.3% (normal: 22.6%) and 3.8% (normal: 0.8%).
        errors = [row["normal_at_least"] - row["at_least"] for row in rows]
        assert [f"{error:+.4f}" for error in errors] == ["-0.0413", "+0.0823", "-0.0308"]
        lines = [line.split() for line in run(*command)[1].splitlines()]
        assert lines[-2][-1] == f"{errors[1]:+.8f}"

    def test_group_yahtzee(self) -> None:
        """Remaining Challenges: Group Yahtzee, the best response to visible scorecards."""
        position = ("advise", "3", "--rules", "micro-yahtzee", "--card", "double=6")
        group = ("--opponent", "double=12", "--opponent", "square=16")
        out = run(*position, "--objective", "beat", *group, "--json")[1]
        # With 9 points for the square, the total is 15, but the second opponent has at least
        # 16 + 2.
        assert [option["value"] for option in json.loads(out)["options"]] == [0]
        out = run("advise", "6", *position[2:], "--objective", "beat", *group, "--json")[1]
        mine = 6 + 36
        first = [Fraction(12 + s * s) for s in range(1, 7)]
        second = [Fraction(16 + 2 * s) for s in range(1, 7)]
        won = sum(
            Fraction(1, 1 + (a == mine) + (b == mine))
            for a in first
            for b in second
            if max(a, b) <= mine
        )
        (option,) = json.loads(out)["options"]
        assert option["value"] == pytest.approx(float(won / 36), abs=1e-12)


class TestErrors:
    """Proofs of the errors in the source."""

    def test_digits_of_reciprocals(self) -> None:
        # 6^65 is 3.8e50, so 6^-65 is 2.6e-51.
        size = game_size(load_rules("yahtzee"))
        assert size.likeliest == Fraction(1, 6**5) ** 13
        assert size.rarest == (Fraction(1, 6**5) ** 3) ** 13
        assert f"{float(1 / size.likeliest):.1e}" == "3.8e+50"
        assert f"{float(1 / size.rarest):.1e}" == "5.5e+151"

    def test_the_printed_sd_of_the_small_straight(self) -> None:
        # The category scores 30 or 0, so the mean determines the SD. The source prints the mean
        # 29.46 and the SD 3.99.
        least_mean, most_mean = 29.455, 29.465
        sds = [(mean * (30 - mean)) ** 0.5 for mean in (least_mean, most_mean)]
        assert max(sds) < 4.01
        ours = optimal_evaluation("yahtzee", fewer_dice=True).categories["small-straight"]
        assert ours.sd == pytest.approx((ours.mean * (30 - ours.mean)) ** 0.5, abs=1e-9)
        assert_prints(ours.sd, "3.98")

    def test_last_digits_that_no_tie_rule_gives(self) -> None:
        for fewer_dice in (False, True):
            sixes = optimal_evaluation("yahtzee-plain", fewer_dice=fewer_dice).categories["sixes"]
            assert_prints(100 * sixes.zero, "0.4545")
            extra = optimal_evaluation("yahtzee", fewer_dice=fewer_dice).extra_bonus
            assert extra is not None
            assert_prints(100 * extra.probability(0), "91.7548")

    def test_cells_that_depend_on_the_tie_rule(self) -> None:
        few, more = (optimal_evaluation("yahtzee", fewer_dice=fewer) for fewer in (True, False))
        plain = [optimal_evaluation("yahtzee-plain", fewer_dice=fewer) for fewer in (True, False)]
        assert few.alike is not None
        assert more.alike is not None
        assert few.jokers is not None
        assert more.jokers is not None
        three = "three-of-a-kind"
        for (with_fewer, with_more), printed in [
            ((100 * few.categories[three].zero, 100 * more.categories[three].zero), "3.26"),
            ((100 * few.alike.probability(0), 100 * more.alike.probability(0)), "63.24"),
            ((100 * few.jokers.probability(0), 100 * more.jokers.probability(0)), "96.30"),
            ([played.categories[three].sd for played in plain], "5.50"),
            ([100 * played.categories[three].zero for played in plain], "3.44"),
        ]:
            assert_prints(with_fewer, printed)
            assert f"{with_more:.2f}" != printed

    def test_expected_score_is_between_worst_and_best_case(self) -> None:
        for name in ("yahtzee", "yatzy", "yacht-dice"):
            rules = load_rules(name)
            worst, mean, best = (
                solve(rules, objective).value() for objective in (WORST_CASE, EXPECTED, BEST_CASE)
            )
            assert worst < mean < best


class TestCommands:
    """Tests of the commands that print the numbers on the pages."""

    def test_value_of_a_scorecard_before_the_roll(self) -> None:
        # In the last turn, there are 6 points for a double of 3, and 91/6 expected for the square.
        command = ("advise", "--rules", "micro-yahtzee", "--card", "double=6")
        data = json.loads(run(*command, "--json")[1])
        squares = [face * face for face in range(1, 7)]
        variance = Fraction(sum(s * s for s in squares), 6) - Fraction(sum(squares), 6) ** 2
        assert data["value"] == pytest.approx(6 + 91 / 6, abs=1e-12)
        assert data["sd"] == pytest.approx(float(variance) ** 0.5, abs=1e-9)
        assert run(*command)[1].splitlines()[1] == "Expected final score: 21.166667 (SD 12.2122)"

    def test_tie_rule_of_verhoeff(self) -> None:
        # Verhoeff's table has 3.26%, 63.24% and 96.30% zeros. If ties keep more dice, the numbers
        # are 3.25%, 63.27% and 96.33%.
        lines = run("report", "--tie-break", "fewer-dice", "--band", "20")[1].splitlines()
        zeros = {line.split("  ")[0]: line.split() for line in lines}
        assert zeros["Three of a Kind"][-3] == "3.26"
        assert zeros["Final rolls of 5 of a kind"][-1] == "63.24"
        assert zeros["Jokers applied"][-1] == "96.30"
        assert "takes the one that keeps fewer dice" in "".join(lines)
        assert any(line.strip().startswith("240 – 259") for line in lines)

    def test_tie_rule_changes_every_distribution(self) -> None:
        game = ("--rules", "yatzy-forced-order", "--json")
        for command in (("report", "--at", "250"), ("compare", "optimal", "--games", "50")):
            few, more = (
                json.loads(run(*command, *game, "--tie-break", f"{rule}-dice")[1])
                for rule in ("fewer", "more")
            )
            assert few != more

    def test_all_six_faces_are_best_rolls(self) -> None:
        data = json.loads(run("report", "--openings", "--tie-break", "fewer-dice", "--json")[1])
        best = data["first_turn"]["best_roll_1"]
        assert [best["dice"], *best["as_good"]] == [str(face) * 5 for face in range(1, 7)]
        assert data["first_turn"]["worst_roll_1"]["as_good"] == []
        assert_prints(data["last_turn"]["three-of-a-kind"]["sd"], "10.42")
        text = run("report", "--openings")[1]
        assert all(str(face) * 5 in text for face in range(1, 7))

    def test_least_variance_shows_enough_digits(self) -> None:
        command = ("advise", "3", "--rules", "micro-yahtzee", "--objective", "least-variance")
        lines = [line.split() for line in run(*command)[1].splitlines() if "score " in line]
        best, other = (
            option["value"] for option in json.loads(run(*command, "--json")[1])["options"]
        )
        unit = ["squared", "points"]
        assert lines[-2] == ["score", "square", f"{-best:.6g}", *unit, "16.00", "–"]
        assert lines[-1][2] == f"{-other:.6g}"
        assert lines[-1][6] == f"{best - other:.3g}"
        assert format_value(-0.000123456, "utility") == "-0.000123456"

    def test_a_full_scorecard_has_no_value_to_come(self) -> None:
        command = ("advise", "--rules", "micro-yahtzee", "--card", "double=6,square=36")
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert "the game is over" in err
