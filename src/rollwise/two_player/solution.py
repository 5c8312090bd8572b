"""A game of two solved: the chances before every turn, and after every option of a position.

The chances of a player against another one.

One turn of a game of two in plain numpy: what every option is worth, and how often it ties.

The same equations as :mod:`rollwise.solving.kernels.two_player`, for one card. Axis letters as in
:mod:`rollwise.model.turn`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError
from rollwise.game.actions import Action, Keep, Score
from rollwise.game.notation import as_position
from rollwise.game.position import Position
from rollwise.game.scorecard import legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.lattice import ABSENT, Lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import keep_values, outcomes_after
from rollwise.rules import Rules
from rollwise.solving.place import CardPlace, Place
from rollwise.solving.solution import TIE
from rollwise.solving.storage.layer_files import StoredLayer
from rollwise.two_player.layout import PairLayer, rows_at

Number = TypeVar("Number", float, Fraction)


class Chances(NamedTuple, Generic[Number]):
    """The chances of one player; they sum to one.

    Attributes
    ----------
    win, tie, loss : float or Fraction
    """

    win: Number
    tie: Number
    loss: Number

    @property
    def of_the_other(self) -> "Chances[Number]":
        """The same game as the other player sees it."""
        return Chances(self.loss, self.tie, self.win)


Values = NDArray[np.float64]
Indices = NDArray[Any]

NOT_HERE = "this solution has no such cards: it starts from others"


@dataclass(frozen=True)
class DuelOption:
    """A legal action at a position against an opponent who answers.

    Attributes
    ----------
    action : Keep or Score
    value : float
        The chance of a win and what a tie is worth, times its chance.
    chances : Chances or None
        Of win, tie and loss; None if the solution does not have them.
    highest : float
        The value of the best one.
    """

    action: Action
    value: float
    chances: Chances[float] | None
    highest: float

    @property
    def best(self) -> bool:
        """Whether it is the best, or as good."""
        return self.highest - self.value <= TIE

    @property
    def loss(self) -> float:
        """What it gives away against the best one."""
        return max(self.highest - self.value, 0.0)

    @property
    def rank(self) -> tuple[float, float]:
        """What options are ordered by, best first."""
        lost = 0.0 if self.best else round(self.highest - self.value, 9)
        return lost, self.chances.tie if self.chances else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class DuelSolution:
    """The chances of both players in every game that follows two cards.

    Attributes
    ----------
    rules : Rules
    model : Model
        The game as arrays.
    layers : list of PairLayer
        The pairs of cards before each turn, and after the last one.
    values : list of float64 array, StoredLayer or None
        Of each layer, of shape (2, size) or (1, size): the value to the player who has just moved,
        and the chance of a tie; None where not kept.
    card, opponent : CardPlace
        Where the solution starts from: that of the player who is to move, and the other one.
    tie : float
        What a tie is worth to him.
    lanes : int
        How many leads are open, over all pairs of cards that follow.

    Examples
    --------
    >>> solution = DuelSolver("micro-yahtzee").solve()
    >>> solution
    <Game of two of micro-yahtzee: 0.4926697531 to the first to move>
    >>> round(solution.chances().tie, 4)
    0.0394
    """

    exact: ClassVar[Literal[True]] = True

    rules: Rules
    model: Model
    layers: list[PairLayer]
    values: list[Values | StoredLayer | None]
    card: CardPlace
    opponent: CardPlace
    tie: float
    lanes: int
    _read_T: dict[int, Values] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<Game of two of {self.rules.name}: {self.value():.10g} to the first to move>"

    def value(self, card: CardPlace | None = None, opponent: CardPlace | None = None) -> float:
        """Return what a pair of cards is worth before a turn to the player who is to move.

        Parameters
        ----------
        card, opponent : CardPlace, optional
            Of the player who is to move, and of the other one; those that the solution starts from
            unless told.

        Raises
        ------
        InconsistentError
            When no game from the start of this solution has these cards.
        """
        value, _ = self._before(card or self.card, opponent or self.opponent)
        return value

    def has(self, card: CardPlace, opponent: CardPlace) -> bool:
        """Return whether a turn from these cards on is at hand."""
        try:
            self.value(card, opponent)
            self._values(self._turn(card, opponent) + 1)
        except InconsistentError:
            return False
        return True

    def chances(
        self, card: CardPlace | None = None, opponent: CardPlace | None = None
    ) -> Chances[float] | None:
        """Return the chances of the player who is to move, of cards as in :meth:`value`.

        None if the solution has no ties.
        """
        mine, other = card or self.card, opponent or self.opponent
        return self._chances(self._turn(mine, other), *self._before(mine, other))

    def options(
        self, position: Position | str, opponent: CardPlace | None = None
    ) -> list[DuelOption]:
        """Return every legal action at a position, best first.

        Options of the same value are ordered by their ties, the fewest first, then as in the rules.

        Parameters
        ----------
        position : Position or str
            Of the player who is to move.
        opponent : CardPlace, optional
            That of the start unless told.

        Raises
        ------
        InconsistentError
            When no game from the start of this solution comes to it.
        """
        place = Place.of(self.model, as_position(self.rules, position))
        other = opponent or self.opponent
        t = self._turn(place, other)
        worth_Q_E_K = self._worths(t, place, other)
        legal = np.flatnonzero(worth_Q_E_K[0, place.end] > -np.inf)
        worths: list[tuple[Action, Values]] = [
            (Score(int(k)), worth_Q_E_K[:, place.end, k]) for k in legal
        ]
        if place.rerolls:
            lattice = self.model.lattice
            *_, kept_Q_P = kept(lattice, *fewest(*worth_Q_E_K), place.rerolls)
            keeps = map(Keep, legal_keeps(lattice.rolls[place.roll]))
            worths += [(keep, kept_Q_P[:, lattice.point(keep.dice)]) for keep in keeps]
        best = max(float(worth_Q[0]) for _, worth_Q in worths)
        rated = [
            DuelOption(action, float(value), self._chances(t, float(value), float(tie)), best)
            for action, (value, tie) in worths
        ]
        return sorted(rated, key=lambda option: option.rank)

    def _turn(self, card: CardPlace, opponent: CardPlace) -> int:
        """Return how many turns after the start two cards stand."""
        turns = [
            int(np.bitwise_count(self.model.mask_C[place.c]))
            for place in (card, opponent, self.card, self.opponent)
        ]
        t = turns[0] + turns[1] - turns[2] - turns[3]
        if not 0 <= t < len(self.layers):
            raise InconsistentError(NOT_HERE)
        return t

    def _before(self, card: CardPlace, opponent: CardPlace) -> tuple[float, float]:
        """Return value and ties of the player who is to move."""
        value, tie = self._read(
            self._turn(card, opponent),
            (np.array(opponent.c), np.array(opponent.lane), np.array(opponent.score)),
            card,
        )
        return 1.0 - float(value), float(tie)

    def _chances(self, t: int, value: float, tie: float) -> Chances[float] | None:
        """Return the chances of the player who moves t turns after the start."""
        if np.isnan(tie):
            return None
        win = value - (self.tie if t % 2 == 0 else 1.0 - self.tie) * tie
        return Chances(win, tie, 1.0 - win - tie)

    def _worths(self, t: int, card: CardPlace, opponent: CardPlace) -> Values:
        """Return value and ties of each end of a turn in each category, shape (2, E, K)."""
        option_E_K, after_E_K, lane_E_K = outcomes_after(self.model, card.c, card.lane)
        allowed = option_E_K != FORBIDDEN
        score = card.score + self.model.step_O[option_E_K[allowed]]
        worth_Q_E_K = np.full((2, *option_E_K.shape), -np.inf)
        moved = (after_E_K[allowed], lane_E_K[allowed], score)
        worth_Q_E_K[:, allowed] = self._read(t + 1, moved, opponent)
        return worth_Q_E_K

    def _read(
        self, t: int, moved: tuple[Indices, Indices, Indices], mover: CardPlace
    ) -> tuple[Values, Values]:
        """Return value and ties of who has just moved, by class, lane and score, of any shape."""
        place = np.array(mover.c), np.array(mover.lane), np.array(mover.score)
        value, tie = self._look_up(t, moved, place)
        if np.isnan(value).any():
            raise InconsistentError(NOT_HERE)
        return value, tie

    def look_up(
        self,
        t: int,
        moved: tuple[Indices, Indices, Indices],
        mover: tuple[Indices, Indices, Indices],
    ) -> Values:
        """Return what many pairs of cards are worth to who has just moved, t turns from the start.

        Parameters
        ----------
        moved, mover : tuples of int arrays
            Class, lane and score of both cards of each pair, of shapes that fit each other.

        Returns
        -------
        float64 array
            NaN of pairs that no game has.

        Raises
        ------
        InconsistentError
            When that layer is not kept.
        """
        return self._look_up(t, moved, mover)[0]

    def _look_up(
        self,
        t: int,
        moved: tuple[Indices, Indices, Indices],
        mover: tuple[Indices, Indices, Indices],
    ) -> tuple[Values, Values]:
        """Return values as :meth:`look_up` does, and ties."""
        values, layer = self._values(t), self.layers[t]
        b = layer.moved.number(rows_at(self.model, moved[0], moved[1]))
        a = layer.movers.number(rows_at(self.model, mover[0], mover[1]))
        occurs = layer.moved.have(b, moved[2]) & layer.movers.have(a, mover[2])
        pair = np.where(occurs, b * len(layer.movers) + a, 0)
        low, high, start = layer.low_P[pair], layer.high_P[pair], layer.start_P[pair]
        lead = moved[2] - mover[2]
        is_open = (low <= lead) & (lead < high)
        at = np.where(is_open, start + lead - low, 0)
        ties = values[1] if len(values) > 1 else np.full(1, np.nan)
        tie = np.where(is_open, ties[at if len(values) > 1 else at * 0], 0.0)
        value = np.where(is_open, values[0][at], np.where(lead < low, 0.0, 1.0))
        return np.where(occurs, value, np.nan), tie

    def _values(self, t: int) -> Values:
        """Return the values of a layer; of those on disk its neighbours stay in memory too."""
        values = self.values[t] if t < len(self.values) else None
        if values is None:
            raise InconsistentError(NOT_HERE)
        if isinstance(values, np.ndarray):
            return values
        for other in [other for other in self._read_T if abs(other - t) > 1]:
            del self._read_T[other]
        if t not in self._read_T:
            self._read_T[t] = np.asarray(values)
        return self._read_T[t]


EQUAL = 2.0**-40
"""Values of a probability that differ by no more are equal: all that rounding can do is less."""


def fewest(values: Values, ties: Values) -> tuple[Values, Values]:
    """Return the best value along the last axis, and the fewest ties of what is as good."""
    best = values.max(axis=-1)
    close = values >= best[..., None] - EQUAL
    return best, np.where(close, ties, np.inf).min(axis=-1)


def best_keeps(lattice: Lattice, value_P: Values, tie_P: Values) -> tuple[Values, Values]:
    """Return value and ties of the best keep that each point contains, itself included."""
    best_P, few_P = value_P.copy(), tie_P.copy()
    for size in range(1, lattice.dice + 1):
        points = np.arange(*lattice.size_starts[size : size + 2])
        child_P_F = lattice.child_P_F[points]
        absent = child_P_F == ABSENT
        values = np.where(absent, -np.inf, best_P[child_P_F])
        ties = few_P[child_P_F]
        best_P[points], few_P[points] = fewest(
            np.column_stack([best_P[points], values]), np.column_stack([few_P[points], ties])
        )
    return best_P, few_P


def kept(
    lattice: Lattice, value_E: Values, tie_E: Values, rerolls: int
) -> Iterator[NDArray[np.float64]]:
    """Yield value and ties of each point that is kept, (2, P), with 1, 2, … rerolls left."""
    n_rolls, first = len(lattice.rolls), lattice.first_roll
    roll_Q_R = np.stack([value_E[:n_rolls], tie_E[:n_rolls]])
    for left in range(1, rerolls + 1):
        kept_Q_P = np.stack([keep_values(lattice, worth_R, "mean") for worth_R in roll_Q_R])
        if len(value_E) > n_rolls:
            here = slice(left * n_rolls, (left + 1) * n_rolls)
            kept_Q_P[:, first:] = value_E[here], tie_E[here]
        yield kept_Q_P
        best_P, few_P = best_keeps(lattice, *kept_Q_P)
        roll_Q_R = np.stack([best_P[first:], few_P[first:]])
