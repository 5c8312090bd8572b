"""What the server hands out: solved games, each solved once, and games within limits."""

from collections import OrderedDict
from collections.abc import Callable
from math import comb
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.card_solution import CardSolution
from rollwise.card_solver import solve_cards
from rollwise.errors import MalformedError, TooLargeError
from rollwise.evaluation import Evaluation, evaluate
from rollwise.history import History
from rollwise.objectives import BEST_CASE, EXPECTED, WORST_CASE, Objective
from rollwise.parts import Parts, parts_of
from rollwise.robot import Robot
from rollwise.rules import Rules
from rollwise.strategies import STRATEGIES, Strategy, parse_strategy

T = TypeVar("T")
Targets = NDArray[np.float64]

OBJECTIVES: dict[str, Objective] = {
    objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)
}
"""Those that a request may name: they take a second, and none of them reads a file."""

PLAYERS = ("optimal", *STRATEGIES)
"""Strategies that a request may name: none of them is code from a file."""

MAX_CATEGORIES, MAX_KEEPS = 15, 1_000
"""Of games that are solved on request: what fits in seconds."""

KEPT = 8


def objective_named(name: str) -> Objective:
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


def check_size(rules: Rules) -> None:
    """Check that a game is solved in seconds.

    Raises
    ------
    TooLargeError
        When it is not.
    """
    keeps = comb(rules.dice + rules.faces, rules.dice)
    if len(rules.categories) > MAX_CATEGORIES or keeps > MAX_KEEPS:
        raise TooLargeError(
            f"{rules.name} is too large for this server: expected at most {MAX_CATEGORIES} "
            f"categories and {MAX_KEEPS:,} keeps, got {len(rules.categories)} and {keeps:,}"
        )


class _Shelf:
    """A few things that take long to make: each made once, the ones not asked for given up."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._things: OrderedDict[object, object] = OrderedDict()

    def has(self, key: object) -> bool:
        """Return whether a thing is there already."""
        return key in self._things

    def take(self, key: object, make: Callable[[], T]) -> T:
        """Return the thing with this key; whoever comes meanwhile waits for it."""
        with self._lock:
            if key not in self._things:
                self._things[key] = make()
                while len(self._things) > KEPT:
                    self._things.popitem(last=False)
            self._things.move_to_end(key)
            return self._things[key]  # type: ignore[return-value]


class Desk:
    """One for a server; all methods may be called from any thread.

    Parameters
    ----------
    history : History
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self._solutions, self._parts = _Shelf(), _Shelf()
        self._laws, self._targets = _Shelf(), _Shelf()

    def solution(self, rules: Rules, objective: Objective = EXPECTED) -> CardSolution:
        """Return a game solved."""
        check_size(rules)
        key = (rules.model_dump_json(), objective.name)
        return self._solutions.take(key, lambda: solve_cards(rules, objective, moments=True))

    def parts(self, rules: Rules, objective: Objective = EXPECTED) -> Parts | None:
        """Return the parts of a solved game, for the reasons of a review."""
        solution = self.solution(rules, objective)
        key = (rules.model_dump_json(), objective.name)
        return self._parts.take(key, lambda: parts_of(solution))

    def strategy(self, name: str, rules: Rules) -> Strategy:
        """Return a strategy that a request may name.

        Raises
        ------
        MalformedError
            When it is none of these.
        """
        if name not in PLAYERS:
            raise MalformedError(
                f"no strategy {name[:60]!r} here: expected one of {', '.join(PLAYERS)}"
            )
        return parse_strategy(name, lambda objective: self.solution(rules, objective))

    def robot(self, name: str, rules: Rules, seed: int) -> Robot:
        """Return a strategy that sits at a table."""
        return Robot(self.strategy(name, rules), rules, seed)

    def evaluation(self, name: str, rules: Rules) -> Evaluation:
        """Return the exact law of a strategy."""
        strategy = self.strategy(name, rules)
        key = (name, rules.model_dump_json())
        return self._laws.take(key, lambda: evaluate(strategy, rules))

    def has_targets(self, rules: Rules) -> bool:
        """Return whether all targets of a game were solved already."""
        return self._targets.has(rules.model_dump_json())

    def targets(self, rules: Rules, solve: Callable[[], Targets]) -> Targets:
        """Return the best probability of reaching each score from 1 on."""
        check_size(rules)
        return self._targets.take(rules.model_dump_json(), solve)
