"""Opponents on the command line: ``--opponent`` and ``--opponent-plays``, and their output."""

from __future__ import annotations

from typing import Annotated

import typer

from rollwise.cli.common import console, empty_table, headed, player, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.notation import format_card, parse_card
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.solving.objective_parser import BEAT

with lazy_imports():
    from rollwise.evaluation import forward_pass_by_score
    from rollwise.two_player import advice, near_optimal, solution, solver, win_probability


OpponentCards = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        metavar="CARD",
        help="With --objective beat: the card of somebody else at the table, repeatable.",
    ),
]
OpponentPlays = Annotated[
    str | None,
    typer.Option(
        "--opponent-plays",
        metavar="STRATEGY",
        help="How the opponents play on, each for himself; optimal unless told. Or duel: one who "
        "answers, as best as can be.",
    ),
]

PATIENCE = 10.0
"""Estimated seconds from which the size of a solution is printed before solving."""

EXACT = "Exact, not simulated: each of both plays to win, and knows that the other does."


def cards_of(
    cards: list[str] | None, plays: str | None, objective: str, rules: Rules
) -> list[Scorecard]:
    """Return the scorecards of the opponents.

    Raises
    ------
    InputError
        If the options contradict each other, or a scorecard is not possible in the game.
    """
    if cards and objective != BEAT:
        raise InputError(f"--opponent with --objective {objective}; expected --objective beat")
    if objective == BEAT and not cards:
        raise InputError(
            "--objective beat alone; expected --opponent CARD with it, or beat:OPPONENTS"
        )
    if plays and not cards:
        raise InputError("--opponent-plays alone; expected --opponent with it")
    if cards and len(cards) > 1 and plays == advice.DUEL:
        raise InputError(
            f"--opponent-plays {advice.DUEL}: expected one --opponent, got {len(cards)}"
        )
    return [parse_card(rules, card) for card in cards or ()]


def opponents_of(
    cards: list[Scorecard], plays: str | None, *, quiet: bool
) -> list[forward_pass_by_score.Opponent]:
    """Return an opponent for each scorecard, with the distribution of their final score."""
    return [_opponent(card, plays or "optimal", quiet=quiet) for card in cards]


def _opponent(card: Scorecard, plays: str, *, quiet: bool) -> forward_pass_by_score.Opponent:
    game = card.rules
    position = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
    strategy = player(plays, game, position=position, quiet=quiet)
    with progress(f"playing all games of an opponent in {game.name}", quiet) as advance:
        return advice.opponent_at(card, plays, strategy, advance)


def answered(
    question: win_probability.WinQuery, name: str, *, quiet: bool
) -> solution.DuelSolution | near_optimal.NearOptimal:
    """Return the exact or estimated win probabilities for a question, with a progress bar."""
    if question.method == "estimate":
        with progress(f"comparing two cards of {name}", quiet):
            estimate = question.answer()
            estimate.chances()  # cached while the progress bar is visible
            return estimate
    if question.method == "cached":
        return question.answer()
    if question.size.seconds >= PATIENCE and not quiet:
        typer.echo(f"{name}: {question.size}", err=True)
    with progress(f"solving {name} for two", quiet) as advance:
        return question.answer(advance)


def percent(
    share: float, chances: solution.DuelSolution | near_optimal.NearOptimal, digits: int = 6
) -> str:
    """Return a probability in percent, with fewer digits if it is an estimate."""
    return f"{100 * share:.{digits if chances.exact else 2}f} %"


def advise_duel(
    position: Position, opponent: Scorecard, top: int | None, *, as_json: bool, quiet: bool
) -> None:
    """Print the options of a roll against one opponent who responds."""
    rules = position.rules
    question = win_probability.WinQuery(
        solver.DuelSolver(rules), position, opponent, win_probability.ADVICE
    )
    chances = answered(question, rules.name, quiet=quiet)
    options = advice.DuelAdvice(position, opponent, chances)
    if as_json:
        write_json(options.as_dict(top))
        return
    out = console()
    out.print(headed(rules.title, f": {position}"))
    out.print(f"against {format_card(opponent)}, who answers")
    out.print()
    table = empty_table("option", ">value", ">win", ">tie", ">loss")
    rows = options.rows(lambda share: percent(share, chances))
    for option, row in list(zip(options.options, rows, strict=True))[:top]:
        table.add_row(*row, style="green" if option.best else None)
    out.print(table)
    hidden = len(rows) - len(rows[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(EXACT if chances.exact else str(chances))
    if not chances.exact and question.size.fits:
        out.print(
            f"For the exact answer run rollwise duel first, with the same cards: {question.size}."
        )
