"""The best trade-offs: target scores, the mean–variance frontier, and restarts.

Examples
--------
>>> frontier.targets(at=[30, 40], rules="micro-yahtzee").targets[1].best
0.25
>>> round(frontier.restart(40, rules="micro-yahtzee").giving_up.turns, 2)
7.33
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from cyclopts import Parameter

from rollwise.errors import counted
from rollwise.questions import checks_arguments
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.parameters import Count, Game, Pictures
from rollwise.questions.progress import note_written, working
from rollwise.questions.solving import evaluated, prepare_plot, scores_of, solver_of
from rollwise.rules import Rules, game_of

__all__ = [
    "restart",
    "targets",
    "variance",
]
__dir__ = __all__.copy  # the names that completion offers

ROUNDING = 1e-12


class Target(Data):
    """The probability of at least a target score."""

    target: int
    best: float
    """The highest probability of the target; each target has its own optimal strategy."""
    expected_play: float
    """The probability with optimal play for the expected score."""


class Targets(Answer):
    """The probability of reaching each target score."""

    targets: list[Target]
    rules: Hidden[Rules]
    shows_all: Hidden[bool]

    def __repr__(self) -> str:
        return f"<Targets of {self.rules.name}: {len(self.targets)} scores>"

    def show(self) -> Iterator[Block]:
        """Yield the chosen targets, or about thirty."""
        rows = table(">target", ">best", ">for expected score", ">gain")
        for row in self.targets if self.shows_all else _round_ones(self.targets):
            gain = row.best - row.expected_play
            if abs(gain) <= ROUNDING * row.best:  # a rounding error
                gain = 0.0
            rows.add_row(str(row.target), *map(_percent, (row.best, row.expected_play, gain)))
        yield title(self.rules.title, ": probability of at least the target")
        yield ""
        yield rows


def _round_ones(targets: list[Target]) -> list[Target]:
    """Return about thirty round targets, a few rare ones, and the last."""
    usual = sum(row.best >= 1e-4 for row in targets)
    units = [unit for unit in (1, 2, 5, 10, 20, 50, 100, 200) if 30 * unit >= usual] or [500]
    near, far = units[0], 10 * units[0]
    return [
        row
        for row in targets
        if row.target % (near if row.target <= usual else far) == 0
        or row.target in (1, len(targets))
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.2e}%" if 0 < abs(share) < 1e-6 else f"{100 * share:.4f}%"


class Point(Data):
    """The strategy with the lowest mean squared difference from a score."""

    aim: float
    """The target score."""
    mean: float
    sd: float


class Frontier(Answer):
    """The strategies with the highest mean for their SD."""

    frontier: list[Point]
    """The strategies, lowest SD first."""
    rules: Hidden[Rules]

    def __repr__(self) -> str:
        return f"<Frontier of {self.rules.name}: {len(self.frontier)} points>"

    def show(self) -> Iterator[Block]:
        """Yield about thirty points."""
        rows = table(">target", ">mean", ">SD")
        step = -(-len(self.frontier) // 30)
        for point in [*self.frontier[:-1:step], self.frontier[-1]]:
            aim = "∞" if point is self.frontier[-1] else f"{point.aim:.0f}"
            rows.add_row(aim, f"{point.mean:.2f}", f"{point.sd:.2f}")
        yield title(self.rules.title, ": the highest mean for each SD")
        yield ""
        yield rows


class Attempts(Data):
    """Games until one of them reaches the score."""

    turns: float
    games: float
    success: float
    """The probability that one game reaches the score."""
    turns_a_game: float


class Restart(Answer):
    """The expected numbers of turns and games until a player reaches a score."""

    score: int
    giving_up: Attempts
    """Results with restarts, for the fewest turns in total."""
    never: Attempts
    """Results without restarts, for the highest probability of success in each game."""
    rules: Hidden[Rules]

    def __repr__(self) -> str:
        turns = f"{self.giving_up.turns:.7g} turns, {self.never.turns:.7g} without restarts"
        return f"<Restart for {self.score} points in {self.rules.name}: {turns}>"

    def show(self) -> Iterator[Block]:
        """Yield the expected numbers with and without restarts."""
        rows = table("expected", ">with restarts", ">without restarts")
        both = self.giving_up, self.never
        rows.add_row("turns in total", *(f"{way.turns:.2f}" for way in both))
        rows.add_row("games started", *(f"{way.games:.2f}" for way in both))
        rows.add_row("success per game", *(_percent(way.success) for way in both))
        rows.add_row("turns per game", *(f"{way.turns_a_game:.2f}" for way in both))
        yield title(self.rules.title, f": fewest turns to reach {counted(self.score, 'point')}")
        yield ""
        yield rows


@checks_arguments
def targets(
    *,
    at: Annotated[str | Iterable[int] | None, Parameter(metavar="SCORES")] = None,
    rules: Game = None,
    plot: Pictures = None,
) -> Targets:
    """Find the best probability of reaching each target score.

    The optimal strategy differs between targets, so no single strategy has all these probabilities.
    The second column shows the probabilities with optimal play for the expected score.

    Parameters
    ----------
    at
        Show only these targets, such as 150,200.
    rules
        A game, its name, or a rule file.
    plot
        Also save plots in this folder.

    Examples
    --------
    >>> frontier.targets(at="30,40", rules="micro-yahtzee")
    <Targets of micro-yahtzee: 2 scores>

    rollwise frontier targets
    rollwise frontier targets --at 150,200 --rules crag --json
    rollwise frontier targets --rules crag --plot pictures
    """
    game = game_of(rules)
    prepare_plot(plot, folder=True)
    scores = scores_of(at)
    distribution = evaluated("optimal", game).distribution
    solver = solver_of(game)
    with working(f"solving {game.name} for all targets") as solver.progress:
        best_T = solver.targets()
    if plot is not None:
        from rollwise.experiments import plots

        note_written(*plots.save_targets(game, best_T, distribution, plot))
    best = dict(enumerate([1.0, *best_T.tolist()]))
    rows = [
        Target(target=t, best=best.get(t, 0.0), expected_play=distribution.at_least(t))
        for t in (range(1, len(best)) if scores is None else scores)
    ]
    return Targets(targets=rows, rules=game, shows_all=scores is not None)


@checks_arguments
def variance(*, rules: Game = None, plot: Pictures = None) -> Frontier:
    """Find the strategies with the highest mean for their SD.

    Each row is the strategy with the lowest mean squared difference from a target score. The
    strategy with the lowest variance enters zeros on purpose, so its score is low but nearly
    certain. The last row, ∞, has a target so far away that the mean is the highest possible.

    Parameters
    ----------
    rules
        A game, its name, or a rule file.
    plot
        Also save plots in this folder.

    Examples
    --------
    >>> frontier.variance(rules="micro-yahtzee")
    <Frontier of micro-yahtzee: 53 points>

    rollwise frontier variance --rules crag
    rollwise frontier variance --rules micro-yahtzee --plot pictures
    """
    game = game_of(rules)
    prepare_plot(plot, folder=True)
    solver = solver_of(game)
    with working(f"solving {game.name} for every target") as solver.progress:
        points = solver.frontier()
    if plot is not None:
        from rollwise.experiments import plots

        note_written(*plots.save_variance(game, points, plot))
    rows = [Point.of(point, aim=point.center) for point in points]
    return Frontier(frontier=rows, rules=game)


@checks_arguments
def restart(score: Count, *, rules: Game = None) -> Restart:
    """Find the fewest turns to a score with restarts.

    A game ends when the points so far reach SCORE, or when the scorecard is full. With restarts,
    you can also give up a game between turns, and the strategy minimizes the expected number of
    turns. Without restarts, it maximizes the probability of success in each game. A large game
    takes minutes the first time.

    Parameters
    ----------
    score
        The score to reach.
    rules
        A game, its name, or a rule file.

    Examples
    --------
    >>> frontier.restart(30, rules="micro-yahtzee")
    <Restart for 30 points in micro-yahtzee: 3.857143 turns, 4.125 without restarts>

    rollwise frontier restart 150 --rules crag
    rollwise frontier restart 30 --rules micro-yahtzee --json
    """
    game = game_of(rules)
    solver = solver_of(game)
    with working(f"solving {game.name} with restarts") as solver.progress:
        found = solver.fewest_turns(score)
    giving_up = Attempts.of(found, turns_a_game=found.turns_an_attempt)
    never = Attempts(
        turns=found.patient_turns,
        games=1 / found.patient_success,
        success=found.patient_success,
        turns_a_game=found.patient_turns_a_game,
    )
    return Restart(score=score, giving_up=giving_up, never=never, rules=game)
