"""A strategy of one's own: a class in a Python file, held to the rules move by move.

The class needs no base class and no import. It has one of these, or both of the first two:

``keep(self, card, dice, rolls_left)``
    The dice to keep of a roll, as a sequence of faces. Dice of another kind have faces of their
    own (:mod:`rollwise.rules.dice`); ``card.rules.shown(dice)`` has the numbers on them.
``category(self, card, dice)``
    The key of the box in which the last roll is scored; the one with the most points unless told.
``worth(self, card, dice, key)``
    What scoring a roll in a box is worth; the turn is then played for the highest expectation.

``card`` is a :class:`rollwise.strategies.own_card.Card`. With ``sees_upper = True`` the class may
read ``card.upper``, with ``sees_score = True`` also ``card.score``.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError, MalformedError
from rollwise.game.notation import format_dice
from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.model.lattice import Lattice
from rollwise.model.turn import options_of
from rollwise.strategies.own_card import Card
from rollwise.strategies.strategy import Strategy, TurnPolicy, best_turn


class Own(Strategy):
    """The player of a class in a Python file.

    Parameters
    ----------
    path, source : str
        The file, for messages, and its text.
    class_name : str

    Raises
    ------
    MalformedError
        When the text is no Python, or has no such class, or one without a method to play by.
    """

    def __init__(self, path: str, source: str, class_name: str) -> None:
        self._made_of = (path, source, class_name)
        self.name = f"{path}:{class_name}"
        space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
        try:
            exec(compile(source, path, "exec"), space)
            player = space[class_name]()
        except KeyError:
            raise MalformedError(f"{path}: no class {class_name}: expected one there") from None
        except Exception as error:
            raise MalformedError(f"{path}: {_said(error)}: expected Python that runs") from error
        if not hasattr(player, "keep") and not hasattr(player, "worth"):
            raise MalformedError(
                f"{self.name}: no method to play by: expected keep(card, dice, rolls_left), "
                "or worth(card, dice, key)"
            )
        self._player = player
        self.sees_score = bool(getattr(player, "sees_score", False))
        self.sees_lane = self.sees_score or bool(getattr(player, "sees_upper", False))

    def __reduce__(self) -> Any:
        # Other processes have no module of this file: they run its text again.
        return Own, self._made_of

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Ask the class for every roll that may come."""
        upper, points = (
            lane if self.sees_lane else None,
            score if self.sees_score else None,
        )
        cards = [
            Card(model, c, upper, points, left)
            for left in range(len(options_of(model, c)) // len(model.lattice.rolls))
        ]
        asking = [_Asking(self.name, card) for card in cards]
        if hasattr(self._player, "worth"):
            worth_E_K = np.concatenate([self._worths(model, ask) for ask in asking])
            return best_turn(model, worth_E_K, count=int(model.rerolls_C[c]))
        lattice, last = model.lattice, int(model.rerolls_C[c])
        keeps = tuple(
            np.array([self._keep(lattice, asking[0], roll, left) for roll in lattice.rolls])
            for left in range(last, 0, -1)
        )
        scored = [self._category(ask, roll) for ask in asking for roll in lattice.rolls]
        return TurnPolicy(keeps, np.array(scored))

    def _keep(self, lattice: Lattice, asking: "_Asking", roll: Dice, left: int) -> int:
        kept = asking(self._player.keep, (roll, left), roll, left)
        dice: list[Any] = list(kept) if isinstance(kept, Iterable) else [None]
        if not all(isinstance(die, int | np.integer) for die in dice):
            asking.refuse(f"keeps {kept!r}", "expected a list of faces", roll, left)
        keep = tuple(sorted(map(int, dice)))
        if Counter(keep) - Counter(roll):
            asking.refuse(f"keeps {list(keep)}", "expected dice of the roll", roll, left)
        return lattice.point(keep)

    def _category(self, asking: "_Asking", roll: Dice) -> int:
        card = asking.card
        if hasattr(self._player, "category"):
            key = asking(self._player.category, (roll,), roll, 0)
        else:
            key = max(card.choices(roll), key=lambda key: card.points(roll, key))
        if not isinstance(key, str) or not card.may_score(roll, key):
            allowed = ", ".join(card.choices(roll))
            asking.refuse(f"scores in {key!r}", f"expected one of {allowed}", roll, 0)
        return card.rules.category_index(key)

    def _worths(self, model: Model, asking: "_Asking") -> NDArray[np.float64]:
        rules, card = model.rules, asking.card
        worth_R_K = np.full((len(model.lattice.rolls), len(rules.keys)), -np.inf)
        for r, roll in enumerate(model.lattice.rolls):
            for key in card.choices(roll):
                worth = asking(self._player.worth, (roll, key), roll, card.rolls_left)
                if not isinstance(worth, int | float | np.number) or not np.isfinite(worth):
                    asking.refuse(f"finds {key} worth {worth!r}", "expected a number", roll, 0)
                worth_R_K[r, rules.category_index(key)] = worth
        return worth_R_K


class _Asking:
    """Asks methods of a class, and says where one went wrong."""

    def __init__(self, name: str, card: Card) -> None:
        self.name, self.card = name, card

    def __call__(
        self, method: Callable[..., Any], arguments: tuple[Any, ...], roll: Dice, left: int
    ) -> Any:
        try:
            return method(self.card, *arguments)
        except Exception as error:
            self.refuse(f"fails in {method.__name__}", _said(error), roll, left, error)

    def refuse(
        self, what: str, expected: str, roll: Dice, left: int, cause: Exception | None = None
    ) -> None:
        """Raise IllegalError: what the strategy does, where, and what was expected."""
        dice = format_dice(self.card.rules, roll)
        where = f"dice {dice} | rolls-left {left} | open {','.join(self.card.open)}"
        raise IllegalError(f"{self.name} {what} at '{where}': {expected}") from cause


def _said(error: Exception) -> str:
    text = str(error)
    return text if isinstance(error, IllegalError) else f"{type(error).__name__}: {text}"


def load_own(text: str) -> Own:
    """Return the strategy that ``FILE.py:CLASS`` names.

    Raises
    ------
    MalformedError
        When there is none.
    OSError
        When the file cannot be read.
    """
    path, _, class_name = text.rpartition(":")
    if not path.endswith(".py") or not class_name.isidentifier():
        raise MalformedError(f"no strategy {text!r}: expected FILE.py:CLASS")
    try:
        source = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MalformedError(f"{path}: expected Python as UTF-8 text") from None
    return Own(path, source, class_name)
