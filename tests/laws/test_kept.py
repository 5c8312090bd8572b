"""A law that is kept is the law that was made; so are the numbers that sweeps by score come to."""

import json
from pathlib import Path

import pytest

from rollwise.evaluation.evaluate import evaluate
from rollwise.rules import load_rules
from rollwise.solving import solver
from rollwise.solving.cache_entries import entries
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Greedy, Optimal, Strategy

RULES = load_rules("micro-yahtzee")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache."""
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    return tmp_path


def distributions(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.law-of-*"))


@pytest.mark.parametrize("fewer_dice", [False, True])
def test_is_found_again_to_the_last_bit(
    cache: Path, monkeypatch: pytest.MonkeyPatch, fewer_dice: bool
) -> None:
    strategy = Optimal(solve(RULES), fewer_dice=fewer_dice)
    afresh = evaluate(strategy, RULES)
    assert not distributions(cache)
    made = evaluate(strategy, RULES, cache=True)
    assert len(distributions(cache)) == 1
    monkeypatch.setattr("rollwise.evaluation.evaluate._evaluate", None)  # is not asked again
    found = evaluate(strategy, RULES, cache=True)
    assert json.dumps(found.as_dict()) == json.dumps(made.as_dict())
    assert json.dumps(made.as_dict()) == json.dumps(afresh.as_dict())


def test_all_targets_are_found_again_to_the_last_bit(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    afresh = Solver(RULES, cache=False).targets()
    assert not list(cache.glob("*.targets.*"))
    made = Solver(RULES).targets()
    monkeypatch.setattr(solver, "best_targets", None)  # is not asked again
    found = Solver(RULES).targets()
    assert made.tolist() == found.tolist() == afresh.tolist()
    assert "targets" in {entry.objective for entry in entries()}


def test_what_giving_up_brings_is_found_again_to_the_last_bit(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    afresh = Solver(RULES, cache=False).fewest_turns(30)
    assert not list(cache.glob("*.stopping-*"))
    assert Solver(RULES).stopping_size(30) > 0
    made = Solver(RULES).fewest_turns(30)
    monkeypatch.setattr(solver, "fewest_turns", None)  # is not asked again
    assert made == Solver(RULES).fewest_turns(30) == afresh
    assert Solver(RULES).stopping_size(30) == 0  # nothing is left to be done
    assert Solver(RULES).stopping_size(31) > 0


def test_players_have_distributions_of_their_own(cache: Path) -> None:
    solution = solve(RULES)
    players: list[Strategy] = [Greedy(), Optimal(solution), Optimal(solution, fewer_dice=True)]
    means = [evaluate(player, RULES, cache=True).distribution.mean for player in players * 2]
    assert len(distributions(cache)) == 3
    assert means[:3] == means[3:]


def test_code_from_elsewhere_is_not_kept(cache: Path) -> None:
    class Mine(Greedy):
        """Named as another."""

    evaluate(Mine(), RULES, cache=True)
    assert not distributions(cache)


def test_damage_is_said_and_mended(
    cache: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = evaluate(Greedy(), RULES, cache=True)
    (path,) = distributions(cache)
    path.write_bytes(path.read_bytes()[:-9])
    assert evaluate(Greedy(), RULES, cache=True).distribution.mean == made.distribution.mean
    assert "cannot be used" in caplog.text
    monkeypatch.setattr("rollwise.evaluation.evaluate._evaluate", None)  # is not asked again
    assert evaluate(Greedy(), RULES, cache=True).distribution.mean == made.distribution.mean
