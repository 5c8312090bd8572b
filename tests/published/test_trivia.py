"""Curious figures as printed: games, rolls, last turns."""

import json
from fractions import Fraction

import pytest

from commands import run
from rollwise.curiosities.game_size import game_size
from rollwise.curiosities.game_tree import game_graph, game_tree
from rollwise.curiosities.trivia import last_turns, rated_rolls
from rollwise.curiosities.worst_game import demonic_game, lowest_game, lowest_totals
from rollwise.evaluation.evaluate import evaluate
from rollwise.game.notation import format_action, parse_dice, parse_keep
from rollwise.game.reference import Reference
from rollwise.game.scorecard import Dice, Scorecard, legal_moves
from rollwise.model.turn import roll_values
from rollwise.rules import load_rules
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import TIE
from rollwise.solving.solver import solve
from rollwise.strategies import Optimal

MINIMUM_GAME = """
14455 1 ones
12355 2 twos
11226 0 four-of-a-kind
12246 0 yahtzee
11226 0 threes
12233 0 fours
12233 0 fives
12233 0 full-house
12233 0 sixes
11233 0 large-straight
11223 9 chance
45566 0 three-of-a-kind
56666 0 small-straight
"""
"""As printed: third roll, points, category."""

DEMONIC_GAME = """
11236 6 12356 235 12356 1 ones
11236 6 11126 111 11134 10 three-of-a-kind
11236 3 11136 3 11356 0 four-of-a-kind
11126 6 11126 2 12355 2 twos
11226 6 12226 6 22246 0 yahtzee
12222 - 12222 - 12226 0 threes
23333 - 23333 - 22223 0 fours
12222 - 23333 - 22223 0 fives
12222 - 12222 - 22234 0 full-house
22555 - 23333 - 22223 0 sixes
22266 - 12222 - 22223 0 large-straight
22266 - 12222 - 11112 6 chance
56666 - 55666 - 56666 0 small-straight
"""
"""As printed: roll, keep (underlined there), roll, keep, roll, points, category."""


def fill(card: Scorecard, dice: Dice, key: str, points: int) -> Scorecard:
    """Return the card after a printed move, which must be legal and bring what is printed."""
    k = card.rules.category_index(key)
    move = next(move for move in legal_moves(card.rules, card.state, dice) if move.category == k)
    assert move.points == points
    return card.fill(move)


class TestVerhoeff:
    """T. Verhoeff, Optimal Solitaire Yahtzee Strategies (1999): one method a page."""

    def test_micro_yahtzee_analysis(self) -> None:
        size = game_size(load_rules("micro-yahtzee"))
        assert size.games == 72
        assert size.strategies == 64
        assert size.rarest == size.likeliest == Fraction(1, 36)

    def test_micro_yahtzee_optimal_expectation(self) -> None:
        rules = load_rules("micro-yahtzee")
        graph = game_graph(rules)
        cards = {node.label: node.value for node in graph.nodes if node.kind == "card"}
        assert cards["open: double"] == 7
        assert cards["open: square"] == Fraction(91, 6)
        # The dilemma: a first 4 is doubled.
        roll = next(node for node in graph.nodes if node.label == "4" and len(node.edges) == 2)
        assert [edge.label for edge in roll.edges if edge.best] == ["double 8"]
        assert graph.value == game_tree(rules).value == Reference(rules).value()

    def test_yahtzee_game_tree(self) -> None:
        size = game_size(load_rules("yahtzee"))
        assert f"{size.games / 10**170:.1f}" == "1.7"
        # The formulas of the page; its decimals are those of the reciprocals with the signs of
        # these: 6^65 is 3.8e50, so that 6^-65 is 2.6e-51.
        assert size.likeliest == Fraction(1, 6**5) ** 13
        assert size.rarest == (Fraction(1, 6**5) ** 3) ** 13
        assert f"{float(1 / size.likeliest):.1e}" == "3.8e+50"
        assert f"{float(1 / size.rarest):.1e}" == "5.5e+151"
        # "10^(10^100) ??": more.
        assert size.log10_strategies is not None
        assert 10**148 < size.log10_strategies < 10**149

    def test_optimal_strategy_trivia(self) -> None:
        rules = load_rules("yahtzee")
        solution = solve(rules, moments=True)
        first, third = rated_rolls(solution), rated_rolls(solution, rolls_left=0)
        printed = [
            (first[0], "11111", "score yahtzee", 320.84, 83),
            (first[-1], "11236", "keep 6", 249.83, 58),
            (third[-1], "23446", "score chance", 238.96, 57),
        ]
        for (dice, option), roll, action, value, sd in printed:
            assert dice == parse_dice(rules, roll)
            assert format_action(rules, option.action) == action
            assert abs(option.value - value) <= 0.005
            assert option.sd is not None
            assert abs(option.sd - sd) <= 0.5
        alike = [(face,) * 5 for face in range(1, 7)]
        assert [dice for dice, _ in first if len(set(dice)) == 1] == [roll for roll, _ in first[:6]]
        assert {dice for dice, _ in first[:6]} == set(alike)

    def test_last_turn_values(self) -> None:
        printed = {
            "ones": (2.11, 1.10, 6.49),
            "twos": (4.21, 2.21, 6.49),
            "threes": (6.32, 3.31, 6.49),
            "fours": (8.43, 4.42, 6.49),
            "fives": (10.53, 5.52, 6.49),
            "sixes": (12.64, 6.62, 6.49),
            "four-of-a-kind": (5.61, 9.66, 72.26),
            "full-house": (9.15, 12.04, 63.39),
            "small-straight": (18.48, 14.59, 38.40),
            "large-straight": (10.61, 17.66, 73.47),
            "yahtzee": (2.30, 10.48, 95.40),
            "chance": (23.33, 3.16, 0.00),
        }
        laws = last_turns(load_rules("yahtzee"))
        assert laws.keys() == printed.keys() | {"three-of-a-kind"}
        for category, (mean, sd, zero) in printed.items():
            law = laws[category]
            assert abs(law.mean - mean) <= 0.005, category
            assert abs(law.sd - sd) <= 0.005, category
            assert abs(100 * law.probability(0) - zero) <= 0.005, category

    def test_last_turns_do_not_depend_on_the_order(self) -> None:
        free, forced = (last_turns(load_rules(name)) for name in ("yatzy", "yatzy-forced-order"))
        for category, law in free.items():
            assert forced[category].mean == pytest.approx(law.mean, abs=1e-12)

    def test_last_turn_value_that_a_tie_decides(self) -> None:
        # Three of a Kind: 15.19 ± 10.42, 28.76 % zeros. With one reroll left, 11 and 6 are equally
        # good keeps of 11236. Our tie rule keeps more dice; what is printed keeps the six.
        rules = load_rules("yahtzee")
        law, printed = (
            last_turns(rules, fewer_dice=fewer)["three-of-a-kind"] for fewer in (False, True)
        )
        assert law.mean == pytest.approx(printed.mean, abs=1e-9)
        assert abs(printed.mean - 15.19) <= 0.005
        assert abs(printed.sd - 10.42) <= 0.005
        assert abs(100 * printed.probability(0) - 28.76) <= 0.005
        assert law.sd < printed.sd - 0.02
        assert law.probability(0) < printed.probability(0) - 0.002

    def test_game_with_minimum_score(self) -> None:
        strategy = Optimal(solve(load_rules("yahtzee")))
        model = strategy.solution.model
        lowest = lowest_totals(strategy)
        assert lowest.total == 12
        assert evaluate(strategy).law.minimum == 12
        assert lowest_game(strategy, lowest).cards[0].points == 12
        card = Scorecard.empty(model.rules)
        for line in MINIMUM_GAME.split("\n")[1:-1]:
            dice_text, points, key = line.split()
            dice = parse_dice(model.rules, dice_text)
            roll = model.lattice.point(dice) - model.lattice.first_roll
            place = CardPlace.of_card(model, card)
            policy = strategy.turn_policy(model, place.c, place.lane)
            assert policy.ends(model.lattice)[roll] > 0
            assert model.rules.keys[policy.categories[roll]] == key
            card = fill(card, dice, key, int(points))
        assert card.points == 12

    def test_game_against_demonic_dice(self) -> None:
        solution = solve(load_rules("yahtzee"))
        assert demonic_game(solution).cards[0].points == 19
        model, lattice, rules = solution.model, solution.model.lattice, solution.rules
        card = Scorecard.empty(rules)
        for line in DEMONIC_GAME.split("\n")[1:-1]:
            *turn, points, key = line.split()
            rolls = [parse_dice(rules, text) for text in turn[::2]]
            keeps = [parse_keep(rules, text) for text in turn[1::2]]
            place = CardPlace.of_card(model, card)
            policy = Optimal(solution).turn_policy(model, place.c, place.lane)
            worth_R = solution.score_worths(place.c, place.lane)[0].max(axis=1)
            numbers = [lattice.point(dice) - lattice.first_roll for dice in rolls]
            assert [lattice.points[k[r]] for k, r in zip(policy.keeps, numbers, strict=False)] == (
                keeps
            )
            assert rules.keys[policy.categories[numbers[-1]]] == key
            ratings = reversed(roll_values(lattice, worth_R, 2, "mean"))
            for rating_R, roll, keep in zip(ratings, numbers, [(), *keeps], strict=True):
                counts_P_F = lattice.counts_P_F
                possible_R = (counts_P_F >= counts_P_F[lattice.point(keep)]).all(axis=1)
                worst = rating_R[possible_R[lattice.first_roll :]].min()
                assert rating_R[roll] <= worst + TIE
            card = fill(card, rolls[-1], key, int(points))
        assert card.points == 19


class TestRatedRolls:
    def test_each_value_is_that_of_best_play(self) -> None:
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

    def test_any_card(self) -> None:
        solution = solve(load_rules("micro-yahtzee"))
        card = Scorecard(solution.rules, (None, 36))
        assert rated_rolls(solution, 0, card)[0][1].value == 36 + 12


class TestCommands:
    def test_trivia(self) -> None:
        code, out, _ = run("trivia", "--json")
        data = json.loads(out)
        assert code == 0
        assert data["first_turn"]["worst_roll_1"]["dice"] == "11236"
        assert data["first_turn"]["worst_roll_3"]["action"] == "score chance"
        assert list(data["last_turn"]) == list(load_rules("yahtzee").keys)
        text = run("trivia")[1]
        assert "249.83" in text
        assert "73.47" in text

    def test_trivia_of_a_game_without_rerolls(self) -> None:
        data = json.loads(run("trivia", "--rules", "micro-yahtzee", "--json")[1])
        assert list(data["first_turn"]) == ["best_roll_1", "worst_roll_1"]
