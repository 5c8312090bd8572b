"""Where layers of a game of two are kept, and which of them.

What an earlier question to a game of two left on disk: the answer to the next ones.
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
from rollwise.solving.cache_entries import LAYERS, code, make_room
from rollwise.solving.place import CardPlace
from rollwise.solving.storage.chunks import Shape, bytes_of
from rollwise.solving.storage.layer_files import DamagedError, LayerFiles, StoredLayer, Values
from rollwise.solving.storage.retention import ALWAYS_READ, LayerRetention, Resumable
from rollwise.solving.storage.stores import LocalStore
from rollwise.two_player.layout import PairLayer, TurnCards, leads, rows_at
from rollwise.two_player.solution import DuelSolution

WRITTEN = 1e8
"""Bytes that a disk writes in a second, at least."""

SHARE = 0.1
"""Of the work that a file saves, how much of the time it may take to write it."""

STAYING = 1 << 27
"""Bytes of layers from the start that stay: they answer the next turns of the game, too."""

NUMBERS = re.compile(r"\d+_[1-9]\d*_[12](_\d+){6}")
"""How the name of a folder ends: what a tie is worth, tables, and where both cards stand."""


@dataclass(frozen=True)
class DuelKey:
    """What a game of two is solved for.

    Attributes
    ----------
    card, opponent : CardPlace
        Of the player who is to move, and of the other one.
    tie : float
        What a tie is worth to him.
    tables : int
        How many numbers are kept of each pair and lead.
    """

    card: CardPlace
    opponent: CardPlace
    tie: float
    tables: int

    def files(self, rules: Rules) -> LayerFiles:
        """Return where its layers are kept; their folder says what they are of."""
        numbers = [*self.tie.as_integer_ratio(), self.tables]
        for place in (self.card, self.opponent):
            numbers += [place.c, place.lane, place.score]
        begins = _begins(rules)
        folder = f"{begins}{'_'.join(map(str, numbers))}{LAYERS}"
        return LayerFiles(LocalStore(cache_folder()), folder)

    @classmethod
    def kept(cls, rules: Rules) -> "Iterator[DuelKey]":
        """Return for what some layers of a game are kept."""
        begins = _begins(rules)
        for path in cache_folder().glob(f"{begins}*{LAYERS}"):
            ends = path.stem.removeprefix(begins)
            if NUMBERS.fullmatch(ends):  # else somebody put it there
                over, under, tables, *places = map(int, ends.split("_"))
                card, opponent = CardPlace(*places[:3]), CardPlace(*places[3:])
                yield cls(card, opponent, over / under, tables)

    def turn(self, model: Model) -> int:
        """Return how many turns both have had."""
        masks = (int(model.mask_C[place.c]) for place in (self.card, self.opponent))
        return sum(mask.bit_count() for mask in masks)


def _begins(rules: Rules) -> str:
    """Return how the folders of a game of two begin."""
    digest = hashlib.sha256(json.dumps(rules.model_dump(mode="json")).encode()).hexdigest()
    return f"{rules.name}.duel.{code()}.{digest[:16]}_"


class Checkpoints(Resumable):
    """The last two layers in memory, and in files the first ones and one: the last worth it.

    A layer of few dice may be computed as fast as it is written.

    Parameters
    ----------
    shapes : list of tuple of int
    files : LayerFiles
    seconds : list of float
        About what each layer takes to compute.
    """

    def __init__(self, shapes: list[Shape], files: LayerFiles, seconds: list[float]) -> None:
        super().__init__(shapes, files)
        self._seconds = seconds
        self._begun = len(shapes) - 1
        small = sum(total <= STAYING for total in accumulate(map(bytes_of, shapes)))
        self._staying = max(small, ALWAYS_READ)

    def fill(self, full_cards: Values, compute: Callable[[int], None], first: int = 0) -> bool:
        """Compute the layers that are not in files, and keep the cache within its limit."""
        whole = super().fill(full_cards, compute, first)
        make_room(spared=cache_folder() / self._files.folder)
        return whole

    def _missing(self) -> list[int]:
        missing = super()._missing()
        self._begun = missing[0] + 1 if missing else 0
        return missing

    def put(self, layer: int, values: Values) -> None:
        """Keep a finished layer, in files too if work enough was done since the last one there."""
        saved = sum(self._seconds[layer : self._begun])
        if layer < self._staying or bytes_of(self.shapes[layer]) / WRITTEN <= SHARE * saved:
            super().put(layer, values)
        else:
            LayerRetention.put(self, layer, values)

    def _drop_after(self, layer: int) -> None:
        for older in range(max(layer + 1, self._staying), len(self.shapes) - 1):
            self._files.drop(older, self.shapes[older])
        self._begun = layer


CardsOf = Callable[[CardPlace, CardPlace], list[tuple[TurnCards, TurnCards]]]
"""Returns the cards of each layer that follows two cards."""


def kept_solution(
    rules: Rules, model: Model, asked: DuelKey, cards: CardsOf
) -> DuelSolution | None:
    """Return what is asked as an earlier question answers it: the turn that follows the two cards.

    None where no layers of that are kept.
    """
    turn = asked.turn(model)
    for earlier in sorted(DuelKey.kept(rules), key=lambda one: -one.turn(model)):
        t = turn - earlier.turn(model)
        tie = earlier.tie if t % 2 == 0 else 1.0 - earlier.tie
        if t < 0 or (tie, earlier.tables) != (asked.tie, asked.tables):
            continue
        both = cards(earlier.card, earlier.opponent)[t : t + 2]
        if _occurs(model, asked, *both[0]):
            layers = [PairLayer.of(*pair) for pair in both]
            values = _read(rules, earlier, t, layers)
            if values:
                lanes = sum(_open_leads(*pair) for pair in cards(asked.card, asked.opponent))
                places = asked.card, asked.opponent
                return DuelSolution(rules, model, layers, values, *places, asked.tie, lanes)
    return None


def _occurs(model: Model, asked: DuelKey, moved: TurnCards, movers: TurnCards) -> bool:
    """Return whether two cards are among those of a layer, with their scores."""
    pairs = (asked.opponent, moved), (asked.card, movers)
    return all(
        cards.have(
            cards.number(rows_at(model, np.array(place.c), np.array(place.lane))),
            np.array(place.score),
        ).all()
        for place, cards in pairs
    )


def _read(
    rules: Rules, earlier: DuelKey, first: int, layers: list[PairLayer]
) -> list[Values | StoredLayer | None]:
    """Return some layers of an earlier question, none where one is not kept, or not as written."""
    files = earlier.files(rules)
    try:
        return [
            files.read(first + i, (earlier.tables, layer.size)) for i, layer in enumerate(layers)
        ]
    except DamagedError as error:
        files.drop_damaged(error)
    except OSError:  # such a layer was never kept, or has gone
        pass
    return []


def _open_leads(moved: TurnCards, movers: TurnCards) -> int:
    low, high = leads(moved, movers)
    return int((high - low).sum())
