"""The ends of games of two at once, for many games that come to them."""

from rollwise.rules import RulesLike
from rollwise.solving.duel.kept import Asked
from rollwise.solving.duel.layout import Cards, PairLayer
from rollwise.solving.duel.solver import DuelSolver
from rollwise.solving.place import START, CardPlace
from rollwise.solving.storage.cuts import Shape
from rollwise.solving.storage.keeping import Keeping, LastTwo


class EndSolver(DuelSolver):
    """Solves what follows pairs of cards with few open boxes, whatever was played before.

    Parameters
    ----------
    rules : Rules, str or Path
    boxes : int
        That the player to move has open; the other one has one less.
    mover, other : CardPlace, optional
        The only card of the player to move, and of the other one, with so many open boxes; any
        card of a game unless told. With one of them only what it is worth is kept.
    """

    def __init__(
        self,
        rules: RulesLike,
        boxes: int,
        *,
        mover: CardPlace | None = None,
        other: CardPlace | None = None,
    ) -> None:
        super().__init__(rules)
        self._keeps = False  # many cards are no question that anybody asks twice
        self._boxes, self._mover, self._other = boxes, mover, other

    @property
    def leads(self) -> float:
        """How many leads follow a card of the player to move, on average."""
        (_, movers), *_ = self._cards(START, START)
        return self.size(ties=False).lanes / len(movers)

    def _reached(self, place: CardPlace, against: CardPlace) -> tuple[list[Cards], list[Cards]]:
        moved, movers = super()._reached(self._mover or START, self._other or START)
        return moved[-self._boxes :], movers[-self._boxes - 1 :]

    def _keeping(self, layers: list[PairLayer], asked: Asked, on_disk: bool) -> Keeping:
        shapes: list[Shape] = [(asked.tables, layer.size) for layer in layers]
        return LastTwo(shapes) if self._mover or self._other else Keeping(shapes)
