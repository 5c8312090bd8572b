"""What an earlier question to a game of two left on disk: the answer to the next ones."""

from collections.abc import Callable

import numpy as np

from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.duel.kept import Asked
from rollwise.solving.duel.layout import Cards, PairLayer, leads, rows_at
from rollwise.solving.duel.solution import DuelSolution, Values
from rollwise.solving.place import CardPlace
from rollwise.solving.storage.layer_files import DamagedError
from rollwise.solving.storage.stored_layer import StoredLayer

CardsOf = Callable[[CardPlace, CardPlace], list[tuple[Cards, Cards]]]
"""Returns the cards of each layer that follows two cards."""


def kept_solution(rules: Rules, model: Model, asked: Asked, cards: CardsOf) -> DuelSolution | None:
    """Return what is asked as an earlier question answers it: the turn that follows the two cards.

    None where no layers of that are kept.
    """
    turn = asked.turn(model)
    for earlier in sorted(Asked.kept(rules), key=lambda one: -one.turn(model)):
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


def _occurs(model: Model, asked: Asked, moved: Cards, movers: Cards) -> bool:
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
    rules: Rules, earlier: Asked, first: int, layers: list[PairLayer]
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


def _open_leads(moved: Cards, movers: Cards) -> int:
    low, high = leads(moved, movers)
    return int((high - low).sum())
