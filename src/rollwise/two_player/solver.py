r"""The exact solver of two-player games, in which both players play to win.

A two-player game is zero-sum, and its value function is computed by backward induction. Let a be
the scorecard of the player to move, and b the opponent's scorecard. Let d be the opponent's score
minus the mover's score, with upper bonuses counted at the end. The value W is the probability of a
win plus the probability of a tie times the value of a tie. Scoring the final roll r in an open
category k gives p points and changes a to a'. The value of r is

.. math::
    W_0(r) = \max_k 1 - W(b, a', p - d)

The rest of the turn is computed as in :mod:`rollwise.solving.backward_induction`. A layer contains
all pairs of scorecards between two turns, and depends only on the next layer. Results are exact up
to rounding, and the errors of probabilities are less than 1e-13.

References
----------
J. Pawlewicz, Nearly optimal computer play in multi-player Yahtzee (2010): the same recursion, which
the paper calls too large for Yahtzee.
"""

import ctypes
import mmap
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InconsistentError, InputError, counted
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import RulesLike, as_rules
from rollwise.solving.by_score.solver import check_windows
from rollwise.solving.compiled_game import CompiledGame
from rollwise.solving.kernels.two_player import (
    GridPairs,
    Movers,
    Pairs,
    backward_by_difference,
    backward_on_grid,
)
from rollwise.solving.kernels.vector import CERTAIN, WIDTH
from rollwise.solving.position_index import START, CardIndex
from rollwise.solving.progress import Progress, within
from rollwise.solving.solver import Solver
from rollwise.solving.storage.layers import (
    ALWAYS_READ,
    Shape,
    bytes_of,
    fill_layers,
    keep_layers,
)
from rollwise.two_player import size as sizes
from rollwise.two_player.cache import DuelKey, SavedLayers, checkpoints, save_strips, saved_strips
from rollwise.two_player.grid import TAP_WEIGHTS, Grid, GridChoices
from rollwise.two_player.layout import (
    PairLayer,
    PairLayers,
    ReachableCards,
    layers_from,
)
from rollwise.two_player.nodes import Nodes
from rollwise.two_player.size import DuelSize, size_of
from rollwise.two_player.solution import EQUAL, DuelSolution, Values

SAVED_STATES = 2_000_000
"""The maximum number of two-player states of a solution that is not saved on disk."""

RELEASED = 1 << 20
"""The smallest size of an array whose memory is released, in bytes."""


class Plan(NamedTuple):
    """The nodes of the player to move and of the opponent, and all layers."""

    key: DuelKey
    nodes: tuple[Nodes, Nodes]
    layers: PairLayers


class DuelSolver:
    """The exact solver of a two-player game, in which both players play to win.

    Parameters
    ----------
    rules : Rules, str, or Path
        The rules, or the name of a preset.
    threads : int, optional
        Default: all cores that the process can use. Results do not depend on this number.
    cache : bool
        Whether to use the disk cache for the maximum possible points from each scorecard, and for
        layers of long solutions.

    Attributes
    ----------
    rules : Rules
        The game.
    model : Model
        The game as arrays.

    Examples
    --------
    >>> DuelSolver("micro-yahtzee").solve()
    <DuelSolution of micro-yahtzee: 0.4926697531 for the player to move>
    """

    def __init__(self, rules: RulesLike, threads: int | None = None, cache: bool = True) -> None:
        self.rules = as_rules(rules)
        solver = Solver(self.rules, threads, cache)
        self.model = solver.model
        self._cache = cache
        check_windows(self.model)
        self._compiled = CompiledGame(self.model, threads=threads)
        self._on_grid = CompiledGame(self.model, threads=threads, kind=np.float32)
        self._reach = ReachableCards(self.rules, self._compiled, solver)
        self._latest: Plan | None = None
        self._saved_games: dict[Grid | None, DuelSolution | None] = {}

    def solve(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        tie: float = 0.5,
        ties: bool = True,
        on_disk: bool = False,
        save: bool = False,
        grid: Grid | None = None,
        progress: Progress | None = None,
    ) -> DuelSolution:
        """Solve the game from two scorecards, exactly unless there is a grid.

        Parameters
        ----------
        card : Scorecard or Position, optional
            The scorecard of the player to move, before the turn; default: an empty scorecard.
        opponent : Scorecard, optional
            The opponent's scorecard; default: an empty scorecard.
        tie : float
            The value of a tie to the player to move, from 0 (as bad as a loss) to 1 (as good as a
            win). The value to the opponent is ``1 - tie``. Use 0 for a player who must win.
        ties : bool
            Whether to compute the probability of a tie, except on a grid. Without it, the solution
            takes less than half the time.
        on_disk : bool
            Whether to save all layers, on disk if they are too large for memory. Otherwise, a long
            solution contains only the first turn, and is read from disk if it was saved before.
        save : bool
            Whether to save all layers on disk in any case, and keep them in the cache. Then later
            solutions of any turn are read from them. If the run stops early, the same call
            continues it.
        grid : Grid, optional
            The grid of a near-exact solution; default: an exact solution.
        progress : callable, optional
            Called regularly with the completed fraction of the work, from 0 to 1.

        Raises
        ------
        InconsistentError
            If no game in progress has the two scorecards.
        TooLargeError
            If the tables do not fit into memory or on disk.
        """
        key = self._key(card, opponent, tie, ties, grid)
        plan, on_disk = self._plan(key), on_disk or save
        size = self._size(plan, on_disk)
        if size.lanes > SAVED_STATES and not on_disk and self._cache:
            cached = self._cached(plan)
            if cached is not None:
                return cached
        size.check(self.rules.name)
        max_unsaved = self._max_unsaved(on_disk)
        if save and self._cache:
            keep_layers(key.folder(self.rules))
            max_unsaved = 0
        return self._solved(plan, size, on_disk, max_unsaved, progress)

    def solve_endgames(
        self,
        open_categories: int,
        *,
        progress: Progress | None = None,
    ) -> DuelSolution:
        """Solve all endgames with this many open categories, without tie probabilities.

        Parameters
        ----------
        open_categories : int
            The number of open categories of the player to move. The opponent has one fewer.
        progress : callable, optional
            Called regularly with the completed fraction of the work, from 0 to 1.

        Raises
        ------
        TooLargeError
            If the tables do not fit into memory.
        """
        reached = self._reach.cards_from(START)
        cards = layers_from(reached[-open_categories:], reached[-open_categories - 1 :])
        nodes = (self._reach.exact, self._reach.exact)
        plan = Plan(DuelKey(START, START, 0.5, 1), nodes, PairLayers(cards, {}))
        size = size_of(cards, self.model, 1, self._compiled.threads, np.inf, on_disk=False)
        size.check(self.rules.name)
        return self._solved(plan, size, False, np.inf, progress)

    def cached(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        tie: float = 0.5,
        ties: bool = True,
        grid: Grid | None = None,
    ) -> DuelSolution | None:
        """Return the solution from the cache, or None if the cache lacks its first turn.

        Only the layers of the first turn are certainly in the cache. The parameters are documented
        at :meth:`solve`.
        """
        key = self._key(card, opponent, tie, ties, grid)
        if not (self._cache and key.folder(self.rules).is_dir()):
            return None  # without listing the scorecards, which takes seconds on a grid
        return self._cached(self._plan(key))

    def saved_game(self, grid: Grid | None) -> DuelSolution | None:
        """Return the saved solution of the whole game, if there was one at the first call.

        Layers can be missing.
        """
        if grid not in self._saved_games:
            self._saved_games[grid] = self.cached(grid=grid)
        return self._saved_games[grid]

    def _cached(self, plan: Plan) -> DuelSolution | None:
        key, layers = plan.key, plan.layers
        values = SavedLayers(key.folder(self.rules), layers, key.tables, _ends(plan))
        if any(values[t] is None for t in range(ALWAYS_READ)):
            return None
        return self._solution(plan, values, self._size(plan, False).lanes)

    def size(
        self,
        card: Scorecard | Position | None = None,
        opponent: Scorecard | None = None,
        *,
        ties: bool = True,
        on_disk: bool = False,
        grid: Grid | None = None,
    ) -> DuelSize:
        """Return the time and memory that :meth:`solve` takes with the same arguments."""
        key = self._key(card, opponent, 0.5, ties, grid)
        return self._size(self._plan(key), on_disk)

    def _key(
        self,
        card: Scorecard | Position | None,
        opponent: Scorecard | None,
        tie: float,
        ties: bool,
        grid: Grid | None,
    ) -> DuelKey:
        cards = [card or Scorecard.empty(self.rules), opponent or Scorecard.empty(self.rules)]
        check_in_progress(*cards)
        mine, other = (CardIndex.of_card(self.model, card) for card in cards)
        return DuelKey(mine, other, tie, 2 if ties and grid is None else 1, grid)

    def _plan(self, key: DuelKey) -> Plan:
        """Return the nodes of both players and all layers."""
        if self._latest is None or self._latest.key != key:
            grid = GridChoices(self.model, key.grid) if key.grid else None
            starts = key.card, key.opponent
            nodes = [self._reach.nodes_from(start, grid) for start in starts]
            movers, moved = (
                self._reach.cards_from(start, its_nodes, key.grid is not None)
                for start, its_nodes in zip(starts, nodes, strict=True)
            )
            strips = saved_strips(key.folder(self.rules)) if self._cache else {}
            layers = PairLayers(layers_from(moved, movers, grid), strips)
            self._latest = Plan(key, (nodes[0], nodes[1]), layers)
        return self._latest

    def _size(self, plan: Plan, on_disk: bool) -> DuelSize:
        threads, max_states = self._compiled.threads, self._max_unsaved(on_disk)
        cards = plan.layers.cards
        return size_of(cards, self.model, plan.key.tables, threads, max_states, on_disk)

    def _max_unsaved(self, on_disk: bool) -> float:
        """Return the maximum number of two-player states for which all layers stay in memory."""
        return SAVED_STATES if self._cache and not on_disk else np.inf

    def _solved(
        self,
        plan: Plan,
        size: DuelSize,
        on_disk: bool,
        max_unsaved: float,
        progress: Progress | None,
    ) -> DuelSolution:
        """Compute all layers, and return the solution.

        Small layers all stay in memory. Otherwise, memory holds one layer and the unread part of
        the next one, and the disk holds either all layers or the first layers and a checkpoint.
        """
        key, layers = plan.key, plan.layers
        arrays = [layers.shape(t) for t in range(len(layers))]
        shapes: list[Shape] = [(key.tables, length) for length, _ in arrays]
        kinds = [kind for _, kind in arrays]
        bytes_L = list(map(bytes_of, shapes, kinds))
        small = sum(bytes_L) <= sizes.MAX_BYTES_OF_ALL and size.lanes <= max_unsaved
        folder = key.folder(self.rules) if self._cache and not small else None
        if folder is not None:
            save_strips(folder, layers)
        staying = len(shapes) if small or (folder and on_disk) else ALWAYS_READ
        values = fill_layers(
            shapes,
            _ends(plan),
            self._step(plan, shapes, staying, progress),
            kinds=kinds,
            staying=staying,
            folder=folder,
            must_save=on_disk and folder is not None,
            is_worth_saving=checkpoints(bytes_L),
        )
        return self._solution(plan, values, size.lanes)

    def _solution(
        self,
        plan: Plan,
        values: Sequence[Values | None],
        states: int,
    ) -> DuelSolution:
        card, opponent, tie, _, grid = plan.key
        return DuelSolution(
            self.rules,
            self.model,
            self._reach.rows,
            plan.nodes,
            plan.layers,
            values,
            card,
            opponent,
            tie,
            states,
            grid,
        )

    def _step(
        self,
        plan: Plan,
        shapes: list[Shape],
        staying: int,
        progress: Progress | None,
    ) -> Callable[[int, Values, Values], None]:
        """Return a function that computes one layer, for :func:`fill_layers`."""
        layers, lengths = plan.layers, [length for _, length in shapes]
        total = sum(lengths)
        first_row_C = self._reach.rows.first_row_C
        after_X = np.full(first_row_C[-1], -1, dtype=np.int32)

        def step(t: int, values: Values, after: Values) -> None:
            kernel: Any
            more: Any
            # A large layer stays listed until another one is: the next layer already is.
            following, layer = layers[t + 1], layers[t]
            movers = layer.movers
            cards = Movers(movers.class_A, movers.lane_A, first_row_C, after_X, *plan.nodes[t % 2])
            after_X[following.moved.row_A] = np.arange(len(following.moved))
            game, kernel, more = self._compiled, backward_by_difference, EQUAL
            if layer.step_P is None:
                _fill_outside(values)
            else:
                game, kernel, more = self._on_grid, backward_on_grid, TAP_WEIGHTS
            strips = zip(*map(pairwise, following.strips), strict=True)
            for (first, last), place in strips:
                shares = np.array([first, last]) / len(layer.moved)
                done = sum(lengths[t + 1 :]) + lengths[t] * shares
                game.run(
                    kernel,
                    0,
                    len(movers) * (last - first),
                    cards,
                    (first, last),
                    _pairs(layer, values),
                    _pairs(following, after),
                    more,
                    done=within(progress, *(done / total)),
                )
                if staying <= t + 1 < len(layers) - 1:
                    for table in after:
                        release_pages(table[slice(*place)])

        return step


def release_pages(values: Values) -> None:
    """Return the memory of a contiguous array to the operating system.

    The values of the array are lost. This works only on Linux. Elsewhere the memory stays in use
    until the array is deleted.
    """
    if sys.platform == "linux" and values.nbytes >= RELEASED:
        page, first = mmap.PAGESIZE, values.ctypes.data
        start, stop = -(-first // page) * page, (first + values.nbytes) // page * page
        size = ctypes.c_size_t(stop - start)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)


def check_in_progress(card: Scorecard | Position, opponent: Scorecard | Position) -> None:
    """Check that a two-player game in progress can have these scorecards.

    ``card`` belongs to the player to move.

    Raises
    ------
    InputError
        If the scorecards belong to different rules.
    InconsistentError
        If no game in progress has these scorecards.
    """
    if card.rules != opponent.rules:
        raise InputError(
            f"the scorecards are of different games, {card.rules.name} and {opponent.rules.name}; "
            "use two scorecards of one game"
        )
    categories = len(card.rules.categories)
    mine, theirs = (categories - side.state.filled.bit_count() for side in (card, opponent))
    if mine == 0:
        raise InconsistentError(
            "the game is over, because the scorecard is full; leave at least one category open"
        )
    if theirs not in (mine, mine - 1):
        raise InconsistentError(
            "the opponent's scorecard must have "
            f"{counted(mine, 'open category', 'open categories')}, or {mine - 1} if the opponent "
            f"moved first, not {theirs}"
        )


def _pairs(layer: PairLayer, values: Values) -> Pairs | GridPairs:
    if layer.step_P is not None:
        return GridPairs(layer.low_P, layer.high_P, layer.start_P, layer.step_P, values[0])
    ties = values[1] if len(values) > 1 else np.empty(0)
    return Pairs(layer.low_P, layer.high_P, layer.start_P, values[0], ties)


def _fill_outside(values: Values) -> None:
    """Write the values that are shared by all pairs without an open score difference."""
    values[0, :WIDTH], values[0, WIDTH : 2 * WIDTH] = 0.0, 1.0
    values[1:, : 2 * WIDTH] = 0.0


def _ends(plan: Plan) -> Values:
    """Return the values of full scorecards, where only a final tie is an open score difference."""
    key, layer = plan.key, plan.layers[-1]
    tie = 1 - key.tie if len(plan.layers) % 2 else key.tie  # the value to the last mover
    size, kind = plan.layers.shape(-1)
    values = np.empty((key.tables, size), kind)
    if key.grid is not None:
        values[0] = round(CERTAIN * tie)
        return values
    values[0], values[1:] = 1.0, 0.0
    _fill_outside(values)
    level: NDArray[np.int64] = layer.start_P[layer.high_P > layer.low_P]
    values[0, level[:, None] - np.arange(1, WIDTH + 1)] = 0.0
    values[0, level], values[1:, level] = tie, 1.0
    return values
