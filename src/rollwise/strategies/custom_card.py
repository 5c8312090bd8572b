"""The scorecard that a custom strategy sees. It records which properties the strategy reads.

A strategy makes the same decision on all scorecards that agree in the properties it reads, so one
call decides for a group of scorecards. :class:`Views` encodes the properties of many scorecards as
integer codes. A :class:`Card` records the properties that the strategy reads. A
:class:`BatchDecision` finds the other scorecards with the same codes. Each call gets a new
``Card``, which records the properties read for one decision.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice, legal_keeps
from rollwise.model.dice_lattice import Kinds, lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Cards

PropertyRead = tuple[Any, ...]
"""A property that was read: a word and its arguments, as in ``("open",)`` or ``("row", r, left)``.

``r`` is the index of a roll, and ``left`` is the number of rolls left.
"""

OPEN, TURN, UPPER, SCORE = ("open",), ("turn",), ("upper",), ("score",)


@lru_cache(maxsize=8)
def _number_of_roll(kinds: Kinds) -> dict[Dice, int]:
    return {roll: number for number, roll in enumerate(lattice(kinds).rolls)}


@lru_cache(maxsize=4096)
def keeps_of(kinds: Kinds, dice: Dice) -> dict[Dice, int]:
    """Return the lattice index of each set of dice to keep from a roll, including all dice."""
    return {keep: lattice(kinds).point(keep) for keep in (*legal_keeps(dice), dice)}


class Scores(NamedTuple):
    """The points of a roll in each category: a row of an option table.

    Attributes
    ----------
    by_category : dict of str to (int, int)
        The points of the roll in each category, and the bit of the category in ``legal``.
    legal : int
        A bit mask of the categories in which the rules allow the roll.
    """

    by_category: dict[str, tuple[int, int]]
    legal: int


class Views:
    """Several scorecards as a strategy sees them, all with the same number of rerolls.

    Each property of a scorecard has an integer *code*. A property is the same on two scorecards if
    and only if its codes are equal.

    Parameters
    ----------
    cards : Cards
    sees : tuple of str
        The properties that the strategy declares to read: ``"upper"``, ``"score"``.
    """

    def __init__(self, cards: Cards, sees: tuple[str, ...] = ()) -> None:
        model, classes_G, uppers_G, scores_G = cards
        self.model, self.rules, self.sees = model, model.rules, sees
        self.number = len(classes_G)
        open_G = model.open_boxes(classes_G) @ (1 << np.arange(len(model.rules.keys)))
        self.open_G: list[int] = open_G.tolist()
        self.rolls = model.lattice.rolls
        self.row_of_roll = _number_of_roll(model.rules.kinds)
        self.column = {key: k for k, key in enumerate(model.rules.keys)}
        self._classes_G = classes_G
        self._codes: dict[PropertyRead, NDArray[np.int64]] = {
            OPEN: open_G,
            TURN: np.bitwise_count(model.mask_C[classes_G]).astype(np.int64) + 1,
            UPPER: uppers_G,
            SCORE: scores_G,
        }
        self.keys = cache(lambda bits: tuple(k for k, i in self.column.items() if bits >> i & 1))
        self.scores = cache(self._scores)

    def codes(self, reading: PropertyRead) -> NDArray[np.int64]:
        """Return the code of a property of each scorecard, int64 of shape (G,)."""
        if reading not in self._codes:
            word, *of = reading
            if word == "holds":
                self._codes[reading] = self._codes[OPEN] >> of[0] & 1
            else:
                self._codes[reading] = self._row_codes(*of)
        return self._codes[reading]

    def _row_codes(self, r: int, left: int) -> NDArray[np.int64]:
        """Return a code for each scorecard that identifies its option table and row for a roll."""
        model = self.model
        special = np.flatnonzero(model.special_J == r)
        row_G = model.special_row_C_J[self._classes_G][:, special[0]] if len(special) else r
        table_G = model.table_C[self._classes_G].astype(np.int64) + left
        return np.asarray(table_G * model.option_T_V_K.shape[1] + row_G)

    def _scores(self, code: int) -> Scores:
        model = self.model
        option_K = model.option_T_V_K[divmod(code, model.option_T_V_K.shape[1])]
        by_category = {
            key: (points, 1 << k)
            for (key, k), points in zip(
                self.column.items(), model.total_points_O[option_K].tolist(), strict=True
            )
        }
        return Scores(
            by_category, sum(1 << k for k in np.flatnonzero(option_K != FORBIDDEN).tolist())
        )


class BatchDecision:
    """The decision about one roll on several scorecards.

    Attributes
    ----------
    legal_G : int64 array of shape (G,)
        A bit mask of the open categories in which the roll can be scored, for each scorecard.
    """

    def __init__(self, views: Views, r: int, left: int) -> None:
        self.views, self.dice, self.left = views, views.rolls[r], left
        reading = ("row", r, left)
        codes_G = views.codes(reading)
        self.row_G = [views.scores(code) for code in codes_G.tolist()]
        # Most rolls have the same scores on all scorecards.
        self.read_first = [reading] if (codes_G != codes_G[0]).any() else []
        legal_G = np.array([scores.legal for scores in self.row_G])
        self.legal_G = views.codes(OPEN) & legal_G

    def answers(
        self, ask: "Callable[[Card], float]", selected: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Return the decision for each scorecard, float64 of shape (G,).

        One call of ``ask`` decides for all scorecards that agree in the properties it reads.

        Parameters
        ----------
        ask : callable
            The function that decides for one scorecard.
        selected : int64 array, optional
            The scorecards that need a decision (default: all).
        """
        decision_G = np.zeros(self.views.number)
        groups = [np.arange(self.views.number) if selected is None else selected]
        while groups:
            group = groups.pop()
            if not len(group):
                continue
            card = Card(self, int(group[0]))
            decision = ask(card)
            if len(group) == 1:
                decision_G[card.number] = decision
                continue
            for reading in card.readings:
                codes = self.views.codes(reading)[group]
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
    survey : BatchDecision
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
    >>> simulate(Patient, "crag", games=100, seed=1).distribution.maximum
    160
    """

    # readings: the properties that were read, in the order of reading.
    __slots__ = ("_open_bits", "_scores", "number", "readings", "rolls_left", "rules", "survey")

    def __init__(self, survey: BatchDecision, g: int) -> None:
        self.rules: Rules = survey.views.rules
        self.rolls_left = survey.left
        self.readings: list[PropertyRead] = [*survey.read_first]
        self.survey, self.number = survey, g
        self._scores = survey.row_G[g]
        self._open_bits: int | None = None  # the open categories, if all were read

    def _read(self, reading: PropertyRead) -> int:
        self.readings.append(reading)
        return int(self.survey.views.codes(reading)[self.number])

    def _open(self) -> int:
        if self._open_bits is None:
            self.readings.append(OPEN)
            self._open_bits = self.survey.views.open_G[self.number]
        return self._open_bits

    def _holds(self, key: str) -> bool:
        """Return whether a category is open."""
        k = self.survey.views.column[key]
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
        if "upper" not in self.survey.views.sees:
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
        if "score" not in self.survey.views.sees:
            raise IllegalError("to read card.score, set sees_score = True in the class")
        return self._read(SCORE)

    def _scores_of(self, dice: Sequence[int]) -> Scores:
        views = self.survey.views
        row = views.row_of_roll[tuple(sorted(dice))]
        return views.scores(self._read(("row", row, self.survey.left)))

    def choices(self, dice: Sequence[int]) -> tuple[str, ...]:
        """Return the categories in which this roll can be scored, in scorecard order."""
        scores = self._scores if dice is self.survey.dice else self._scores_of(dice)
        return self.survey.views.keys(scores.legal & self._open())

    def points(self, dice: Sequence[int], key: str) -> int:
        """Return the points of a roll in a category, or zero if the category is not open.

        The points include joker scores and bonus points.
        """
        scores = self._scores if dice is self.survey.dice else self._scores_of(dice)
        points, bit = scores.by_category[key]
        if self._open_bits is None:
            return points if self._holds(key) else 0
        return points if self._open_bits & bit else 0  # inlined, because this code runs most often


class OpenCategories(Sequence[str]):
    """The keys of the open categories; ``key in categories`` reads only one category."""

    __slots__ = ("_card",)

    def __init__(self, card: Card) -> None:
        self._card = card

    @property
    def _keys(self) -> tuple[str, ...]:
        card = self._card
        return card.survey.views.keys(card._open())

    def __contains__(self, key: object) -> bool:
        return key in self._card.survey.views.column and self._card._holds(str(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, index: Any) -> Any:
        return self._keys[index]

    def __add__(self, other: Any) -> tuple[str, ...]:
        return self._keys + tuple(other)

    def __eq__(self, other: object) -> bool:
        return self._keys == (other._keys if isinstance(other, OpenCategories) else other)

    def __hash__(self) -> int:
        return hash(self._keys)

    def __repr__(self) -> str:
        return repr(self._keys)
