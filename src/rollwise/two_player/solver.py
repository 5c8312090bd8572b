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

from rollwise.errors import InconsistentError
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import RulesLike, as_rules
from rollwise.solving.by_score.solver import check_rows
from rollwise.solving.card_solver import CardSolver
from rollwise.solving.kernels.two_player import DuelScratch, Movers, Pairs, backward_by_difference
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.place import CardPlace
from rollwise.solving.progress import Progress, within
from rollwise.solving.storage.chunks import Shape, bytes_of
from rollwise.solving.storage.retention import AllInFiles, LastTwo, LayerRetention
from rollwise.two_player.cache import Checkpoints, DuelKey, kept_solution
from rollwise.two_player.layout import PairLayer, Reach, TurnCards
from rollwise.two_player.size import DuelSize, seconds_a_lead, size_of
from rollwise.two_player.solution import EQUAL, DuelSolution, Values

KEPT = 1 << 30
"""Bytes: all layers of a short game that take no more are kept in memory."""

LONG = 2_000_000
"""Leads: what takes more is on disk, too, for the next question and for a run that was stopped."""


class DuelSolver:
    """One game for two players, each of whom plays to win against the other.

    Parameters
    ----------
    rules : Rules, str or Path
        Of the game, or the name of a preset.
    threads : int, optional
        As many as the process may use unless told. No result depends on it.
    cache : bool
        Read the most that every card can bring from disk if it is there, and write it there if not;
        and the first layers of what takes long.

    Attributes
    ----------
    rules : Rules

    Examples
    --------
    >>> DuelSolver("micro-yahtzee").solve()
    <Game of two of micro-yahtzee: 0.4926697531 to the first to move>
    """

    def __init__(self, rules: RulesLike, threads: int | None = None, cache: bool = True) -> None:
        self.rules = as_rules(rules)
        self.rules.check_unannounced("two players who answer each other")
        cards = CardSolver(self.rules, threads, cache)
        self.model, self._keeps = cards.model, cache
        check_rows(self.model)
        self._sweep = Sweep(self.model, EXPECTED, threads)
        self._reach = Reach(self._sweep, cards.best_case)

    def solve(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        tie: float = 0.5,
        ties: bool = True,
        on_disk: bool = False,
        progress: Progress | None = None,
    ) -> DuelSolution:
        """Return the chances of the player who is to move, and of every game that can follow.

        Parameters
        ----------
        card : Scorecard or Position, optional
            Of the player who is to move, before his turn; an empty one unless told.
        opponent : Scorecard, optional
            Of the other one; an empty one unless told.
        tie : float
            What a tie is worth to him, where a win is worth 1; to the other player it is worth one
            less that. 0 for one who has to win.
        ties : bool
            Also the chance of a tie; without it the value takes a third of the time.
        on_disk : bool
            Keep all layers, on disk if they are too large for memory. Else of what takes long only
            the first turn is at hand, and read from disk if an earlier question left it there.
        progress : callable, optional
            Called with the done share of the work, from 0 to 1, now and then.

        Raises
        ------
        InconsistentError
            When no game in progress has the two cards.
        TooLargeError
            When the tables would not fit, into memory or on disk.
        """
        size = self.size(card, opponent, ties=ties, on_disk=on_disk)
        if size.lanes > LONG and not on_disk:
            found = self.kept(card, opponent, tie=tie, ties=ties)
            if found is not None:
                return found
        size.check(self.rules.name)
        asked = self._asked(card, opponent, tie, ties)
        layers = [PairLayer.of(*both) for both in self._cards(asked.card, asked.opponent)]
        retention = self._retention(layers, asked, on_disk)
        ends = np.empty(retention.shapes[-1])
        _fill_ends(layers[-1], ends, 1 - tie if len(layers) % 2 else tie)
        self._fill(layers, retention, ends, progress)
        lanes, places = sum(layer.lanes for layer in layers), (asked.card, asked.opponent)
        return DuelSolution(self.rules, self.model, layers, retention.layers, *places, tie, lanes)

    def kept(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        tie: float = 0.5,
        ties: bool = True,
    ) -> DuelSolution | None:
        """Return what an earlier question left on disk, by the arguments of :meth:`solve`.

        None where nothing is kept that answers it. Only the first turn is at hand.

        Raises
        ------
        InconsistentError
            When no game in progress has the two cards.
        """
        asked = self._asked(card, opponent, tie, ties)
        return kept_solution(self.rules, self.model, asked, self._cards) if self._keeps else None

    def size(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        ties: bool = True,
        on_disk: bool = False,
    ) -> DuelSize:
        """Return what :meth:`solve` would take, by the same arguments; raises what it does."""
        asked = self._asked(card, opponent, 0.5, ties)
        both = self._cards(asked.card, asked.opponent)
        threads, few = self._sweep.threads, self._few(on_disk)
        return size_of(both, self.model, asked.tables, threads, KEPT, few, on_disk)

    def _asked(
        self,
        card: Scorecard | Position | None,
        opponent: Scorecard | None,
        tie: float,
        ties: bool,
    ) -> DuelKey:
        """Return what is asked; raises where no game in progress has the two cards."""
        cards = [card or Scorecard.empty(self.rules), opponent or Scorecard.empty(self.rules)]
        check_in_progress(*cards)
        mine, other = (CardPlace.of_card(self.model, one) for one in cards)
        return DuelKey(mine, other, tie, 2 if ties else 1)

    def _cards(self, place: CardPlace, against: CardPlace) -> list[tuple[TurnCards, TurnCards]]:
        """Return the cards of each layer: of who has just moved, and of who is to move."""
        moved, movers = self._reached(place, against)
        layers = []
        for _ in range(len(moved) + len(movers) - 1):
            layers.append((moved[0], movers[0]))
            moved, movers = movers[1:], moved
        return layers

    def _reached(
        self, place: CardPlace, against: CardPlace
    ) -> tuple[list[TurnCards], list[TurnCards]]:
        """Return the cards after each turn of who has just moved, and of who is to move."""
        return self._reach.cards_from(against), self._reach.cards_from(place)

    def _few(self, on_disk: bool) -> float:
        """Return up to how many leads all layers stay in memory if there is room."""
        return LONG if self._keeps and not on_disk else np.inf

    def _retention(self, layers: list[PairLayer], asked: DuelKey, on_disk: bool) -> LayerRetention:
        """Return how the layers are to be kept.

        All of them where they are small; else the last two, and on disk the first ones and one that
        is worth it to go on from, or all.
        """
        shapes: list[Shape] = [(asked.tables, layer.size) for layer in layers]
        leads = sum(layer.lanes for layer in layers)
        if sum(map(bytes_of, shapes)) <= KEPT and leads <= self._few(on_disk):
            return LayerRetention(shapes)
        if not self._keeps:
            return LastTwo(shapes)
        files = asked.files(self.rules)
        if on_disk:
            return AllInFiles(shapes, files, wanted=False)
        lead = seconds_a_lead(self.model, asked.tables, self._sweep.threads)
        return Checkpoints(shapes, files, [lead * layer.lanes for layer in layers])

    def _fill(
        self,
        layers: list[PairLayer],
        retention: LayerRetention,
        ends: Values,
        progress: Progress | None,
    ) -> None:
        """Fill the layers before the last one, whose values are ``ends``."""
        lanes = [layer.lanes for layer in layers]
        total = max(sum(lanes), 1)
        first_row_C = np.append(0, np.cumsum(self.model.rows_C))
        after_X = np.full(first_row_C[-1], -1, dtype=np.int32)

        def compute(t: int) -> None:
            layer, following = layers[t], layers[t + 1]
            movers, values, after = layer.movers, retention.room(t), retention.whole(t + 1)
            after_X[following.moved.row_A] = np.arange(len(following.moved))
            _fill_outside(values)
            strips = zip(pairwise(following.first_U), pairwise(following.place_U), strict=True)
            for (first, last), place in strips:
                done = sum(lanes[t + 1 :]) + lanes[t] * np.array([first, last]) / len(layer.moved)
                self._sweep.each_part(
                    0,
                    len(movers) * (last - first),
                    backward_by_difference,
                    self._sweep.arrays,
                    self._sweep.lattice_index,
                    Movers(movers.class_A, movers.lane_A, first_row_C, after_X),
                    (first, last),
                    _pairs(layer, values),
                    _pairs(following, after),
                    EQUAL,
                    scratch=DuelScratch.of,
                    done=within(progress, *(done / total)),
                )
                retention.was_read(t + 1, slice(*place))
            retention.put(t, values)

        retention.fill(ends, compute)


def check_in_progress(card: Scorecard | Position, opponent: Scorecard | Position) -> None:
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
    boxes = len(card.rules.categories)
    mine, theirs = (boxes - one.state.filled.bit_count() for one in (card, opponent))
    if mine == 0:
        raise InconsistentError("the card is full, the game is over: expected an open category")
    if theirs not in (mine, mine - 1):
        raise InconsistentError(
            f"expected an opponent's card with {mine} open categor{'y' if mine == 1 else 'ies'}, "
            f"or {mine - 1} of one who moved first, got {theirs}"
        )


def _pairs(layer: PairLayer, values: Values) -> Pairs:
    ties = values[1] if len(values) > 1 else np.empty(0)
    return Pairs(layer.low_P, layer.high_P, layer.start_P, values[0], ties)


def _fill_outside(values: Values) -> None:
    """Write what the place holds that pairs share which have no open lead."""
    values[0, :WIDTH], values[0, WIDTH : 2 * WIDTH] = 0.0, 1.0
    values[1:, : 2 * WIDTH] = 0.0


def _fill_ends(layer: PairLayer, values: Values, tie: float) -> None:
    """Write what full cards are worth: at most one lead is open, that of a tie."""
    values[0], values[1:] = 1.0, 0.0
    _fill_outside(values)
    level: NDArray[np.int64] = layer.start_P[layer.high_P > layer.low_P]
    values[0, level[:, None] - np.arange(1, WIDTH + 1)] = 0.0
    values[0, level], values[1:, level] = tie, 1.0
