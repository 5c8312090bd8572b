"""The cache of two-player solutions on disk.

A long computation saves some of its layers as files. An interrupted computation continues from
them, and later turns of the same game need no new solution.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from rollwise.files import cache_folder
from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.cache_entries import LAYERS, code_fingerprint, evict
from rollwise.solving.position_index import CardIndex
from rollwise.solving.storage.chunks import Shape, bytes_of
from rollwise.solving.storage.layer_files import DamagedError, LayerFiles, StoredLayer, Values
from rollwise.solving.storage.retention import ALWAYS_READ, LayerRetention, Resumable
from rollwise.solving.storage.stores import LocalStore
from rollwise.two_player.grid import Grid, PlayerPoints
from rollwise.two_player.layout import LayerCards, PairLayer, open_differences, rows_at
from rollwise.two_player.solution import DuelSolution

WRITTEN = 1e8
"""The assumed speed of a disk, in bytes per second."""

SHARE = 0.1
"""The maximum time to write a file, as a fraction of the computing time that the file saves."""

STAYING = 1 << 27
"""The maximum total size in bytes of the first layers that stay saved.

Solutions of the next turns read these layers.
"""

NUMBERS = re.compile(r"\d+_[1-9]\d*_[12](_\d+){6}(_\d+_\d+_\d+_\d+)?")
"""The end of a folder's name.

It contains the value of a tie as a fraction, the number of tables, both scorecards, and the grid.
"""


@dataclass(frozen=True)
class DuelKey:
    """The cache key of a two-player solution of one game.

    Attributes
    ----------
    card, opponent : CardIndex
        The scorecards of the player to move and of the opponent.
    tie : float
        The value of a tie to the player to move.
    tables : int
        The number of value tables: 1, or 2 if the solution includes the probability of a tie.
    grid : Grid, optional
        The grid of a near-exact solution.
    """

    card: CardIndex
    opponent: CardIndex
    tie: float
    tables: int
    grid: Grid | None = None

    def turn(self, model: Model) -> int:
        """Return the total number of turns that both players have completed."""
        masks = (int(model.mask_C[place.c]) for place in (self.card, self.opponent))
        return sum(mask.bit_count() for mask in masks)

    def occurs_in(self, model: Model, cards: LayerCards) -> bool:
        """Return whether the layer ``cards`` contains both scorecards with their scores."""
        return all(
            cards_of_player.have(
                cards_of_player.number(rows_at(model, np.array(place.c), np.array(place.lane))),
                np.array(place.score),
            ).all()
            for place, cards_of_player in zip((self.opponent, self.card), cards[:2], strict=True)
        )


class DuelCache:
    """The saved layers of two-player solutions of one game.

    Parameters
    ----------
    rules : Rules
    model : Model
    """

    def __init__(self, rules: Rules, model: Model) -> None:
        digest = hashlib.sha256(json.dumps(rules.model_dump(mode="json")).encode()).hexdigest()
        self._rules, self._model = rules, model
        self._prefix = f"{rules.name}.duel.{code_fingerprint()}.{digest[:16]}_"

    def files(self, key: DuelKey) -> LayerFiles:
        """Return the layer files of a solution; the name of their folder contains the key."""
        numbers = [*key.tie.as_integer_ratio(), key.tables]
        for place in (key.card, key.opponent):
            numbers += [place.c, place.lane, place.score]
        if key.grid:
            numbers += key.grid.numbers
        folder = f"{self._prefix}{'_'.join(map(str, numbers))}{LAYERS}"
        return LayerFiles(LocalStore(cache_folder()), folder)

    def keys(self) -> Iterator[DuelKey]:
        """Yield the keys of all solutions with saved layers."""
        for path in cache_folder().glob(f"{self._prefix}*{LAYERS}"):
            numbers = path.stem.removeprefix(self._prefix)
            if NUMBERS.fullmatch(numbers):
                over, under, tables, *places = map(int, numbers.split("_"))
                card, opponent = CardIndex(*places[:3]), CardIndex(*places[3:6])
                grid = Grid(*places[6:]) if len(places) > 6 else None
                yield DuelKey(card, opponent, over / under, tables, grid)

    def load(
        self,
        key: DuelKey,
        layer_cards: Callable[[DuelKey], list[LayerCards]],
        points: Callable[[DuelKey], PlayerPoints | None],
    ) -> DuelSolution | None:
        """Return the solution of one turn from saved layers, or None if no saved layers contain it.

        The saved solution can start at the same scorecards or earlier in the game.

        Parameters
        ----------
        key : DuelKey
            The key of the solution to return.
        layer_cards : callable
            A function from the key of a solution to the scorecards of each layer.
        points : callable
            A function from the key of a solution to the grid points of both players.
        """
        rules, model, turn = self._rules, self._model, key.turn(self._model)
        for saved in sorted(self.keys(), key=lambda saved: -saved.turn(model)):
            t = turn - saved.turn(model)
            tie = saved.tie if t % 2 == 0 else 1.0 - saved.tie
            if t < 0 or (tie, saved.tables, saved.grid) != (key.tie, key.tables, key.grid):
                continue
            cards = layer_cards(saved)[t : t + 2]
            if not key.occurs_in(model, cards[0]):
                continue
            layers, files = [PairLayer.of(*pair) for pair in cards], self.files(saved)
            values: list[Values | StoredLayer | None]
            try:
                values = [
                    files.read(t + i, (key.tables, layer.size)) for i, layer in enumerate(layers)
                ]
            except DamagedError as error:
                files.drop_damaged(error)
            except OSError:  # the layer was never saved, or was deleted
                pass
            else:
                ends = (open_differences(*pair) for pair in layer_cards(key))
                states = sum(int((high - low).sum()) for low, high in ends)
                of_players = points(saved)
                if of_players is not None and t % 2:
                    of_players = of_players[::-1]
                places = key.card, key.opponent
                return DuelSolution(
                    rules, model, layers, values, *places, key.tie, states, of_players
                )
        return None


class Checkpoints(Resumable):
    """Layer storage for long solutions, with a checkpoint on disk.

    The last two layers stay in memory, and the first layers are saved in files. A later layer is
    saved as a checkpoint if writing it takes at most ``SHARE`` of the computing time since the last
    saved layer.

    Parameters
    ----------
    shapes : list of tuple of int
        The shape of each layer.
    files : LayerFiles
        The files for the saved layers.
    seconds : list of float
        The estimated computing time of each layer in seconds.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, seconds: list[float]) -> None:
        super().__init__(shapes, files)
        self._seconds = seconds
        self._begun = len(shapes) - 1
        small = sum(total <= STAYING for total in accumulate(map(bytes_of, shapes)))
        self._staying = max(small, ALWAYS_READ)

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Compute the layers that are not in files, then evict old cache entries."""
        whole = super().fill(full_cards, compute, first)
        evict(spared=cache_folder() / self._files.folder)
        return whole

    def _missing(self) -> list[int]:
        missing = super()._missing()
        self._begun = missing[0] + 1 if missing else 0
        return missing

    def put(self, layer: int, values: Values) -> None:
        """Store a finished layer, in a file if the file saves enough computing time."""
        saved = sum(self._seconds[layer : self._begun])
        if layer < self._staying or bytes_of(self.shapes[layer]) / WRITTEN <= SHARE * saved:
            super().put(layer, values)
        else:
            LayerRetention.put(self, layer, values)

    def _drop_after(self, layer: int) -> None:
        for older in range(max(layer + 1, self._staying), len(self.shapes) - 1):
            self._files.drop(older, self.shapes[older])
        self._begun = layer
