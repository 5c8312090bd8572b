"""The exact solution of a two-player game: the value function and the options at a position.

A solution contains the values between turns. This module computes the options within a turn with
NumPy. It applies the equations of :mod:`rollwise.solving.kernels.two_player` to one scorecard. The
axis letters are defined in :mod:`rollwise.model.turn`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError
from rollwise.game.actions import Action
from rollwise.game.position import CardLike, PositionLike, as_position
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import outcomes_after
from rollwise.rules import Rules
from rollwise.solving.kernels.two_player import TAPS
from rollwise.solving.kernels.vector import CERTAIN
from rollwise.solving.position_index import (
    CardIndex,
    PositionIndex,
    actions_at,
    values_of_keeps,
)
from rollwise.solving.solution import TOLERANCE
from rollwise.two_player.grid import TAP_WEIGHTS, Grid, GridErrors, measured_errors
from rollwise.two_player.layout import PairLayer, PairLayers
from rollwise.two_player.nodes import CardRows, Nodes

Number = TypeVar("Number", float, Fraction)
Values = NDArray[np.float64]
Indices = NDArray[Any]
Cards = tuple[Indices, Indices, Indices]
"""The classes, lanes, and scores so far of scorecards; the shapes must broadcast."""

EQUAL = 2.0**-40
"""The maximum difference of probabilities that count as equal; rounding errors are smaller.

Among equal options, the reported probability of a tie belongs to the first one.
"""

NOT_HERE = (
    "the solution does not contain these scorecards, because it starts from other scorecards; "
    "solve again from these scorecards"
)


class Chances(NamedTuple, Generic[Number]):
    """The probabilities that a player wins, ties, or loses; they sum to 1.

    Attributes
    ----------
    win, tie, lose : float or Fraction
        The probability of each result.
    """

    win: Number
    tie: Number
    lose: Number

    @property
    def of_opponent(self) -> "Chances[Number]":
        """The probabilities that the opponent wins, ties, or loses."""
        return Chances(self.lose, self.tie, self.win)


@dataclass(frozen=True)
class DuelOption:
    """A legal action at a position, with its value against an opponent who responds.

    Attributes
    ----------
    action : Keep or Score
    value : float
        The probability of a win plus the probability of a tie times the value of a tie.
    chances : Chances or None
        The probabilities of a win, a tie, and a loss; None if the solution has no tie
        probabilities.
    highest : float
        The value of the best action.
    """

    action: Action
    value: float
    chances: Chances[float] | None
    highest: float

    @property
    def best(self) -> bool:
        """Whether the action is the best action, or ties with it (within ``TOLERANCE``)."""
        return self.highest - self.value <= TOLERANCE

    @property
    def loss(self) -> float:
        """The EV loss: the value of the best action minus the value of this action."""
        return max(self.highest - self.value, 0.0)

    @property
    def rank(self) -> tuple[float, float]:
        """The sort key of options, by EV loss and then by tie probability, both lowest first."""
        loss = 0.0 if self.best else round(self.highest - self.value, 9)
        return loss, self.chances.tie if self.chances else 0.0


def ranked_options(
    model: Model,
    place: PositionIndex,
    value_Q_E_K: NDArray[np.float64],
    tolerance: float,
    chances: Callable[[float, float], Chances[float] | None],
) -> list[DuelOption]:
    """Return the options at a position, best first; differences below ``tolerance`` do not count.

    The quantities are values and tie probabilities, from which ``chances`` computes the results.
    """
    kept = values_of_keeps(model.lattice, value_Q_E_K, place.rerolls, "mean", tolerance)
    actions, value_Q_A = actions_at(model, place, value_Q_E_K, kept)
    highest = float(value_Q_A[0].max())
    options = [
        DuelOption(action, value, chances(value, tie), highest)
        for action, value, tie in zip(actions, *value_Q_A.tolist(), strict=True)
    ]
    return sorted(options, key=lambda option: option.rank)


@dataclass(frozen=True, eq=False, repr=False)
class DuelSolution:
    """The value function of a two-player game that starts from two scorecards.

    Attributes
    ----------
    rules : Rules
        The game.
    model : Model
        The game as arrays.
    rows : CardRows
        The rows of scorecards.
    nodes : tuple of Nodes
        The nodes of the player to move and of the opponent.
    layers : PairLayers
        The pairs of scorecards before each turn, and after the last turn.
    values : sequence of array or None
        The values of each layer: the value to the last mover and the probability of a tie, of shape
        (2, size), or only the value, of shape (1, size). None if the layer was not saved. On a
        grid, the values are integers, ``CERTAIN`` times as large.
    card, opponent : CardIndex
        The scorecards of the player to move and of the opponent, of which the solution is asked by
        default: usually those at the start.
    tie : float
        The value of a tie to the player to move at the start.
    lanes : int
        The number of reachable two-player states.
    grid : Grid, optional
        The grid of a near-exact solution.

    Examples
    --------
    >>> solution = DuelSolver("micro-yahtzee").solve()
    >>> solution
    <DuelSolution of micro-yahtzee: 0.4926697531 for the player to move>
    >>> round(solution.chances().tie, 4)
    0.0394
    """

    rules: Rules
    model: Model
    rows: CardRows
    nodes: tuple[Nodes, Nodes]
    layers: PairLayers
    values: Sequence[Values | None]
    card: CardIndex
    opponent: CardIndex
    tie: float
    lanes: int
    grid: Grid | None = None

    @property
    def exact(self) -> bool:
        """Whether the values are exact up to rounding."""
        return self.grid is None

    @property
    def errors(self) -> GridErrors | None:
        """The measured errors on the grid; None if the values are exact."""
        if self.grid is None:
            return None
        open_categories = (
            len(self.rules.categories) - int(self.model.mask_C[self.card.c]).bit_count()
        )
        return measured_errors(self.rules.name, open_categories, self.grid.name)

    def __str__(self) -> str:
        """Return a description of the error for people."""
        if self.exact:
            return repr(self)
        words = (
            "Near-exact, on the grid {}. Errors in measured endgames, in percentage points: value "
            "{:.2g} typical, {:.2g} largest seen; options {:.2g} typical, {:.2g} largest seen."
        )
        return words.format(self.grid, *(100 * error for error in self.errors or ()))

    def __repr__(self) -> str:
        value = f"{self.value():.10g}" if self.exact else f"≈ {self.value():.6g}"
        return f"<DuelSolution of {self.rules.name}: {value} for the player to move>"

    def value(self, card: CardIndex | None = None, opponent: CardIndex | None = None) -> float:
        """Return the value before a turn to the player to move.

        Parameters
        ----------
        card, opponent : CardIndex, optional
            The scorecards of the player to move and of the opponent; default: those of the
            solution.

        Raises
        ------
        InconsistentError
            If these scorecards cannot be reached from the start of this solution.
        """
        value, _ = self._before(card or self.card, opponent or self.opponent)
        return value

    def has(self, card: CardIndex, opponent: CardIndex) -> bool:
        """Return whether the solution contains the turn that starts from these scorecards."""
        try:
            self.value(card, opponent)
            self._values(self._turn(card, opponent) + 1)
        except InconsistentError:
            return False
        return True

    def chances(
        self, card: CardIndex | None = None, opponent: CardIndex | None = None
    ) -> Chances[float] | None:
        """Return the win, tie, and loss probabilities of the player to move.

        The parameters are documented at :meth:`value`. The result is None if the solution has no
        tie probabilities.
        """
        mine, other = card or self.card, opponent or self.opponent
        return self._chances(self._turn(mine, other), *self._before(mine, other))

    def options(
        self,
        position: PositionLike,
        opponent: CardIndex | None = None,
        *,
        rolls_left: int | None = None,
        card: CardLike | None = None,
    ) -> list[DuelOption]:
        """Return the options at a position of the player to move, best first.

        Options with the same value are sorted by tie probability, lowest first. If the tie
        probabilities are also the same, categories in scorecard order precede dice to keep. The
        tie probability of an option assumes that the player then takes the first of equal options.

        Parameters
        ----------
        position : Position, str, int, or sequence of int
            A position of the player to move, as for :meth:`rollwise.Solution.options`.
        opponent : CardIndex, optional
            The opponent's scorecard; default: that of the solution.
        rolls_left, card
            As for :class:`Position`.

        Raises
        ------
        InconsistentError
            If the position cannot be reached from the start of this solution.
        """
        position = as_position(self.rules, position, rolls_left, card)
        place = PositionIndex.of(self.model, position)
        other = opponent or self.opponent
        t = self._turn(place, other)
        value_Q_E_K = self._category_values(t, place, other)
        return ranked_options(self.model, place, value_Q_E_K, EQUAL, partial(self._chances, t))

    def _turn(self, card: CardIndex, opponent: CardIndex) -> int:
        """Return the number of turns from the start of the solution to these scorecards."""
        filled = (int(np.bitwise_count(self.model.mask_C[place.c])) for place in (card, opponent))
        start = self.layers.cards[0]
        t = sum(filled) - start.moved.turns - start.movers.turns
        if not 0 <= t < len(self.layers):
            raise InconsistentError(NOT_HERE)
        return t

    def _before(self, card: CardIndex, opponent: CardIndex) -> tuple[float, float]:
        """Return the value to the player to move, and the probability of a tie."""
        value, tie = self._reachable(
            self._turn(card, opponent),
            (np.array(opponent.c), np.array(opponent.lane), np.array(opponent.score)),
            card,
        )
        return 1.0 - float(value), float(tie)

    def _chances(self, t: int, value: float, tie: float) -> Chances[float] | None:
        """Return the win, tie, and loss probabilities of the mover ``t`` turns after the start."""
        if np.isnan(tie):
            return None
        win = value - (self.tie if t % 2 == 0 else 1.0 - self.tie) * tie
        return Chances(win, tie, 1.0 - win - tie)

    def _category_values(self, t: int, card: CardIndex, opponent: CardIndex) -> Values:
        """Return the value and tie probability of scoring each final roll in each category.

        The shape is (2, E, K). ``t`` is the number of turns after the start.
        """
        option_E_K, after_E_K, lane_E_K = outcomes_after(self.model, card.c, card.lane)
        allowed = option_E_K != FORBIDDEN
        score = card.score + self.model.total_points_O[option_E_K[allowed]]
        value_Q_E_K = np.full((2, *option_E_K.shape), -np.inf)
        moved = (after_E_K[allowed], lane_E_K[allowed], score)
        value_Q_E_K[:, allowed] = self._reachable(t + 1, moved, opponent)
        return value_Q_E_K

    def _reachable(self, t: int, moved: Cards, mover: CardIndex) -> tuple[Values, Values]:
        """Return the result of :meth:`_look_up`; raise an error if a pair is unreachable."""
        card = np.array(mover.c), np.array(mover.lane), np.array(mover.score)
        value, tie = self._look_up(t, moved, card)
        if np.isnan(value).any():
            raise InconsistentError(NOT_HERE)
        return value, tie

    def look_up(self, t: int, moved: Cards, mover: Cards) -> Values:
        """Return the value of each pair of scorecards to the last mover.

        The value of an unreachable pair is NaN.

        Parameters
        ----------
        t : int
            The number of turns after the start.
        moved, mover : tuples of int arrays
            The classes, lanes, and scores of the scorecards of the last mover and of the player to
            move; the shapes must broadcast.
        """
        return self._look_up(t, moved, mover)[0]

    def _look_up(self, t: int, moved: Cards, mover: Cards) -> tuple[Values, Values]:
        """Return the result of :meth:`look_up`, and the probabilities of ties."""
        values = self._values(t)
        (row_B, score_B), (row_A, score_A) = (
            (self.rows.row_of(*cards[:2]), cards[2]) for cards in (moved, mover)
        )
        nodes_B, nodes_A = self.nodes[1 - t % 2], self.nodes[t % 2]
        count = nodes_A.node_X_N.shape[1]
        total, ties = np.zeros(()), np.zeros(())
        for m, n in product(range(count), repeat=2):
            weight = nodes_B.weight_X_N[row_B, n] * nodes_A.weight_X_N[row_A, m]
            if not weight.any():
                continue
            node_A = nodes_A.node_X_N[row_A, m]
            value, tie = _values_at(
                self.layers.part(t, node_A),
                values,
                (nodes_B.node_X_N[row_B, n], node_A),
                (
                    score_B + nodes_B.points_X_N[row_B, n],
                    score_A + nodes_A.points_X_N[row_A, m],
                ),
            )
            total = total + np.where(weight == 0, 0.0, weight * value)
            ties = ties + np.where(weight == 0, 0.0, weight * tie)
        return np.clip(total, 0.0, 1.0), np.clip(ties, 0.0, 1.0)

    def _values(self, t: int) -> Values:
        values = self.values[t] if t < len(self.values) else None
        if values is None:
            raise InconsistentError(NOT_HERE)
        return values


def _values_at(
    layer: PairLayer, values: Values, nodes: tuple[Indices, Indices], scores: tuple[Any, Any]
) -> tuple[Values, Values]:
    """Return the value to the last mover and the tie probability of pairs of nodes.

    The value is NaN for unreachable pairs. The tie probability is NaN if it was not computed.

    Parameters
    ----------
    nodes, scores : tuples of int arrays
        The rows and the scores of the last mover and of the player to move.
    """
    b, a = layer.moved.number(nodes[0]), layer.movers.number(nodes[1])
    occurs = layer.moved.have(b, scores[0]) & layer.movers.have(a, scores[1])
    pair = np.where(occurs, b * len(layer.movers) + a, 0)
    low, high, start = layer.low_P[pair], layer.high_P[pair], layer.start_P[pair]

    def read(table: Values, difference: Indices, above: float) -> Values:
        is_open = (low <= difference) & (difference < high)
        value = table[np.where(is_open, start + difference - low, 0)]
        return np.where(is_open, value, np.where(difference < low, 0.0, above))

    difference = scores[0] - scores[1]
    if layer.step_P is None:
        value = read(values[0], difference, 1.0)
        tie = read(values[1], difference, 0.0) if len(values) > 1 else np.full(pair.shape, np.nan)
    else:
        step = layer.step_P[pair].astype(np.int64)
        steps, rest = np.divmod(difference, step)
        taps = (read(values[0], steps + i - 1, CERTAIN) for i in range(TAPS))
        value = sum(TAP_WEIGHTS[step + rest, i] * tap for i, tap in enumerate(taps)) / CERTAIN
        tie = np.full(pair.shape, np.nan)
    return np.where(occurs, value, np.nan), tie
