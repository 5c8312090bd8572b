"""Agents are strategies: they play, are judged, and are held to the rules like all others."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from commands import run
from repository import ROOT
from rollwise import Strategy, evaluate, load_rules, parse_strategy, simulate
from rollwise.errors import IllegalError, MalformedError
from rollwise.experiments.losses import evaluate_agent, losses
from rollwise.learning.agents import Agent
from rollwise.model.arrays import Model
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import TurnPolicy
from rollwise.strategies.by_values import ByValues
from rollwise.strategies.custom import CustomStrategy

CRAG = load_rules("crag")
FIRST = "class First:\n    def keep(self, card, dice, left):\n        return {}\n"
FIRST += "    def category(self, card, dice):\n        return card.choices(dice)[0]\n"
EXAMPLE = str(ROOT / "examples" / "agent.py")

Seen = NDArray[np.float32]
Masks = NDArray[np.int8]


def first_allowed(seen: Seen, masks: Masks) -> NDArray[np.int64]:
    """Keep nothing, and at last score in the first box."""
    return np.asarray(masks.argmax(axis=1))


def first_box(seen: Seen, masks: Masks) -> NDArray[np.float64]:
    """Score at once in the first box that is allowed."""
    boxes = len(CRAG.categories)
    number = np.arange(masks.shape[1])
    wanted = np.where(number >= masks.shape[1] - boxes, -number, -np.inf)
    return np.broadcast_to(wanted, masks.shape)


def late(seen: Seen, masks: Masks) -> NDArray[np.float64]:
    """Score by weights that nobody has trained, and only when no roll is left."""
    weights = np.random.default_rng(1).normal(size=(seen.shape[1], masks.shape[1]))
    keeps = masks.shape[1] - len(CRAG.categories)
    return np.asarray(seen @ weights - 1e3 * (np.arange(masks.shape[1]) >= keeps))


class ByTurn(Strategy):
    """Another strategy, asked for whole turns alone."""

    sees_score = True

    def __init__(self, other: Strategy) -> None:
        self.other, self.name = other, "by turn"

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        return self.other.turn_policy(model, c, lane, score)


class TestAgents:
    @pytest.mark.parametrize(("act", "keeps"), [(first_allowed, "[]"), (first_box, "dice")])
    def test_plays_as_a_class_that_does_the_same(self, act: Any, keeps: str) -> None:
        agent, own = Agent(act), CustomStrategy("my.py", FIRST.format(keeps), "First")
        solution = solve(CRAG, EXPECTED)
        one, other = (losses(player, solution, 60, seed=4) for player in (agent, own))
        assert (one.scores_N == other.scores_N).all()
        assert one.total == pytest.approx(other.total, abs=1e-12)
        assert one.by_turn_T_J == pytest.approx(other.by_turn_T_J, abs=1e-12)

    @pytest.mark.parametrize(("rules", "coding"), [("crag", "keeps"), ("yamb-down", "dice")])
    def test_plays_roll_by_roll_as_at_a_table(self, rules: str, coding: Any) -> None:
        agent = Agent(late, coding) if rules == "crag" else Agent(first_allowed, coding)
        one, other = (simulate(player, rules, 6, seed=5) for player in (agent, ByTurn(agent)))
        assert (one.points_N_K == other.points_N_K).all()

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (lambda seen, masks: np.full(len(masks), 10**6), "takes action 1000000: expected one"),
            (lambda seen, masks: np.full(len(masks), -1), "takes action -1: expected one of"),
            (lambda seen, masks: masks.argmin(axis=1), "expected one of"),
            (lambda seen, masks: seen, "answers float32 of shape"),
            (lambda seen, masks: masks * np.nan, "answers float"),
            (lambda seen, masks: np.where(masks, -np.inf, 1.0), "takes action"),
        ],
    )
    def test_what_is_no_action_is_told(self, answer: Any, said: str) -> None:
        with pytest.raises(IllegalError, match=said):
            simulate(Agent(answer), CRAG, 5)

    def test_sits_at_the_table(self, tmp_path: Path) -> None:
        given = ("--rules", "micro-yahtzee", "--games", "3", "--seed", "1")
        code, out, err = run("match", f"{EXAMPLE}:agent", "greedy", *given)
        assert code == 0, err
        assert "agent.py:agent" in out


class TestJudging:
    def test_the_values_of_best_play_are_best_play(self) -> None:
        solution = solve(CRAG, EXPECTED)
        found = evaluate_agent(ByValues(solution.table_C_L), solution, games=50)
        assert found.losses.total == pytest.approx(0, abs=1e-9)
        optimal = evaluate_agent(parse_strategy("optimal", CRAG), solution, games=50)
        assert found.raw_mean == optimal.raw_mean

    def test_a_table_of_another_game_is_told(self) -> None:
        table = ByValues(solve(CRAG, EXPECTED).table_C_L)
        with pytest.raises(MalformedError, match=r"values of shape .*: expected .* for yahtzee"):
            simulate(table, "yahtzee", 5)

    def test_worth_is_what_it_is_exactly(self) -> None:
        found = evaluate_agent(parse_strategy("greedy"), solve(CRAG, EXPECTED), games=1500, seed=2)
        exact = evaluate("greedy", CRAG).distribution
        assert abs(found.worth - exact.mean) < 4 * found.losses.error
        as_many = (exact.sd / found.losses.error) ** 2
        assert found.raw_games == pytest.approx(as_many, rel=0.2)

    def test_of_a_file_what_it_calls_agent(self) -> None:
        given = ("--rules", "crag", "--games", "20", "--json", "-q")
        told = [json.loads(run("judge", name, *given)[1]) for name in (EXAMPLE, f"{EXAMPLE}:agent")]
        assert told[0] == told[1]
        lost = told[0]["lost"]
        assert lost["total"] == pytest.approx(sum(lost["by_category"].values()))

    def test_a_file_without_an_agent_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "my.py").write_text(FIRST.format("[]"), "utf-8")
        code, _, err = run("judge", str(tmp_path / "my.py"))
        assert code == 2
        assert "no class agent: expected one there" in err
