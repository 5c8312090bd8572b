"""What two players can expect of each other, as far as it can be told within a turn.

Three kinds of answers, the best that is within reach:

* near the end the exact one: each answers the other (:mod:`rollwise.solving.duel`);
* before that the best reply to an opponent who plays on for points, exact for such a one;
* of a game that has just begun the chances if both play for points.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import RLock

from rollwise.errors import TooLargeError
from rollwise.evaluation.final_law import final_law
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Action, Keep, Scorecard
from rollwise.law import Law
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.duel.solution import DuelOption, DuelSolution
from rollwise.solving.duel.solver import KEPT, DuelSolver
from rollwise.solving.objectives import beating
from rollwise.solving.place import CardPlace
from rollwise.solving.solution import Solution
from rollwise.solving.solver import Solver
from rollwise.strategies import Optimal

PATIENCE = 3.0
"""Seconds that a game of two may take to solve, as far as that can be told beforehand."""

MAX_CARDS = 1 << 22
"""Of games with more of them nothing is told: to find what can be reached would take too long."""

REPLIED = 9
"""Open categories up to which the best reply to a law takes a second or two."""

ROUNDED = 1e-12
"""What sums of probabilities may be away from none or all."""


@dataclass(frozen=True)
class Outlook:
    """The chance that one player has against the other, a tie counting half.

    Attributes
    ----------
    value : float
    exact : bool
        Whether each answers the other; else both play on for points.
    """

    value: float
    exact: bool

    def shares(self) -> tuple[str, str]:
        """Return the chances of both in percent, as people read them; ``~`` where not exact.

        What is still open is neither 0 % nor 100 %.
        """
        first = round(100 * self.value)
        if first in (0, 100) and ROUNDED < self.value < 1 - ROUNDED:
            return ("<1 %", ">99 %") if first == 0 else (">99 %", "<1 %")
        about = "" if self.exact else "~"
        return f"{about}{first} %", f"{about}{100 - first} %"


@dataclass(frozen=True)
class Answers:
    """What every action is worth against an opponent.

    Attributes
    ----------
    options : list of DuelOption
        Best first.
    exact : bool
        Whether the opponent answers; else he plays on for points.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option of an action."""
        return next(option for option in self.options if option.action == action)


def can_be_told(rules: Rules) -> bool:
    """Return whether a game is small enough for anything to be told of two players of it."""
    return rules.upper_numbers << len(rules.categories) <= MAX_CARDS


class Foresight:
    """What two players of one game can expect; what was found for a turn is there for the next.

    Any thread may ask; one answer is worked out at a time.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._lock = RLock()
        self._solver = Solver(rules)
        self._duel: DuelSolution | None = None
        self._too_far: tuple[CardPlace, CardPlace] | None = None
        self._laws: dict[CardPlace, Law] = {}
        self._replies: dict[tuple[CardPlace, CardPlace], Solution] = {}

    @cached_property
    def _model(self) -> Model:
        return build(self.rules)

    @cached_property
    def _duels(self) -> DuelSolver:
        return DuelSolver(self.rules)

    def outlook(self, game: Game) -> Outlook | None:
        """Return what the first of two players has to expect.

        While the dice lie the best that they allow is expected; without an exact answer what was to
        be expected before the turn. None unless there are two, or of too large a game.
        """
        if len(game.players) != 2 or not can_be_told(self.rules):
            return None
        stage = game.stage
        mine, other = stage.cards[stage.player], stage.cards[1 - stage.player]
        with self._lock, suppress(TooLargeError):
            if game.is_over:
                chance, exact = _beats(Law.certain(mine.points), Law.certain(other.points)), True
            elif solution := self._solved(mine, other):
                chance, exact = self._exactly(solution, game), True
            else:
                chance, exact = _beats(self._law(mine), self._law(other)), False
            return Outlook(1 - chance if stage.player else chance, exact)
        return None

    def answers(self, position: Position, opponent: Scorecard) -> Answers | None:
        """Return what every action is worth against an opponent; None where that is out of reach.

        Parameters
        ----------
        position : Position
            Of the player who is to move.
        opponent : Scorecard
            Of the other one.
        """
        if not can_be_told(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            if solution := self._solved(position, opponent):
                return Answers(solution.options(position, self._place(opponent)), exact=True)
            if len(self.rules.categories) - position.state.filled.bit_count() <= REPLIED:
                options = self._reply(position, opponent).options(position)
                rated = [DuelOption(o.action, o.value, None, options[0].value) for o in options]
                return Answers(rated, exact=False)
        return None

    def _exactly(self, solution: DuelSolution, game: Game) -> float:
        """Return the chance of the player who is to move."""
        stage = game.stage
        mine, other = stage.cards[stage.player], self._place(stage.cards[1 - stage.player])
        last = game.events[-1] if game.events else None
        if isinstance(last, Keep):
            before = Game(game.rules, game.players, game.events[:-1]).position
            assert before is not None
            options = solution.options(before, other)
            return next(option.value for option in options if option.action == last)
        if game.position is not None:
            return solution.options(game.position, other)[0].value
        return solution.value(self._place(mine), other)

    def _solved(self, mine: Scorecard | Position, other: Scorecard) -> DuelSolution | None:
        """Return the game of two from these cards, solved; None where that takes too long."""
        places = self._place(mine), self._place(other)
        if self._duel is not None and self._duel.has(*places):
            return self._duel
        if places == self._too_far:
            return None
        size = self._duels.size(mine, other, ties=False)
        if size.seconds > PATIENCE or size.bytes > KEPT:
            self._too_far = places
            return None
        self._duel = self._duels.solve(mine, other, ties=False)
        return self._duel

    def _reply(self, position: Position, opponent: Scorecard) -> Solution:
        """Return the best reply to one who plays on for points."""
        key = self._place(position), self._place(opponent)
        if key not in self._replies:
            objective = beating([(self._law(opponent), 1)])
            self._replies = {key: self._solver.solve(objective, position=position)}
        return self._replies[key]

    def _law(self, card: Scorecard) -> Law:
        """Return the law of the final score of one who plays on for points."""
        place = self._place(card)
        if place not in self._laws:
            known = list(self._laws.items())[-1:]  # that of the other player, who has not moved
            law = final_law(Optimal(self._solver.solve()), card)
            self._laws = dict([*known, (place, law)])
        return self._laws[place]

    def _place(self, card: Scorecard | Position) -> CardPlace:
        return CardPlace.of_card(self._model, card)


def _beats(law: Law, other: Law) -> float:
    """Return the chance of the higher number, equal ones shared."""
    return float(law.probabilities @ (other.below(law.scores) + other.up_to(law.scores)) / 2)
