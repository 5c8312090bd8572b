"""Custom strategies: objects with a few methods, whose decisions are checked against the rules.

A custom strategy is an object or a class, in Python or in a file. It needs no base class and no
import. (A file can also define a :class:`Strategy`, which is used unchanged.) Its methods are those
of :class:`SupportsKeep` and :class:`SupportsWorth`:

* ``keep(card, dice, rolls_left)`` returns the dice to keep.
* ``score(card, dice)`` returns the key of the category in which to score the final roll. Without
  this method, the strategy takes the category with the highest ``worth``, and without ``worth``,
  the category with the most points.
* ``worth(card, dice, key)`` returns the value of scoring the final roll in a category. Without
  ``keep``, the strategy maximizes the expected value of each turn.

A class with ``sees_upper = True`` can read ``card.upper``. A class with ``sees_score = True`` can
read ``card.upper`` and ``card.score``.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from traceback import walk_tb
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError, MalformedError
from rollwise.files import read_file
from rollwise.game.dice_notation import format_dice
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Cards, Choices, Turns, best_turn
from rollwise.strategies.custom_card import Card, RollDecision, SeenCards, keeps_of
from rollwise.strategies.strategy import Strategy

MAX_FILE_BYTES = 1_000_000
"""The largest file of a custom strategy in bytes."""


class SupportsKeep(Protocol):
    """A custom strategy that chooses the dice to keep.

    It can also have ``score(card, dice)`` or ``worth(card, dice, key)``, which choose the category.
    """

    def keep(self, card: Card, dice: tuple[int, ...], rolls_left: int, /) -> Iterable[int]:
        """Return the dice to keep.

        Parameters
        ----------
        card : Card
            The scorecard, as the strategy sees it.
        dice : tuple of int
            The roll: the symbols of all dice, sorted. For ordinary dice, symbols are faces; for
            dice of other kinds, ``card.rules.shown(dice)`` returns the numbers on the dice.
        rolls_left : int
            The number of rolls left, at least 1.

        Returns
        -------
        iterable of int
            The symbols of the dice to keep, in any order; empty to roll all dice, or the whole roll
            to keep all dice.
        """
        ...


class SupportsWorth(Protocol):
    """A custom strategy that maximizes the expected value of each turn."""

    def worth(self, card: Card, dice: tuple[int, ...], key: str, /) -> float:
        """Return the value of scoring a final roll in a category.

        Parameters
        ----------
        card : Card
            The scorecard, as the strategy sees it.
        dice : tuple of int
            The final roll: the symbols of all dice, sorted.
        key : str
            The key of a category in which the rules allow the roll to be scored.
        """
        ...


class CustomStrategy(Strategy):
    """The strategy of an object with the method ``keep`` or ``worth``.

    Parameters
    ----------
    player : SupportsKeep or SupportsWorth
        The object; the module docstring describes its methods.
    name : str, optional
        The name of the strategy (default: the object's attribute ``name``, or its class).
    source : tuple of str, optional
        The parameters of :meth:`of_source`, with which other processes create the object again.

    Raises
    ------
    MalformedError
        If the object has neither of these methods.
    """

    def __init__(
        self, player: Any, name: str | None = None, source: tuple[str, str, str] | None = None
    ) -> None:
        self.name = name or str(getattr(player, "name", type(player).__name__))
        if not hasattr(player, "keep") and not hasattr(player, "worth"):
            raise MalformedError(
                f"{self.name} cannot play, because it has no method keep or worth; define "
                "keep(card, dice, rolls_left) or worth(card, dice, key)"
            )
        self._player, self._source = player, source
        score = bool(getattr(player, "sees_score", False))
        self.sees = ("lane", "score")[
            : score + (score or bool(getattr(player, "sees_upper", False)))
        ]
        # A strategy that does not see the lane decides once for each class. Cache these decisions
        # for one game.
        self._policies_of = lru_cache(maxsize=1)(_no_policies)

    @classmethod
    def of_source(cls, path: str, source: str, class_name: str) -> "CustomStrategy":
        """Return the strategy of a class, or of an object, in the source of a Python file."""
        created = _created(path, source, class_name)
        return cls(created, f"{path}:{class_name}", (path, source, class_name))

    def __reduce__(self) -> Any:
        # Other processes cannot import the file as a module, so they run its source again.
        if self._source is not None:
            return CustomStrategy.of_source, self._source
        return CustomStrategy, (self._player, self.name)

    def turns(self, cards: Cards) -> Turns:
        """Return the policies of the object's decisions."""
        if "lane" in self.sees:
            return self._decided(cards)
        policies = self._policies_of(cards.model.rules)
        new = [c for c in cards.class_G.tolist() if c not in policies]
        if new:
            of_class = Cards(cards.model, *np.array([new, [0] * len(new), [0] * len(new)]))
            turns = self._decided(of_class)
            policies.update(zip(new, zip(turns.keeps, turns.categories, strict=True), strict=True))
        return Turns.stack(cards, (policies[c] for c in cards.class_G.tolist()))

    def _decided(self, cards: Cards) -> Turns:
        model, rerolls = cards.model, cards.rerolls
        seen, n_rolls = SeenCards(cards, self.sees), len(model.lattice.rolls)
        ends = [
            RollDecision(seen, r, left)
            for left in range(rerolls + 1 if model.rules.stops else 1)
            for r in range(n_rolls)
        ]
        if not hasattr(self._player, "keep"):
            value_E_G_K = np.array([self._values(decision) for decision in ends])
            best = (
                best_turn(model, value_E_K, rerolls) for value_E_K in value_E_G_K.swapaxes(0, 1)
            )
            return Turns.stack(cards, best)
        keeps = np.empty((seen.number, rerolls, n_rolls), dtype=np.uint16)
        for left in range(rerolls, 0, -1):
            for r in range(n_rolls):
                keeps[:, rerolls - left, r] = self._keeps(ends[r], left)
        categories = np.stack([self._categories(decision) for decision in ends], axis=1)
        return Turns(cards, keeps, categories.astype(np.uint8))

    def _keeps(self, decision: RollDecision, left: int) -> NDArray[np.float64]:
        """Return the lattice index of the dice to keep from a roll on each scorecard, shape (G,).

        ``left`` is the number of rerolls left.
        """
        points = keeps_of(decision.seen.rules.kinds, decision.dice)

        def keep(card: Card) -> int:
            faces = self._ask(self._player.keep, card, (decision.dice, left), left)
            dice: list[Any] = list(faces) if isinstance(faces, Iterable) else [None]
            if not all(isinstance(die, int | np.integer) for die in dice):
                self._refuse(card, f"returned {faces!r} from keep", "return a list of faces", left)
            point = points.get(tuple(sorted(map(int, dice))))
            if point is None:
                self._refuse(
                    card, f"returned {sorted(dice)} from keep", "keep only dice of the roll", left
                )
            return int(point)

        return decision.on_all(keep)

    def _categories(self, decision: RollDecision) -> NDArray[np.float64]:
        """Return the index of the category for a final roll on each scorecard, shape (G,)."""
        seen, dice = decision.seen, decision.dice
        if not hasattr(self._player, "score") and hasattr(self._player, "worth"):
            return np.asarray(self._values(decision).argmax(axis=1), dtype=np.float64)
        chosen = hasattr(self._player, "score")

        def score(card: Card) -> int:
            if chosen:
                key = self._ask(self._player.score, card, (dice,), 0)
            else:
                key = max(card.choices(dice), key=lambda key: card.points(dice, key))
            if not isinstance(key, str) or key not in seen.column:
                allowed = ", ".join(card.choices(dice))
                self._refuse(card, f"returned {key!r} from score", f"return one of {allowed}", 0)
            return seen.column[key]

        category_G = decision.on_all(score)
        wrong = np.flatnonzero(decision.legal_G >> category_G.astype(np.int64) & 1 == 0)
        if len(wrong):
            card, key = Card(decision, int(wrong[0])), seen.rules.keys[int(category_G[wrong[0]])]
            allowed = ", ".join(card.choices(dice))
            self._refuse(card, f"returned {key!r} from score", f"return one of {allowed}", 0)
        return category_G

    def _values(self, decision: RollDecision) -> NDArray[np.float64]:
        """Return the value of scoring a roll in each category on each scorecard, shape (G, K)."""
        seen = decision.seen
        value_G_K = np.full((seen.number, len(seen.column)), -np.inf)
        for key, k in seen.column.items():

            def worth(card: Card, key: str = key) -> float:
                value = self._ask(self._player.worth, card, (decision.dice, key), card.rolls_left)
                if not isinstance(value, int | float | np.number) or not np.isfinite(value):
                    self._refuse(
                        card, f"returned {value!r} from worth for {key}", "return a number", 0
                    )
                return float(value)

            legal = np.flatnonzero(decision.legal_G >> k & 1)
            value_G_K[legal, k] = decision.on_all(worth, legal)[legal]
        return value_G_K

    def _ask(
        self, method: Callable[..., Any], card: Card, arguments: tuple[Any, ...], left: int
    ) -> Any:
        try:
            return method(card, *arguments)
        except Exception as error:
            reason = _reason(error, self._source[0] if self._source else None)
            self._refuse(card, f"failed in {method.__name__}", reason, left, error)

    def _refuse(
        self, card: Card, what: str, expected: str, left: int, cause: Exception | None = None
    ) -> NoReturn:
        """Raise an IllegalError that names the decision, the position, and the expected result."""
        dice = format_dice(card.rules, card.decision.dice)
        where = f"dice {dice} | rolls-left {left} | open {','.join(card.open)}"
        raise IllegalError(f"{self.name} {what} at '{where}'; {expected}") from cause


def _no_policies(_: Rules) -> dict[int, Choices]:
    return {}


def _reason(error: Exception, path: str | None) -> str:
    """Return the error, after the line of the file at ``path`` in which it was raised."""
    text = str(error) if isinstance(error, IllegalError) else f"{type(error).__name__}: {error}"
    lines = [
        line for frame, line in walk_tb(error.__traceback__) if path == frame.f_code.co_filename
    ]
    return f"{path}, line {lines[-1]}: {text}" if lines else text


def _created(path: str, source: str, name: str) -> Any:
    """Run Python source and return the object called ``name``, or an instance if it is a class."""
    space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    try:
        exec(compile(source, path, "exec"), space)
        created = space[name]
        return created() if isinstance(created, type) else created
    except KeyError:
        raise MalformedError(f"{path} has no class {name}; check its name") from None
    except Exception as error:
        raise MalformedError(
            f"{path} does not run ({_reason(error, path)}); fix the error in the file"
        ) from error


def load_custom(text: str) -> Strategy:
    """Load the custom strategy ``FILE.py:CLASS``."""
    path, _, class_name = text.rpartition(":")
    if not path.endswith(".py") or not class_name.isidentifier():
        raise MalformedError(
            f"there is no strategy {text!r}; write a custom strategy as FILE.py:CLASS"
        )
    try:
        source = read_file(Path(path), MAX_FILE_BYTES).decode()
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not a UTF-8 text file; save it as UTF-8") from None
    player = _created(path, source, class_name)
    if isinstance(player, Strategy):
        player.name = text
        return player
    return CustomStrategy(player, text, (path, source, class_name))
