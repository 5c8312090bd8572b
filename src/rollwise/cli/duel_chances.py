"""How the chances of two players are found, and told: exactly where that is possible."""

from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING, Any

import typer

from rollwise.cli.progress import progress
from rollwise.errors import TooLargeError

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.game.scorecard import Scorecard
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.size import DuelSize
    from rollwise.two_player.solution import Chances, DuelSolution
    from rollwise.two_player.solver import DuelSolver

PATIENCE = 10.0
"""Seconds from which on it is said beforehand what a solution takes."""

EXACT = "Exact, not simulated: each of both plays to win, and knows that the other does."


def found(
    solver: "DuelSolver",
    card: "Scorecard | Position",
    opponent: "Scorecard",
    needs: "DuelSize",
    *,
    leads: float = inf,
    tie: float = 0.5,
    ties: bool = True,
    on_disk: bool = False,
    quiet: bool,
) -> "DuelSolution | NearOptimal":
    """Return exact chances where they are kept, or there is room for them; else near-optimal ones.

    Parameters
    ----------
    needs : DuelSize
        What the exact ones take.
    leads : float
        The most that is solved for an answer.
    """
    from rollwise.two_player.near_optimal import can_be_told, near_optimal

    kept = None if on_disk else solver.kept(card, opponent, tie=tie, ties=ties)
    if kept is not None:
        return kept
    name = solver.rules.name
    if can_be_told(solver.rules) and not (needs.fits and needs.lanes <= leads):
        if tie != 0.5:
            raise TooLargeError(
                f"{name} for two from these cards takes {needs}: expected room for it where a "
                "tie is not half a win, as it is in near-optimal play"
            )
        with progress(f"comparing two cards of {name}", quiet):
            near = near_optimal(card, opponent)
            near.chances()  # which is what takes a moment
            return near
    needs.check(name)
    if needs.seconds >= PATIENCE and not quiet:
        typer.echo(f"{name}: {needs}", err=True)  # what takes long is told beforehand
    with progress(f"solving {name} for two", quiet) as advance:
        return solver.solve(card, opponent, tie=tie, ties=ties, on_disk=on_disk, progress=advance)


def as_dict(chances: "Chances[float] | None") -> dict[str, float | None]:
    """Return chances as JSON can hold them."""
    win, tie, loss = chances or (None, None, None)
    return {"win": win, "tie": tie, "loss": loss}


def how_known(known: "DuelSolution | NearOptimal | None") -> dict[str, Any]:
    """Return whether chances are exact, and what is known of their error if they are not."""
    if known is None:
        return {"exact": False}
    return {"exact": True} if known.exact else {"exact": False, "error": asdict(known.error)}


def percent(share: float, known: "DuelSolution | NearOptimal", digits: int = 6) -> str:
    """Return a chance as people read it, with so many digits, but no more than are true."""
    return f"{100 * share:.{digits if known.exact else 2}f} %"
