"""Simulated games of one strategy, or of two strategies against each other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge
from cyclopts import Parameter

from rollwise.errors import InputError, counted
from rollwise.evaluation.evaluate import QUANTILES
from rollwise.experiments import simulation
from rollwise.files import check_folder, write_atomically
from rollwise.game.records.files import save_game
from rollwise.game.scorecard import extra_bonus_title
from rollwise.notebook import text_table
from rollwise.playing import match as matches
from rollwise.playing.bot import check_duel
from rollwise.questions import checks_arguments, completion
from rollwise.questions.answer import Answer, Block, Hidden, table, title
from rollwise.questions.parameters import (
    Game,
    Objective,
    Seed,
    TieBreak,
    Workers,
)
from rollwise.questions.parameters import output as output_of
from rollwise.questions.progress import note_written, working
from rollwise.questions.solving import objective_of, player
from rollwise.rules import Rules, game_of
from rollwise.strategies import Strategy, StrategyLike, check_names


class Simulation(Answer):
    """Statistics of simulated games of one strategy."""

    rules: str
    strategy: str
    games: int
    seed: int
    mean: float
    error: float
    """The standard error of the mean."""
    sd: float
    quantiles: dict[str, int]
    """The quantiles of the final score, by probability."""
    minimum: int
    maximum: int
    categories: dict[str, float]
    """The mean points of each category."""
    upper_bonus: float
    extra_bonus: float
    game: Hidden[Rules]
    sample: Hidden[simulation.Sample]
    """The points of each game."""

    def __repr__(self) -> str:
        of = f"{self.strategy} in {self.rules}"
        return f"<Simulation of {of}: {counted(self.games, 'game')}, mean {self.mean:.6g}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each game: the points of each category, and the score."""
        sample = self.sample
        columns = dict(zip(self.game.keys, sample.points_N_K.T.tolist(), strict=True))
        columns |= {"upper-bonus": sample.bonus_N.tolist(), "extra-bonus": sample.extra_N.tolist()}
        columns["score"] = sample.scores_N.tolist()
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def show(self) -> Iterator[Block]:
        """Yield statistics of the final score, and the mean points of each category."""
        games = f"{counted(self.games, 'game')}, seed {self.seed}"
        yield title(self.game.title, f", strategy {self.strategy}: {games}")
        yield f"mean {self.mean:.3f} (SE {self.error:.3f}), SD {self.sd:.2f}"
        median = self.quantiles["0.5"]
        yield f"lowest {self.minimum}, median {median}, highest {self.maximum}"
        yield ""
        rows = table("category", ">mean")
        for category in self.game.categories:
            rows.add_row(category.title, f"{self.categories[category.key]:.2f}")
        if self.game.upper_bonus:
            rows.add_row("Upper bonus", f"{self.upper_bonus:.2f}")
        if self.game.extra_bonus:
            rows.add_row(extra_bonus_title(self.game), f"{self.extra_bonus:.2f}")
        yield rows


class Match(Answer):
    """The results of simulated games between two strategies."""

    rules: str
    players: tuple[str, str]
    win: int
    """The number of games that the first player won."""
    tie: int
    lose: int
    scores: tuple[list[int], list[int]]
    """The final scores of both players in each game."""
    seed: int
    transcript: list[str] | None
    """The record of the first game, with --transcript."""
    match: Hidden[matches.Match]
    """The games."""

    def __repr__(self) -> str:
        return repr(self.match)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each game: the final scores of both players."""
        return self.match.rows()

    def show(self) -> Iterator[Block]:
        """Yield the transcript, and the scorecards of one game or the tally of several games."""
        mark = ""
        if self.transcript is not None:
            yield from self.transcript
            yield ""
            mark = "# "  # after a record, everything else is a comment in it
        if self.match.number > 1:
            games = counted(self.match.number, "game")
            tally = f"won {self.win:,}, tied {self.tie:,}, lost {self.lose:,}"
            yield f"{mark}{games}: {self.players[0]} {tally}"
            return
        board = self.match.board(0)
        if mark:
            lines = text_table([(self.match.rules.title, *self.players), *board])
            yield from (f"{mark}{line}" for line in lines.splitlines())
            return
        rows = table(self.match.rules.title, *(f">{name}" for name in self.players))
        for heading, *cells in board:
            rows.add_row(heading, *cells, style="bold" if heading == "Total" else None)
        yield rows


_Player = Parameter(metavar="STRATEGY", completer=completion.strategies)


@checks_arguments
def simulate(
    strategy: Annotated[StrategyLike, _Player] = "optimal",
    *,
    versus: Annotated[StrategyLike | None, _Player] = None,
    transcript: bool = False,
    objective: Objective = "expected",
    games: Annotated[
        int | None, Ge(1), Parameter(metavar="N", show_default="10000, or 1 with --versus")
    ] = None,
    seed: Seed = 0,
    tie_break: TieBreak = "more-dice",
    rules: Game = None,
    output: Annotated[Path | None, output_of("turns as CSV (with --versus: a game record)")] = None,
    executor: Workers = None,
) -> Simulation | Match:
    """Simulate games of one strategy or of two opponents.

    The same seed gives the same games. With --versus, each player has different dice, STRATEGY
    moves first, and the strategy duel plays to win. For exact numbers, run rollwise report or
    rollwise compare.

    Parameters
    ----------
    strategy
        The player: optimal, greedy, my.py:Mine, …
    versus
        The strategy of an opponent, who moves second.
    transcript
        With --versus: print the record of the first game.
    objective
        The objective of optimal play.
    games
        Number of games.
    seed
        Seed of the dice.
    tie_break
        How optimal play breaks ties.
    rules
        A game, its name, or a rule file.
    output
        A file for the turns, or for the record of the first game.
    executor
        Runs parts of the games, for example in other processes.

    Examples
    --------
    >>> simulate("greedy", rules="crag", games=1000, seed=1)
    <Simulation of greedy in crag: 1,000 games, mean 147.118>
    >>> simulate("optimal", versus="greedy", rules="micro-yahtzee", games=100, seed=1)
    <Match of optimal and greedy in micro-yahtzee: 100 games, won 56, tied 2, lost 42>

    rollwise simulate --games 100000
    rollwise simulate my.py:Mine --games 1000 --seed 7 -o games.csv
    rollwise simulate optimal --versus greedy --games 100
    rollwise simulate optimal --versus greedy --transcript | rollwise review -
    """
    check_folder(output)
    if transcript and versus is None:
        raise InputError("--transcript needs an opponent. Add --versus STRATEGY.")
    if versus is not None and executor is not None:
        raise InputError("--versus runs in one process. Leave out --cluster.")
    if games is None:
        games = simulation.GAMES if versus is None else 1
    game = game_of(rules, strategy, versus)
    if versus is not None:  # before the game is solved
        check_names((strategy, versus))
        check_duel(game, (strategy, versus))
    goal, fewer = objective_of(objective, game), tie_break == "fewer-dice"
    first = player(strategy, game, goal, fewer_dice=fewer)
    if versus is None:
        return _games_of_one(first, game, games, seed, output, executor)
    second = player(versus, game, goal, fewer_dice=fewer)
    with working(f"playing {game.name}") as advance:
        match = matches.match(first, second, game, games, seed, progress=advance)
    if output is not None:
        save_game(match.game(0), output)
        note_written(output)
    win, tie, lose = match.tally()
    return Match(
        rules=game.name,
        players=match.names,
        win=win,
        tie=tie,
        lose=lose,
        scores=match.scores_P_N.tolist(),
        seed=seed,
        transcript=match.transcript(0) if transcript else None,
        match=match,
    )


def _games_of_one(
    strategy: Strategy,
    game: Rules,
    number: int,
    seed: int,
    output: Path | None,
    executor: Executor | None,
) -> Simulation:
    with working(f"playing {counted(number, 'game')}") as advance:
        sample = simulation.simulate(
            strategy,
            game,
            number,
            seed,
            log=output is not None,
            executor=executor,
            progress=advance,
        )
    if output is not None:
        write_atomically(output, "".join(simulation.log_lines(sample, game)).encode())
        note_written(output)
    distribution = sample.distribution
    return Simulation.of(
        distribution,
        rules=game.name,
        strategy=strategy.name,
        games=number,
        seed=seed,
        error=distribution.sd / number**0.5,
        quantiles={f"{share:g}": distribution.quantile(share) for share in QUANTILES},
        categories=dict(zip(game.keys, sample.points_N_K.mean(axis=0).tolist(), strict=True)),
        upper_bonus=float(sample.bonus_N.mean()),
        extra_bonus=float(sample.extra_N.mean()),
        game=game,
        sample=sample,
    )
