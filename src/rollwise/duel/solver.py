r"""The solver of games of two: the chances of both when each answers the other, exactly.

With a the card of the mover, b that of the other player and d the mover's score less the other's,
upper bonuses counted at the end, the value W is the chance of a win and what a tie is worth, times
its chance:

.. math::
    W_0(r) = \max_k 1 - W(b, a', -(d + p)), \quad (p, a')
        \text{ the outcome of } r \text{ in the open category } k

and the rest of the turn as in :mod:`rollwise.solving.bellman`. One turn after another: a layer
holds all pairs of cards between two turns, and needs the next one alone.

Exactness: as in :mod:`rollwise.solving.bellman`, of probabilities less than 1e-13.

References
----------
J. Pawlewicz, Nearly optimal computer play in multi-player Yahtzee (2010): the same recursion, as
one that is too large for the official game.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.duel.layout import Cards, Layer, Reach
from rollwise.duel.solution import DuelSolution, Values
from rollwise.duel.turn import EQUAL
from rollwise.errors import InconsistentError, TooLargeError
from rollwise.game.scorecard import Scorecard
from rollwise.rules import RulesLike, as_rules
from rollwise.solving.by_score.solver import check_rows
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.kernels.duel import DuelScratch, Movers, Pairs, backward_by_difference
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layer_store import LastTwo, LayerStore, bytes_of
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.place import CardPlace
from rollwise.solving.progress import Progress, within

MAX_BYTES = 8 << 30
"""Of the layers that are in memory at once."""

KEPT = 1 << 30
"""Bytes: all layers of a game that take no more are kept."""


class DuelSolver:
    """One game for two players, each of whom plays to win against the other.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    threads : int, optional
        As many as the process may use unless told. No result depends on it.
    cache : bool
        Read the most that every card can bring from disk if it is there, and write it there if not.

    Attributes
    ----------
    rules : Rules
    """

    def __init__(self, rules: RulesLike, threads: int | None = None, cache: bool = True) -> None:
        self.rules = as_rules(rules)
        cards = CardSolver(self.rules, threads, cache)
        self.model = cards.model
        check_rows(self.model)
        self._sweep = Sweep(self.model, EXPECTED, threads)
        self._reach = Reach(self._sweep, cards.best_case)

    def solve(
        self,
        card: Scorecard | None = None,
        opponent: Scorecard | None = None,
        *,
        tie: float = 0.5,
        ties: bool = True,
        progress: Progress | None = None,
    ) -> DuelSolution:
        """Return the chances of the player who is to move, and of every game that can follow.

        Parameters
        ----------
        card, opponent : Scorecard, optional
            Of the player who is to move, and of the other one; empty ones unless told.
        tie : float
            What a tie is worth to him, where a win is worth 1; to the other player it is worth one
            less that. 0 for one who has to win.
        ties : bool
            Also the chance of a tie; without it the value takes a third of the time.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1, now and then.

        Raises
        ------
        InconsistentError
            When no game in progress has the two cards.
        TooLargeError
            When the tables would not fit.
        """
        mine = card or Scorecard.empty(self.rules)
        other = opponent or Scorecard.empty(self.rules)
        check_in_progress(mine, other)
        place, against = (CardPlace.of_card(self.model, one) for one in (mine, other))
        layers = layers_of(self._reach.cards_from(place), self._reach.cards_from(against))
        store = self._store(layers, tables=2 if ties else 1)
        ends = np.empty(store.shapes[-1])
        _fill_ends(layers[-1], ends, 1 - tie if len(layers) % 2 else tie)
        store.begin(ends)
        self._fill(layers, store, progress)
        return DuelSolution(self.rules, self.model, layers, store.arrays, place, against, tie)

    def _store(self, layers: list[Layer], tables: int) -> LayerStore:
        """Return where the layers are to be kept: all of them, or the last two of a large game."""
        shapes: list[tuple[int, ...]] = [(tables, layer.size) for layer in layers]
        sizes = list(map(bytes_of, shapes))
        pair = max(map(sum, pairwise(sizes)))
        if pair > MAX_BYTES:
            raise TooLargeError(
                f"{self.rules.name}: two layers of pairs of cards take {pair / 2**30:.1f} GiB: "
                f"expected at most {MAX_BYTES >> 30}"
            )
        return LayerStore(shapes) if sum(sizes) <= KEPT else LastTwo(shapes)

    def _fill(self, layers: list[Layer], store: LayerStore, progress: Progress | None) -> None:
        """Fill all layers, the last one first."""
        lanes = [layer.lanes for layer in layers]
        total = max(sum(lanes), 1)
        first_row_C = np.append(0, np.cumsum(self.model.rows_C))
        after_X = np.full(first_row_C[-1], -1, dtype=np.int32)
        for t in range(len(layers) - 2, -1, -1):
            layer, following = layers[t], layers[t + 1]
            movers, values, after = layer.movers, store.room(t), store.arrays[t + 1]
            assert after is not None
            after_X[following.moved.row_A] = np.arange(len(following.moved))
            _fill_outside(values)
            self._sweep.each_part(
                0,
                len(layer.start_P),
                backward_by_difference,
                self._sweep.arrays,
                self._sweep.streams,
                Movers(movers.class_A, movers.lane_A, first_row_C, after_X),
                _pairs(layer, values),
                _pairs(following, after),
                EQUAL,
                scratch=DuelScratch.of,
                done=within(progress, sum(lanes[t + 1 :]) / total, sum(lanes[t:]) / total),
            )
            store.put(t, values)


def check_in_progress(card: Scorecard, opponent: Scorecard) -> None:
    """Check that a game of two can have these cards when the first one is to move.

    Raises
    ------
    ValueError
        When they belong to different rules.
    InconsistentError
        When it cannot.
    """
    if card.rules != opponent.rules:
        raise ValueError(f"expected cards of one game, got {card.rules.name} and others")
    mine, theirs = (one.boxes.count(None) for one in (card, opponent))
    if mine == 0:
        raise InconsistentError("the card is full, the game is over: expected an open category")
    if theirs not in (mine, mine - 1):
        raise InconsistentError(
            f"expected an opponent's card with {mine} open categories, or {mine - 1} of one who "
            f"moved first, got {theirs}"
        )


def layers_of(mine: list[Cards], other: list[Cards]) -> list[Layer]:
    """Return the layers from two cards to full ones; the first of them is to move."""
    layers, moved, movers = [], other, mine
    for _ in range(len(mine) + len(other) - 1):
        layers.append(Layer.of(moved[0], movers[0]))
        moved, movers = movers[1:], moved
    return layers


def _pairs(layer: Layer, values: Values) -> Pairs:
    ties = values[1] if len(values) > 1 else np.empty(0)
    return Pairs(layer.low_P, layer.high_P, layer.start_P, values[0], ties)


def _fill_outside(values: Values) -> None:
    """Write what the place holds that pairs share which have no open lead."""
    values[0, :WIDTH], values[0, WIDTH : 2 * WIDTH] = 0.0, 1.0
    values[1:, : 2 * WIDTH] = 0.0


def _fill_ends(layer: Layer, values: Values, tie: float) -> None:
    """Write what full cards are worth: at most one lead is open, that of a tie."""
    values[0], values[1:] = 1.0, 0.0
    _fill_outside(values)
    level: NDArray[np.int64] = layer.start_P[layer.high_P > layer.low_P]
    values[0, level[:, None] - np.arange(1, WIDTH + 1)] = 0.0
    values[0, level], values[1:, level] = tie, 1.0
