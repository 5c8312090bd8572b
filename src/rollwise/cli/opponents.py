"""What ``--opponent`` says: the others at the table, by the cards that one sees of them.

``rollwise advise --opponent-plays duel``: what to do against one opponent who answers.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli.common import player
from rollwise.cli.progress import progress

if TYPE_CHECKING:
    from rollwise.evaluation.forward_by_score import Opponent
    from rollwise.game.scorecard import Scorecard
    from rollwise.rules import Rules
    from rollwise.solving.objectives import Objective
from typing import TYPE_CHECKING, Any

from rollwise.cli.common import console, empty_table, headed, write_json
from rollwise.cli.duel_chances import EXACT, as_dict, found, how_known, percent

if TYPE_CHECKING:
    from rollwise.game.position import Position
    from rollwise.game.scorecard import Scorecard
    from rollwise.rules import Rules
    from rollwise.two_player.solution import DuelOption


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


def cards_of(
    cards: list[str] | None, plays: str | None, objective: str, rules: "Rules"
) -> "list[Scorecard]":
    """Return the opponents' cards that the options tell of.

    Raises
    ------
    InputError
        When the options do not go together, or a card is none of the game.
    """
    from rollwise.errors import InputError
    from rollwise.game.notation import parse_card

    if cards and objective != "beat":
        raise InputError(f"--opponent with --objective {objective}; expected --objective beat")
    if objective == "beat" and not cards:
        raise InputError(
            "--objective beat alone; expected --opponent CARD with it, or beat:OPPONENTS"
        )
    if plays and not cards:
        raise InputError("--opponent-plays alone; expected --opponent with it")
    if plays == DUEL and cards and len(cards) > 1:
        raise InputError(f"--opponent-plays {DUEL}: expected one --opponent, got {len(cards)}")
    return [parse_card(rules, card) for card in cards or ()]


def opponents_of(cards: "list[Scorecard]", plays: str | None, *, quiet: bool) -> "list[Opponent]":
    """Return the opponents with these cards, and the laws of their final scores."""
    return [_opponent(card, plays or "optimal", quiet=quiet) for card in cards]


def _opponent(card: "Scorecard", plays: str, *, quiet: bool) -> "Opponent":
    from rollwise.evaluation.forward_by_score import Opponent, final_distribution
    from rollwise.game.position import Position

    game = card.rules
    some_roll = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
    strategy = player(plays, game, position=some_roll, quiet=quiet)
    with progress(f"playing all games of an opponent in {game.name}", quiet) as advance:
        return Opponent(card, plays, final_distribution(strategy, card, progress=advance))


def beating_all(opponents: "list[Opponent]") -> "Objective":
    """Return the objective of having the highest score at the table."""
    from rollwise.solving.objectives import beating

    return beating([(opponent.distribution, 1) for opponent in opponents])


DUEL = "duel"
"""How an opponent plays who answers."""

SOON = 10**9
"""Leads that an answer may take: seven open boxes each of official Yahtzee have half as many."""


def advise_duel(
    position: "Position", opponent: "Scorecard", top: int | None, *, as_json: bool, quiet: bool
) -> None:
    """Say what to do with a roll against one opponent who answers."""
    from rollwise.game.notation import format_action, format_card, format_position
    from rollwise.two_player.solver import DuelSolver

    rules, solver = position.rules, DuelSolver(position.rules)
    needs = solver.size(position, opponent)
    known = found(solver, position, opponent, needs, leads=SOON, quiet=quiet)
    options = known.options(position)
    if as_json:
        write_json(
            {
                "rules": rules.name,
                "objective": "beat",
                "position": format_position(position),
                "opponents": [{"card": format_card(opponent), "plays": DUEL}],
                **how_known(known),
                "options": [_as_dict(rules, option) for option in options[:top]],
            }
        )
        return
    out = console()
    out.print(headed(rules.title, f": {position}"))
    out.print(f"against {format_card(opponent)}, who answers")
    out.print()
    table = empty_table("option", ">value", ">win", ">tie", ">loss")
    for option in options[:top]:
        numbers = (option.value, *(option.chances or ()))
        name, style = format_action(rules, option.action), "green" if option.best else None
        table.add_row(name, *(percent(number, known) for number in numbers), style=style)
    out.print(table)
    hidden = len(options) - len(options[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    out.print(EXACT if known.exact else str(known))
    if not known.exact and needs.fits:
        out.print(f"For the exact answer run rollwise duel first, with the same cards: {needs}.")


def _as_dict(rules: "Rules", option: "DuelOption") -> dict[str, Any]:
    """Return an option as JSON can hold it."""
    from rollwise.game.notation import format_action

    return {
        "action": format_action(rules, option.action),
        "kind": option.action.kind,
        "value": option.value,
        **as_dict(option.chances),
        "best": option.best,
    }
