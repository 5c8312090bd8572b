"""Opponents on the command line: ``--opponent`` and ``--opponent-strategy``, and their output."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from rollwise.cli import completion
from rollwise.cli.common import headed, player, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.option_table import OptionTable
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard, describe_card, format_card
from rollwise.rules import Rules
from rollwise.solving.objective_parser import BEAT

with lazy_imports():
    from rollwise.evaluation import forward_pass_by_score
    from rollwise.two_player import advice, grid, near_optimal, solution, solver, win_probability


OpponentCards = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        metavar="CARD",
        help="Scorecard of an opponent, for --objective beat; repeatable.",
        autocompletion=completion.card,
    ),
]
OpponentStrategy = Annotated[
    str | None,
    typer.Option(
        "--opponent-strategy",
        metavar="STRATEGY",
        help="Opponents' strategy, or duel if they respond to you (default: optimal).",
        autocompletion=completion.strategies,
    ),
]

PATIENCE = 10.0
"""If the estimated time to solve is at least this many seconds, the size of the solution is printed
first."""

EXACT = "Exact: both players see both scorecards and play optimally to win."


def cards_of(
    cards: list[str] | None, strategy: str | None, objective: str, rules: Rules
) -> list[Scorecard]:
    """Return the scorecards of the opponents.

    Raises
    ------
    InputError
        If the options contradict each other, or a scorecard is not possible in the game.
    """
    if cards and objective != BEAT:
        raise InputError("--opponent works only with --objective beat. Add --objective beat.")
    if strategy and not cards:
        raise InputError(
            "--opponent-strategy needs an opponent. Add the opponent's scorecard, "
            "such as --opponent - for an empty one."
        )
    if objective == BEAT and not cards:
        raise InputError(
            "--objective beat needs an opponent. Add the opponent's scorecard, such as "
            "--opponent - for an empty one, or use --objective beat:optimal."
        )
    if cards and len(cards) > 1 and strategy == advice.DUEL:
        raise InputError(
            f"--opponent-strategy {advice.DUEL} is for one opponent, not {len(cards)}. "
            "Use only one --opponent."
        )
    return [Scorecard(rules, card) for card in cards or ()]


def opponents_of(
    cards: list[Scorecard], strategy: str | None, *, quiet: bool
) -> list[forward_pass_by_score.Opponent]:
    """Return an opponent for each scorecard, including the distribution of the final score."""
    return [_opponent(card, strategy or "optimal", quiet=quiet) for card in cards]


def _opponent(card: Scorecard, name: str, *, quiet: bool) -> forward_pass_by_score.Opponent:
    game = card.rules
    position = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
    strategy = player(name, game, position=position, quiet=quiet)
    with progress(f"evaluating an opponent in {game.name}", quiet) as advance:
        return advice.opponent_at(card, name, strategy, advance)


def answered(
    query: win_probability.WinQuery, name: str, *, quiet: bool
) -> solution.DuelSolution | near_optimal.NearOptimal:
    """Return the exact or estimated win probabilities for a query, with a progress bar."""
    query.check()
    if query.method == "estimate":
        with progress(f"comparing two scorecards of {name}", quiet):
            estimate = query.answer()
            estimate.chances()  # cached while the progress bar is visible
            return estimate
    if query.method == "cached":
        return query.answer()
    if query.size.seconds >= PATIENCE and not quiet:
        typer.echo(f"{name}: {query.size}", err=True)
    with progress(f"solving the two-player game of {name}", quiet) as advance:
        return query.answer(advance)


def percent(
    share: float, chances: solution.DuelSolution | near_optimal.NearOptimal, digits: int = 6
) -> str:
    """Return a probability in percent, with fewer digits if it is an estimate."""
    if not chances.exact:
        digits = 4 if chances.grid else 2
    return f"{100 * share:.{digits}f}%"


def advise_duel(
    position: Position | Scorecard,
    opponent: Scorecard,
    source: str,
    top: int | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the options of a roll against one opponent who responds.

    Parameters
    ----------
    position : Position or Scorecard
        A scorecard without a roll raises an error that names the command to use instead.
    source : str
        The name or the file of the rules, as given on the command line.
    """
    if isinstance(position, Scorecard):
        command = duel_command(source, position, opponent)
        raise InputError(
            "--opponent-strategy duel needs a roll. "
            f"For the probabilities before it, run: {command}"
        )
    rules = position.rules
    query = win_probability.WinQuery(
        solver.DuelSolver(rules), position, opponent, win_probability.ADVICE, grid=grid.Grid()
    )
    chances = answered(query, rules.name, quiet=quiet)
    options = advice.DuelAdvice(position, opponent, chances)
    if as_json:
        write_json(options.as_dict(top))
        return
    table = OptionTable(
        [
            headed(rules.title, f": {position}"),
            headed("", f"Opponent: {describe_card(opponent)}, responds to your play"),
        ],
        ("option", "value", "win", "tie", "lose"),
        options.rows(lambda share: percent(share, chances)),
        [option.best for option in options.options],
    )
    notes = [] if chances.exact or quiet else [str(chances)]
    if notes and query.exact_size.fits:
        command = duel_command(source, position.card, opponent)
        notes.append(f"For the exact answer, first run: {command} ({query.exact_size})")
    table.print(top, quiet=quiet, reserved=table.lines("", *notes) if notes else 0)
    if notes:
        table.out.print()
    for note in notes:
        # A terminal wraps a long command itself, so that it can be pasted.
        table.out.print(note, soft_wrap=note != str(chances))


def duel_command(source: str, card: Scorecard, opponent: Scorecard) -> str:
    """Return the command line that solves the two-player game before the roll."""
    cards = ("--card", format_card(card), "--opponent", format_card(opponent))
    return shlex.join(["rollwise", "duel", "--rules", source, *cards])
