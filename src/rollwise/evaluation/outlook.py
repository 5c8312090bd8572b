"""What two players can expect of each other, as far as it can be told within a turn.

Near the end the exact answer: each answers the other (:mod:`rollwise.solving.duel`). Before that
what :mod:`rollwise.evaluation.duel_play` thinks of two cards.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import RLock

import numpy as np

from rollwise.errors import TooLargeError
from rollwise.evaluation import duel_play
from rollwise.evaluation.duel_play import Cards, DuelPlay
from rollwise.game.actions import Action, Keep
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.model.turn import options_of
from rollwise.rules import Rules
from rollwise.solving.duel.solution import DuelOption, DuelSolution
from rollwise.solving.duel.solver import KEPT, DuelSolver
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.place import ActionWorths, CardPlace, Place
from rollwise.solving.solution import TIE
from rollwise.solving.solver import Solver
from rollwise.strategies import TurnPolicy

PATIENCE = 3.0
"""Seconds that a game of two may take to solve, as far as that can be told beforehand."""

MAX_CARDS = 1 << 22
"""Of games with more of them nothing is told: to find what can be reached would take too long."""

ROUNDED = 1e-12
"""What sums of probabilities may be away from none or all."""


@dataclass(frozen=True)
class Outlook:
    """The chance that one player has against the other, a tie counting half.

    Attributes
    ----------
    value : float
    exact : bool
        Whether each answers the other; else it is about right.
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
        Whether they are; else they are about right.
    """

    options: list[DuelOption]
    exact: bool

    def of(self, action: Action) -> DuelOption:
        """Return the option of an action."""
        return next(option for option in self.options if option.action == action)


def can_be_told(rules: Rules) -> bool:
    """Return whether a game is small enough for anything to be told of two players of it.

    Of boxes that are announced nothing is.
    """
    return not rules.announced and rules.upper_numbers << len(rules.categories) <= MAX_CARDS


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
        self._duel: DuelSolution | None = None
        self._too_far: tuple[CardPlace, CardPlace] | None = None

    @cached_property
    def _play(self) -> DuelPlay:
        return DuelPlay(Solver(self.rules).solve(EXPECTED, moments=True))

    def _chance_play(self, mine: Cards, other: Cards) -> DuelPlay:
        """Return how to play from two cards, with the laws of what they lead to if few are open."""
        play = self._play
        if play.are_within(duel_play.FEW, mine[0], other[0]):
            known = play.laws
            if known is None or not (known.has(*mine[:2]) and known.has(*other[:2])):
                play.know_laws_after(mine, other)
        return play

    @cached_property
    def _duels(self) -> DuelSolver:
        return DuelSolver(self.rules)

    @cached_property
    def _is_small(self) -> bool:
        """Whether the whole game is soon solved."""
        size = self._duels.size(ties=False)
        return size.seconds <= PATIENCE and size.bytes <= KEPT

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
                chance, exact = (1 + np.sign(mine.points - other.points)) / 2, True
            elif solution := self._solved(mine, other):
                chance, exact = self._exactly(solution, game), True
            else:
                cards = self._cards(mine), self._cards(other)
                chance, exact = self._chance_play(*cards).chance(*cards)[0], False
            return Outlook(float(1 - chance if stage.player else chance), exact)
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
            model, place = self._play.model, Place.of(self._play.model, position)
            cards = self._cards(position), self._cards(opponent)
            worth_O = self._chance_play(*cards).worths(*cards)[0]
            worth_Q_E_K = worth_O[options_of(model, place.c)][None]
            rerolls = int(model.rerolls_C[place.c])
            turn = ActionWorths(model.lattice, worth_Q_E_K, rerolls, "mean", TIE)
            actions, (worth_A,) = turn.at(place)
            best = float(worth_A.max())
            pairs = zip(actions, worth_A.tolist(), strict=True)
            options = [DuelOption(action, worth, None, best) for action, worth in pairs]
            return Answers(sorted(options, key=lambda option: option.rank), exact=False)
        return None

    def policy(self, position: Position, opponent: Scorecard) -> TurnPolicy | None:
        """Return how ``duel`` plays a turn against an opponent; None where that is out of reach.

        Parameters are as for :meth:`answers`.
        """
        if not can_be_told(self.rules):
            return None
        with self._lock, suppress(TooLargeError):
            mine, other = self._cards(position), self._cards(opponent)
            exactly = self._is_small or self._play.are_within(duel_play.NEAR, mine[0], other[0])
            ends = self._solved(position, opponent) if exactly else None
            play = self._chance_play(mine, other)
            keeps, categories = play.turns(mine, play.worths(mine, other, ends))
            return TurnPolicy(tuple(keeps[0]), categories[0])
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

    def _place(self, card: Scorecard | Position) -> CardPlace:
        return CardPlace.of_card(self._play.model, card)

    def _cards(self, card: Scorecard | Position) -> Cards:
        place = self._place(card)
        return np.array([place.c]), np.array([place.lane]), np.array([place.score])
