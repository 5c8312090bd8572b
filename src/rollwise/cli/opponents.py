"""Opponents on the command line: ``--opponent`` and ``--opponent-plays``, and their output."""

from typing import Annotated

import typer

from rollwise.cli.common import console, empty_table, headed, player, write_json
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.evaluation.forward_by_score import Opponent
from rollwise.game.notation import format_card, parse_card
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules
from rollwise.two_player.advice import BEAT, DuelAdvice, beat_all, opponent_at
from rollwise.two_player.advice import DUEL as DUEL
from rollwise.two_player.near_optimal import NearOptimal
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver
from rollwise.two_player.win_probability import ADVICE, WinQuestion

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

beating_all = beat_all

PATIENCE = 10.0
"""The size of a solution is printed beforehand if it takes more seconds."""

EXACT = "Exact, not simulated: each of both plays to win, and knows that the other does."


def cards_of(
    cards: list[str] | None, plays: str | None, objective: str, rules: Rules
) -> list[Scorecard]:
    """Return the scorecards of the opponents.

    Raises
    ------
    InputError
        If the options do not go together, or a scorecard is not one of the game.
    """
    if cards and objective != BEAT:
        raise InputError(f"--opponent with --objective {objective}; expected --objective beat")
    if objective == BEAT and not cards:
        raise InputError(
            "--objective beat alone; expected --opponent CARD with it, or beat:OPPONENTS"
        )
    if plays and not cards:
        raise InputError("--opponent-plays alone; expected --opponent with it")
    if plays == DUEL and cards and len(cards) > 1:
        raise InputError(f"--opponent-plays {DUEL}: expected one --opponent, got {len(cards)}")
    return [parse_card(rules, card) for card in cards or ()]


def opponents_of(cards: list[Scorecard], plays: str | None, *, quiet: bool) -> list[Opponent]:
    """Return the opponents with these scorecards, with distributions of their final scores."""
    return [_opponent(card, plays or "optimal", quiet=quiet) for card in cards]


def _opponent(card: Scorecard, plays: str, *, quiet: bool) -> Opponent:
    game = card.rules
    position = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
    strategy = player(plays, game, position=position, quiet=quiet)
    with progress(f"playing all games of an opponent in {game.name}", quiet) as advance:
        return opponent_at(card, plays, strategy, advance)


def answered(question: WinQuestion, name: str, *, quiet: bool) -> DuelSolution | NearOptimal:
    """Return the answer to a question about the game with this name, with a progress bar."""
    if question.method == "estimate":
        with progress(f"comparing two cards of {name}", quiet):
            estimate = question.answer()
            estimate.chances()  # computed here, while the progress bar is visible
            return estimate
    if question.method == "cached":
        return question.answer()
    if question.size.seconds >= PATIENCE and not quiet:
        typer.echo(f"{name}: {question.size}", err=True)
    with progress(f"solving {name} for two", quiet) as advance:
        return question.answer(advance)


def percent(share: float, solution: DuelSolution | NearOptimal, digits: int = 6) -> str:
    """Return a probability in percent, with as many digits as the solution supports."""
    return f"{100 * share:.{digits if solution.exact else 2}f} %"


def advise_duel(
    position: Position, opponent: Scorecard, top: int | None, *, as_json: bool, quiet: bool
) -> None:
    """Print the options of a roll against one opponent who responds."""
    rules = position.rules
    question = WinQuestion(DuelSolver(rules), position, opponent, ADVICE)
    solution = answered(question, rules.name, quiet=quiet)
    advice = DuelAdvice(position, opponent, solution)
    if as_json:
        write_json(advice.as_dict(top))
        return
    out = console()
    out.print(headed(rules.title, f": {position}"))
    out.print(f"against {format_card(opponent)}, who answers")
    out.print()
    table = empty_table("option", ">value", ">win", ">tie", ">loss")
    rows = advice.rows(lambda share: percent(share, solution))
    for option, row in list(zip(advice.options, rows, strict=True))[:top]:
        table.add_row(*row, style="green" if option.best else None)
    out.print(table)
    hidden = len(rows) - len(rows[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(EXACT if solution.exact else str(solution))
    if not solution.exact and question.size.fits:
        out.print(
            f"For the exact answer run rollwise duel first, with the same cards: {question.size}."
        )
