"""Functions for the worker processes; each process keeps some solved games in memory.

:mod:`rollwise.web.worker_functions` says in which queue each function runs. The last functions are
for two-player games: win probabilities after every roll, and the actions of the strategy ``duel``.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from rollwise.evaluation.breakdown import Breakdown, breakdown_of
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.stage import Stage
from rollwise.playing.bot import Bot
from rollwise.playing.practice import Practice, PracticeQuestion, puzzle_of, rating_test_positions
from rollwise.playing.rating_scale import scale_of, scale_of_games
from rollwise.questions.network import respond
from rollwise.questions.size_limits import OBJECTIVES, is_small
from rollwise.reviews.grades import because
from rollwise.reviews.hindsight import with_same_dice
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import Review, review
from rollwise.rules import Rules, load_rules
from rollwise.solving.cache import load_table
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED, CardObjective
from rollwise.solving.option import Option
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import STRATEGIES, Duel, Optimal
from rollwise.two_player.win_probability import WinEstimate, WinProbability
from rollwise.web.lru_cache import LruCache

Targets = NDArray[np.float64]

SOLUTION_BYTES, SOLUTIONS = 256 << 20, 32
"""The maximum memory for solved games in a process, and the maximum number of games."""


def bytes_of(solution: CardSolution) -> int:
    """Return the memory of a solved game with its moments, in bytes; 0 if it is on disk."""
    return 3 * solution.table_C_L.nbytes if solution.is_whole else 0


_Key = tuple[str, str]
"""The rules as JSON, and the name of the objective."""

_solutions = LruCache[_Key, CardSolution](SOLUTIONS, bytes_of, SOLUTION_BYTES)

_breakdowns = LruCache[_Key, Breakdown | None](1)


def _solution(
    rules: Rules, objective: CardObjective, keep: bool, progress: Progress | None = None
) -> CardSolution:
    def solved() -> CardSolution:
        # The moments of a large game would take too long.
        return solve(rules, objective, moments=is_small(rules), cache=keep, progress=progress)

    return _solutions.get_or_compute((rules.model_dump_json(), objective.name), solved)


def _breakdown(solution: CardSolution) -> Breakdown | None:
    """Return the breakdown of the expected score, which gives the reasons for decisions."""
    key = solution.rules.model_dump_json(), solution.objective.name
    if key not in _breakdowns:
        _breakdowns.clear()  # store only one, because it is larger than its solution
    return _breakdowns.get_or_compute(key, lambda: breakdown_of(solution))


def solution(rules: Rules, objective: str, keep: bool, progress: Progress) -> CardSolution:
    """Solve a game; if ``keep``, cache the solution on disk."""
    return _solution(rules, OBJECTIVES[objective], keep, progress)


def saved_solution(rules: Rules, objective: str, _: Progress) -> CardSolution | None:
    """Return the solution of a game with its moments if both are cached on disk; otherwise None."""
    solution = load_table(rules, OBJECTIVES[objective])
    return solution if solution is not None and solution.moments is not None else None


def game(record: str, rules: Rules | None, _: Progress) -> Game:
    """Parse and replay a game record; ``rules`` are its rules, unless it contains them."""
    return Game.parse(record, rules)


def answer_to(name: str, arguments: str, keep: bool, progress: Progress) -> Any:
    """Return the data of the answer to a question, whose arguments are a JSON object."""
    given = from_json(arguments)
    if given.get("rules") is not None:
        given["rules"] = Rules.model_validate(given["rules"])
    return respond(name, given, progress, keep)


def quick_answer(name: str, arguments: str, keep: bool, progress: Progress) -> Any:
    """Return the data of the answer to a question that usually takes milliseconds."""
    return answer_to(name, arguments, keep, progress)


def advice(positions: tuple[Position, ...], _: Progress) -> list[list[Option]]:
    """Return the options at each position of a game, best first."""
    return list(_solution(positions[0].rules, EXPECTED, True).options_each(positions))


def expected_scores(solution: CardSolution, stage: Stage, options: Sequence[Option]) -> list[float]:
    """Return the expected final score of each player; ``options`` are those of the next action."""
    values = [solution.value(card) for card in stage.cards]
    if options:
        values[stage.player] = options[0].value
    return values


def advice_in_game(stage: Stage, _: Progress) -> tuple[list[Option], list[float]]:
    """Return the options of the next action, and the expected final score of each player."""
    solution, position = _solution(stage.card.rules, EXPECTED, True), stage.position
    options = [] if position is None else list(solution.options(position))
    return options, expected_scores(solution, stage, options)


def reviews(record: str, objective: str, keep: bool, progress: Progress) -> list[Review]:
    """Return each player's review, with the score of optimal play with the same dice."""
    game, solving = Game.parse(record), within(progress, 0, 0.8)
    solution = _solution(game.rules, OBJECTIVES[objective], keep, solving)
    return with_same_dice(review(game, solution, _breakdown(solution)), game, solution)


def reason(position: Position, other: Action, _: Progress) -> str:
    """Return the largest gains of the best option over another option, in words."""
    solution = _solution(position.rules, EXPECTED, True)
    options = solution.options(position)
    compared = [options[0], *(option for option in options if option.action == other)]
    gains = Reasons(solution, _breakdown(solution)).of(position, compared)[-1]
    return because(position.rules, [gain for gain in gains if gain[1] > 0], most=2)


def scale(rules: Rules, _: Progress) -> dict[str, float]:
    """Return the exact EV loss per game of the strategies on the rating scale, lowest first."""
    return scale_of_games(_solution(rules, EXPECTED, True))


def rating_test(rules: Rules, _: Progress) -> dict[str, Any]:
    """Return the rating test with its solutions, and the EV losses of the reference strategies."""
    solution = _solution(rules, EXPECTED, True)
    positions = rating_test_positions(solution)
    test = Practice(map(PracticeQuestion, positions), solution).as_dict()
    return test | {"scale": scale_of(solution, positions)}


def puzzle(rules: Rules, day: date, _: Progress) -> dict[str, Any]:
    """Return the puzzle for a day, with its solution."""
    solution = _solution(rules, EXPECTED, True)
    return Practice([PracticeQuestion(puzzle_of(solution, day))], solution).as_dict()


def expected(rules: Rules, progress: Progress) -> float:
    """Return the expected score of optimal play; this takes less time than its distribution."""
    return solve(rules, progress=progress).value()


def distribution(name: str, rules: Rules, fewer_dice: bool, progress: Progress) -> Evaluation:
    """Return the exact distribution of the final score with a strategy.

    Parameters
    ----------
    name : str
        The name of the strategy.
    fewer_dice : bool
        Whether the optimal strategy keeps the fewest dice among equally good options.
    """
    if name != "optimal":
        return evaluate(STRATEGIES[name](), rules, progress=progress, cache=True)
    # The distribution includes the moments, which would take longer than the solution.
    solution = solve(rules, progress=within(progress, 0, 0.1))
    strategy = Optimal(solution, fewer_dice=fewer_dice)
    return evaluate(strategy, rules, progress=within(progress, 0.1, 1), cache=True)


def targets(rules: Rules, progress: Progress) -> Targets:
    """Return the highest probability of reaching each score, starting with score 1."""
    return Solver(rules, progress=progress).targets()


def compile_kernels(progress: Progress) -> None:
    """Compile the kernels for distributions by evaluating the smallest game."""
    rules = load_rules("micro-yahtzee")
    evaluate(Optimal(solve(rules, cache=False)), rules, progress=progress)


@lru_cache(maxsize=1)  # caches solutions between turns, up to a gigabyte
def _duel_bot(rules: Rules) -> tuple[Bot, WinProbability]:
    bot = Bot(Duel(solve(rules)), rules)
    assert bot.win_probability is not None
    return bot, bot.win_probability


def outlook(record: str, _: Progress) -> WinEstimate | None:
    """Return the win probability of the first player in a two-player game."""
    game = Game.parse(record)
    return _duel_bot(game.rules)[1].outlook(game)


def answer(record: str, _: Progress) -> Action:
    """Return the action of the strategy ``duel`` for the player to move."""
    game = Game.parse(record)
    return _duel_bot(game.rules)[0].choose(game)
