"""Solved games and the history, for the web pages and the API.

Large games are not solved on request. They are available if someone has solved them on this
machine.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

from rollwise.errors import TooLargeError
from rollwise.game.game import Game
from rollwise.game.records.as_json import GameData, parse_data
from rollwise.game.records.as_text import rules_of_record
from rollwise.history import History, SavedGame
from rollwise.playing.bot import Bot
from rollwise.questions.size_limits import OBJECTIVES, check_known, check_size, is_small
from rollwise.reviews.review import Review
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.settings import default_rules
from rollwise.solving.cache import is_cached, load_table
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.progress import Progress
from rollwise.strategies import STRATEGIES, Optimal
from rollwise.web import computations
from rollwise.web.job_queue import BusyError, JobStatus, WorkerError
from rollwise.web.single_flight import InFlight, SingleFlight
from rollwise.web.worker_functions import CUSTOM, SOLVING, WORKER_FUNCTIONS, job_queues

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class SolvedGames:
    """The rules, job queues, cached results, and history of a server; one object per server.

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
    queues : dict of str to JobQueue
        The job queues by name.
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
        self.queues = job_queues()
        # There is one writer because several would wait for the database, and write out of order.
        # There is one thread for computations because several would delay each other and the loop.
        self._readers, self._writer = ThreadPoolExecutor(3), ThreadPoolExecutor(1)
        self._thread = ThreadPoolExecutor(1)
        self.prepared = Prepared(self.large, self.in_thread)
        self._flights: dict[tuple[Callable[..., Any], bool], SingleFlight[Any]] = {}
        # Games in progress share their solutions even after these are evicted from the cache.
        self._in_use = WeakValueDictionary[tuple[object, ...], Any]()
        self._pinned: CardSolution | None = None

    async def warm(self) -> None:
        """Start the process for distributions, and compile its kernels."""
        with suppress(BusyError, WorkerError):
            await self.ask(computations.compile_kernels)

    async def close(self) -> None:
        """End all processes and threads."""
        for queue in self.queues.values():
            await queue.close()
        for threads in (self._readers, self._writer, self._thread):
            threads.shutdown(cancel_futures=True)

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work(...)``, which reads the history, in a thread, and return its result."""
        return await _in(self._readers, partial(work, *args, **kwargs))

    async def write(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work(...)``, which changes the history, in the only thread for changes."""
        return await _in(self._writer, partial(work, *args, **kwargs))

    async def saved(self, id: str) -> SavedGame:
        """Return a saved game; without its seed, which tells all rolls to come, until it is over.

        Raises
        ------
        HistoryError
            If no game has this id, or it cannot be read.
        """
        saved = await self.read(self.history.load, id)
        if not saved.game.is_over:
            saved.game.headers = replace(saved.game.headers, seed=None)
        return saved

    async def in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``work(...)``, which takes milliseconds, in a thread, and return its result."""
        return await _in(self._thread, partial(work, *args, **kwargs))

    def ask(
        self, work: Callable[[*Ts, Progress], T], *args: *Ts, custom: bool = False
    ) -> InFlight[T]:
        """Run a worker function, or share its result with other requests for it.

        Parameters
        ----------
        work : callable
            A function in :data:`~rollwise.web.worker_functions.WORKER_FUNCTIONS`.
        custom : bool
            Whether the rules came with the request. Requests with custom rules have their own
            queue, and only one result is cached.
        """
        question = WORKER_FUNCTIONS[work]
        queue = self.queues[CUSTOM if custom else question.queue]

        async def compute(status: JobStatus) -> T:
            return await queue.run(work, *args, status=status)

        async def compute_unless_in_use(status: JobStatus) -> T:
            result: T | None = self._in_use.get((work, *args))
            if result is None and question.queue == SOLVING and not custom:
                result = await self._saved(work, *args)
            if result is None:
                result = await compute(status)
            if isinstance(result, CardSolution):
                self._in_use[work, *args] = result
                self._pin(result)
            return result

        if not question.results:
            return InFlight(compute)
        if (work, custom) not in self._flights:
            results = 1 if custom else question.results
            flights = SingleFlight[Any](results, question.bytes_of, question.max_bytes)
            self._flights[work, custom] = flights
        return self._flights[work, custom].get(args, compute_unless_in_use)

    async def _saved(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return a solution that is cached on disk, without waiting for games that are solved."""
        if work is not computations.solution:
            return None
        rules, objective, _ = args
        if not is_cached(rules, objective):
            return None  # without a process that would only find this out
        queue = self.queues[WORKER_FUNCTIONS[computations.saved_solution].queue]
        return await queue.run(computations.saved_solution, rules, objective)

    def _pin(self, solution: CardSolution) -> None:
        """Keep the solution of the default game in memory, because most requests need it."""
        if solution.rules.name == self.default and solution.objective.name == EXPECTED.name:
            self._pinned = solution

    def has_asked(self, work: Callable[[*Ts, Progress], T], *args: *Ts) -> bool:
        """Return whether the result of a worker function is available or being computed."""
        flights = self._flights.get((work, False))
        return flights is not None and flights.has(args)

    def rules_named(self, name: str) -> Rules:
        """Return the rules with the given name, without reading any file.

        Raises
        ------
        MalformedError
            If the server has no rules with this name.
        """
        check_known(name, "rules", self.rules)
        return self.rules[name]

    def titles(self) -> dict[str, str]:
        """Return the title of each set of rules, by name."""
        return {name: rules.title for name, rules in self.rules.items()}

    def all_titles(self) -> dict[str, str]:
        """Return the title of each set of rules, by name, including large games."""
        large = {
            name: f"{rules.title} (too large for this server)" for name, rules in self.large.items()
        }
        return self.titles() | large

    def offers(self, rules: Rules) -> bool:
        """Return whether the server offers these rules; False for custom rules in a request."""
        return self.rules.get(rules.name) == rules

    def _is_cached(self, rules: Rules) -> bool:
        """Return whether the value tables of a game are cached on disk."""
        return self.offers(rules) or rules in self.prepared

    def solution(self, rules: Rules, objective: str = "expected") -> InFlight[CardSolution]:
        """Return the solution of a game, and solve the game if necessary.

        Raises
        ------
        InputError
            If the game is too large, or if web requests may not use the objective.
        """
        check_size(rules)
        check_known(objective, "objective", OBJECTIVES)
        keep = self.offers(rules)
        return self.ask(computations.solution, rules, objective, keep, custom=not keep)

    async def check_reviewable(self, rules: Rules, objective: str) -> None:
        """Check that decisions can be reviewed: the game must be small or prepared.

        Raises
        ------
        InputError
            If the game is too large and not prepared, or if web requests may not use the objective.
        """
        check_known(objective, "objective", OBJECTIVES)
        if await self.prepared.find(rules) is None:
            check_size(rules)
        elif objective != EXPECTED.name:
            raise TooLargeError(
                f"{rules.name} is too large for this objective; use {EXPECTED.name}"
            )

    def reviews(self, game: Game, objective: str = "expected") -> InFlight[list[Review]]:
        """Return a review for each player; requires :meth:`check_reviewable` first."""
        keep = self._is_cached(game.rules)
        return self.ask(computations.reviews, game.as_json(), objective, keep, custom=not keep)

    async def game(self, source: str | GameData) -> Game:
        """Parse the game record of a request in a worker process.

        Raises
        ------
        InputError
            If the source is not a game record, or its game is too large. The size is checked first.
        """
        if isinstance(source, str):
            if not source.lstrip().startswith("{"):
                rules = self.rules.get(rules_of_record(source))
                return await self.ask(computations.game, source, rules)
            source = await self.in_thread(parse_data, source)
        record = source.model_dump_json(exclude_none=True)
        if isinstance(source.rules, Rules):
            check_size(source.rules)
            return await self.ask(computations.game, record, None)
        rules = self.large.get(source.rules) or self.rules_named(source.rules)
        return await self.ask(computations.game, record, rules)

    async def bot(self, name: str, rules: Rules, seed: int) -> Bot:
        """Return a computer opponent with the strategy of the given name."""
        best = name == "optimal"
        strategy = Optimal(await self.solution(rules)) if best else STRATEGIES[name]()
        return await self.in_thread(Bot, strategy, rules, seed)


async def _in(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work)


class Prepared:
    """The large games that are solved on this machine.

    Each call of :meth:`find` checks the disk, unless an earlier call has found the solution.

    Parameters
    ----------
    large : mapping of str to Rules
    in_thread : callable
        Runs a short computation in a thread.
    """

    def __init__(
        self, large: Mapping[str, Rules], in_thread: Callable[..., Awaitable[Any]]
    ) -> None:
        self._large, self._in_thread = large, in_thread
        self._solutions: dict[Rules, CardSolution] = {}

    def __contains__(self, rules: Rules) -> bool:
        """Return whether :meth:`find` has found a game."""
        return rules in self._solutions

    async def find(self, rules: Rules) -> CardSolution | None:
        """Return the solution of a large game; None if it is not solved."""
        if self._large.get(rules.name) == rules and rules not in self:
            solution = await self._in_thread(prepared, rules)
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
    solution = load_table(rules, EXPECTED)
    if solution is not None:
        return solution
    return CardSolver(rules, threads=None, cache=True).stored(EXPECTED, slice(None))
