"""The value of a two-player game: :func:`duel` solves or estimates it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rollwise.game.position import CardLike, as_card
from rollwise.game.scorecard import Scorecard, format_card
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.two_player.advice import exactness
from rollwise.two_player.grid import AUTO, EXACT, Grid
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.size import DuelSize
from rollwise.two_player.solution import Chances, DuelSolution, probabilities_as_dict
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import UNLIMITED, WinQuery

Solve = Callable[[WinQuery], DuelSolution | NearOptimal]


@dataclass(frozen=True, eq=False, repr=False)
class Duel:
    """What is known about a two-player game before a turn.

    Attributes
    ----------
    rules : Rules
    card, opponent : Scorecard
        The scorecards of the player to move and of the opponent.
    ties_lose : bool
        Whether a tie counts as a loss for the player to move.
    size : DuelSize
        The time and memory that the solution takes, exact or on a grid.
    exact_size : DuelSize
        The time and memory that the exact solution takes.
    solution : DuelSolution, NearOptimal, or None
        The win probabilities; None if they were not computed.
    chances : Chances or None
        The probabilities of a win, a tie, and a loss for the player to move; None if they were not
        computed.
    """

    rules: Rules
    card: Scorecard
    opponent: Scorecard
    ties_lose: bool
    size: DuelSize
    exact_size: DuelSize
    solution: DuelSolution | NearOptimal | None = None
    chances: Chances[float] | None = None

    @property
    def value(self) -> float | None:
        """The win probability of the player to move; None if it was not computed."""
        return self.solution.value() if self.solution else None

    @property
    def exact(self) -> bool:
        """Whether the value is exact, or would be if it were computed."""
        return self.solution.exact if self.solution else self.size == self.exact_size

    def __repr__(self) -> str:
        value = f"{self.size}" if self.value is None else f"value {self.value:.10g}"
        return f"<Duel of {self.rules.name}: {value}>"

    def _repr_html_(self) -> str:
        rows = [(name, value) for name, value in self.as_dict().items() if value is not None]
        return html_table(f"{self.rules.title}: two players", rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        data: dict[str, Any] = {
            "rules": self.rules.name,
            "card": format_card(self.card),
            "opponent": format_card(self.opponent),
            "ties_lose": self.ties_lose,
        }
        if self.solution is None:
            return data | {"exact": self.exact} | vars(self.size)
        data |= {"value": self.value, **probabilities_as_dict(self.chances)}
        return data | exactness(self.solution)


def duel(
    rules: RulesLike,
    card: CardLike = "-",
    opponent: CardLike = "-",
    *,
    ties_lose: bool = False,
    value_only: bool = False,
    estimate: bool = False,
    grid: str = AUTO,
    solve: Solve = WinQuery.answer,
) -> Duel:
    """Return the probability that the player to move wins a game of two players who play to win.

    Parameters
    ----------
    rules : Rules, str, or Path
        The game, the name of a preset, or the path of a rule file.
    card, opponent : Scorecard, str, or mapping of str to int
        The scorecards of the player to move and of the opponent (default: empty).
    ties_lose : bool
        Whether a tie counts as a loss for the player to move; otherwise it counts as half a win.
    value_only : bool
        Whether to skip the tie probability, for half the time and memory.
    estimate : bool
        Whether to only estimate the size of the solution.
    grid : str
        The steps of the grid to solve on, such as ``difference=4,upper=8``; ``auto`` for a grid
        only if the game is too large for an exact solution; or ``exact`` for no grid.
    solve : callable
        The function that answers a :class:`WinQuery` (default: its method ``answer``).

    Returns
    -------
    Duel

    Raises
    ------
    InputError
        If a scorecard or the grid is not possible.
    TooLargeError
        If the game is too large.

    Examples
    --------
    >>> duel("micro-yahtzee")
    <Duel of micro-yahtzee: value 0.4926697531>
    """
    game = as_rules(rules)
    mine, other = as_card(game, card), as_card(game, opponent)
    has_steps = grid not in (AUTO, EXACT)
    query = WinQuery(
        DuelSolver(game),
        mine,
        other,
        UNLIMITED,
        tie=0.0 if ties_lose else 0.5,
        ties=not value_only,
        grid=None if grid == EXACT else Grid.parse(grid) if has_steps else Grid(),
        always_grid=has_steps,
    )
    if estimate:
        return Duel(game, mine, other, ties_lose, query.size, query.exact_size)
    if grid == EXACT:
        query.exact_size.check(game.name)
    solution = solve(query)
    chances = None if value_only else solution.chances()
    return Duel(game, mine, other, ties_lose, query.size, query.exact_size, solution, chances)
