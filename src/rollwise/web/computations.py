"""The computations of a server. The last argument of those that take seconds is their progress.

Those that can take minutes run in another process (:mod:`rollwise.web.computing`), so their
arguments and results can be pickled.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic_core import from_json

from rollwise.distribution import Distribution
from rollwise.evaluation.breakdown import Breakdown, breakdown_of
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.stage import Stage
from rollwise.playing.bot import Bot
from rollwise.playing.practice import puzzles_of, rating_test_positions
from rollwise.playing.rating_scale import scale_of, scale_of_games
from rollwise.questions.network import respond
from rollwise.questions.size_limits import OBJECTIVES, is_small
from rollwise.reviews.grades import main_gains
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import Review, review
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import STRATEGIES, Duel, Optimal, Strategy
from rollwise.two_player.win_probability import WinEstimate, WinProbability

SolvedPosition = tuple[Position, list[Option]]
"""A position, and its options, best first."""


def solution(rules: Rules, objective: str, keep: bool, progress: Progress) -> CardSolution:
    """Solve a game, with moments if it is small; if ``keep``, cache the solution on disk."""
    solver = Solver(rules, cache=keep, progress=progress)
    return solver.solve_by_card(OBJECTIVES[objective], moments=is_small(rules))


def breakdown(solution: CardSolution, keep: bool, _: Progress) -> Breakdown | None:
    """Return the breakdown of the expected score; if ``keep``, cache it on disk."""
    return breakdown_of(solution, cache=keep)


def reviews(
    solution: CardSolution, parts: Breakdown | None, game: Game, _: Progress
) -> list[Review]:
    """Return each player's review."""
    return review(game, solution, parts)


def gains(parts: Breakdown, position: Position, other: Action) -> list[tuple[str, float]]:
    """Return the largest gains of the best option over another option, by category and bonus."""
    options = parts.solution.options(position)
    compared = [options[0], *(option for option in options if option.action == other)]
    return main_gains(Reasons(parts.solution, parts).of(position, compared)[-1])


def advice(
    solution: CardSolution, positions: Sequence[Position], _: Progress
) -> list[list[Option]]:
    """Return the options at each position of a game, best first."""
    return list(solution.options_each(positions))


def expected_scores(solution: CardSolution, stage: Stage, options: Sequence[Option]) -> list[float]:
    """Return the expected final score of each player; ``options`` are those of the next action."""
    values = [solution.value(card) for card in stage.cards]
    if options:
        values[stage.player] = options[0].value
    return values


def advice_in_game(
    solution: CardSolution, stage: Stage, _: Progress
) -> tuple[list[Option], list[float]]:
    """Return the options of the next action, and the expected final score of each player."""
    position = stage.position
    options = [] if position is None else list(solution.options(position))
    return options, expected_scores(solution, stage, options)


def rating_test(
    solution: CardSolution, _: Progress
) -> tuple[list[SolvedPosition], dict[str, float]]:
    """Return the rating test, and the EV loss of each reference strategy in it."""
    positions = rating_test_positions(solution)
    questions = list(zip(positions, solution.options_each(positions), strict=True))
    return questions, scale_of(solution, positions)


def puzzle(solution: CardSolution, day: date, _: Progress) -> SolvedPosition:
    """Return the puzzle for a day."""
    (position,) = puzzles_of(solution, [day])
    return position, list(solution.options(position))


@lru_cache(maxsize=1)  # caches solutions between turns, up to a gigabyte
def _duel_bot(rules: Rules) -> tuple[Bot, WinProbability]:
    bot = Bot(Duel(solve(rules)), rules, quick=True)
    assert bot.win_probability is not None
    return bot, bot.win_probability


def outlook(game: Game, progress: Progress) -> WinEstimate | None:
    """Return the win probability of the first player in a two-player game."""
    bots = {player: _strategy(name, game.rules) for player, name in game.headers.bots.items()}
    return _duel_bot(game.rules)[1].outlook(game, bots, progress)


@lru_cache(maxsize=16)
def _strategy(name: str, rules: Rules) -> Strategy:
    if name in ("optimal", "duel"):
        return (Optimal if name == "optimal" else Duel)(solve(rules))
    return STRATEGIES[name]()


def duel_action(game: Game, progress: Progress) -> Action:
    """Return the action of the strategy ``duel`` for the player to move."""
    return _duel_bot(game.rules)[0].choose(game, progress)


def answer_to(name: str, arguments: str, keep: bool, progress: Progress) -> Any:
    """Return the data of the answer to a question, whose arguments are a JSON object."""
    given = from_json(arguments)
    if given.get("rules") is not None:
        given["rules"] = Rules.model_validate(given["rules"])
    return respond(name, given, progress, keep)


def scale(rules: Rules, progress: Progress) -> dict[str, float]:
    """Return the exact EV loss per game of the strategies on the rating scale, lowest first."""
    return scale_of_games(solution(rules, EXPECTED.name, keep=True, progress=progress))


def distribution(name: str, rules: Rules, progress: Progress) -> Evaluation:
    """Return the exact distribution of the final score with a strategy of the given name."""
    if name != "optimal":
        return evaluate(STRATEGIES[name](), rules, progress=progress, cache=True)
    # The distribution includes the moments, which would take longer than the solution.
    solution = solve(rules, progress=within(progress, 0, 0.1))
    return evaluate(Optimal(solution), rules, progress=within(progress, 0.1, 1), cache=True)


def targets(rules: Rules, progress: Progress) -> Distribution:
    """Return a distribution whose probability of at least each score is the highest possible."""
    best_T = Solver(rules, progress=progress).targets()
    return Distribution.of_counts(-np.diff(best_T, prepend=1, append=0))


def compile_kernels(progress: Progress) -> None:
    """Compile the kernels for distributions by evaluating the smallest game."""
    rules = load_rules("micro-yahtzee")
    evaluate(Optimal(solve(rules, cache=False)), rules, progress=progress)
