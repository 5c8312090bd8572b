"""Custom strategies from Python files, with each decision checked against the rules.

A custom strategy is a class in a file. It needs no base class and no import. The class has the
method ``keep``, the methods ``keep`` and ``category``, or the method ``worth``. (The file can also
define a :class:`Strategy`, which is used unchanged.)

``keep(self, card, dice, rolls_left)``
    Return the dice to keep, as a sequence of faces. Special dice have face codes
    (:mod:`rollwise.rules.dice`); ``card.rules.shown(dice)`` gives the numbers that the dice show.
``category(self, card, dice)``
    Return the key of the category in which to score the final roll (default: the category with
    the most points).
``worth(self, card, dice, key)``
    Return the value of scoring the final roll in a category. The strategy then maximizes the
    expected value of each turn.

``card`` is a :class:`rollwise.strategies.custom_card.Card`. A class with ``sees_upper = True`` can
read ``card.upper``. A class with ``sees_score = True`` can read ``card.upper`` and ``card.score``.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError, MalformedError
from rollwise.game.notation import format_dice
from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Choices, best_turn
from rollwise.strategies.custom_card import BatchDecision, Card, Views, keeps_of
from rollwise.strategies.strategy import BatchStrategy, Strategy


class CustomStrategy(BatchStrategy):
    """The strategy of a class in a Python file.

    Parameters
    ----------
    path, source : str
        The path of the file, for messages, and its content.
    class_name : str
        The name of the class in the file.
    player : object, optional
        The instance of the class (default: run the file to create it).

    Raises
    ------
    MalformedError
        If the file does not run or has no class with this name, or if the class has neither a
        method ``keep`` nor a method ``worth``.
    """

    def __init__(self, path: str, source: str, class_name: str, player: Any = None) -> None:
        self._made_of = (path, source, class_name)
        self.name = f"{path}:{class_name}"
        player = player or _created(path, source, class_name)
        if not hasattr(player, "keep") and not hasattr(player, "worth"):
            raise MalformedError(
                f"{self.name}: no method to play by: expected keep(card, dice, rolls_left), "
                "or worth(card, dice, key)"
            )
        self._player = player
        self.sees_score = bool(getattr(player, "sees_score", False))
        self.sees_lane = self.sees_score or bool(getattr(player, "sees_upper", False))
        self._sees = ("upper", "score")[: self.sees_lane + self.sees_score]
        # A strategy that does not see the lane decides once for each class. Cache one game.
        self._answers = lru_cache(maxsize=1)(_no_answers)

    def __reduce__(self) -> Any:
        # Other processes cannot import the file as a module, so they run its source again.
        return CustomStrategy, self._made_of

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        if self.sees_lane:
            return self._decided(model, classes_G, lanes_G, scores_G)
        policies = self._answers(model.rules)
        new_G = np.array([c for c in classes_G.tolist() if c not in policies], dtype=np.int64)
        if len(new_G):
            decided = self._decided(model, new_G, new_G * 0, new_G * 0)
            policies.update(zip(new_G.tolist(), zip(*decided, strict=True), strict=True))
        keeps, categories = zip(*(policies[c] for c in classes_G.tolist()), strict=True)
        return np.stack(keeps), np.stack(categories)

    def _decided(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        views = Views(model, classes_G, lanes_G, scores_G, self._sees)
        rerolls, n_rolls = int(model.rerolls_C[classes_G[0]]), len(views.rolls)
        ends = [
            BatchDecision(views, r, left)
            for left in range(rerolls + 1 if model.rules.stops else 1)
            for r in range(n_rolls)
        ]
        if hasattr(self._player, "worth"):
            value_E_G_K = np.array([self._values(survey) for survey in ends])
            turns = [
                best_turn(model, value_E_G_K[:, g], count=rerolls) for g in range(views.number)
            ]
            keeps = np.array([turn.keeps for turn in turns], dtype=np.uint16)
            categories = np.array([turn.categories for turn in turns], dtype=np.uint8)
            return keeps.reshape(len(turns), rerolls, n_rolls), categories
        keeps = np.empty((views.number, rerolls, n_rolls), dtype=np.uint16)
        for left in range(rerolls, 0, -1):
            for r in range(n_rolls):
                keeps[:, rerolls - left, r] = self._keeps(ends[r], left)
        categories = np.stack([self._categories(survey) for survey in ends], axis=1)
        return keeps, categories.astype(np.uint8)

    def _keeps(self, survey: BatchDecision, left: int) -> NDArray[np.float64]:
        """Return the dice to keep from a roll on each scorecard, as lattice indices, shape (G,).

        ``left`` is the number of rerolls left.
        """
        points = keeps_of(survey.views.rules.kinds, survey.dice)

        def keep(card: Card) -> int:
            faces = self._ask(self._player.keep, card, (survey.dice, left), left)
            dice: list[Any] = list(faces) if isinstance(faces, Iterable) else [None]
            if not all(isinstance(die, int | np.integer) for die in dice):
                self._refuse(card, f"keeps {faces!r}", "expected a list of faces", left)
            point = points.get(tuple(sorted(map(int, dice))))
            if point is None:
                self._refuse(card, f"keeps {sorted(dice)}", "expected dice of the roll", left)
            return int(point)

        return survey.answers(keep)

    def _categories(self, survey: BatchDecision) -> NDArray[np.float64]:
        """Return the index of the category for a final roll on each scorecard, shape (G,)."""
        views, dice = survey.views, survey.dice
        chosen = hasattr(self._player, "category")

        def category(card: Card) -> int:
            if chosen:
                key = self._ask(self._player.category, card, (dice,), 0)
            else:
                key = max(card.choices(dice), key=lambda key: card.points(dice, key))
            if not isinstance(key, str) or key not in views.column:
                allowed = ", ".join(card.choices(dice))
                self._refuse(card, f"scores in {key!r}", f"expected one of {allowed}", 0)
            return views.column[key]

        category_G = survey.answers(category)
        wrong = np.flatnonzero(survey.legal_G >> category_G.astype(np.int64) & 1 == 0)
        if len(wrong):
            card, key = Card(survey, int(wrong[0])), views.rules.keys[int(category_G[wrong[0]])]
            allowed = ", ".join(card.choices(dice))
            self._refuse(card, f"scores in {key!r}", f"expected one of {allowed}", 0)
        return category_G

    def _values(self, survey: BatchDecision) -> NDArray[np.float64]:
        """Return the value of scoring a roll in each category on each scorecard, shape (G, K)."""
        views = survey.views
        value_G_K = np.full((views.number, len(views.column)), -np.inf)
        for key, k in views.column.items():

            def worth(card: Card, key: str = key) -> float:
                value = self._ask(self._player.worth, card, (survey.dice, key), card.rolls_left)
                if not isinstance(value, int | float | np.number) or not np.isfinite(value):
                    self._refuse(card, f"finds {key} worth {value!r}", "expected a number", 0)
                return float(value)

            legal = np.flatnonzero(survey.legal_G >> k & 1)
            value_G_K[legal, k] = survey.answers(worth, legal)[legal]
        return value_G_K

    def _ask(
        self, method: Callable[..., Any], card: Card, arguments: tuple[Any, ...], left: int
    ) -> Any:
        try:
            return method(card, *arguments)
        except Exception as error:
            self._refuse(card, f"fails in {method.__name__}", _reason(error), left, error)

    def _refuse(
        self, card: Card, what: str, expected: str, left: int, cause: Exception | None = None
    ) -> NoReturn:
        """Raise IllegalError with the illegal decision, the position, and the expected decision."""
        dice = format_dice(card.rules, card.survey.dice)
        where = f"dice {dice} | rolls-left {left} | open {','.join(card.open)}"
        raise IllegalError(f"{self.name} {what} at '{where}': {expected}") from cause


def _no_answers(_: Rules) -> dict[int, tuple[NDArray[np.uint16], NDArray[np.uint8]]]:
    return {}


def _reason(error: Exception) -> str:
    text = str(error)
    return text if isinstance(error, IllegalError) else f"{type(error).__name__}: {text}"


def _created(path: str, source: str, name: str) -> Any:
    """Run Python source and return the object called ``name``, or an instance if it is a class."""
    space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    try:
        exec(compile(source, path, "exec"), space)
        created = space[name]
        return created() if isinstance(created, type) else created
    except KeyError:
        raise MalformedError(f"{path}: no class {name}: expected one there") from None
    except Exception as error:
        raise MalformedError(f"{path}: {_reason(error)}: expected Python that runs") from error


def load_custom(text: str) -> Strategy:
    """Load the custom strategy ``FILE.py:CLASS``.

    Raises
    ------
    MalformedError
        If the file has no valid strategy with this name.
    OSError
        If the file cannot be read.
    """
    path, _, class_name = text.rpartition(":")
    if not path.endswith(".py") or not class_name.isidentifier():
        raise MalformedError(f"no strategy {text!r}: expected FILE.py:CLASS")
    try:
        source = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MalformedError(f"{path}: expected Python as UTF-8 text") from None
    player = _created(path, source, class_name)
    if isinstance(player, Strategy):
        player.name = text
        return player
    return CustomStrategy(path, source, class_name, player)
