"""Check that results in the cache are equal to computed results, and are not computed again."""

from pathlib import Path

import pytest

from rollwise.cache_folder import entries
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.position import as_position
from rollwise.questions.advise import advise
from rollwise.questions.solving import keeping
from rollwise.rules import load_rules
from rollwise.solving import solver
from rollwise.solving.by_score.solver import ScoreSolver
from rollwise.solving.objective_parser import parse_objective
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
    computed = Solver(RULES).fewest_turns(30)
    monkeypatch.setattr(solver, "fewest_turns", None)  # must not run again
    assert computed == Solver(RULES).fewest_turns(30) == uncached


CARDS = ["-", "square=9"]


@pytest.mark.parametrize(
    ("objective", "others"),
    [
        ("target:30", ()),
        ("beat:greedy", ()),
        ("beat", ("-", "square=16")),
    ],
)
def test_the_first_turns_of_a_solution_are_kept(
    monkeypatch: pytest.MonkeyPatch, objective: str, others: tuple[str, ...]
) -> None:
    def advice() -> list[object]:
        return [
            advise(
                "6", card=card, rolls_left=0, rules=RULES, objective=objective, opponent=others
            ).model_dump()
            for card in CARDS
        ]

    with keeping(False):
        uncached = advice()
    computed = advice()
    monkeypatch.setattr(ScoreSolver, "solve", None)  # must not run again
    monkeypatch.setattr("rollwise.evaluation.forward_pass.forward_pass", None)
    assert advice() == computed == uncached
    starts = [entry for entry in entries() if entry.objective == objective]
    assert len(starts) == 1, "the turns after the first one are in the same file"


def test_other_points_are_not_part_of_saved_turns() -> None:
    goal = parse_objective("target:30")
    positions = [as_position(RULES, f"6 | rolls-left 0 | card square={n}") for n in (9, 16)]
    for position in positions * 2:
        kept = solve(RULES, goal, position=position, first_turns=True)
        whole = solve(RULES, goal, position=position, cache=False)
        assert kept.options(position) == whole.options(position)
    assert len([entry for entry in entries() if entry.objective == goal.name]) == 2


def test_files_with_other_names_are_not_saved_turns(cache: Path) -> None:
    position = as_position(RULES, "6 | rolls-left 0 | card square=9")
    first = solve(RULES, "target:30", position=position, first_turns=True).options(position)
    (path,) = cache.rglob("*.target=30.*")
    for end in (" (copy)", "-1", "-99999-0-0", "-٣-0-0"):
        (path.parent / f"{path.stem.rpartition('-')[0]}{end}.npz").write_bytes(path.read_bytes())
        (path.parent / f"{path.stem.partition('-')[0]}{end}.npz").write_bytes(b"")
    again = solve(RULES, "target:30", position=position, first_turns=True).options(position)
    assert first == again


def test_expected_scores_are_computed_if_saved_turns_have_none() -> None:
    position = as_position(RULES, "6 | rolls-left 0 | card square=9")
    for moments in (False, True, False):
        solution = solve(RULES, "target:30", position=position, moments=moments, first_turns=True)
        assert (solution.options(position)[0].expected is not None) is moments


def test_a_changed_utility_file_is_another_objective(tmp_path: Path) -> None:
    path, means = tmp_path / "u.csv", list[float]()
    for sign in ("", "-"):
        path.write_text("".join(f"{score},{sign}{score}\n" for score in range(61)))
        means.append(evaluate("optimal", RULES, f"utility:{path}", cache=True).distribution.mean)
    assert means[0] > 25 > means[1]


def test_the_breakdown_of_a_game_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(RULES)
    uncached = breakdown_of(solution, cache=False)
    assert "breakdown" not in {entry.objective for entry in entries()}
    computed = breakdown_of(solution)
    monkeypatch.setattr("rollwise.evaluation.breakdown._remaining", None)  # must not run again
    kept = breakdown_of(solution)
    assert kept is not None
    for parts in (uncached, computed):
        assert parts is not None
        assert parts.remaining_T_X.tobytes() == kept.remaining_T_X.tobytes()


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
