"""How the expected final score of every player went, from turn to turn."""

from collections.abc import Sequence

from rollwise.game.actions import Score
from rollwise.game.events import Event
from rollwise.game.game import Game
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import Option


def expected_scores(
    solution: CardSolution,
    players: Sequence[str],
    events: Sequence[Event],
    options: Sequence[Option],
) -> list[list[float]]:
    """Return the value of the game for each player: at the start, after every turn, and now.

    Parameters
    ----------
    solution : CardSolution
        The value of every card.
    players : sequence of str
    events : sequence of Event
        The game so far.
    options : sequence of Option
        All at the decision that is due, best first; none where none is.

    Returns
    -------
    list of list of float
        One list a player. That of the player who has rolled ends with the value of the best choice.
    """
    game = Game(solution.rules, players)
    values = [[solution.value()] for _ in players]
    for event in events:
        number = game.stage.player
        game.push(event)
        if isinstance(event, Score):
            values[number].append(solution.value(game.stage.cards[number]))
    if options:
        values[game.stage.player].append(options[0].value)
    return values
