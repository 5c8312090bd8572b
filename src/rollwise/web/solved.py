"""What the server hands out: solved games, each solved once, and games within limits."""

from collections.abc import Iterable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import MalformedError, TooLargeError
from rollwise.evaluation.breakdown import Parts, parts_of
from rollwise.evaluation.evaluate import Evaluation, evaluate
from rollwise.game.records.as_json import RecordData, parse_record_data, record_of
from rollwise.game.records.as_text import parse_record, rules_of_record
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.playing.robot import Robot
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import BEST_CASE, EXPECTED, WORST_CASE, CardObjective
from rollwise.solving.progress import Progress
from rollwise.solving.solver import Solver, solve
from rollwise.strategies import STRATEGIES, Strategy, parse_strategy
from rollwise.web.limits import check_size
from rollwise.web.made_once import MadeOnce

Targets = NDArray[np.float64]

OBJECTIVES: dict[str, CardObjective] = {
    objective.name: objective for objective in (EXPECTED, WORST_CASE, BEST_CASE)
}
"""Those that a request may name: they take a second, and none of them reads a file."""

PLAYERS = ("optimal", *STRATEGIES)
"""Strategies that a request may name: none of them is code from a file."""

KEPT = 8
"""Solved games and laws; of parts, the largest tables, two are kept."""


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


def _presets() -> list[Rules]:
    """Return the presets that are small enough."""
    found = []
    for name in preset_names():
        with suppress(TooLargeError):
            rules = load_rules(name)
            check_size(rules)
            found.append(rules)
    return found


class SolvedGames:
    """One for a server; all methods may be called from any thread.

    Parameters
    ----------
    history : History
    own : iterable of Rules
        Offered beside the presets, in place of those of the same name.

    Attributes
    ----------
    rules : dict of str to Rules
        What requests and pages can name: those that are small enough.
    """

    def __init__(self, history: History, own: Iterable[Rules] = ()) -> None:
        self.history = history
        self.rules = {rules.name: rules for rules in (*_presets(), *own)}
        for rules in own:
            check_size(rules)
        self._solutions, self._parts = MadeOnce(KEPT), MadeOnce(2)
        self._laws, self._targets = MadeOnce(KEPT), MadeOnce(KEPT)

    def rules_named(self, name: str) -> Rules:
        """Return rules that a request may name; never a file.

        Raises
        ------
        MalformedError
            When there are none of that name.
        """
        if name not in self.rules:
            raise MalformedError(
                f"no rules {name[:60]!r} here: expected one of {', '.join(self.rules)}"
            )
        return self.rules[name]

    def titles(self) -> dict[str, str]:
        """Return what the rules are called, by name."""
        return {name: rules.title for name, rules in self.rules.items()}

    def solution(self, rules: Rules, objective: CardObjective = EXPECTED) -> CardSolution:
        """Return a game solved."""
        check_size(rules)
        key = (rules.model_dump_json(), objective.name)
        return self._solutions.get(key, lambda: solve(rules, objective, moments=True))

    def parts(self, rules: Rules, objective: CardObjective = EXPECTED) -> Parts | None:
        """Return the parts of a solved game, for the reasons of a review."""
        solution = self.solution(rules, objective)
        key = (rules.model_dump_json(), objective.name)
        return self._parts.get(key, lambda: parts_of(solution))

    def record(self, given: str | RecordData) -> Record:
        """Return a game that a request brings, as text or as JSON.

        Raises
        ------
        InputError
            When it is no game, or one of rules too large; these are measured before anything else
            is done with them.
        """
        if isinstance(given, str) and not given.lstrip().startswith("{"):
            return parse_record(given, self.rules.get(rules_of_record(given)))
        data = parse_record_data(given) if isinstance(given, str) else given
        if isinstance(data.rules, Rules):
            check_size(data.rules)
            return record_of(data)
        return record_of(data, self.rules_named(data.rules))

    def strategy(self, name: str, rules: Rules, *, fewer_dice: bool = False) -> Strategy:
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
        return parse_strategy(name, solve=lambda _: self.solution(rules), fewer_dice=fewer_dice)

    def robot(self, name: str, rules: Rules, seed: int) -> Robot:
        """Return a strategy that sits at a table."""
        return Robot(self.strategy(name, rules), rules, seed)

    def evaluation(self, name: str, rules: Rules, *, fewer_dice: bool = False) -> Evaluation:
        """Return the exact law of a strategy; the optimal one may prefer fewer dice in ties."""
        strategy = self.strategy(name, rules, fewer_dice=fewer_dice)
        key = (name, fewer_dice, rules.model_dump_json())
        return self._laws.get(key, lambda: evaluate(strategy, rules))

    def has_targets(self, rules: Rules) -> bool:
        """Return whether all targets of a game were solved already."""
        return self._targets.has(rules.model_dump_json())

    def targets(self, rules: Rules, progress: Progress) -> Targets:
        """Return the best probability of reaching each score from 1 on."""
        check_size(rules)
        key = rules.model_dump_json()
        return self._targets.get(key, lambda: Solver(rules, progress=progress).targets())
