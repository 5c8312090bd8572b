"""The accuracy of win probabilities in a two-player game: exact, on a grid, or near-optimal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwise.questions.answer import Data

if TYPE_CHECKING:
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.solution import DuelSolution


class GridSteps(Data):
    """The grid of near-exact probabilities."""

    name: str
    nodes: int
    """The maximum number of upper-section totals for each set of open upper categories."""
    step: int
    """The largest step between score differences, in points."""


class Errors(Data):
    """Errors of probabilities on a grid in measured endgames: the mean and the largest one."""

    value_typical: float
    value_largest: float
    option_typical: float
    option_largest: float


def exactness(solution: DuelSolution | NearOptimal) -> dict[str, Any]:
    """Return the fields that say whether a solution is exact, and its grid and errors."""
    if solution.grid is None:
        return {"exact": solution.exact}
    grid = GridSteps.model_validate(solution.grid, from_attributes=True)
    errors = Errors.model_validate(solution.errors, from_attributes=True)
    return {"exact": False, "errors": errors, "grid": grid}


def value_of(value: float, exact: bool) -> str:
    """Return a win probability, with the sign ≈ and fewer digits if it is not exact."""
    return f"{value:.10g}" if exact else f"≈ {value:.4f}"


def percent(share: float, solution: DuelSolution | NearOptimal, digits: int = 6) -> str:
    """Return a probability in percent, with fewer digits if it is an estimate."""
    if not solution.exact:
        digits = {"fine": 4, "light": 3, "coarse": 3}[solution.grid.name] if solution.grid else 2
    return f"{100 * share:.{digits}f}%"
