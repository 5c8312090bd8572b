"""A rating in words: between which strategies an answer sheet of the proficiency test stands."""

from collections.abc import Sequence

from rollwise.errors import InputError
from rollwise.game.position import Position
from rollwise.playing.robot import Robot
from rollwise.solving.solution import Solution
from rollwise.strategies import parse_strategy

SCALE = {
    "greedy-average": "greedy above average",
    "commonest-face": "the commonest face",
    "payoff-line": "the payoff line",
    "greedy": "greedy play",
    "random": "chance",
}
"""Strategies that take the test, and what they are called; best play loses nothing in it."""


def scale_of(solution: Solution, positions: Sequence[Position]) -> dict[str, float]:
    """Return what each strategy of the scale loses in some positions together, the least first.

    A strategy that knows no way to play the game is left out.
    """
    options = [solution.options(position) for position in positions]
    lost: dict[str, float] = {}
    for name, words in SCALE.items():
        try:
            robot = Robot(parse_strategy(name, solution.rules), solution.rules)
            actions = [robot.action(position) for position in positions]
        except InputError:
            continue
        lost[words] = sum(
            next(option.loss for option in those if option.action == action)
            for those, action in zip(options, actions, strict=True)
        )
    return dict(sorted(lost.items(), key=lambda one: one[1]))


def rating(loss: float, scale: dict[str, float]) -> str:
    """Return where a loss stands on a scale, in words.

    Parameters
    ----------
    scale : dict of str to float
        What each strategy loses, the least first.
    """
    better = [name for name, lost in scale.items() if lost < loss]
    worse = [name for name, lost in scale.items() if lost >= loss]
    if loss == 0:
        return "as good as best play"
    if not worse:
        return f"below {better[-1]}"
    return f"between {better[-1] if better else 'best play'} and {worse[0]}"
