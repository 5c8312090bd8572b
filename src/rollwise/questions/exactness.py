"""The accuracy of win probabilities in a two-player game: exact, on a grid, or near-optimal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rollwise.questions.answer import Data

if TYPE_CHECKING:
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.solution import DuelSolution


class Steps(Data):
    """The steps of a grid, and the numbers of open categories up to which it has all points."""

    difference: int
    upper: int
    fine_difference: int
    fine_upper: int


def exactness(solution: DuelSolution | NearOptimal) -> dict[str, Any]:
    """Return the fields that say whether a solution is exact, and its grid and error."""
    if solution.grid is None:
        return {"exact": solution.exact}
    steps = Steps.model_validate(solution.grid, from_attributes=True)
    return {"exact": False, "error": solution.error, "grid": steps}


def value_of(value: float, exact: bool) -> str:
    """Return a win probability, with the sign ≈ and fewer digits if it is not exact."""
    return f"{value:.10g}" if exact else f"≈ {value:.4f}"


def percent(share: float, solution: DuelSolution | NearOptimal, digits: int = 6) -> str:
    """Return a probability in percent, with fewer digits if it is an estimate."""
    if not solution.exact:
        digits = 4 if solution.grid else 2
    return f"{100 * share:.{digits}f}%"
