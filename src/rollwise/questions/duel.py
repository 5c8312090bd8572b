"""The win probability of two players who respond to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from rollwise.errors import InputError
from rollwise.game.position import CardLike, Position, as_card
from rollwise.game.scorecard import Scorecard, describe_card, format_card
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Hidden, title
from rollwise.questions.exactness import Errors, GridSteps, exactness, percent, value_of
from rollwise.questions.parameters import Card, Game
from rollwise.questions.progress import is_remote, note, working
from rollwise.rules import Rules, game_of

if TYPE_CHECKING:  # needs numba
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.size import DuelSize
    from rollwise.two_player.solution import DuelSolution
    from rollwise.two_player.win_probability import WinQuery

PATIENCE = 10.0
"""The seconds of an estimated time to solve from which the size is reported first."""

DIGITS = 8
"""The number of decimals of an exact probability in percent; its error is less than 1e-10."""


class Duel(Answer):
    """The win probability of the player to move in a two-player game, before the roll."""

    rules: str
    card: str
    opponent: str
    ties_lose: bool
    value: float
    win: float | None
    tie: float | None
    lose: float | None
    exact: bool
    """Whether the probabilities are exact; if not, they are near-exact or estimated."""
    errors: Errors | None = None
    grid: GridSteps | None = None
    game: Hidden[Rules]
    solution: Hidden[Any]
    """The win probabilities at all later positions, exact or near-optimal."""
    exact_size: Hidden[Any]
    """The time and memory that the exact solution takes."""

    def __repr__(self) -> str:
        return f"<Duel of {self.rules}: value {value_of(self.value, self.exact)}>"

    def show(self) -> Iterator[Block]:
        """Yield the scorecards, the probabilities, and their errors."""
        from rollwise.two_player.size import MAX_BYTES  # numba
        from rollwise.two_player.solution import DuelSolution

        solution = self.solution
        mine, other = (
            describe_card(Scorecard(self.game, card)) for card in (self.card, self.opponent)
        )
        yield title(self.game.title, f": your {mine}, the opponent's {other}")
        each = {"win": self.win, "tie": self.tie, "lose": self.lose}
        words = ", ".join(
            f"{name} {percent(p, solution, DIGITS)}" for name, p in each.items() if p is not None
        )
        yield f"value {percent(self.value, solution, DIGITS)}" + (f": {words}" if words else "")
        if self.ties_lose:
            yield "A tie counts as a loss for the player to move."
        if isinstance(solution, DuelSolution):
            exact = "Exact: both players see both scorecards and play optimally to win."
            yield f"{exact if self.exact else solution} {solution.lanes:,} two-player states."
        else:
            yield str(solution)
            limit = f"{MAX_BYTES >> 30} GiB"
            yield f"The exact answer needs {self.exact_size}; the limit is {limit}."


class Size(Answer):
    """The time and memory that the solution of a two-player game takes."""

    rules: str
    card: str
    opponent: str
    ties_lose: bool
    exact: bool
    pairs: int
    lanes: int
    bytes: int
    seconds: float
    disk: int
    """The size of all values in bytes, which are on disk if they are saved."""
    game: Hidden[Rules]
    save: Hidden[bool]
    size: Hidden[Any]
    exact_size: Hidden[Any]

    def __repr__(self) -> str:
        return f"<Duel of {self.rules}: {self.size}>"

    def show(self) -> Iterator[Block]:
        """Yield the size, and also the size of the exact solution if a grid is used."""
        yield title(self.game.title, f"{'' if self.exact else ', on a grid'}: {self.size}")
        if self.save:
            yield f"Saved on disk: {self.disk / 2**30:,.1f} GiB"
        if not self.exact:
            yield f"Exact: {self.exact_size}"


@checks_arguments
def duel(
    *,
    card: Card = None,
    opponent: Annotated[CardLike | None, Parameter(metavar="CARD")] = None,
    rules: Game = None,
    ties_lose: bool = False,
    value_only: bool = False,
    estimate: bool = False,
    grid: Literal["auto", "light", "fine", "exact"] = "auto",
    save: bool = False,
) -> Duel | Size:
    """Compute the probability of winning a two-player game.

    Both players see both scorecards and play to win; a tie counts as half a win. The value is the
    win probability of the player to move, before the roll. Values of small games and endgames are
    exact. For larger games, they are near-exact on a grid, or near-optimal; the output says which.

    Parameters
    ----------
    card
        The scorecard of the player to move.
    opponent
        The opponent's scorecard; - if it is empty.
    rules
        The game.
    ties_lose
        Count a tie as a loss for the player to move.
    value_only
        Skip the tie probability: half the time and memory.
    estimate
        Only estimate the size and time of the solution.
    grid
        The accuracy; auto: exact if memory suffices, else the best fast grid.
    save
        Save all values on disk, for questions about any later turn.

    Examples
    --------
    >>> duel(rules="micro-yahtzee")
    <Duel of micro-yahtzee: value 0.4926697531>

    rollwise duel --rules yatzy-forced-order
    rollwise duel --rules micro-yahtzee --card double=6 --opponent square=16 --json
    rollwise duel --rules yacht-openspiel --estimate
    """
    from rollwise.two_player.solver import DuelSolver
    from rollwise.two_player.win_probability import SERVER, UNLIMITED, WinQuery, grids_of

    if save and is_remote():
        raise InputError("a server does not save values on request; leave out save")
    game = game_of(rules, card, opponent)
    mine, other = (as_card(game, side or "-") for side in (card, opponent))
    grids = grids_of(mine, other)
    is_named = grid in grids
    query = WinQuery(
        DuelSolver(game),
        mine,
        other,
        SERVER if is_remote() else UNLIMITED,
        tie=0.0 if ties_lose else 0.5,
        ties=not value_only,
        save=save,
        grids=[grids[grid]] if is_named else [] if grid == "exact" else list(grids.values()),
        always_grid=is_named,
    )
    head: dict[str, Any] = {
        "rules": game.name,
        "card": format_card(mine),
        "opponent": format_card(other),
        "ties_lose": ties_lose,
        "game": game,
        "exact_size": query.exact_size,
    }
    if estimate:
        size = query.size
        exact = size == query.exact_size
        return Size(**head, exact=exact, size=size, save=save, **vars(size))
    if grid == "exact":
        query.exact_size.check(game.name)
    solution = answered(query)
    win, tie, lose = (None if value_only else solution.chances()) or (None, None, None)
    return Duel(
        **head,
        value=solution.value(),
        win=win,
        tie=tie,
        lose=lose,
        **exactness(solution),
        solution=solution,
    )


def answered(query: WinQuery) -> DuelSolution | NearOptimal:
    """Return the exact or estimated win probabilities for a query, and report progress."""
    query.check()
    name = query.solver.rules.name
    if query.method == "estimate":
        with working(f"comparing two scorecards of {name}"):
            estimate = query.answer()
            estimate.chances()  # cached while the progress is visible
            return estimate
    if query.method == "cached":
        return query.answer()
    if query.size.seconds >= PATIENCE:
        note(f"{name}: {query.size}")
    with working(f"solving the two-player game of {name}") as advance:
        return query.answer(advance)


def responses(
    position: Position, opponent: Scorecard
) -> tuple[DuelSolution | NearOptimal, DuelSize | None]:
    """Return the win probabilities at a position against an opponent who responds.

    Also return the size of the exact solution if it is not the answer, but fits into memory.
    """
    from rollwise.two_player.solver import DuelSolver
    from rollwise.two_player.win_probability import ADVICE, SERVER, WinQuery, grids_of

    grids = list(grids_of(position, opponent).values())
    limit, grids = (SERVER, []) if is_remote() else (ADVICE, grids)
    query = WinQuery(DuelSolver(position.rules), position, opponent, limit, grids=grids)
    solution = answered(query)
    size = query.exact_size if not solution.exact and query.exact_size.fits else None
    return solution, size
