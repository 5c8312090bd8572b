"""Check that a solver computes results that several objectives share only once."""

from pathlib import Path

import numpy as np
import pytest

from rollwise.errors import InconsistentError, InputError, MalformedError
from rollwise.evaluation.evaluate import final_distribution
from rollwise.game.position import Position, as_card
from rollwise.rules import load_rules
from rollwise.solving import backward_induction
from rollwise.solving.objectives import BEST_CASE, EXPECTED, Objective, target
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import Optimal

MICRO = load_rules("micro-yahtzee")


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every solve appends the name of its objective."""
    names, original = list[str](), backward_induction.solve_cards

    def recorded(model, objective, **rest):  # type: ignore[no-untyped-def]
        names.append(objective.name)
        return original(model, objective, **rest)

    monkeypatch.setattr(backward_induction, "solve_cards", recorded)
    return names


def test_objectives_share_results(solved: list[str]) -> None:
    solver = Solver(MICRO, cache=False)
    value = solver.solve().value()
    targets = solver.targets()
    assert sorted(solved) == ["best-case", "expected"]
    assert len(targets) == solver.solve(BEST_CASE).value()
    assert solver.solve(target(40)).value() == targets[39]
    assert solver.frontier()[-1].mean == pytest.approx(value, abs=1e-6)
    assert solver.fewest_turns(40).patient_success == targets[39]
    assert sorted(solved) == ["best-case", "expected"]


def test_moments_are_added_to_a_solution(solved: list[str]) -> None:
    solver = Solver(MICRO, cache=False)
    plain, rich = solver.solve_by_card(), solver.solve_by_card(moments=True)
    assert plain.moments is None
    assert rich.moments is not None
    assert np.array_equal(plain.table_C_L, rich.table_C_L, equal_nan=True)
    assert solver.solve() is rich
    assert solved == ["expected"]


def test_from_cache_reports_whether_anything_was_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path))
    first, again = Solver(MICRO), Solver(MICRO)
    from_cache = [first.from_cache]
    for solver, objective in ((first, EXPECTED), (again, EXPECTED), (again, target(40))):
        solver.solve(objective)
        from_cache.append(solver.from_cache)
    assert from_cache == [True, False, True, False]


def test_the_value_of_a_scorecard_by_score() -> None:
    whole = solve(MICRO, target(9))
    rest = solve(MICRO, target(9), position="dice 3 | rolls-left 0 | card double=4")
    assert whole.value("double=4") == rest.value() == rest.value("double=4")
    assert whole.value("-") == whole.value() > 0
    assert whole.sd("double=4") is None
    for card in ("-", "double=2", "double=6"):  # the latter two have other points
        with pytest.raises(InconsistentError, match="starts from another scorecard"):
            rest.value(card)
        with pytest.raises(InconsistentError, match="starts from another scorecard"):
            rest.options(f"3 | rolls-left 0 | card {card}")
        with pytest.raises(InconsistentError, match="starts from another scorecard"):
            final_distribution(Optimal(rest), as_card(MICRO, card))


def test_strings_for_rules_and_objectives() -> None:
    assert solve("micro-yahtzee", "expected").value() == solve(MICRO, EXPECTED).value()
    assert solve("micro-yahtzee", "target:40").value() == solve(MICRO, target(40)).value()
    line = "dice 3 | rolls-left 0 | card double=4"
    from_string = solve(MICRO, "target:9", position=line)
    assert from_string.value() == solve(MICRO, target(9), position=Position(MICRO, line)).value()
    assert from_string.options(Position(MICRO, line))
    with pytest.raises(MalformedError, match=r"unknown objective 'most'\. Use one of"):
        solve(MICRO, "most")


def test_an_objective_is_of_one_of_three_kinds() -> None:
    with pytest.raises(InputError, match="an objective must be an Objective or its name"):
        solve(MICRO, Objective("none of them"))
