"""A card as a strategy of one's own sees it, and what of it was read.

A strategy answers alike on all cards of which it reads the same: a :class:`Card` notes what is
read, and a :class:`Survey` finds the other cards that would have shown the same. It asks each
time with a card of its own, so that nothing is known of a card but what was read for this answer.

What a strategy of one's own may see of some cards, as numbers: equal for what looks equal.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice, legal_keeps
from rollwise.model.arrays import Model
from rollwise.model.lattice import Kinds, lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.rules import Rules

Reading = tuple[Any, ...]
"""What was read: a word, and of what. ``("open",)``, ``("holds", k)``, ``("row", r, left)``, …"""

OPEN, TURN, UPPER, SCORE = ("open",), ("turn",), ("upper",), ("score",)


@lru_cache(maxsize=8)
def _number_of_roll(kinds: Kinds) -> dict[Dice, int]:
    return {roll: number for number, roll in enumerate(lattice(kinds).rolls)}


@lru_cache(maxsize=4096)
def keeps_of(kinds: Kinds, dice: Dice) -> dict[Dice, int]:
    """Return the point of everything that can be kept of a roll, all of it too, by its dice."""
    return {keep: lattice(kinds).point(keep) for keep in (*legal_keeps(dice), dice)}


class Scores(NamedTuple):
    """What one row of an option table gives.

    Attributes
    ----------
    boxes : dict of str to (int, int)
        Points and bit of each box.
    legal : int
        The bits of those in which the rules allow to score.
    """

    boxes: dict[str, tuple[int, int]]
    legal: int


class Views:
    """Some cards as a strategy may see them, all with turns of one length.

    What can be read of a card is told by a number, its *code*, equal for what looks equal.

    Parameters
    ----------
    classes_G, uppers_G, scores_G : int64 arrays of shape (G,)
    sees : tuple of str
        Which of ``"upper"`` and ``"score"`` the strategy has announced that it reads.
    """

    def __init__(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        uppers_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
        sees: tuple[str, ...] = (),
    ) -> None:
        self.model, self.rules, self.sees = model, model.rules, sees
        self.number = len(classes_G)
        boxes_G = model.open_boxes(classes_G) @ (1 << np.arange(len(model.rules.keys)))
        self.boxes_G: list[int] = boxes_G.tolist()
        self.rolls = model.lattice.rolls
        self.row_of_roll = _number_of_roll(model.rules.kinds)
        self.column = {key: k for k, key in enumerate(model.rules.keys)}
        self._classes_G = classes_G
        self._codes: dict[Reading, NDArray[np.int64]] = {
            OPEN: boxes_G,
            TURN: np.bitwise_count(model.mask_C[classes_G]).astype(np.int64) + 1,
            UPPER: uppers_G,
            SCORE: scores_G,
        }
        self.keys = cache(lambda boxes: tuple(k for k, i in self.column.items() if boxes >> i & 1))
        self.scores = cache(self._scores)

    def codes(self, reading: Reading) -> NDArray[np.int64]:
        """Return the code of what a reading shows of each card, int64 of shape (G,)."""
        if reading not in self._codes:
            word, *of = reading
            if word == "holds":
                self._codes[reading] = self._codes[OPEN] >> of[0] & 1
            else:
                self._codes[reading] = self._row_codes(*of)
        return self._codes[reading]

    def _row_codes(self, r: int, left: int) -> NDArray[np.int64]:
        """Return by which row of which option table a roll is scored on each card, as one code."""
        model = self.model
        special = np.flatnonzero(model.special_J == r)
        row_G = model.special_row_C_J[self._classes_G][:, special[0]] if len(special) else r
        table_G = model.table_C[self._classes_G].astype(np.int64) + left
        return np.asarray(table_G * model.option_T_V_K.shape[1] + row_G)

    def _scores(self, code: int) -> Scores:
        model = self.model
        option_K = model.option_T_V_K[divmod(code, model.option_T_V_K.shape[1])]
        boxes = {
            key: (points, 1 << k)
            for (key, k), points in zip(
                self.column.items(), model.step_O[option_K].tolist(), strict=True
            )
        }
        return Scores(boxes, sum(1 << k for k in np.flatnonzero(option_K != FORBIDDEN).tolist()))


class Survey:
    """What to do with a roll, asked of some cards when so many rolls are left.

    Attributes
    ----------
    legal_G : int64 array
        A bit for each box in which the roll may be scored.
    """

    def __init__(self, views: Views, r: int, left: int) -> None:
        self.views, self.dice, self.left = views, views.rolls[r], left
        reading = ("row", r, left)
        codes_G = views.codes(reading)
        self.row_G = [views.scores(code) for code in codes_G.tolist()]
        # Of most rolls all cards show the same.
        self.read_first = [reading] if (codes_G != codes_G[0]).any() else []
        legal_G = np.array([scores.legal for scores in self.row_G])
        self.legal_G = views.codes(OPEN) & legal_G

    def answers(
        self, ask: "Callable[[Card], float]", asked: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Return the answer for each card, float64 of shape (G,): one for all that read alike.

        Parameters
        ----------
        ask : callable
            Answers for one card.
        asked : int64 array, optional
            The cards that are asked about; all of them unless told.
        """
        answer_G = np.zeros(self.views.number)
        groups = [np.arange(self.views.number) if asked is None else asked]
        while groups:
            alike = groups.pop()
            if not len(alike):
                continue
            card = Card(self, int(alike[0]))
            answer = ask(card)
            if len(alike) == 1:
                answer_G[card.number] = answer
                continue
            for reading in card.readings:
                codes = self.views.codes(reading)[alike]
                same = codes == codes[0]
                if not same.all():
                    groups += _parted(alike[~same], codes[~same])
                    alike = alike[same]
            answer_G[alike] = answer
        return answer_G


def _parted(cards: NDArray[np.int64], codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the cards of each code."""
    order = np.argsort(codes, kind="stable")
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    cards = cards[order]
    return [cards[start:end] for start, end in pairwise([0, *cuts.tolist(), len(cards)])]


class Card:
    """The card between rolls; it never changes.

    Attributes
    ----------
    rules : Rules
    rolls_left : int
        Rolls that the turn is not to take, if it ends now; they matter where points depend on them.
    """

    # readings: what was read of the card, in this order.
    __slots__ = ("_boxes", "_scores", "number", "readings", "rolls_left", "rules", "survey")

    def __init__(self, survey: Survey, g: int) -> None:
        self.rules: Rules = survey.views.rules
        self.rolls_left = survey.left
        self.readings: list[Reading] = [*survey.read_first]
        self.survey, self.number = survey, g
        self._scores = survey.row_G[g]
        self._boxes: int | None = None  # those open, once they were all read

    def _read(self, reading: Reading) -> int:
        self.readings.append(reading)
        return int(self.survey.views.codes(reading)[self.number])

    def _open(self) -> int:
        if self._boxes is None:
            self.readings.append(OPEN)
            self._boxes = self.survey.views.boxes_G[self.number]
        return self._boxes

    def _holds(self, key: str) -> bool:
        """Return whether a box of the game is open."""
        k = self.survey.views.column[key]
        if self._boxes is None:
            return self._read(("holds", k)) == 1
        return self._boxes >> k & 1 == 1

    @property
    def open(self) -> "OpenBoxes":
        """The keys of the boxes that may be filled next, in card order."""
        return OpenBoxes(self)

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return self._read(TURN)

    @property
    def upper(self) -> int:
        """The total of the upper section, at most the threshold of its bonus.

        Raises
        ------
        IllegalError
            When the strategy has not said ``sees_upper = True``.
        """
        if "upper" not in self.survey.views.sees:
            raise IllegalError("it reads card.upper: expected sees_upper = True in its class")
        return self._read(UPPER)

    @property
    def score(self) -> int:
        """The points so far, without an upper bonus already earned.

        Raises
        ------
        IllegalError
            When the strategy has not said ``sees_score = True``.
        """
        if "score" not in self.survey.views.sees:
            raise IllegalError("it reads card.score: expected sees_score = True in its class")
        return self._read(SCORE)

    def _scores_of(self, dice: Sequence[int]) -> Scores:
        views = self.survey.views
        row = views.row_of_roll[tuple(sorted(dice))]
        return views.scores(self._read(("row", row, self.survey.left)))

    def choices(self, dice: Sequence[int]) -> tuple[str, ...]:
        """Return the boxes in which this roll may be scored, in card order."""
        scores = self._scores if dice is self.survey.dice else self._scores_of(dice)
        return self.survey.views.keys(scores.legal & self._open())

    def points(self, dice: Sequence[int], key: str) -> int:
        """Return what this roll scores in this box now, jokers and the extra bonus included.

        Nothing where the box is not open.
        """
        scores = self._scores if dice is self.survey.dice else self._scores_of(dice)
        points, box = scores.boxes[key]
        if self._boxes is None:
            return points if self._holds(key) else 0
        return points if self._boxes & box else 0  # in short: this is asked most often


class OpenBoxes(Sequence[str]):
    """The keys of open boxes; to ask for one of them reads no more of the card than that."""

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
        return self._keys == (other._keys if isinstance(other, OpenBoxes) else other)

    def __hash__(self) -> int:
        return hash(self._keys)

    def __repr__(self) -> str:
        return repr(self._keys)
