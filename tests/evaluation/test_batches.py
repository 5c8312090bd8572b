"""Check that the choices for batches of scorecards equal the choices for single scorecards."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from rollwise.evaluation.policy_value import StrategyPolicy
from rollwise.experiments.comparison import compare
from rollwise.model.arrays import build
from rollwise.rules import Rules, load_rules
from rollwise.solving.solver import Solver
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import parse_strategy
from rollwise.strategies.custom import CustomStrategy
from rows_of_policies import outcome_probabilities
from small_games import small_rules

CRAG = load_rules("crag")
PLAYERS = ["greedy", "greedy-average", "greedy-step", "commonest-face", "payoff-line", "random"]

READS = {
    "nothing": "return dice[1:]",
    "one box": "return dice if 'crag' in card.open else []",
    "the number of open boxes": "return dice[: len(card.open) % 3]",
    "all open boxes": "return dice[: sum(map(len, card.open)) % 4]",
    "the turn": "return dice[: card.turn % 4]",
    "points": "return [d for d in dice if any(card.points([d] * 3, k) > 9 for k in card.open)]",
    "choices": "return dice[: len(card.choices(dice)) % 4]",
    "points of a filled box": "return dice if card.points(dice, 'sixes') else dice[:1]",
}


def own(body: str, head: str = "") -> CustomStrategy:
    keep = f"def keep(self, card, dice, left): {body}"
    return CustomStrategy.of_source("my.py", f"class Mine:\n    {head}\n    {keep}", "Mine")


class TestPlay:
    @pytest.mark.parametrize("name", PLAYERS)
    def test_outcome_probabilities_equal_the_turn_policy(self, name: str) -> None:
        strategy, model = parse_strategy(name), build(CRAG)
        for layer in (0, 5, 12):
            play = StrategyPolicy(strategy, CRAG)
            played = play.of_layer(layer)
            first, last = play.compiled.layers[layer]
            for c in range(first, last, max((last - first) // 8, 1)):
                turns = strategy.turns(Cards.one(model, c, int(model.first_lane_C[c])))
                probability_O = outcome_probabilities(play, played, c, 0)
                assert (probability_O == turns.outcome_probabilities()[0]).all()

    @settings(max_examples=10)
    @given(small_rules(saves=True))
    def test_outcome_probabilities_for_any_rules(self, rules: Rules) -> None:
        strategy, model = parse_strategy("greedy"), build(rules)
        play = StrategyPolicy(strategy, rules, threads=1)
        for layer in range(len(play.compiled.layers) - 1):
            played = play.of_layer(layer)
            for c in range(*play.compiled.layers[layer]):
                turns = strategy.turns(Cards.one(model, c, int(model.first_lane_C[c])))
                probability_O = outcome_probabilities(play, played, c, 0)
                assert (probability_O == turns.outcome_probabilities()[0]).all()


class TestOwn:
    @pytest.mark.parametrize("body", READS.values(), ids=READS)
    def test_batched_choices_equal_single_choices(self, body: str) -> None:
        model = build(CRAG)
        classes = np.arange(model.layer_starts[6], model.layer_starts[7])[::9]
        cards = Cards(model, classes, classes * 0, classes * 0)
        turns = own(body).turns(cards)
        for g in range(0, len(classes), 12):
            single = own(body).turns(cards.at([g]))
            assert (turns.keeps[g] == single.keeps[0]).all()
            assert (turns.categories[g] == single.categories[0]).all()
            assert (turns.outcome_probabilities()[g] == single.outcome_probabilities()[0]).all()

    def test_a_strategy_that_reads_one_category_is_called_twice_per_roll(self) -> None:
        mine, model = own(f"self.asked.append(dice); {READS['one box']}", "asked = []"), build(CRAG)
        classes = np.arange(model.layer_starts[6], model.layer_starts[7])
        mine.turns(Cards(model, classes, classes * 0, classes * 0))
        rolls, rerolls = len(model.lattice.rolls), int(model.rerolls_C[0])
        assert len(mine._player.asked) == 2 * rolls * rerolls

    def test_choices_depend_on_the_upper_total_and_the_score(self) -> None:
        model = build(CRAG)
        body = "return dice[: (card.upper + card.score) % 3]"
        lanes, scores = np.array([0, 1, 1, 2]), np.array([0, 1, 2, 2])
        turns = own(body, "sees_score = True").turns(Cards(model, lanes * 0, lanes, scores))
        dice = model.lattice
        for g, number in enumerate(((lanes + scores) % 3).tolist()):
            sizes = {len(dice.points[point]) for point in turns.keeps[g].ravel()}
            assert sizes == {min(number, dice.dice)}


def test_a_comparison_reports_progress_after_every_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fractions: list[float] = []
    solution = Solver(CRAG).solve_by_card()
    players = [parse_strategy("greedy"), parse_strategy("commonest-face")]
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))  # a saved evaluation reports no progress
    compare(players, solution, progress=fractions.append)
    assert fractions == sorted(fractions)
    assert len(fractions) > 4 * len(CRAG.categories)
    assert fractions[-1] == 1.0
