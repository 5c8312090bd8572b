"""The ends of all games of two at once, for many games that come to them."""

from itertools import pairwise

from rollwise.rules import RulesLike
from rollwise.solving.duel.layout import Cards, Layer
from rollwise.solving.duel.solver import DuelSolver
from rollwise.solving.place import START, CardPlace
from rollwise.solving.storage.keeping import Keeping


class EndSolver(DuelSolver):
    """Solves what follows all pairs of cards with few open boxes, whatever was played before.

    Parameters
    ----------
    rules : Rules, str or Path
    boxes : int
        That the player to move has open; the other one has one less.
    """

    def __init__(self, rules: RulesLike, boxes: int) -> None:
        super().__init__(rules)
        self._boxes = boxes

    def _cards(self, place: CardPlace, against: CardPlace) -> list[tuple[Cards, Cards]]:
        cards = self._reach.cards_from(START)[-self._boxes - 1 :]
        turns = [(after, before) for before, after in pairwise(cards)]
        return [pair for after, before in turns for pair in ((after, before), (after, after))]

    def _keeping(
        self, layers: list[Layer], tables: int, tie: float | None, on_disk: bool
    ) -> Keeping:
        return Keeping([(tables, layer.size) for layer in layers])
