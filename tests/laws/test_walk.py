"""An opponent seen as his expected final score, and the reply to him."""

import json

import numpy as np
import pytest

from commands import run
from rollwise.evaluation.final_law import final_law
from rollwise.evaluation.walk import Steps, walk
from rollwise.evaluation.walk_reply import WalkReply, convolved
from rollwise.game.scorecard import Scorecard
from rollwise.laboratory.walk_games import reply_to_points
from rollwise.law import Law
from rollwise.rules import load_rules
from rollwise.solving.duel import size
from rollwise.solving.objectives import beating
from rollwise.solving.play import BestPlay
from rollwise.solving.solver import Solver

MICRO = load_rules("micro-yahtzee")


def one_law(*numbers: float) -> Steps:
    """Return the law of equally likely numbers."""
    number, row = np.array(numbers), np.zeros(len(numbers), dtype=np.int64)
    return Steps.of(row, number, np.full(len(numbers), 1 / len(numbers)), 1)


class TestSteps:
    def test_between_whole_numbers_the_mean_is_kept(self) -> None:
        law = one_law(-1.25, 2.5)
        assert law.low == -2
        assert law.mass_X_J[0] == pytest.approx([0.125, 0.375, 0, 0, 0.25, 0.25])

    @pytest.mark.parametrize("numbers", [(3,), (-2,), (-4, 1, 6)])
    def test_convolved(self, numbers: tuple[float, ...]) -> None:
        worth = np.linspace(0.1, 0.9, 12) ** np.array([[1], [2]])
        wide = np.concatenate([np.zeros((2, 9)), worth, np.ones((2, 9))], axis=1)
        means = sum(wide[:, 9 - int(n) : 21 - int(n)] for n in numbers) / len(numbers)
        assert convolved(worth, one_law(*numbers)) == pytest.approx(means, abs=1e-14)


@pytest.mark.parametrize("name", ["micro-yahtzee", "yatzy-forced-order"])
def test_steps_add_up_to_the_spread_of_the_game(name: str) -> None:
    expected = Solver(name).solve(moments=True)
    steps = list(walk(BestPlay(expected), expected))
    assert len(steps) == len(expected.rules.categories)
    law = final_law("optimal", Scorecard.empty(expected.rules))
    for step in steps:
        assert step.mass_X_J.sum() == pytest.approx(1, abs=1e-12)
        mean = step.mass_X_J[0] @ (step.low + np.arange(step.mass_X_J.shape[1]))
        assert mean == pytest.approx(0, abs=1e-10)
    # A number between two whole ones that counts as both spreads by a quarter at most.
    spread = sum(float(step.variance_X[0]) for step in steps)
    assert law.sd**2 - 1e-9 < spread < law.sd**2 + len(steps) / 4


@pytest.mark.parametrize("second", [False, True])
def test_who_stands_still_is_a_score_to_beat(second: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WalkReply, "_half", lambda *_: 320)  # no lead is sure for his spread
    expected = Solver("yatzy-forced-order").solve()
    still = [one_law(0.0)] * len(expected.rules.categories)
    start = WalkReply(expected, still, second=second).layers[0]
    for score in (140, 170, 200):
        beat = Solver(expected.rules).solve(beating([(Law.certain(score), 1)])).value()
        value = start.at(start.before, np.array([0]), np.array([-score]))
        assert value[0] == pytest.approx(beat, abs=1e-6)  # tables are float32


def test_he_replies_to_one_who_plays_for_points() -> None:
    """Moving second he knows what he needs; nobody gets more than the exact 50.733 %."""
    fares = reply_to_points(Solver(MICRO).solve(), 1000, 3)
    assert fares.second < 0.50733 + 4 * fares.second_error
    assert fares.second > 0.5065
    assert fares.first_error < 2e-3


@pytest.mark.slow
def test_he_is_nearly_as_good_as_the_exact_player() -> None:
    """The exact player has 50.306 % moving first and 50.755 % moving second."""
    fares = reply_to_points(Solver("yatzy-forced-order").solve(), 2000, 3)
    assert fares.first == pytest.approx(0.50306, abs=4 * fares.first_error + 1e-3)
    assert fares.second == pytest.approx(0.50755, abs=4 * fares.second_error + 1e-3)
    assert max(fares.first_error, fares.second_error) < 1e-3


def test_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size, "MAX_BYTES", 1)
    asked = ("duel", "--rules", "micro-yahtzee", "--games", "9")
    told = json.loads(run(*asked, "--json")[1])
    assert told["exact"] is False
    assert told["value"] is None
    assert told["against_points"]["games"] == 9
    assert told["against_points"]["mistakes"] is None
    code, out, _ = run(*asked)
    assert code == 0
    assert "near-optimally, not exactly" in out
