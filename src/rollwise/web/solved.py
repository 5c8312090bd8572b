"""What the server hands out: solved games, each solved once, and games within limits."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rollwise.errors import MalformedError, TooLargeError
from rollwise.evaluation.evaluate import Evaluation
from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.game.records.as_json import RecordData, parse_record_data, record_of
from rollwise.game.records.as_text import parse_record, rules_of_record
from rollwise.game.records.record import Record
from rollwise.history import History
from rollwise.playing.bot import Bot
from rollwise.reviews.review import Review
from rollwise.rules import Rules, load_rules, preset_names
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.option import Option
from rollwise.web import computing, replies
from rollwise.web.computing import Targets, strategy_named
from rollwise.web.limits import check_size, is_small
from rollwise.web.line import BusyError, JobQueue, JobStatus, WorkerError
from rollwise.web.made_once import InFlight, SingleFlight
from rollwise.web.prepared import Prepared
from rollwise.web.replies import Reply

T = TypeVar("T")

KEPT = 8
"""Solved games and laws."""


class SolvedGames:
    """One for a server; all methods are called on its event loop, but those that say otherwise.

    Nobody waits for those who ask for more: to compute there is one line of processes for the games
    of the server, one for laws and targets, which take longest, one for rules that requests bring,
    one for advice, one for two players; to save there are threads of their own, and one to think.

    Parameters
    ----------
    history : History
    own : iterable of Rules
        Offered beside the presets, in place of those of the same name.

    Attributes
    ----------
    rules : dict of str to Rules
        What requests and pages can name: those that are small enough.
    large : dict of str to Rules
        The other presets, which somebody has to prepare.
    prepared : Prepared
        Those of them that somebody has prepared.
    """

    def __init__(self, history: History, own: Iterable[Rules] = ()) -> None:
        self.history = history
        presets = [load_rules(name) for name in preset_names()]
        small = filter(is_small, presets)
        self.rules = {rules.name: rules for rules in (*small, *own)}
        self.large = {rules.name: rules for rules in presets if rules.name not in self.rules}
        for rules in own:
            check_size(rules)
        self.solving = JobQueue(processes=1, places=40, seconds=300)
        self.distributions = JobQueue(processes=1, places=20, seconds=1200)
        self.strangers = JobQueue(processes=1, places=10, seconds=60)
        self.advising = JobQueue(processes=1, places=300, seconds=60, niceness=5)
        self.duels = JobQueue(processes=1, places=20, seconds=120)
        # One writes: several would wait for the database by turns, and not in order.
        self._reading, self._writing = ThreadPoolExecutor(3), ThreadPoolExecutor(1)
        self._thinking = ThreadPoolExecutor(1)
        self.prepared = Prepared(self.large, self.in_thought)
        self._solutions = SingleFlight[CardSolution](KEPT, computing.bytes_of, computing.STORE)
        self._strange_solutions = SingleFlight[CardSolution](1)
        self._in_use = WeakValueDictionary[tuple[Rules, str], CardSolution]()
        self._advice = SingleFlight[list[list[Option]]](KEPT)
        self._reviews = SingleFlight[list[Review]](KEPT)
        self._scales = SingleFlight[dict[str, float]](KEPT)
        self._tests = SingleFlight[dict[str, Any]](KEPT)
        self._distributions, self._targets = (
            SingleFlight[Evaluation](KEPT),
            SingleFlight[Targets](KEPT),
        )
        self._replies = SingleFlight[Reply](KEPT)
        self._means, self._spreads = (
            SingleFlight[float](KEPT),
            SingleFlight[tuple[float, float]](KEPT),
        )

    async def warm(self) -> None:
        """Start the process that laws come from, with its compiled code at hand."""
        with suppress(BusyError, WorkerError):
            await self.distributions.do(computing.warm)

    async def close(self) -> None:
        """End all processes and threads."""
        for line in (self.solving, self.distributions, self.strangers, self.advising, self.duels):
            await line.close()
        for threads in (self._reading, self._writing, self._thinking):
            threads.shutdown(cancel_futures=True)

    async def read(self, work: Callable[..., T], *given: Any) -> T:
        """Return ``work(*given)``, which reads the history, from a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, partial(work, *given))

    async def write(self, work: Callable[..., T], *given: Any) -> T:
        """Return ``work(*given)``, which changes the history, from the thread for that."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writing, partial(work, *given))

    async def in_thought(self, work: Callable[..., T], *given: Any) -> T:
        """Return ``work(*given)``, which takes milliseconds of computing, from the thread for that.

        There is one: several would only keep each other, and the loop, waiting.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinking, partial(work, *given))

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

    def all_titles(self) -> dict[str, str]:
        """Return what the rules are called, by name, those among them that are too large."""
        large = {name: f"{rules.title} – too large here" for name, rules in self.large.items()}
        return self.titles() | large

    def offers(self, rules: Rules) -> bool:
        """Return whether these are rules of the server, and not those of a request."""
        return self.rules.get(rules.name) == rules

    def _keeps(self, rules: Rules) -> bool:
        """Return whether what is solved of a game is on disk, or comes to be there."""
        return self.offers(rules) or rules in self.prepared

    def solution(self, rules: Rules, objective: str = "expected") -> InFlight[CardSolution]:
        """Return a game solved; one of the server's is kept on disk.

        Raises
        ------
        InputError
            When the game is too large, or the objective none that a request may name.
        """
        check_size(rules)
        computing.objective_named(objective)
        offered = self.offers(rules)
        line, things = (
            (self.solving, self._solutions)
            if offered
            else (self.strangers, self._strange_solutions)
        )

        async def make(notice: JobStatus) -> CardSolution:
            solution = self._in_use.get((rules, objective))  # of a game that is being played
            if solution is None:
                solution = await line.do(computing.solved, rules, objective, offered, notice=notice)
                self._in_use[rules, objective] = solution
            return solution

        return things.get((rules, objective), make)

    async def check_judged(self, rules: Rules, objective: str) -> None:
        """Check that decisions by these rules can be judged: in seconds, or from what is prepared.

        Raises
        ------
        InputError
            When they cannot, or the objective is none that a request may name.
        """
        computing.objective_named(objective)
        if await self.prepared.find(rules) is None:
            check_size(rules)
        elif objective != EXPECTED.name:
            raise TooLargeError(
                f"{rules.name} is too large for another objective: expected {EXPECTED.name}"
            )

    async def options(self, rules: Rules, line: str, objective: str) -> dict[str, Any]:
        """Return the options at a position as JSON can hold them.

        Raises
        ------
        InputError
            When it is none of this game, or the game is too large.
        """
        await self.check_judged(rules, objective)
        offered = self._keeps(rules)
        if self.offers(rules):
            await self.solution(rules, objective)  # advice on other games does not wait for it
        advising = self.advising if offered else self.strangers
        asked: Awaitable[Any] = advising.do(computing.options, rules, line, objective, offered)
        if offered:
            asked = asyncio.shield(asked)  # sooner done than begun again in another process
        told: dict[str, Any] = await asked
        return told

    def advice(self, positions: Sequence[Position]) -> InFlight[list[list[Option]]]:
        """Return the options at each of some positions of a game that is prepared."""
        asked = tuple(positions)
        return self._made(self.advising, self._advice, asked, computing.advice, asked)

    def reviews(self, record: Record, objective: str = "expected") -> InFlight[list[Review]]:
        """Return a game judged that :meth:`check_judged` lets pass, a review for each player."""
        offered = self._keeps(record.rules)
        line = self.solving if offered else self.strangers

        def make(notice: JobStatus) -> Any:
            return line.do(computing.reviews, record, objective, offered, notice=notice)

        return self._reviews.get((record, objective), make)

    def record(self, given: str | RecordData) -> Record:
        """Return a game that a request brings, as text or as JSON; in any thread.

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
        return record_of(data, self.large.get(data.rules) or self.rules_named(data.rules))

    async def robot(self, name: str, rules: Rules, seed: int) -> Bot:
        """Return a strategy that sits at a table."""
        solution = await self.solution(rules) if name == "optimal" else None
        strategy = strategy_named(name, solution)
        return await self.in_thought(Bot, strategy, rules, seed)

    def reason(self, position: Position, other: Action) -> Awaitable[str]:
        """Return what makes the best choice better than another one."""
        return self.solving.do(computing.reason, position, other)

    def _made(
        self,
        line: JobQueue,
        things: SingleFlight[T],
        key: Hashable,
        work: Callable[..., T],
        *given: Any,
    ) -> InFlight[T]:
        """Return ``work(*given, progress)`` of a process, made once for a key."""
        return things.get(key, lambda notice: line.do(work, *given, notice=notice))

    def scale(self, rules: Rules) -> InFlight[dict[str, float]]:
        """Return the expected loss per game of the strategies on the rating scale."""
        return self._made(self.distributions, self._scales, rules, computing.scale, rules)

    def test(self, rules: Rules) -> InFlight[dict[str, Any]]:
        """Return the proficiency test with its answers, and what strategies lose in it."""
        return self._made(self.solving, self._tests, rules, computing.proficiency_test, rules)

    def puzzle(self, rules: Rules, day: date) -> InFlight[dict[str, Any]]:
        """Return the puzzle of a day with its answer."""
        return self._made(self.solving, self._tests, (rules, day), computing.puzzle, rules, day)

    def expected(self, rules: Rules) -> InFlight[float]:
        """Return the expected score of best play: known long before its law."""
        return self._made(self.distributions, self._means, rules, computing.expected, rules)

    def spread_of_ties(self, rules: Rules) -> InFlight[tuple[float, float]]:
        """Return the least and the most SD of the final score, of all best plays."""
        return self._made(self.distributions, self._spreads, rules, computing.spread_of_ties, rules)

    def evaluation(
        self, name: str, rules: Rules, *, fewer_dice: bool = False
    ) -> InFlight[Evaluation]:
        """Return the exact law of a strategy; the optimal one may prefer fewer dice in ties."""
        return self._made(
            self.distributions,
            self._distributions,
            (name, fewer_dice, rules),
            computing.distribution,
            name,
            rules,
            fewer_dice,
        )

    def reply(self, rules: Rules, line: str, opponents: str, plays: str) -> InFlight[Reply]:
        """Return what to do at a position against opponents whose cards one sees."""
        asked = rules, line, opponents, plays
        return self._made(self.distributions, self._replies, asked, replies.reply, *asked)

    def has_targets(self, rules: Rules) -> bool:
        """Return whether all targets of a game were solved already, or are being solved."""
        return self._targets.has(rules)

    def targets(self, rules: Rules) -> InFlight[Targets]:
        """Return the best probability of reaching each score from 1 on."""
        return self._made(self.distributions, self._targets, rules, computing.targets, rules)
