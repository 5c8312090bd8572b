"""Curious figures: worst games, best rolls, last turns, trees; as printed, and by brute force."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial, log10, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from typer.testing import CliRunner

from rollwise.cli import app
from rollwise.errors import TooLargeError
from rollwise.evaluation import evaluate
from rollwise.game_size import game_size, games, log10_strategies, strategies
from rollwise.game_tree import GameTree, game_graph, game_tree, to_dot
from rollwise.model import Model
from rollwise.notation import format_action, parse_dice, parse_keep
from rollwise.objectives import WORST_CASE
from rollwise.reference import Reference
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.scorecard import Dice, Scorecard, State, after, legal_moves
from rollwise.solution import TIE
from rollwise.solver import solve
from rollwise.strategies import Optimal, RandomCategory, RandomPlay, Strategy
from rollwise.trivia import last_turns, rated_rolls
from rollwise.turn import roll_values
from rollwise.worst_game import Game, demonic_game, lowest_game, lowest_totals
from small_games import small_rules

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


def class_of(model: Model, card: Scorecard) -> int:
    return int(model.class_S[int(card.state.armed), card.filled])


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
        assert lowest_game(strategy, lowest).total == 12
        card = Scorecard.empty(model.rules)
        for line in MINIMUM_GAME.split("\n")[1:-1]:
            dice_text, points, key = line.split()
            dice = parse_dice(model.rules, dice_text)
            roll = model.lattice.point(dice) - model.lattice.first_roll
            policy = strategy.turn_policy(model, class_of(model, card), card.state.upper)
            assert policy.final_rolls(model.lattice)[roll] > 0
            assert model.rules.keys[policy.categories[roll]] == key
            card = fill(card, dice, key, int(points))
        assert card.points == 12

    def test_game_against_demonic_dice(self) -> None:
        solution = solve(load_rules("yahtzee"))
        assert demonic_game(solution).total == 19
        model, lattice, rules = solution.model, solution.model.lattice, solution.rules
        card = Scorecard.empty(rules)
        for line in DEMONIC_GAME.split("\n")[1:-1]:
            *turn, points, key = line.split()
            rolls = [parse_dice(rules, text) for text in turn[::2]]
            keeps = [parse_keep(rules, text) for text in turn[1::2]]
            c, lane = class_of(model, card), card.state.upper
            policy = Optimal(solution).turn_policy(model, c, lane)
            worth_R = solution.score_worths(c, lane)[0].max(axis=1)
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


def throws(rules: Rules, keep: Dice) -> set[Dice]:
    """Return every roll that a keep can become."""
    faces = range(1, rules.faces + 1)
    others = product(faces, repeat=rules.dice - len(keep))
    return {tuple(sorted(keep + thrown)) for thrown in others}


def lowest_by_brute_force(strategy: Optimal) -> int:
    """Return the lowest total, following every roll of every turn from card to card."""
    model, rules = strategy.solution.model, strategy.solution.rules
    lattice = model.lattice
    number = {dice: r for r, dice in enumerate(lattice.rolls)}

    @cache
    def lowest(state: State) -> int:
        bonus = rules.upper_bonus
        if state.filled == (1 << len(rules.categories)) - 1:
            return bonus.points if bonus and state.upper == bonus.threshold else 0
        c = int(model.class_S[int(state.armed), state.filled])
        policy = strategy.turn_policy(model, c, state.upper)
        rolls = throws(rules, ())
        for keep_R in policy.keeps:
            rolls = {
                after_keep
                for dice in rolls
                for after_keep in throws(rules, lattice.points[keep_R[number[dice]]])
            }
        totals = []
        for dice in rolls:
            k = policy.categories[number[dice]]
            move = next(m for m in legal_moves(rules, state, dice) if m.category == k)
            totals.append(move.points + move.extra + lowest(after(rules, state, move)))
        return min(totals)

    return lowest(State())


def assert_played(strategy: Strategy, model: Model, game: Game) -> None:
    """Check that a game follows the rules and the strategy."""
    card = Scorecard.empty(model.rules)
    first_roll = model.lattice.first_roll
    for turn in game.turns:
        policy = strategy.turn_policy(model, class_of(model, card), card.state.upper)
        numbers = [model.lattice.point(dice) - first_roll for dice in turn.rolls]
        for dice, keep in zip(turn.rolls, ((), *turn.keeps), strict=True):
            assert dice in throws(model.rules, keep)
        for keep_R, r, keep in zip(policy.keeps, numbers, turn.keeps, strict=False):
            assert model.lattice.points[keep_R[r]] == keep
        assert policy.categories[numbers[-1]] == turn.move.category
        assert turn.move in legal_moves(model.rules, card.state, turn.rolls[-1])
        card = card.fill(turn.move)
    assert card.is_full
    assert card.points == game.total


class TestWorstGames:
    @settings(max_examples=60)
    @given(small_rules())
    def test_lowest_total_is_that_of_brute_force(self, rules: Rules) -> None:
        strategy = Optimal(solve(rules, cache=False, threads=1))
        lowest = lowest_totals(strategy, threads=1)
        game = lowest_game(strategy, lowest)
        assert lowest.total == lowest_by_brute_force(strategy) == game.total
        assert_played(strategy, lowest.model, game)

    @settings(max_examples=40)
    @given(small_rules())
    def test_lowest_total_is_the_minimum_of_the_law(self, rules: Rules) -> None:
        best = Optimal(solve(rules, cache=False, threads=1))
        players: list[Strategy] = [best, RandomCategory(), RandomPlay()]
        for strategy in players:
            minimum = evaluate(strategy, rules, threads=1).law.minimum
            assert lowest_totals(strategy, rules, threads=1).total == minimum

    @settings(max_examples=40)
    @given(small_rules())
    def test_who_fears_the_worst_gets_what_he_can_be_sure_of(self, rules: Rules) -> None:
        careful = solve(rules, WORST_CASE, cache=False, threads=1)
        assert lowest_totals(Optimal(careful), threads=1).total == careful.value()
        bold = Optimal(solve(rules, cache=False, threads=1))
        assert lowest_totals(bold, threads=1).total <= careful.value()

    @settings(max_examples=40)
    @given(small_rules())
    def test_each_demonic_roll_is_the_worst(self, rules: Rules) -> None:
        solution = solve(rules, cache=False, threads=1)
        game = demonic_game(solution)
        assert_played(Optimal(solution), solution.model, game)
        assert game.total >= lowest_totals(Optimal(solution), threads=1).total
        reference = Reference(rules)
        card = Scorecard.empty(rules)
        for turn in game.turns:
            for number, (dice, keep) in enumerate(zip(turn.rolls, ((), *turn.keeps), strict=True)):
                left = rules.rolls - 1 - number
                worth = {
                    roll: max(reference.options(card.state, roll, left).values())
                    for roll in throws(rules, keep)
                }
                assert float(worth[dice] - min(worth.values())) <= 2 * TIE
            card = card.fill(turn.move)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", preset_names())
    def test_every_preset(self, name: str) -> None:
        strategy = Optimal(solve(load_rules(name)))
        lowest = lowest_totals(strategy)
        assert lowest.total == evaluate(strategy).law.minimum
        assert_played(strategy, lowest.model, lowest_game(strategy, lowest))
        assert demonic_game(strategy.solution).total >= lowest.total

    def test_chance_in_the_strategy_is_refused(self) -> None:
        rules = load_rules("micro-yahtzee")
        lowest = lowest_totals(RandomPlay(), rules)
        assert lowest.total == 3
        with pytest.raises(ValueError, match="leaves no choice to chance"):
            lowest_game(RandomPlay(), lowest)
        with pytest.raises(ValueError, match="expected the rules"):
            lowest_totals(RandomPlay())


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


def alike_game(**parts: Any) -> Rules:
    """Return a game of two dice with two faces and a box for dice alike."""
    alike = {
        "key": "alike", "title": "Alike", "pattern": {"kind": "groups", "sizes": [2]}, "points": 5,
    }  # fmt: skip
    upper = {
        "key": "ones", "title": "Ones", "section": "upper",
        "pattern": {"kind": "face", "face": 1}, "points": "matched",
    }  # fmt: skip
    game = {
        "name": "tiny", "title": "A tiny game", "dice": 2, "faces": 2, "rolls": 1,
        "categories": [alike, upper],
    }  # fmt: skip
    return Rules.model_validate(game | parts)


TOTAL = {"key": "total", "title": "Total", "pattern": {"kind": "any"}, "points": "total"}

TINY = {
    "micro": load_rules("micro-yahtzee"),
    "two-boxes": alike_game(),
    "rerolls": alike_game(rolls=2, upper_bonus={"threshold": 2, "points": 3}),
    "card-order": alike_game(order="card", rolls=2),
    "three-rolls": alike_game(dice=1, faces=3, rolls=3, categories=[TOTAL]),
    "jokers": alike_game(
        categories=[*alike_game().model_dump()["categories"], TOTAL],
        joker={"box": "alike", "policy": "forced"},
        extra_bonus={"box": "alike", "points": 7},
    ),
}


def plans(tree: GameTree) -> int:
    """Return the number of strategies in a tree: a choice once, and a plan for every chance."""
    count: list[int] = []
    for node in tree.nodes:
        after = [count[edge.target] for edge in node.edges]
        count.append(sum(after) if node.kind == "roll" else prod(after))
    return count[-1]


class TestTrees:
    @pytest.mark.parametrize("name", TINY)
    def test_as_many_leaves_as_games(self, name: str) -> None:
        tree = game_tree(TINY[name], limit=20_000)
        assert tree.leaves == games(TINY[name]) == game_size(TINY[name]).games

    @pytest.mark.parametrize("name", [name for name in TINY if name != "jokers"])
    def test_as_many_plans_as_strategies(self, name: str) -> None:
        count = strategies(TINY[name])
        assert plans(game_tree(TINY[name], limit=20_000)) == count
        assert float(10 ** (log10_strategies(TINY[name]) % 1)) == pytest.approx(
            count / 10 ** (len(str(count)) - 1)
        )

    @pytest.mark.parametrize("name", TINY)
    def test_probabilities_of_games(self, name: str) -> None:
        tree = game_tree(TINY[name], limit=20_000)
        chances: list[set[Fraction]] = []
        for node in tree.nodes:
            after = [
                (edge.probability or 1) * p for edge in node.edges for p in chances[edge.target]
            ]
            chances.append(set(after) or {Fraction(1)})
        size = game_size(TINY[name])
        assert (min(chances[-1]), max(chances[-1])) == (size.rarest, size.likeliest)

    @pytest.mark.parametrize("name", TINY)
    def test_tree_and_graph_have_the_value_of_the_game(self, name: str) -> None:
        tree, graph = game_tree(TINY[name], limit=20_000), game_graph(TINY[name])
        assert tree.value == graph.value == Reference(TINY[name]).value()
        assert graph.leaves == 1
        assert len(graph.nodes) < len(tree.nodes)

    @settings(max_examples=15)
    @given(small_rules())
    def test_graph_of_any_small_game(self, rules: Rules) -> None:
        try:
            graph = game_graph(rules, limit=3000)
        except TooLargeError:
            reject()
        assert graph.value == Reference(rules).value()

    def test_forced_jokers_leave_fewer_games(self) -> None:
        rules = load_rules("yahtzee-forced-joker")
        assert games(rules) < games(load_rules("yahtzee"))
        assert game_size(rules).strategies is None
        with pytest.raises(ValueError, match="free"):
            strategies(rules)

    def test_large_games_are_refused(self) -> None:
        with pytest.raises(TooLargeError, match="expected a game with at most 1000 nodes"):
            game_graph(load_rules("yahtzee"))

    def test_dot(self) -> None:
        graph = game_graph(load_rules("micro-yahtzee"))
        text = to_dot(graph)
        edges = [line for line in text.splitlines() if "->" in line]
        assert len(edges) == sum(len(node.edges) for node in graph.nodes)
        assert sum("#1a7f37" in line for line in edges) == 6 + 12
        assert text.count("shape=") == len(graph.nodes) + text.count("node [shape=")
        assert text.count("{") == text.count("}") == 1


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


class TestCommands:
    @pytest.mark.parametrize(("dice", "total"), [("any", 12), ("demonic", 19)])
    def test_worst_game(self, dice: str, total: int) -> None:
        code, out, _ = run("worst-game", "--dice", dice, "--json")
        data = json.loads(out)
        assert code == 0
        assert list(data) == ["rules", "dice", "total", "upper_bonus", "turns"]
        assert (data["dice"], data["total"]) == (dice, total)
        assert len(data["turns"]) == 13
        assert sum(turn["points"] + turn["extra"] for turn in data["turns"]) == total
        _, text, _ = run("worst-game", "--dice", dice)
        for turn in data["turns"]:
            assert all(dice in text for dice in turn["rolls"])
        assert text.split()[-2:] == [str(total), "total"]

    def test_worst_game_adds_up_with_the_bonus(self, tmp_path: Path) -> None:
        # One die, one box: at least a point, and always the bonus.
        path = tmp_path / "one.toml"
        path.write_text(
            'name = "one"\ntitle = "One box"\ndice = 1\nfaces = 6\nrolls = 1\n'
            "upper_bonus = { threshold = 1, points = 4 }\n"
            '[[categories]]\nkey = "total"\ntitle = "Total"\nsection = "upper"\n'
            'pattern = { kind = "any" }\npoints = "total"\n'
        )
        data = json.loads(run("worst-game", "--rules", str(path), "--json")[1])
        assert (data["total"], data["upper_bonus"]) == (5, 4)
        rows = run("worst-game", "--rules", str(path))[1].splitlines()[-2:]
        assert [row.split() for row in rows] == [["4", "upper", "bonus"], ["5", "total"]]

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

    def test_tree(self, tmp_path: Path) -> None:
        code, out, _ = run("tree", "--dot", str(tmp_path / "graph.dot"), "--json")
        assert code == 0
        data = json.loads(out)
        assert (data["games"], data["strategies"], data["rarest"]) == ("72", "64", "1/36")
        rules = load_rules("micro-yahtzee")
        assert (tmp_path / "graph.dot").read_text() == to_dot(game_graph(rules))
        run("tree", "--whole", "--dot", str(tmp_path / "tree.dot"))
        assert (tmp_path / "tree.dot").read_text() == to_dot(game_tree(rules))

    def test_one_strategy(self, tmp_path: Path) -> None:
        path = tmp_path / "one.toml"
        path.write_text(
            'name = "one"\ntitle = "One"\ndice = 1\nfaces = 2\nrolls = 1\n[[categories]]\n'
            'key = "any"\ntitle = "Any"\npattern = { kind = "any" }\npoints = "total"\n'
        )
        data = json.loads(run("tree", "--rules", str(path), "--json")[1])
        assert (data["strategies"], data["log10_strategies"]) == ("1", 0)

    def test_numbers_beyond_floats(self, tmp_path: Path) -> None:
        # 24 turns of 20 rolls of 12 dice with 20 faces.
        box = 'title = "B"\npattern = { kind = "any" }\npoints = "total"\n'
        boxes = "".join(f'[[categories]]\nkey = "b{k}"\n{box}' for k in range(24))
        path = tmp_path / "huge.toml"
        path.write_text(
            f'name = "huge"\ntitle = "Huge"\ndice = 12\nfaces = 20\nrolls = 20\n{boxes}'
        )
        code, out, _ = run("tree", "--rules", str(path), "--json")
        data = json.loads(out, parse_constant=pytest.fail)
        assert code == 0
        assert data["log10_strategies"] is data["strategies"] is None
        # A turn has 20^12 first rolls and 21^12 ways through each reroll.
        games = 20 ** (12 * 24) * 21 ** (12 * 19 * 24) * factorial(24)
        assert Decimal(data["games"]) == Decimal(games)
        assert data["likeliest"] == f"1/{20 ** (12 * 24)}"
        digits = 20 * 24 * 12 * log10(20)
        assert data["rarest"].startswith("1/")
        assert len(data["rarest"]) == 3 + int(digits)
        text = run("tree", "--rules", str(path))[1]
        assert f"{Decimal(games):.3e}" in text
        assert f"e-{int(digits) + 1}" in text
        assert re.search(r"10\^\([1-9]\.[0-9]+e\+7[0-9]{3}\)", text)

    def test_tree_of_a_large_game(self, tmp_path: Path) -> None:
        assert "1.725e+170" in run("tree", "--rules", "yahtzee")[1]
        path = tmp_path / "graph.dot"
        code, out, err = run("tree", "--rules", "yahtzee", "--dot", str(path))
        assert (code, out) == (2, "")
        assert "cannot draw" in err
        assert not path.exists()
