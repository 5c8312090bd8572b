"""The points of the payoff line: payoff and probability of each box, before a turn and within it.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College),
sections 6 and 7. Three variants: ``published`` computes what the paper prints, slips included;
``mended`` the same chains without them; ``exact`` the best play for each box in place of chains.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice
from rollwise.model.lattice import lattice
from rollwise.model.roll_points import category_points
from rollwise.model.turn import choose_keeps, keep_values, roll_values
from rollwise.rules import AnyRoll, FaceDice, Groups, Rules, Run
from rollwise.strategies import payoff_chains

Values = NDArray[np.float64]
Variant = Literal["published", "mended", "exact"]

UPPER_GOAL = 3
"""Dice that a turn wants of a face: three of each make the bonus."""

KIND_POINTS = 15
"""What three or four of a kind count in the fit of the line, where no face is known yet."""

SMALL_STRAIGHT_SLIP = 108 / 1296
"""Printed, and used, as entry (1, 1) of P, with which its column sums to more than 1."""

OF_A_KIND_SLIP = 129 / 1296
"""Not printed, but what the printed T²s comes from: 120 / 1296 as entry (1, 1) of T is right."""

SMALL_STRAIGHT_START = (844, 3420, 3022, 480)
"""Printed numbers of rolls in states 1 to 4; the third is 3000, and 32 rolls are in none."""

LARGE_STRAIGHT_START = (156, 1800, 3900, 1800, 120)
"""Printed numbers of rolls in states 1 to 5; the first is 155, and one roll is in none."""


@dataclass(frozen=True)
class Point:
    """One box before a reroll.

    Attributes
    ----------
    category : int
    state : int or None
        Dice that are kept already towards it; None where no chain is used.
    payoff : float
        Its points, those towards the bonus weighted, over the best possible total.
    probability, exact : float
        That the chain gets there; that the best play for this box alone does.
    distance : float
        From the line, positive above it.
    keep : tuple of int
        The dice kept on the way there.
    """

    category: int
    state: int | None
    payoff: float
    probability: float
    exact: float
    distance: float
    keep: Dice


@dataclass(frozen=True)
class Line:
    """probability = slope · payoff + intercept."""

    slope: float
    intercept: float

    def distance(self, payoff: float, probability: float) -> float:
        """Return how far a point is from the line, positive above it."""
        height = probability - (self.slope * payoff + self.intercept)
        return float(height / np.hypot(1.0, self.slope))


class Payoffs:
    """The points of one game.

    Raises
    ------
    IllegalError
        When the model has no payoff for a box of the rules, or only one for all of them.
    """

    def __init__(self, rules: Rules, variant: Variant) -> None:
        self.rules, self.variant = rules, variant
        self._exact: dict[tuple[int, int], tuple[Values, NDArray[np.int64]]] = {}
        if rules.other_dice:
            raise IllegalError(
                f"payoff-line has no chains for {rules.name}: expected dice that are all alike"
            )
        self.lattice = lattice(rules.kinds)
        counts_R_F = self.lattice.counts_P_F[self.lattice.first_roll :]
        self._points_R_K = np.stack(
            [category_points(rules, category, counts_R_F) for category in rules.categories], axis=1
        )
        bonus = rules.upper_bonus.points if rules.upper_bonus else 0
        self.best_total = int(self._points_R_K.max(axis=0).sum()) + bonus
        for category in rules.categories:
            fixed = not isinstance(category.points, str)
            known = isinstance(category.pattern, FaceDice | AnyRoll) or (
                isinstance(category.pattern, Groups) and len(category.pattern.sizes) == 1
            )
            if not fixed and not known:
                raise IllegalError(
                    f"payoff-line has no payoff for the box {category.key} of {rules.name}: "
                    "expected upper boxes, dice alike, straights, boxes of fixed points, any roll"
                )

    def points(self, k: int, face: int | None) -> float:
        """Return the points that going for a box counts on, with this face where it has one."""
        category = self.rules.categories[k]
        match category.pattern:
            case FaceDice(face=own):
                return UPPER_GOAL * own
            case Groups(sizes=(size,)) if isinstance(category.points, str):
                return KIND_POINTS if face is None else size * face
        return float(self._points_R_K[:, k].max())

    def payoff(self, k: int, face: int | None = None) -> float:
        """Return the payoff of a box: its share of the best total, the bonus spread over it."""
        points, bonus = self.points(k, face), self.rules.upper_bonus
        weighted = points
        if bonus and self.rules.categories[k].section == "upper":
            weighted += points / bonus.threshold * bonus.points
        return weighted / self.best_total

    def hits(self, k: int) -> Values:
        """Return 1 for each roll that is what a turn for this box wants, else 0, shape (R,)."""
        pattern = self.rules.categories[k].pattern
        if isinstance(pattern, FaceDice):
            shown = self.lattice.counts_P_F[self.lattice.first_roll :, pattern.face - 1]
            return (shown >= UPPER_GOAL).astype(np.float64)
        return (self._points_R_K[:, k] > 0).astype(np.float64)

    def exact(self, k: int, left: int) -> tuple[Values, NDArray[np.int64]]:
        """Return for each roll the best chance of a box, and the point kept for it, both (R,)."""
        if (k, left) not in self._exact:
            value_R = roll_values(self.lattice, self.hits(k), left - 1, "mean")[-1]
            value_P = keep_values(self.lattice, value_R, "mean")
            keep_R = choose_keeps(self.lattice, value_P, -1e-12)
            self._exact[k, left] = value_P[keep_R], keep_R
        return self._exact[k, left]

    def chain(self, k: int) -> tuple[Values, int] | None:
        """Return the chain of a box and the state it wants, None where the model has none.

        The matrix is of shape (states, states), one row for each state left, states from 0.
        """
        sizes = self.rules.dice, self.rules.faces
        match self.rules.categories[k].pattern:
            case FaceDice() if self.variant != "published":
                return payoff_chains.matrix_of(payoff_chains.one_face(*sizes)), UPPER_GOAL
            case FaceDice():
                return payoff_chains.matrix_of(payoff_chains.of_a_kind(*sizes)), UPPER_GOAL
            case Groups(sizes=(size,)):
                return payoff_chains.matrix_of(payoff_chains.of_a_kind(*sizes)), size
            case Run(length=length):
                matrix = payoff_chains.matrix_of(payoff_chains.straight(length, *sizes))
                if self.variant == "published" and (length, *sizes) == (4, 5, 6):
                    matrix[1, 1] = SMALL_STRAIGHT_SLIP
                return matrix, length
        return None

    def reach(self, k: int, state: int, left: int) -> float:
        """Return the probability that the chain of a box gets there from a state.

        As published, dice alike count only if they end in the state that is wanted and in none
        beyond it, unless it is reached already.
        """
        chain = self.chain(k)
        assert chain is not None
        matrix, wanted = chain
        if state >= wanted:
            return 1.0
        row = np.linalg.matrix_power(matrix, left)[state]
        return float(row[wanted] if self.variant == "published" else row[wanted:].sum())

    def point(self, k: int, roll: Dice, left: int) -> Point:
        """Return the point of a box for a roll with some rerolls left, 1 or more."""
        r = self.lattice.point(roll) - self.lattice.first_roll
        exact_R, keep_R = self.exact(k, left)
        held = self._held(k, roll)
        probability, keep = float(exact_R[r]), self.lattice.points[keep_R[r]]
        if held is None and self.variant == "published":
            # The chance of a full house is that of one roll, however many are left.
            chance_R, keep_R = self.exact(k, 1)
            probability, keep = float(chance_R[r]), self.lattice.points[keep_R[r]]
        elif held is not None and self.variant != "exact":
            probability, keep = self.reach(k, len(held), left), held
        payoff = self.payoff(k, held[-1] if held else None)
        return Point(
            category=k,
            state=None if held is None else len(held),
            payoff=payoff,
            probability=probability,
            exact=float(exact_R[r]),
            distance=self.line.distance(payoff, probability),
            keep=keep,
        )

    def whole_turns(self) -> list[Point]:
        """Return the points of whole turns, before any roll: those that the line is fitted to."""
        boxes = [
            k
            for k, category in enumerate(self.rules.categories)
            if not isinstance(category.pattern, AnyRoll)
        ]
        weight_R = self.lattice.weight_R / self.lattice.weight_R.sum()
        points = []
        for k in boxes:
            left = self.rules.rolls - 1
            exact_R, _ = self.exact(k, left)
            exact = float(exact_R @ weight_R)
            probability = exact
            if self.variant == "published":
                probability = self._published_turn(k)
            elif self.variant == "mended" and self.chain(k):
                held = [len(self._held(k, roll) or ()) for roll in self.lattice.rolls]
                by_state = [
                    self.reach(k, state, self.rules.rolls - 1) for state in range(max(held) + 1)
                ]
                probability = float(np.array(by_state)[held] @ weight_R)
            points.append(Point(k, None, self.payoff(k), probability, exact, 0.0, ()))
        return points

    @cached_property
    def line(self) -> Line:
        """The line of least squares through the points of whole turns."""
        points = self.whole_turns()
        payoffs = [point.payoff for point in points]
        if len(set(payoffs)) < 2:
            raise IllegalError(f"no payoff line for {self.rules.name}: expected two payoffs")
        slope, intercept = np.polyfit(payoffs, [point.probability for point in points], 1)
        return Line(float(slope), float(intercept))

    def _published_turn(self, k: int) -> float:
        """Return the probability of a whole turn as the paper has it: T²s, P²s and L²s."""
        left = self.rules.rolls - 1
        match self.rules.categories[k].pattern:
            case FaceDice():  # exactly three of a face, all of its dice kept
                chain = payoff_chains.matrix_of(
                    payoff_chains.one_face(self.rules.dice, self.rules.faces)
                )
                return float(np.linalg.matrix_power(chain, left + 1)[0, UPPER_GOAL])
            case Groups(sizes=(size,)):
                return float(self._published_kinds()[size])
            case Groups():  # a sixth of the threes of a kind
                return float(self._published_kinds()[3] / 6)
            case Run(length=length):
                chain, _ = self.chain(k) or (np.eye(1), 0)
                start = SMALL_STRAIGHT_START if length == 4 else LARGE_STRAIGHT_START
                state = np.array([0, *start]) / self.rules.faces**self.rules.dice
                return float((state @ np.linalg.matrix_power(chain, left))[length])
        raise AssertionError("checked when the payoffs were made")

    def _published_kinds(self) -> Values:
        """Return T²s as it is printed: state 0, which nothing is in, to five alike."""
        chain = payoff_chains.matrix_of(payoff_chains.of_a_kind())
        chain[1, 1] = OF_A_KIND_SLIP
        start = np.array([0.0, *map(float, payoff_chains.of_a_kind_start().values())])
        return np.asarray(start @ np.linalg.matrix_power(chain, self.rules.rolls - 1))

    def _held(self, k: int, roll: Dice) -> Dice | None:
        """Return the dice of a roll that the chain of a box keeps, None where there is no chain."""
        match self.rules.categories[k].pattern:
            case FaceDice(face=face):
                return (face,) * roll.count(face)
            case Groups(sizes=(_,)):
                face = max(roll, key=lambda face: (roll.count(face), face))
                return (face,) * roll.count(face)
            case Run(length=length):
                windows = [
                    tuple(sorted(set(roll) & set(range(low, low + length))))
                    for low in range(1, self.rules.faces - length + 2)
                ]
                return max(windows, key=lambda kept: (len(kept), kept))
        return None


@lru_cache(maxsize=16)
def payoffs(rules: Rules, variant: Variant) -> Payoffs:
    """Return the points of one game, made once."""
    return Payoffs(rules, variant)
