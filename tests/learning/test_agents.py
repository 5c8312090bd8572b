"""Test agents as strategies: their games, their evaluation, and errors for illegal actions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from commands import run
from repository import ROOT
from rollwise import Strategy, load_rules
from rollwise.errors import IllegalError
from rollwise.experiments.losses import losses
from rollwise.experiments.simulation import simulate
from rollwise.learning.agents import Agent
from rollwise.solving.solver import Solver
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.custom import CustomStrategy

CRAG = load_rules("crag")
FIRST = "class First:\n    def keep(self, card, dice, left):\n        return {}\n"
FIRST += "    def score(self, card, dice):\n        return card.choices(dice)[0]\n"
EXAMPLE = str(ROOT / "examples" / "agent.py")

Seen = NDArray[np.float32]
Masks = NDArray[np.int8]


def first_allowed(seen: Seen, masks: Masks) -> NDArray[np.int64]:
    """Keep no dice; score the final roll in the first open category."""
    return np.asarray(masks.argmax(axis=1))


def first_box(seen: Seen, masks: Masks) -> NDArray[np.float64]:
    """Score the first roll in the first legal category."""
    categories = len(CRAG.categories)
    number = np.arange(masks.shape[1])
    wanted = np.where(number >= masks.shape[1] - categories, -number, -np.inf)
    return np.broadcast_to(wanted, masks.shape)


def late(seen: Seen, masks: Masks) -> NDArray[np.float64]:
    """Choose with random weights, and score only when no rerolls are left."""
    weights = np.random.default_rng(1).normal(size=(seen.shape[1], masks.shape[1]))
    keeps = masks.shape[1] - len(CRAG.categories)
    return np.asarray(seen @ weights - 1e3 * (np.arange(masks.shape[1]) >= keeps))


class ByTurn(Strategy):
    """A strategy that returns the policy of another strategy for a whole turn."""

    sees = ("lane", "score")

    def __init__(self, other: Strategy) -> None:
        self.other, self.name = other, "by turn"

    def turns(self, cards: Cards) -> Turns:
        return self.other.turns(cards)


class TestAgents:
    @pytest.mark.parametrize(("act", "keeps"), [(first_allowed, "[]"), (first_box, "dice")])
    def test_agent_plays_like_an_equivalent_class(self, act: Any, keeps: str) -> None:
        agent, own = Agent(act), CustomStrategy.of_source("my.py", FIRST.format(keeps), "First")
        solution = Solver(CRAG).solve_by_card()
        actual, expected = (losses(player, solution, 60, seed=4) for player in (agent, own))
        assert (actual.scores_N == expected.scores_N).all()
        assert actual.total == pytest.approx(expected.total, abs=1e-12)
        assert actual.by_turn_T_J == pytest.approx(expected.by_turn_T_J, abs=1e-12)

    @pytest.mark.parametrize(("rules", "act"), [("crag", late), ("yamb-down", first_allowed)])
    def test_decisions_by_roll_match_decisions_by_turn(self, rules: str, act: Any) -> None:
        agent = Agent(act)
        by_roll, by_turn = (simulate(player, rules, 6, seed=5) for player in (agent, ByTurn(agent)))
        assert (by_roll.points_N_K == by_turn.points_N_K).all()

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (
                lambda seen, masks: np.full(len(masks), 10**6),
                "agent returned the illegal action 1000000;",
            ),
            (
                lambda seen, masks: np.full(len(masks), -1),
                "agent returned the illegal action -1; return",
            ),
            (
                lambda seen, masks: masks.argmin(axis=1),
                "agent returned the illegal action 1; return",
            ),
            (lambda seen, masks: seen, r"agent returned float32 of shape \(5, 25\);"),
            (lambda seen, masks: masks * np.nan, r"agent returned float64 of shape \(5, 41\);"),
            (
                lambda seen, masks: np.where(masks, -np.inf, 1.0),
                "agent returned the illegal action 0; return",
            ),
        ],
    )
    def test_invalid_actions_raise_an_error(self, answer: Any, said: str) -> None:
        with pytest.raises(IllegalError, match=said):
            simulate(Agent(answer), CRAG, 5)

    def test_simulate_accepts_an_agent(self, tmp_path: Path) -> None:
        options = ("--rules", "micro-yahtzee", "--games", "3", "--seed", "1")
        code, out, err = run("simulate", f"{EXAMPLE}:agent", "--versus", "greedy", *options)
        assert code == 0, err
        assert "agent.py:agent" in out


class TestEvaluation:
    def test_file_name_alone_selects_the_agent_in_it(self) -> None:
        options = ("--rules", "crag", "--games", "20", "--json", "-q")
        results = [
            json.loads(run("compare", name, *options)[1]) for name in (EXAMPLE, f"{EXAMPLE}:agent")
        ]
        assert results[0] == results[1]
        lost = results[0]["strategies"][0]["lost"]
        assert lost["total"] == pytest.approx(sum(lost["by_category"].values()))
