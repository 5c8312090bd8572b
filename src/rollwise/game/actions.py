"""Player actions: keep dice and reroll, announce a category, or score in a category."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import ClassVar, Literal, Self, TypeVar

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


class CategoryAction:
    """An action that names a category: :class:`Score` or :class:`Announce`.

    Two actions are equal if they have the same key. If one of them has no key, they are equal if
    they have the same index.
    """

    kind: ClassVar[Literal["score", "announce"]]

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
                f"a category must be a key, such as {type(self).__name__}('sixes'), or an index, "
                f"not {quoted(category)}"
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
                f"parse_action(rules, '{self.kind} {self.key}')"
            )
        return self._category

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CategoryAction) or other.kind != self.kind:
            return NotImplemented
        if self.key is not None and other.key is not None:
            return self.key == other.key
        return self._category == other._category

    def __hash__(self) -> int:
        return hash(self.kind)  # actions with a key and without one can be equal

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._category if self.key is None else self.key!r})"

    @classmethod
    def each(cls, keys: Sequence[str]) -> tuple[Self, ...]:
        """Return the action of each category in scorecard order."""
        return _actions_of(cls, tuple(keys))  # type: ignore[arg-type]  # classes are hashable


C = TypeVar("C", bound=CategoryAction)


@lru_cache(maxsize=64)
def _actions_of(action: type[C], keys: tuple[str, ...]) -> tuple[C, ...]:
    return tuple(action(k, key) for k, key in enumerate(keys))


class Score(CategoryAction):
    """The action of scoring the roll in a category, which ends the turn.

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


class Announce(CategoryAction):
    """The action of announcing the category in which the turn must be scored.

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
    >>> format_action("yahtzee", Announce("sixes"))
    'announce sixes'
    """

    kind: ClassVar[Literal["announce"]] = "announce"


Action = Keep | Score | Announce
Kind = Literal["announce", "keep", "score"]
