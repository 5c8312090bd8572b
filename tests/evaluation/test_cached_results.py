"""Check that cached evaluations, target probabilities, and restart results are correct."""

from pathlib import Path

import pytest

from rollwise.cache_folder import entries
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.rules import load_rules
from rollwise.solving import solver
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Greedy, Optimal, Strategy

RULES = load_rules("micro-yahtzee")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    return tmp_path


def distributions(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.distribution-of-*"))


def bits(evaluation: Evaluation) -> object:
    header, arrays = evaluation.saved()
    return header, {name: array.tobytes() for name, array in arrays.items()}


@pytest.mark.parametrize("fewer_dice", [False, True])
def test_a_cached_evaluation_is_bit_identical(
    cache: Path, monkeypatch: pytest.MonkeyPatch, fewer_dice: bool
) -> None:
    strategy = Optimal(solve(RULES), fewer_dice=fewer_dice)
    uncached = evaluate(strategy, RULES)
    assert not distributions(cache)
    computed = evaluate(strategy, RULES, cache=True)
    assert len(distributions(cache)) == 1
    monkeypatch.setattr("rollwise.evaluation.evaluate._evaluate", None)  # must not run again
    cached = evaluate(strategy, RULES, cache=True)
    assert bits(cached) == bits(computed) == bits(uncached)


def test_cached_targets_are_bit_identical(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uncached = Solver(RULES, cache=False).targets()
    assert not list(cache.rglob("*.targets.*"))
    computed = Solver(RULES).targets()
    monkeypatch.setattr(solver, "best_targets", None)  # must not run again
    cached = Solver(RULES).targets()
    assert computed.tolist() == cached.tolist() == uncached.tolist()
    assert "targets" in {entry.objective for entry in entries()}


def test_cached_restart_results_are_bit_identical(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uncached = Solver(RULES, cache=False).fewest_turns(30)
    assert not list(cache.rglob("*.restart-*"))
    assert Solver(RULES).stopping_size(30) > 0
    computed = Solver(RULES).fewest_turns(30)
    monkeypatch.setattr(solver, "fewest_turns", None)  # must not run again
    assert computed == Solver(RULES).fewest_turns(30) == uncached
    assert Solver(RULES).stopping_size(30) == 0  # the result is cached
    assert Solver(RULES).stopping_size(31) > 0


def test_each_strategy_has_a_separate_cache_entry(cache: Path) -> None:
    solution = solve(RULES)
    players: list[Strategy] = [Greedy(), Optimal(solution), Optimal(solution, fewer_dice=True)]
    means = [evaluate(player, RULES, cache=True).distribution.mean for player in players * 2]
    assert len(distributions(cache)) == 3
    assert means[:3] == means[3:]


def test_a_strategy_from_outside_the_package_is_not_cached(cache: Path) -> None:
    class Mine(Greedy):
        """A strategy with the name of a strategy in the package."""

    evaluate(Mine(), RULES, cache=True)
    assert not distributions(cache)


def test_a_damaged_cache_entry_is_reported_and_replaced(
    cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = evaluate(Greedy(), RULES, cache=True)
    (path,) = distributions(cache)
    path.write_bytes(path.read_bytes()[:-9])
    assert evaluate(Greedy(), RULES, cache=True).distribution.mean == computed.distribution.mean
    assert "cannot be used" in caplog.text
    monkeypatch.setattr("rollwise.evaluation.evaluate._evaluate", None)  # must not run again
    assert evaluate(Greedy(), RULES, cache=True).distribution.mean == computed.distribution.mean
