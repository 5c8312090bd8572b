"""Statistics of strategies side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.errors import check_type, counted
from rollwise.evaluation.evaluate import QUANTILES
from rollwise.experiments import comparison
from rollwise.questions import checks_arguments, completion
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.questions.parameters import Game, Objective, Picture, Seed, TieBreak, Workers
from rollwise.questions.progress import note_written, working
from rollwise.questions.solving import objective_of, player, prepare_plot, solver_of
from rollwise.rules import game_of
from rollwise.strategies import StrategyLike, check_names

NAMED = 4
"""The maximum number of strategies in the repr of a comparison."""


class Lost(Data):
    """Mean EV losses per simulated game, in points."""

    total: float
    error: float
    """The standard error of the total."""
    by_turn: list[float]
    by_decision: list[float]
    """The EV losses by the decision within a turn: the dice to keep before each reroll, then the
    category."""
    by_category: dict[str, float]
    """The EV losses by the category in which the turn is scored."""


class Compared(Data):
    """The results of one strategy."""

    strategy: str
    exact: bool
    """Whether the scores are exact; otherwise they come from the simulated games."""
    mean: float
    error: float
    """The standard error of the mean."""
    sd: float
    quantiles: dict[str, int]
    lost: Lost


class Outcome(Data):
    """The probabilities of a game between two strategies, for the first of them."""

    win: float
    tie: float
    lose: float


class Estimate(Data):
    """A mean with its standard error."""

    mean: float
    error: float


class Comparison(Answer):
    """The results of several strategies in one game."""

    rules: str
    optimum: float
    """The expected score of optimal play."""
    games: int
    """The number of simulated games, which all strategies play with the same dice."""
    seed: int
    strategies: list[Compared]
    matrix: list[list[Outcome]]
    """The probabilities by the strategy and by its opponent."""
    paired_differences: list[list[Estimate]]
    """The score minus the score of another strategy with the same dice."""
    result: Hidden[comparison.Comparison]
    """The distributions and the EV losses as arrays."""

    def __repr__(self) -> str:
        means = ", ".join(f"{row.strategy} {row.mean:.2f}" for row in self.strategies[:NAMED])
        more = ", …" * (len(self.strategies) > NAMED)
        return f"<Comparison in {self.rules}: {means}{more}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each strategy."""
        return [
            {
                "strategy": row.strategy,
                "mean": row.mean,
                "error": row.error,
                "sd": row.sd,
                **{f"quantile_{share}": score for share, score in row.quantiles.items()},
                "loss": row.lost.total,
            }
            for row in self.strategies
        ]

    def show(self) -> Iterator[Block]:
        """Yield the scores, the EV losses, and the results of pairs."""
        yield title(self.result.rules.title, f", optimal play {self.optimum:.4f}")
        scores = table("strategy", ">mean", ">SE", ">SD", ">5%", ">25%", ">median", ">75%", ">95%")
        for row in self.strategies:
            error = "exact" if row.exact else f"{row.error:.2f}"
            quantiles = (row.quantiles[share] for share in ("0.05", "0.25", "0.5", "0.75", "0.95"))
            cells = (f"{row.mean:.4f}", error, f"{row.sd:.2f}", *map(str, quantiles))
            scores.add_row(row.strategy, *cells)
        yield scores
        yield from self._losses()
        if len(self.strategies) > 1:
            yield from self._pairs()

    def _losses(self) -> Iterator[Block]:
        """Yield the EV loss per game by decision, by turn, and by category."""
        rules, names = self.result.rules, [f">{row.strategy}" for row in self.strategies]
        lost = [row.lost for row in self.strategies]
        yield f"\nEV loss per game, by decision and by turn ({counted(self.games, 'game')})"
        losses = table("", *names)
        totals = (f"{loss.total:.2f} (SE {loss.error:.2f})" for loss in lost)
        losses.add_row("all", *totals, style="bold")
        rolls = len(lost[0].by_decision)
        decisions = [*(f"keep {number}" for number in range(1, rolls)), "category"]
        if rules.stops:  # the player can also score before the last roll
            decisions = [f"after roll {number}" for number in range(1, rolls + 1)]
        for number, decision in enumerate(decisions):
            losses.add_row(decision, *(f"{loss.by_decision[number]:.2f}" for loss in lost))
        for turn in range(len(rules.categories)):
            losses.add_row(f"turn {turn + 1}", *(f"{loss.by_turn[turn]:.2f}" for loss in lost))
        yield losses
        yield "\nEV loss per game, by the category that the turn ended in"
        losses = table("", *names)
        for category in rules.categories:
            cells = (f"{loss.by_category[category.key]:.2f}" for loss in lost)
            losses.add_row(category.title, *cells)
        yield losses

    def _pairs(self) -> Iterator[Block]:
        """Yield the win probabilities and the score differences of all pairs."""
        names = [row.strategy for row in self.strategies]
        yield "\nRow against column, with different dice: win / tie / lose in %"
        pairs = table("", *(f">{name}" for name in names))
        for name, outcomes in zip(names, self.matrix, strict=True):
            shares = ((pair.win, pair.tie, pair.lose) for pair in outcomes)
            cells = (" / ".join(f"{100 * share:.1f}" for share in pair) for pair in shares)
            pairs.add_row(name, *cells)
        yield pairs
        if self.result.met:
            games = counted(self.games, "game")
            yield f"Pairs with duel are simulated ({games} each); the row moves first."
        yield "\nRow minus column, with the same dice: mean score difference (SE)"
        pairs = table("", *(f">{name}" for name in names))
        for name, estimates in zip(names, self.paired_differences, strict=True):
            pairs.add_row(name, *(f"{pair.mean:.2f} ({pair.error:.2f})" for pair in estimates))
        yield pairs


@checks_arguments
def compare(
    strategies: Annotated[
        Sequence[StrategyLike],
        Parameter(metavar="STRATEGY...", completer=completion.strategies),
    ],
    *,
    games: Annotated[int | None, Ge(2), Parameter(metavar="N", show_default="exact scores")] = None,
    objective: Objective = "expected",
    seed: Seed = 0,
    rules: Game = None,
    tie_break: TieBreak = "more-dice",
    plot: Picture = None,
    executor: Workers = None,
) -> Comparison:
    """Compare strategies or agents: scores, EV loss, and wins.

    Scores are exact if possible; EV losses come from 10,000 games, with the same dice for everyone.
    With --games, all results come from N simulated games, which suits slow agents. The EV losses
    estimate the expected score precisely even from few games. FILE.py without a name means
    FILE.py:agent.

    Parameters
    ----------
    strategies
        Strategies or agents: greedy, agent.py, my.py:Mine.
    games
        Estimate everything from N simulated games.
    objective
        The objective of the strategy optimal.
    seed
        Seed of the dice; the same seed gives the same games.
    rules
        A game by name, by the path of a rule file, or as rules.
    tie_break
        How optimal play breaks ties: keep more dice, or keep fewer.
    plot
        Also save a plot as .png or .svg.
    executor
        Runs one job for each strategy.

    Examples
    --------
    >>> compared = compare(["optimal", "greedy"], rules="micro-yahtzee")
    >>> compared
    <Comparison in micro-yahtzee: optimal 25.94, greedy 25.06>
    >>> round(compared.matrix[0][1].win, 3)
    0.505

    rollwise compare optimal greedy payoff-line
    rollwise compare greedy my.py:Mine --plot compare.svg
    rollwise compare agent.py --rules crag --games 200
    rollwise compare optimal random --rules crag --json
    """
    check_type(strategies, (list, tuple), "a list of strategies")
    prepare_plot(plot)
    game = game_of(rules, *strategies)
    check_names(strategies)  # before the game is solved
    goal, fewer = objective_of(objective, game), tie_break == "fewer-dice"
    players = [player(_with_object(name), game, goal, fewer_dice=fewer) for name in strategies]
    solver = solver_of(game)
    with working(f"solving {game.name}") as solver.progress:
        solution = solver.solve_by_card()
    with working("comparing strategies") as advance:
        result = comparison.compare(
            players, solution, games, seed, executor=executor, progress=advance
        )
    if plot is not None:
        from rollwise.experiments import plots

        plots.save_comparison(result, plot)
        note_written(plot)
    return _answer(result)


def _with_object(name: StrategyLike) -> StrategyLike:
    """Return the name of a strategy, with ``:agent`` added to the bare name of a Python file."""
    return f"{name}:agent" if isinstance(name, str) and name.endswith(".py") else name


def _answer(result: comparison.Comparison) -> Comparison:
    entries, keys = result.entries, result.rules.keys
    pairs = range(len(entries))
    return Comparison.of(
        result,
        rules=result.rules.name,
        games=entries[0].losses.games,
        strategies=[
            Compared.of(
                entry,
                sd=entry.distribution.sd,
                quantiles={f"{share:g}": entry.distribution.quantile(share) for share in QUANTILES},
                lost=Lost.of(
                    entry.losses,
                    by_turn=entry.losses.by_turn_T_J.sum(axis=1).tolist(),
                    by_decision=entry.losses.by_turn_T_J.sum(axis=0).tolist(),
                    by_category=dict(zip(keys, entry.losses.by_category_K.tolist(), strict=True)),
                ),
            )
            for entry in entries
        ],
        matrix=[
            [
                Outcome(**dict(zip(("win", "tie", "lose"), result.against(a, b), strict=True)))
                for b in pairs
            ]
            for a in pairs
        ],
        paired_differences=[
            [
                Estimate(**dict(zip(("mean", "error"), result.difference(a, b), strict=True)))
                for b in entries
            ]
            for a in entries
        ],
        result=result,
    )
