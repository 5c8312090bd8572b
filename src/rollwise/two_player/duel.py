"""The value of a two-player game: :func:`duel` solves, estimates, or simulates it."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rollwise.errors import InputError, check_count
from rollwise.game.notation import format_card
from rollwise.game.position import CardLike, as_card
from rollwise.game.scorecard import Scorecard
from rollwise.notebook import html_table
from rollwise.rules import Rules, RulesLike, as_rules
from rollwise.solving.progress import Progress
from rollwise.two_player.advice import exactness
from rollwise.two_player.grid import AUTO, EXACT, Grid
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.simulation import AgainstPoints, play_against_points, solve_for_points
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
    against_points : AgainstPoints or None
        Simulated games of a player who plays to win against one who maximizes points.
    """

    rules: Rules
    card: Scorecard
    opponent: Scorecard
    ties_lose: bool
    size: DuelSize
    exact_size: DuelSize
    solution: DuelSolution | NearOptimal | None = None
    chances: Chances[float] | None = None
    against_points: AgainstPoints | None = None

    @property
    def value(self) -> float | None:
        """The win probability of the player to move; None if it was not computed."""
        return self.solution.value() if self.solution else None

    @property
    def exact(self) -> bool:
        """Whether the value is exact."""
        return self.solution is not None and self.solution.exact

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
        if self.solution is None and self.against_points is None:
            return data | vars(self.size)
        data |= {"value": self.value, **probabilities_as_dict(self.chances)}
        also = {"against_points": asdict(self.against_points)} if self.against_points else {}
        return data | exactness(self.solution) | also


def duel(
    rules: RulesLike,
    card: CardLike = "-",
    opponent: CardLike = "-",
    *,
    ties_lose: bool = False,
    value_only: bool = False,
    estimate: bool = False,
    games: int = 0,
    seed: int = 0,
    grid: str = AUTO,
    solve: Solve = WinQuery.answer,
    progress: Progress | None = None,
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
    games : int
        The number of games to simulate against a player who maximizes points.
    seed : int
        The seed of simulated games.
    grid : str
        The steps of the grid to solve on, such as ``difference=4,upper=8``; ``auto`` for a grid
        only if the game is too large for an exact solution; or ``exact`` for no grid.
    solve : callable
        The function that answers a :class:`WinQuery` (default: its method ``answer``).
    progress : callable, optional
        Called with the completed fraction of the simulation, from 0 to 1.

    Returns
    -------
    Duel

    Raises
    ------
    InputError
        If the arguments contradict each other.
    TooLargeError
        If the game is too large.

    Examples
    --------
    >>> duel("micro-yahtzee")
    <Duel of micro-yahtzee: value 0.4926697531>
    """
    game = as_rules(rules)
    mine, other = as_card(game, card), as_card(game, opponent)
    check_count(games, "games", least=0)
    check_count(seed, "seed", least=0)
    check_options(
        ties_lose=ties_lose,
        estimate=estimate,
        games=games,
        grid=grid,
        filled=bool(mine.filled or other.filled),
    )
    has_steps = grid not in (AUTO, EXACT)
    steps = Grid.parse(grid) if has_steps else Grid()
    query = WinQuery(
        DuelSolver(game),
        mine,
        other,
        UNLIMITED,
        tie=0.0 if ties_lose else 0.5,
        ties=not value_only,
        on_disk=games > 0,
        grid=None if games or grid == EXACT else steps,
        always_grid=has_steps,
    )
    if estimate:
        return Duel(game, mine, other, ties_lose, query.needs, query.size)
    if grid == EXACT:
        query.size.check(game.name)
    # Solved first: tables that are saved later may make the cache delete layers.
    points = solve_for_points(query) if games else None
    solution = solve(query) if query.has_answer or not games else None
    played = play_against_points(query, points, games, seed, progress) if points else None
    chances = solution.chances() if solution and not value_only else None
    return Duel(game, mine, other, ties_lose, query.needs, query.size, solution, chances, played)


def check_options(
    *,
    ties_lose: bool,
    estimate: bool,
    games: int,
    grid: str,
    filled: bool,
) -> None:
    """Raise InputError if arguments of :func:`duel` contradict each other.

    ``filled`` states whether a scorecard has a filled category.
    """
    if games and (ties_lose or filled):
        raise InputError(
            "--games is for whole games. Leave out --card, --opponent, and --ties-lose."
        )
    if estimate and games:
        raise InputError("--estimate plays no games. Leave out --estimate or --games.")
    if grid != AUTO and games:
        raise InputError("--grid cannot be combined with --games. Leave out --grid.")
