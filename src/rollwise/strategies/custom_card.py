"""The scorecard that a custom strategy sees. It records which properties the strategy reads.

A strategy makes the same decision on all scorecards that agree in the properties it reads, so one
call decides for a group of scorecards. Each call gets a new :class:`Card`, which records the
properties that are read for one decision. A :class:`RollDecision` then finds the other scorecards
with the same properties. The axis G are scorecards with the same number of rerolls.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice, legal_keeps
from rollwise.model.dice_lattice import Kinds, lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Cards

Property = tuple[Any, ...]
"""A property of a scorecard: a word and its arguments, as in ``("open",)`` or ``("row", r, left)``.

``r`` is the index of a roll, and ``left`` is the number of rolls left.
"""

OPEN, TURN, UPPER, SCORE = ("open",), ("turn",), ("upper",), ("score",)

Row = tuple[dict[str, int], int]
"""A row of an option table: the points of a roll by category, and a bit mask of the categories in
which the rules allow the roll."""


@lru_cache(maxsize=8)
def _number_of_roll(kinds: Kinds) -> dict[Dice, int]:
    return {roll: number for number, roll in enumerate(lattice(kinds).rolls)}


@lru_cache(maxsize=4096)
def keeps_of(kinds: Kinds, dice: Dice) -> dict[Dice, int]:
    """Return the lattice index of each set of dice to keep from a roll, including all dice."""
    return {keep: lattice(kinds).point(keep) for keep in (*legal_keeps(dice), dice)}


class SeenCards:
    """Scorecards as a strategy sees them.

    Each property of a scorecard has an integer *code*. A property is the same on two scorecards if
    and only if its codes are equal. ``sees`` has the quantities that the strategy declares to read
    (:attr:`rollwise.strategies.Strategy.sees`).
    """

    def __init__(self, cards: Cards, sees: tuple[str, ...]) -> None:
        model = cards.model
        self.cards, self.rules, self.sees = cards, model.rules, sees
        self.number, self.rolls = len(cards.class_G), model.lattice.rolls
        self.row_of_roll = _number_of_roll(model.rules.kinds)
        self.column = {key: k for k, key in enumerate(model.rules.keys)}
        open_G = model.open_categories(cards.class_G) @ (1 << np.arange(len(self.column)))
        self.open_G: list[int] = open_G.tolist()
        self._codes: dict[Property, NDArray[np.int64]] = {
            OPEN: open_G,
            TURN: np.bitwise_count(model.mask_C[cards.class_G]).astype(np.int64) + 1,
            UPPER: cards.lane_G,
            SCORE: cards.score_G,
        }
        self.keys = cache(lambda bits: tuple(k for k, i in self.column.items() if bits >> i & 1))
        self.row = cache(self._row)

    def codes(self, read: Property) -> NDArray[np.int64]:
        """Return the code of a property of each scorecard, int64 of shape (G,)."""
        if read not in self._codes:
            word, *of = read
            holds = word == "holds"
            self._codes[read] = self._codes[OPEN] >> of[0] & 1 if holds else self._row_codes(*of)
        return self._codes[read]

    def _row_codes(self, r: int, left: int) -> NDArray[np.int64]:
        """Return a code for each scorecard that identifies its option table and row for a roll."""
        model, class_G = self.cards.model, self.cards.class_G
        special = np.flatnonzero(model.special_J == r)
        row_G = model.special_row_C_J[class_G][:, special[0]] if len(special) else r
        table_G = model.table_C[class_G].astype(np.int64) + left
        return np.asarray(table_G * model.option_T_V_K.shape[1] + row_G)

    def _row(self, code: int) -> Row:
        model = self.cards.model
        option_K = model.option_T_V_K[divmod(code, model.option_T_V_K.shape[1])]
        points = dict(zip(self.column, model.total_points_O[option_K].tolist(), strict=True))
        return points, sum(1 << k for k in np.flatnonzero(option_K != FORBIDDEN).tolist())


class RollDecision:
    """The decision about one roll on several scorecards.

    ``legal_G`` is a bit mask of the open categories in which the roll can be scored, for each
    scorecard.
    """

    def __init__(self, seen: SeenCards, r: int, left: int) -> None:
        self.seen, self.dice, self.left = seen, seen.rolls[r], left
        codes_G = seen.codes(("row", r, left))
        self.row_G = [seen.row(code) for code in codes_G.tolist()]
        # Most rolls have the same row on all scorecards.
        self.read_first = [("row", r, left)] if (codes_G != codes_G[0]).any() else []
        self.legal_G = seen.codes(OPEN) & np.array([legal for _, legal in self.row_G])

    def on_all(
        self, decide: "Callable[[Card], float]", selected: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Return the decision on each scorecard, or on the selected ones, float64 of shape (G,).

        One call of ``decide`` decides for all scorecards that agree in the properties it reads.
        """
        decision_G = np.zeros(self.seen.number)
        groups = [np.arange(self.seen.number) if selected is None else selected]
        while groups:
            group = groups.pop()
            if not len(group):
                continue
            card = Card(self, int(group[0]))
            decision = decide(card)
            if len(group) == 1:
                decision_G[card.number] = decision
                continue
            for read in card.properties_read:
                codes = self.seen.codes(read)[group]
                same = codes == codes[0]
                if not same.all():
                    groups += _grouped(group[~same], codes[~same])
                    group = group[same]
            decision_G[group] = decision
        return decision_G


def _grouped(cards: NDArray[np.int64], codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return groups of scorecards with equal codes."""
    order = np.argsort(codes, kind="stable")
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    cards = cards[order]
    return [cards[start:end] for start, end in pairwise([0, *cuts.tolist(), len(cards)])]


class Card:
    """The scorecard that a custom strategy sees during a turn; it cannot be changed.

    rollwise creates the cards, and records what a strategy reads.

    Parameters
    ----------
    decision : RollDecision
        The decision for several scorecards.
    g : int
        The number of this scorecard in the decision.

    Attributes
    ----------
    rules : Rules
    rolls_left : int
        The number of rolls left if the turn ends now. In some games the points depend on it.

    Examples
    --------
    >>> class Patient:
    ...     def keep(self, card: Card, dice, rolls_left):
    ...         return [face for face in dice if face == 6] if "sixes" in card.open else ()
    >>> simulate(Patient, rules="crag", games=100, seed=1).maximum
    160
    """

    __slots__ = (
        "_open_bits",
        "_row",
        "decision",
        "number",
        "properties_read",
        "rolls_left",
        "rules",
    )

    def __init__(self, decision: RollDecision, g: int) -> None:
        self.rules: Rules = decision.seen.rules
        self.rolls_left = decision.left
        self.decision, self.number = decision, g
        self.properties_read: list[Property] = [*decision.read_first]  # in the order of reading
        self._row = decision.row_G[g]
        self._open_bits: int | None = None  # the open categories, if all were read

    def _read(self, read: Property) -> int:
        self.properties_read.append(read)
        return int(self.decision.seen.codes(read)[self.number])

    def _open(self) -> int:
        if self._open_bits is None:
            self.properties_read.append(OPEN)
            self._open_bits = self.decision.seen.open_G[self.number]
        return self._open_bits

    def _holds(self, key: str) -> bool:
        """Return whether a category is open."""
        k = self.decision.seen.column[key]
        if self._open_bits is None:
            return self._read(("holds", k)) == 1
        return self._open_bits >> k & 1 == 1

    @property
    def open(self) -> "OpenCategories":
        """The keys of the open categories, in scorecard order."""
        return OpenCategories(self)

    @property
    def turn(self) -> int:
        """The number of the turn; the first turn is 1."""
        return self._read(TURN)

    @property
    def upper(self) -> int:
        """The upper-section total, capped at the last threshold of the upper bonus.

        Raises
        ------
        IllegalError
            If the strategy does not declare ``sees_upper = True``.
        """
        if "lane" not in self.decision.seen.sees:
            raise IllegalError("to read card.upper, set sees_upper = True in the class")
        return self._read(UPPER)

    @property
    def score(self) -> int:
        """The points so far, excluding any upper bonus already earned.

        Raises
        ------
        IllegalError
            If the strategy does not declare ``sees_score = True``.
        """
        if "score" not in self.decision.seen.sees:
            raise IllegalError("to read card.score, set sees_score = True in the class")
        return self._read(SCORE)

    def _row_of(self, dice: Sequence[int]) -> Row:
        if dice is self.decision.dice:
            return self._row
        seen = self.decision.seen
        row = seen.row_of_roll[tuple(sorted(dice))]
        return seen.row(self._read(("row", row, self.rolls_left)))

    def choices(self, dice: Sequence[int]) -> tuple[str, ...]:
        """Return the categories in which this roll can be scored, in scorecard order."""
        _, legal = self._row_of(dice)
        return self.decision.seen.keys(legal & self._open())

    def points(self, dice: Sequence[int], key: str) -> int:
        """Return the points of a roll in a category, or zero if the category is not open.

        The points include joker scores and bonus points.
        """
        points, _ = self._row if dice is self.decision.dice else self._row_of(dice)
        return points[key] if self._holds(key) else 0


class OpenCategories(Sequence[str]):
    """The keys of the open categories; ``key in categories`` reads only one category."""

    __slots__ = ("_card",)

    def __init__(self, card: Card) -> None:
        self._card = card

    @property
    def _keys(self) -> tuple[str, ...]:
        return self._card.decision.seen.keys(self._card._open())

    def __contains__(self, key: object) -> bool:
        return key in self._card.decision.seen.column and self._card._holds(str(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, index: Any) -> Any:
        return self._keys[index]

    def __repr__(self) -> str:
        return repr(self._keys)
