"""Rating of a player by EV loss on a scale of reference strategies, and expected scores by turn.

A rating names the two strategies with the EV losses just below and just above the player's EV loss.
EV losses are measured in a game or in the rating test.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from rollwise.errors import InputError
from rollwise.evaluation.policy_value import mean_of, policy_of
from rollwise.game.actions import Score
from rollwise.game.events import Event
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.playing.bot import Bot
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.option import Option
from rollwise.solving.solution import Solution
from rollwise.strategies import parse_strategy

SCALE = {
    "greedy-average": "greedy above average",
    "commonest-face": "the commonest face",
    "payoff-line": "the payoff line",
    "greedy": "greedy play",
    "random": "chance",
}
"""The reference strategies and their names in ratings. Optimal play is not among them, because its
EV loss is 0."""

MAX_VALUES = 1 << 20
"""The maximum size of a value table for which the exact scale takes only seconds."""


def scale_of(solution: Solution, positions: Sequence[Position]) -> dict[str, float]:
    """Return the total EV loss of each reference strategy at the positions, smallest first.

    Strategies that cannot play the game are left out.
    """
    options = [solution.options(position) for position in positions]
    losses: dict[str, float] = {}
    for name, words in SCALE.items():
        try:
            bot = Bot(parse_strategy(name, solution.rules), solution.rules)
            actions = [bot.action(position) for position in positions]
        except InputError:
            continue
        losses[words] = sum(
            next(option.loss for option in best_first if option.action == action)
            for best_first, action in zip(options, actions, strict=True)
        )
    return dict(sorted(losses.items(), key=lambda item: item[1]))


def scale_of_games(solution: CardSolution) -> dict[str, float]:
    """Return the exact EV loss per game of each reference strategy, smallest first.

    The EV loss is V − E, because luck has mean zero. E is the expected final score of the strategy,
    and V the expected final score of optimal play. Strategies that cannot play the game are left
    out.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.
    """
    best, losses, rules = solution.value(), dict[str, float](), solution.rules
    for name, words in SCALE.items():
        with suppress(InputError):
            losses[words] = best - mean_of(policy_of(parse_strategy(name, rules), rules))
    return dict(sorted(losses.items(), key=lambda item: item[1]))


def quick_scale(solution: Solution) -> dict[str, float]:
    """Return the exact scale; empty if it takes too long, or if values are not expected scores."""
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return {}
    return scale_of_games(solution) if solution.table_C_L.size <= MAX_VALUES else {}


def rating(loss: float, scale: Mapping[str, float]) -> str:
    """Return the rating for the EV loss ``loss`` in words.

    Parameters
    ----------
    loss : float
        The EV loss of the player.
    scale : mapping of str to float
        The EV loss of each reference strategy, smallest first.
    """
    better = [name for name, limit in scale.items() if limit < loss]
    worse = [name for name, limit in scale.items() if limit >= loss]
    if loss == 0:
        return "as good as best play"
    if not worse:
        return f"below {better[-1]}"
    return f"between {better[-1] if better else 'best play'} and {worse[0]}"


def expected_scores(
    solution: CardSolution,
    players: Sequence[str],
    events: Sequence[Event],
    options: Sequence[Option],
) -> list[list[float]]:
    """Return each player's expected final score at the start, after every turn, and now.

    Parameters
    ----------
    solution : CardSolution
        The solution for the expected score.
    players : sequence of str
    events : sequence of Event
        The game so far.
    options : sequence of Option
        All options of the current decision, best first; empty if no decision is due.

    Returns
    -------
    list of list of float
        One list per player. For the player who has just rolled, the list ends with the value of
        the best option.
    """
    game = Game(solution.rules, players, events)
    values = [[solution.value()] for _ in players]
    for before, event, after in game.steps:
        if isinstance(event, Score):
            values[before.player].append(solution.value(after.cards[before.player]))
    if options:
        values[game.stage.player].append(options[0].value)
    return values
