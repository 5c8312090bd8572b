"""What ``--opponent`` says: the others at the table, by the cards that one sees of them."""

from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli.common import player
from rollwise.cli.duel_advice import DUEL
from rollwise.cli.progress import progress

if TYPE_CHECKING:
    from rollwise.evaluation.final_law import Opponent
    from rollwise.game.scorecard import Scorecard
    from rollwise.rules import Rules
    from rollwise.solving.objectives import Objective

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
    from rollwise.evaluation.final_law import Opponent, final_law
    from rollwise.game.position import Position

    game = card.rules
    some_roll = None if card.is_full else Position.of(card, next(game.every_roll()), rolls_left=0)
    strategy = player(plays, game, position=some_roll, quiet=quiet)
    with progress(f"playing all games of an opponent in {game.name}", quiet) as advance:
        return Opponent(card, plays, final_law(strategy, card, progress=advance))


def beating_all(opponents: "list[Opponent]") -> "Objective":
    """Return the objective of having the highest score at the table."""
    from rollwise.solving.objectives import beating

    return beating([(opponent.law, 1) for opponent in opponents])
