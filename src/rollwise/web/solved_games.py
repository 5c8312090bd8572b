"""The rules and the solved games that a server offers, and its history.

Large games are not solved on request. They are available if someone has solved them on this
machine.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import ParamSpec, TypeVar

from rollwise.errors import InputError, TooLargeError
from rollwise.evaluation.breakdown import Breakdown
from rollwise.game.actions import Action
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.records.as_json import GameData, parse_data
from rollwise.game.records.as_text import rules_of_record
from rollwise.history import History, SavedGame, rated_rules
from rollwise.questions.size_limits import OBJECTIVES, check_known, check_size, is_small
from rollwise.reviews.review import Review
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.settings import default_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.saved_results import SavedResults
from rollwise.two_player.win_probability import WinEstimate
from rollwise.web import computations
from rollwise.web.computations import SolvedPosition
from rollwise.web.computing import BusyError, Computation, Computing, FailedError

P = ParamSpec("P")
T = TypeVar("T")


class SolvedGames:
    """The rules, solved games, computations, and history of a server; one object per server.

    Call all methods on the event loop, except methods that say otherwise.

    Parameters
    ----------
    history : History
    custom : iterable of Rules
        Rules that the server offers in addition to the presets. They replace presets with the same
        name. The default game is one of them if it is a rule file.

    Attributes
    ----------
    default : str
        The name of the default game, for requests and pages that name no rules.
    rules : dict of str to Rules
        The rules that requests and pages can name: the custom rules and the small presets.
    large : dict of str to Rules
        The large presets, which are available once they are prepared.
    prepared : Prepared
        The large games that are solved on this machine.
    computing : Computing
    """

    def __init__(self, history: History, custom: Iterable[Rules] = ()) -> None:
        self.history = history
        default = default_rules().source
        self.default = default
        if default.endswith(".toml"):
            own = load_rules(default)
            self.default, custom = own.name, (own, *custom)
        custom = tuple(custom)
        presets = [load_rules(name) for name in preset_names()]
        small = filter(is_small, presets)
        self.rules = {rules.name: rules for rules in (*small, *custom)}
        self.large = {rules.name: rules for rules in presets if rules.name not in self.rules}
        for rules in custom:
            check_size(rules)
        self.computing = Computing()
        self.prepared = Prepared(self.large, self.computing)
        self._writing, self._dueling = asyncio.Lock(), asyncio.Lock()

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``work(…)``, which reads the history."""
        return await self.computing.quick(work, *args, **kwargs)

    async def write(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``work(…)``, which changes the history: one change at a time, in order."""
        async with self._writing:
            return await self.computing.quick(work, *args, **kwargs)

    async def saved(self, id: str) -> SavedGame:
        """Return a saved game; without its seed, which tells all rolls to come, until it is over.

        Raise HistoryError if no game has this id, or it cannot be read.
        """
        saved = await self.read(self.history.load, id)
        if not saved.game.is_over:
            saved.game.headers = replace(saved.game.headers, seed=None)
        return saved

    def rules_named(self, name: str) -> Rules:
        """Return the rules with the given name, without reading any file.

        Raise MalformedError if the server has no rules with this name.
        """
        check_known(name, "rules", self.rules)
        return self.rules[name]

    def titles(self) -> dict[str, str]:
        """Return the title of each set of rules, by name."""
        return {name: rules.title for name, rules in self.rules.items()}

    def all_titles(self) -> dict[str, str]:
        """Return the title of each set of rules, by name, including large games."""
        large = {name: f"{rules.title} (no advice)" for name, rules in self.large.items()}
        return self.titles() | large

    async def rated(self, history: History) -> dict[str, str]:
        """Return the title of each set of rules with rated games, the latest first."""
        offered, names = self.rules | self.large, await self.read(rated_rules, history)
        return {name: offered[name].title for name in names if name in offered}

    def offers(self, rules: Rules) -> bool:
        """Return whether the server offers these rules; False for custom rules in a request."""
        return self.rules.get(rules.name) == rules

    def solving(self, rules: Rules, objective: str = EXPECTED.name) -> Computation[CardSolution]:
        """Return the computation that solves a small game.

        Raise InputError if the game is too large, or if web requests may not use the objective.
        """
        check_size(rules)
        check_known(objective, "objective", OBJECTIVES)
        keep = self.offers(rules)
        return self.computing.seconds(computations.solution, rules, objective, keep)

    async def solution(self, rules: Rules, objective: str = EXPECTED.name) -> CardSolution:
        """Return the solution of a small game, or of a large game that is prepared.

        Raise InputError if the game is too large and not prepared, or if web requests may not use
        the objective.
        """
        prepared = await self.prepared.find(rules)
        if prepared is None:
            return await self.solving(rules, objective)
        if objective != EXPECTED.name:
            raise TooLargeError(
                f"{rules.title} is too large for this objective; use {EXPECTED.name}"
            )
        return prepared

    async def outlook(self, game: Game) -> WinEstimate | None:
        """Return the win probability of the first player in a two-player game."""
        async with self._dueling:  # they share what they have computed
            return await self.computing.seconds(
                computations.outlook, game.copy(), key=game.as_json()
            )

    async def duel_action(self, game: Game) -> Action:
        """Return the action of the strategy ``duel`` for the player to move."""
        async with self._dueling:
            return await self.computing.seconds(
                computations.duel_action, game.copy(), key=game.as_json()
            )

    async def gains(self, position: Position, other: Action) -> list[tuple[str, float]]:
        """Return the largest gains of the best option over another one; empty for a large game."""
        parts = await self._breakdown(position.rules)
        if parts is None:
            return []
        return await self.computing.quick(computations.gains, parts, position, other)

    async def averages(self, rules: Rules) -> dict[str, float]:
        """Return the average points of each category in optimal play; empty for a large game."""
        parts = await self._breakdown(rules)
        return {} if parts is None else parts.averages()

    async def scale(self, rules: Rules) -> dict[str, float]:
        """Return the EV loss per game of each reference strategy; empty if it is not available."""
        if is_small(rules):
            with suppress(BusyError, FailedError, InputError):
                return await self.computing.minutes(computations.scale, rules)
        return {}

    async def rating_test(self, rules: Rules) -> tuple[list[SolvedPosition], dict[str, float]]:
        """Return the rating test of a game, and the EV loss of each reference strategy in it."""
        solution = await self.solution(rules)
        return await self.computing.seconds(computations.rating_test, solution, key=rules)

    async def puzzle(self, rules: Rules, day: date) -> SolvedPosition:
        """Return the puzzle for a day."""
        solution = await self.solution(rules)
        return await self.computing.seconds(computations.puzzle, solution, day, key=(rules, day))

    async def _breakdown(self, rules: Rules) -> Breakdown | None:
        """Return the breakdown of a game, which gives the reasons; None if it is too large."""
        solution = await self.solution(rules)
        return await self.computing.seconds(
            computations.breakdown, solution, self.offers(rules), key=rules
        )

    async def reviews(self, game: Game) -> list[Review]:
        """Return a review for each player."""
        solution, parts = await self.solution(game.rules), await self._breakdown(game.rules)
        return await self.computing.seconds(
            computations.reviews, solution, parts, game.copy(), key=game.as_json()
        )

    async def game(self, source: str | GameData) -> Game:
        """Parse the game record of a request.

        Raise InputError if the source is not a game record, or its game is too large. The size is
        checked first.
        """
        if isinstance(source, str):
            if not source.lstrip().startswith("{"):
                rules = self.rules.get(rules_of_record(source))
                return await self.computing.quick(Game.parse, source, rules)
            source = await self.computing.quick(parse_data, source)
        record = source.model_dump_json(exclude_none=True)
        if isinstance(source.rules, Rules):
            check_size(source.rules)
            return await self.computing.quick(Game.parse, record)
        rules = self.large.get(source.rules) or self.rules_named(source.rules)
        return await self.computing.quick(Game.parse, record, rules)


class Prepared:
    """The large games that are solved on this machine.

    Each call of :meth:`find` checks the disk, unless an earlier call has found the solution.
    """

    def __init__(self, large: Mapping[str, Rules], computing: Computing) -> None:
        self._large, self._computing = large, computing
        self._solutions: dict[Rules, CardSolution] = {}

    async def find(self, rules: Rules) -> CardSolution | None:
        """Return the solution of a large game; None if it is not solved."""
        if self._large.get(rules.name) == rules and rules not in self._solutions:
            solution = await self._computing.quick(prepared, rules)
            if solution is not None:
                self._solutions[rules] = solution
        return self._solutions.get(rules)

    async def named(self, name: str) -> Rules | None:
        """Return the rules of a solved large game; None if no solved large game has this name."""
        rules = self._large.get(name)
        return rules if rules and await self.find(rules) else None


def prepared(rules: Rules) -> CardSolution | None:
    """Return the game solved for the expected score, or None if some values are not saved.

    If the game is too large for one table, its values are read when they are needed.
    """
    return SavedResults(rules, cache=True).find(EXPECTED)
