"""What the worker processes compute; each keeps some solved games in memory."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError
from rollwise.evaluation.breakdown import Breakdown, parts_of
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.actions import Action
from rollwise.game.notation import format_position, parse_position
from rollwise.game.position import Position
from rollwise.game.records.record import Record
from rollwise.playing.practice import Practice, Question, positions_of_the_test, puzzle_of
from rollwise.playing.rating_scale import expected_scores, scale_of, scale_of_games
from rollwise.reviews.grades import because
from rollwise.reviews.hindsight import with_same_dice
from rollwise.reviews.reasons import Reasons
from rollwise.reviews.review import Review, review
from rollwise.rules import Rules, load_rules
from rollwise.solving import moments
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE, CardObjective
from rollwise.solving.option import Option
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import STRATEGIES, Optimal, Strategy, parse_strategy
from rollwise.web.limits import is_small

Targets = NDArray[np.float64]

OBJECTIVES: dict[str, CardObjective] = {
    objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)
}
"""Those that a request may name: they take a second, and none of them reads a file."""

PLAYERS = ("optimal", *STRATEGIES)
"""Strategies that a request may name: none of them is code from a file."""

TOLD = ("action", "value", "loss", "best", "sd")
"""What is told of an option."""

STORE, MOST = 256 << 20, 32
"""Bytes of the values of solved games that a process keeps, and how many games."""


def objective_named(name: str) -> CardObjective:
    """Return an objective that a request may name.

    Raises
    ------
    MalformedError
        When it is none of these.
    """
    if name not in OBJECTIVES:
        raise MalformedError(
            f"no objective {name[:60]!r} here: expected one of {', '.join(OBJECTIVES)}"
        )
    return OBJECTIVES[name]


def check_strategy(name: str) -> None:
    """Check that a request may name a strategy.

    Raises
    ------
    MalformedError
        When it may not.
    """
    if name not in PLAYERS:
        raise MalformedError(
            f"no strategy {name[:60]!r} here: expected one of {', '.join(PLAYERS)}"
        )


def strategy_named(
    name: str, solution: CardSolution | None, *, fewer_dice: bool = False
) -> Strategy:
    """Return a strategy that a request may name.

    Parameters
    ----------
    solution : CardSolution or None
        What the optimal one is read from.
    fewer_dice : bool
        How it breaks ties.

    Raises
    ------
    MalformedError
        When it is none of these.
    """
    check_strategy(name)
    if solution is None:
        return STRATEGIES[name]()
    return parse_strategy(name, solve=lambda _: solution, fewer_dice=fewer_dice)


class _Store:
    """Solved games with their parts, the one used last at the end."""

    def __init__(self) -> None:
        self._solutions = OrderedDict[tuple[str, str], CardSolution]()
        self._parts = OrderedDict[tuple[str, str], Breakdown | None]()

    def solution(
        self, rules: Rules, objective: CardObjective, keep: bool, progress: Progress | None = None
    ) -> CardSolution:
        key = rules.model_dump_json(), objective.name
        if key not in self._solutions:
            # Of a large game spreads are at hand, if somebody had them computed, or take too long.
            self._solutions[key] = solve(
                rules, objective, moments=is_small(rules), cache=keep, progress=progress
            )
        self._solutions.move_to_end(key)
        while len(self._solutions) > 1 and self._is_too_much():
            old, _ = self._solutions.popitem(last=False)
            self._parts.pop(old, None)
        return self._solutions[key]

    def known(self, rules: Rules, objective: str) -> Rules:
        """Return rules as their solved game has them: what is remembered of them goes with them."""
        solution = self._solutions.get((rules.model_dump_json(), objective))
        return rules if solution is None else solution.rules

    def _is_too_much(self) -> bool:
        kept = self._solutions.values()
        return len(kept) > MOST or sum(map(bytes_of, kept)) > STORE

    def parts(self, solution: CardSolution) -> Breakdown | None:
        """Return the parts of a game, for the reasons of a review; those of one game are kept."""
        key = solution.rules.model_dump_json(), solution.objective.name
        if key not in self._parts:
            self._parts.clear()  # they are larger than what they are of
            self._parts[key] = parts_of(solution)
        return self._parts[key]


def bytes_of(solution: CardSolution) -> int:
    """Return what a solved game with its moments takes in memory; nothing if it stays on disk."""
    return 3 * solution.table_C_L.nbytes if solution.is_whole else 0


_store = _Store()


def solved(rules: Rules, objective: str, keep: bool, progress: Progress) -> CardSolution:
    """Solve a game; ``keep`` it in the cache on disk."""
    return _store.solution(rules, objective_named(objective), keep, progress)


def options(rules: Rules, line: str, objective: str, keep: bool, _: Progress) -> dict[str, Any]:
    """Return the options at a position, best first, as JSON can hold them."""
    rules = _store.known(rules, objective)
    position = parse_position(rules, line)  # before anything is solved
    solution = _store.solution(rules, objective_named(objective), keep)
    return {
        "rules": rules.name,
        "objective": objective,
        "position": format_position(position),
        "options": [option.as_dict(rules, TOLD) for option in solution.options(position)],
    }


def advice(positions: Sequence[Position], _: Progress) -> list[list[Option]]:
    """Return the options at each of some positions of a game, best first."""
    solution = _store.solution(positions[0].rules, EXPECTED, True)
    return list(solution.options_each(positions))


def standing(record: Record, _: Progress) -> tuple[list[Option], list[list[float]]]:
    """Return all options at the decision that is due in a game, and how expected scores went."""
    solution, due = _store.solution(record.rules, EXPECTED, True), record.game().position
    options = [] if due is None else list(solution.options(due))
    return options, expected_scores(solution, record.players, record.events, options)


def reviews(record: Record, objective: str, keep: bool, progress: Progress) -> list[Review]:
    """Judge a game."""
    solving = within(progress, 0, 0.8)
    solution = _store.solution(record.rules, objective_named(objective), keep, solving)
    return with_same_dice(review(record, solution, _store.parts(solution)), record, solution)


def reason(position: Position, other: Action, _: Progress) -> str:
    """Return what makes the best choice better than another one: the largest gains."""
    solution = _store.solution(position.rules, EXPECTED, True)
    options = solution.options(position)
    shown = [options[0], *(option for option in options if option.action == other)]
    reasons = Reasons(solution, _store.parts(solution))
    reasons.prepare(position)
    parts = reasons.of(position, shown)[-1]
    return because(position.rules, [part for part in parts if part[1] > 0], most=2)


def scale(rules: Rules, _: Progress) -> dict[str, float]:
    """Return what the strategies of the scale lose in a game, exactly, the least first."""
    return scale_of_games(_store.solution(rules, EXPECTED, True))


def proficiency_test(rules: Rules, _: Progress) -> dict[str, Any]:
    """Return the proficiency test with its answers, and what strategies lose in it."""
    solution = _store.solution(rules, EXPECTED, True)
    positions = positions_of_the_test(solution)
    told = Practice(map(Question, positions), solution).as_dict()
    return told | {"scale": scale_of(solution, positions)}


def puzzle(rules: Rules, day: date, _: Progress) -> dict[str, Any]:
    """Return the puzzle of a day with its answer."""
    solution = _store.solution(rules, EXPECTED, True)
    return Practice([Question(puzzle_of(solution, day))], solution).as_dict()


def expected(rules: Rules, progress: Progress | None = None) -> float:
    """Return the expected score of best play."""
    return solve(rules, progress=progress).value()


def distribution(name: str, rules: Rules, fewer_dice: bool, progress: Progress) -> Evaluation:
    """Return the exact law of a strategy."""
    best = name == "optimal"
    solving, following = within(progress, 0, 0.1), within(progress, 0.1 if best else 0, 1)
    # Its moments, which would take longer than the solution, are those of the law.
    solution = solve(rules, progress=solving) if best else None
    strategy = strategy_named(name, solution, fewer_dice=fewer_dice)
    return evaluate(strategy, rules, progress=following, cache=True)


def spread_of_ties(rules: Rules, _: Progress) -> tuple[float, float]:
    """Return the least and the most SD of the final score, of all best plays."""
    return moments.spread_of_ties(solve(rules))


def warm(progress: Progress) -> None:
    """Have the compiled code at hand that laws need: the smallest game needs all of it."""
    rules = load_rules("micro-yahtzee")
    evaluate(Optimal(solve(rules, cache=False)), rules, progress=progress)


def targets(rules: Rules, progress: Progress) -> Targets:
    """Return the best probability of reaching each score from 1 on."""
    return Solver(rules, progress=progress).targets()
