"""Test simulations (seeds, jobs, executors, and logs) and comparisons of strategies."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import rollwise
from rollwise.distribution import Distribution
from rollwise.evaluation.batch import BLOCK
from rollwise.experiments.comparison import compare
from rollwise.experiments.simulation import Sample, log_lines, simulate
from rollwise.rules import load_rules
from rollwise.solving.solver import Solver
from rollwise.strategies import CommonestFace, Greedy, Optimal, RandomStrategy

RULES = load_rules("yams")
SHORT = RULES.model_copy(update={"name": "short", "categories": RULES.categories[5:10]})


def same(a: Sample, b: Sample) -> bool:
    """Return whether two samples are bit-identical."""
    return np.array_equal(a.points_N_K, b.points_N_K) and np.array_equal(a.scores_N, b.scores_N)


def same_log(a: Sample, b: Sample) -> bool:
    """Return whether two samples have the same log."""
    assert a.log is not None
    assert b.log is not None
    return (
        np.array_equal(a.log.rolled_N_J, b.log.rolled_N_J)
        and np.array_equal(a.log.kept_N_J, b.log.kept_N_J)
        and np.array_equal(a.log.scored_N, b.log.scored_N)
    )


class TestSeeds:
    def test_a_longer_simulation_begins_with_the_same_games(self) -> None:
        few, many = (simulate(CommonestFace(), RULES, n, 5) for n in (100, BLOCK + 300))
        assert (many.points_N_K[:100] == few.points_N_K).all()

    def test_any_executor_gives_the_same_games(self) -> None:
        here = simulate(RandomStrategy(), RULES, BLOCK + 17, 9, log=True)
        with ThreadPoolExecutor(3) as pool:
            there = simulate(RandomStrategy(), RULES, BLOCK + 17, 9, log=True, executor=pool)
        assert same(here, there)
        assert same_log(here, there)

    def test_dice_are_paired(self) -> None:
        greedy, face = (simulate(s, RULES, 50, 3, log=True) for s in (Greedy(), CommonestFace()))
        assert greedy.log is not None
        assert face.log is not None
        assert (greedy.log.rolled_N_J[:, :, 0] == face.log.rolled_N_J[:, :, 0]).all()

    def test_dice_are_fair(self) -> None:
        games = simulate(CommonestFace(), RULES, 20_000, 1, log=True)
        assert games.log is not None
        from rollwise.model.dice_lattice import lattice

        dice = lattice(((5, 6),))
        rolls = games.log.rolled_N_J[:, :, 0].ravel() - dice.first_roll
        observed = np.bincount(rolls, minlength=252)
        expected = dice.weight_R / 7776 * len(rolls)
        assert ((observed - expected) ** 2 / expected).sum() < 251 + 4 * (2 * 251) ** 0.5


def test_the_log_replays(tmp_path: Path) -> None:
    from rollwise.game.scoring import natural_points

    games = simulate(Greedy(), RULES, 20, 4, log=True)
    head, *lines = "".join(log_lines(games, RULES)).splitlines()
    assert head == "game,turn,rolls,keeps,category,points,score"
    assert len(lines) == 20 * 13
    totals = dict.fromkeys(range(20), 0)
    for line in lines:
        n, _, rolls, keeps, key, points, score = line.split(",")
        shown = [[int(die) for die in roll] for roll in rolls.split()]
        for roll, keep, after in zip(shown, keeps.split(), shown[1:], strict=False):
            held = [] if keep == "-" else [int(die) for die in keep]
            for face in range(1, 7):
                assert held.count(face) <= min(roll.count(face), after.count(face))
        assert natural_points(RULES, RULES.category_index(key), shown[-1]) == int(points)
        totals[int(n)] += int(points)
        assert int(score) == games.scores_N[int(n)]
    assert list(totals.values()) == games.scores_N.tolist()


class TestCompare:
    def test_matrix_of_known_distributions(self) -> None:
        best = Solver(SHORT, cache=False).solve_by_card()
        result = compare([Optimal(best), Greedy()], best, seed=2)
        a, b = result.entries
        win, tie, loss = a.distribution.against(b.distribution)
        dense = np.zeros((2, 400))
        for row, entry in zip(dense, result.entries, strict=True):
            row[entry.distribution.scores] = entry.distribution.probabilities
        joint = np.outer(dense[0], dense[1])
        assert win == pytest.approx(np.tril(joint, -1).sum())
        assert tie == pytest.approx(np.trace(joint))
        assert loss == pytest.approx(np.triu(joint, 1).sum())
        assert b.distribution.against(a.distribution) == pytest.approx((loss, tie, win))
        assert result.difference(a, b)[0] == -result.difference(b, a)[0]

    def test_same_for_any_executor(self) -> None:
        players = [Greedy(), CommonestFace()]
        here = rollwise.compare(players, games=300, seed=2, rules=SHORT)
        with ThreadPoolExecutor(2) as pool:
            there = rollwise.compare(players, games=300, seed=2, rules=SHORT, executor=pool)
        assert here.data() == there.data()


def test_empirical_distribution() -> None:
    games = Sample(
        np.array([[1], [2], [2]], np.int16), np.zeros(3, np.int64), np.zeros(3, np.int64)
    )
    distribution: Distribution = games.distribution
    assert distribution.scores.tolist() == [1, 2]
    assert distribution.probabilities == pytest.approx([1 / 3, 2 / 3])
