"""A rating in words: between which strategies a game stands, or the proficiency test.

How the expected final score of every player went, from turn to turn.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from rollwise.errors import InputError
from rollwise.evaluation.policy_value import mean_of, play_of
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
"""Strategies that others are compared with, and what they are called; best play loses nothing."""


SOON = 1 << 20
"""Cards of a game, and rows of its upper sum, up to which its scale takes some seconds."""


def scale_of(solution: Solution, positions: Sequence[Position]) -> dict[str, float]:
    """Return what each strategy of the scale loses in some positions together, the least first.

    A strategy that knows no way to play the game is left out.
    """
    options = [solution.options(position) for position in positions]
    lost: dict[str, float] = {}
    for name, words in SCALE.items():
        try:
            robot = Bot(parse_strategy(name, solution.rules), solution.rules)
            actions = [robot.action(position) for position in positions]
        except InputError:
            continue
        lost[words] = sum(
            next(option.loss for option in those if option.action == action)
            for those, action in zip(options, actions, strict=True)
        )
    return dict(sorted(lost.items(), key=lambda one: one[1]))


def scale_of_games(solution: CardSolution) -> dict[str, float]:
    """Return what each strategy of the scale loses in a game, exactly, the least first.

    A strategy whose expected final score is E loses V − E, where V is that of best play: in the
    mean luck comes to nothing. One that knows no way to play the game is left out.

    Parameters
    ----------
    solution : CardSolution
        For the expected score.
    """
    best, lost, rules = solution.value(), dict[str, float](), solution.rules
    for name, words in SCALE.items():
        with suppress(InputError):
            lost[words] = best - mean_of(play_of(parse_strategy(name, rules), rules))
    return dict(sorted(lost.items(), key=lambda one: one[1]))


def scale_soon(solution: Solution) -> dict[str, float]:
    """Return the scale of a game where that takes seconds; of others, and of no points, nothing."""
    if not isinstance(solution, CardSolution) or solution.objective.name != "expected":
        return {}
    return scale_of_games(solution) if solution.table_C_L.size <= SOON else {}


def rating(loss: float, scale: Mapping[str, float]) -> str:
    """Return where a loss stands on a scale, in words.

    Parameters
    ----------
    scale : mapping of str to float
        What each strategy loses, the least first.
    """
    better = [name for name, lost in scale.items() if lost < loss]
    worse = [name for name, lost in scale.items() if lost >= loss]
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
