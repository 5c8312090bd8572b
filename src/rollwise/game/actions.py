"""Player actions: keep dice and reroll, or score in a category."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import ClassVar, Literal

from rollwise.errors import InputError, quoted


def as_dice(dice: Iterable[int], example: str) -> tuple[int, ...]:
    """Return dice as a sorted tuple.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers; the message contains ``example``.
    """
    try:
        return tuple(sorted(map(index, dice)))
    except TypeError:
        raise InputError(
            f"dice must be a sequence of whole numbers, such as {example}, not {quoted(dice)}"
        ) from None


@dataclass(frozen=True)
class Keep:
    """The action of keeping some dice and rolling the others.

    Attributes
    ----------
    dice : tuple of int
        The symbols of the kept dice, sorted. Ordinary dice come before dice of other kinds.

    Raises
    ------
    InputError
        If ``dice`` is not a sequence of whole numbers.

    Examples
    --------
    >>> parse_action("yahtzee", "keep 66") == Keep((6, 6))
    True
    """

    dice: tuple[int, ...]
    kind: ClassVar[Literal["keep"]] = "keep"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", as_dice(self.dice, "Keep((6, 6))"))

    def __repr__(self) -> str:
        return f"Keep({self.dice})"


class Score:
    """The action of scoring the roll in a category, which ends the turn.

    Two of these actions are equal if they have the same key. If one of them has no key, they are
    equal if they have the same index.

    Parameters
    ----------
    category : str or int
        The key of the category, such as ``"sixes"``, or its index in scorecard order.
    key : str, optional
        The key, if ``category`` is the index.

    Raises
    ------
    InputError
        If ``category`` is neither a string nor a whole number.

    Examples
    --------
    >>> parse_action("yahtzee", "score sixes") == Score("sixes")
    True
    """

    kind: ClassVar[Literal["score"]] = "score"

    def __init__(self, category: int | str, key: str | None = None) -> None:
        self._category: int | None = None
        self.key: str | None = key
        if isinstance(category, str):
            self.key = category
            return
        try:
            self._category = index(category)
        except TypeError:
            raise InputError(
                "a category must be a key, such as Score('sixes'), or an index, not "
                f"{quoted(category)}"
            ) from None

    @property
    def category(self) -> int:
        """The index of the category in scorecard order.

        Raises
        ------
        InputError
            If the action has only a key; :meth:`Game.push` and :func:`parse_action` find the index.
        """
        if self._category is None:
            raise InputError(
                f"{self!r} belongs to no game yet; push it to a game, or write "
                f"parse_action(rules, 'score {self.key}')"
            )
        return self._category

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        if self.key is not None and other.key is not None:
            return self.key == other.key
        return self._category == other._category

    def __hash__(self) -> int:
        return hash(self.kind)  # actions with a key and without one can be equal

    def __repr__(self) -> str:
        return f"Score({self._category if self.key is None else self.key!r})"

    @staticmethod
    def each(keys: Sequence[str]) -> tuple["Score", ...]:
        """Return the action of each category in scorecard order."""
        return _scores_of(tuple(keys))


@lru_cache(maxsize=64)
def _scores_of(keys: tuple[str, ...]) -> tuple[Score, ...]:
    return tuple(Score(k, key) for k, key in enumerate(keys))


Action = Keep | Score
Kind = Literal["keep", "score"]
