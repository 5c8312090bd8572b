"""Linear regression of probability on payoff for each category (the payoff line).

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College),
sections 6 and 7. The variants of the strategy are:

* ``published`` computes the numbers of the paper, with its errors;
* ``corrected`` uses the same chains without the errors;
* ``exact`` uses the optimal policy for each category instead of chains;
* ``second-table`` counts the dice that the roll shows, as in the second table of section 7;
* ``transcript`` matches the transcript of the paper best. It is ``second-table``, but an
  unfinished full house has the probability of a whole turn.
"""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.scorecard import Dice
from rollwise.model.dice_lattice import lattice
from rollwise.model.roll_points import category_points
from rollwise.model.turn import choose_keeps, keep_values, roll_values
from rollwise.rules import AnyRoll, FaceDice, Groups, Rules, Run
from rollwise.strategies import payoff_chains, payoff_paper
from rollwise.strategies.payoff_file import CustomPayoffs, check_custom_payoffs

Values = NDArray[np.float64]
Variant = Literal["published", "corrected", "exact", "second-table", "transcript"]

UPPER_GOAL = 3
"""The target number of dice in an upper category. Three dice of each face earn the bonus."""

KIND_POINTS = 15
"""The points of three or four of a kind in the regression, where the face is not known."""

OF_THE_PAPER: tuple[Variant, ...] = ("published", "second-table", "transcript")
"""The variants that reproduce the errors of the paper."""


@dataclass(frozen=True)
class Point:
    """The payoff and the probability of a category before a reroll.

    Attributes
    ----------
    category : int
    state : int or None
        The state of the chain: the number of dice to keep. None if the category has no chain.
    points : float
        The points of a success.
    payoff : float
        The points plus a proportional part of the upper bonus, divided by the highest possible
        total.
    probability, exact : float
        The probability of a success in the variant, and the probability of a success with the
        optimal policy for the category.
    distance : float
        The distance from the line, positive above the line.
    keep : tuple of int
        The dice to keep for the category.
    """

    category: int
    state: int | None
    points: float
    payoff: float
    probability: float
    exact: float
    distance: float
    keep: Dice


@dataclass(frozen=True)
class FittedLine:
    """The regression line: probability = slope · payoff + intercept."""

    slope: float
    intercept: float

    def distance(self, payoff: float, probability: float) -> float:
        """Return the distance of (payoff, probability) from the line, positive above the line."""
        height = probability - (self.slope * payoff + self.intercept)
        return float(height / np.hypot(1.0, self.slope))


class Payoffs:
    """The payoffs and probabilities of all categories of a game.

    Parameters
    ----------
    rules : Rules
    variant : str
    custom : tuple of (str, float)
        Custom payoffs in points: see :mod:`rollwise.strategies.payoff_file`. They are complete, so
        no part of the upper bonus is added to them.

    Raises
    ------
    IllegalError
        If the strategy defines no payoff for a category of the game.
    InputError
        If a custom payoff belongs to no category that the strategy can go for.
    """

    def __init__(self, rules: Rules, variant: Variant, custom: CustomPayoffs = ()) -> None:
        check_custom_payoffs(custom, rules)
        self.rules, self.variant, self.custom = rules, variant, dict(custom)
        self.has_errors = variant in OF_THE_PAPER
        self.exact = cache(self._exact)
        if rules.other_dice:
            raise IllegalError(
                f"the strategy payoff-line cannot play {rules.name}, because its dice differ; "
                "choose another strategy"
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
            has_payoff = isinstance(category.pattern, FaceDice | AnyRoll) or (
                isinstance(category.pattern, Groups) and len(category.pattern.sizes) == 1
            )
            if not fixed and not has_payoff and category.key not in self.custom:
                raise IllegalError(
                    f"the strategy payoff-line has no payoff for the category {category.key} of "
                    f"{rules.name}; choose another strategy, or give its payoff in a file"
                )
        if self.has_errors:
            payoff_paper.check(rules)

    def points(self, k: int, roll: Dice | None = None) -> float:
        """Return the points of a success in category ``k``.

        ``roll`` is the roll before the decision, or None before a turn.
        """
        category = self.rules.categories[k]
        if category.key in self.custom:
            return self.custom[category.key]
        as_shown = roll is not None and self.variant in ("second-table", "transcript")
        match category.pattern:
            case FaceDice(face=own):
                return own * (roll.count(own) if roll and as_shown else UPPER_GOAL)
            case Groups(sizes=(size,)) if isinstance(category.points, str):
                if roll is None:
                    return KIND_POINTS
                return sum(roll) if as_shown else size * commonest(roll)
        return float(self._points_R_K[:, k].max())

    def payoff(self, k: int, points: float) -> float:
        """Return the payoff of ``points`` in category ``k``.

        The payoff is the points plus a proportional part of the upper bonus, divided by the highest
        possible total.
        """
        weighted, bonus, category = points, self.rules.upper_bonus, self.rules.categories[k]
        if bonus and category.section == "upper" and category.key not in self.custom:
            weighted += points / bonus.threshold * bonus.points
        return weighted / self.best_total

    def hits(self, k: int) -> Values:
        """Return 1 for each roll that is a success in category ``k``, otherwise 0, shape (R,)."""
        pattern = self.rules.categories[k].pattern
        if isinstance(pattern, FaceDice):
            shown = self.lattice.counts_P_F[self.lattice.first_roll :, pattern.face - 1]
            return (shown >= UPPER_GOAL).astype(np.float64)
        return (self._points_R_K[:, k] > 0).astype(np.float64)

    def _exact(self, k: int, left: int) -> tuple[Values, NDArray[np.int64]]:
        """Return the highest success probability of each roll, and the dice to keep.

        Both arrays have shape (R,). The dice to keep are lattice indices.
        """
        value_R = roll_values(self.lattice, self.hits(k), left - 1, "mean")[-1]
        value_P = keep_values(self.lattice, value_R, "mean")
        keep_R = choose_keeps(self.lattice, value_P, -1e-12)
        return value_P[keep_R], keep_R

    def chain(self, k: int) -> tuple[Values, int] | None:
        """Return the transition matrix and the target state of a category.

        Return None if the category has no chain. The matrix has shape (states, states), with one
        row for each previous state.
        """
        sizes = self.rules.dice, self.rules.faces
        match self.rules.categories[k].pattern:
            case FaceDice() if not self.has_errors:
                return payoff_chains.matrix_of(payoff_chains.one_face(*sizes)), UPPER_GOAL
            case FaceDice():
                return payoff_chains.matrix_of(payoff_chains.of_a_kind(*sizes)), UPPER_GOAL
            case Groups(sizes=(size,)):
                return payoff_chains.matrix_of(payoff_chains.of_a_kind(*sizes)), size
            case Run(length=length):
                if self.has_errors:
                    return payoff_paper.straight(length).matrix, length
                return payoff_chains.matrix_of(payoff_chains.straight(length, *sizes)), length
        return None

    def reach(self, k: int, state: int, left: int) -> float:
        """Return the probability that the chain of a category reaches its target from a state.

        The paper counts only turns that end exactly in the target state, unless the target is
        already reached. The variants that reproduce its errors do the same.
        """
        chain = self.chain(k)
        assert chain is not None
        matrix, wanted = chain
        if state >= wanted:
            return 1.0
        row = np.linalg.matrix_power(matrix, left)[state]
        return float(row[wanted] if self.has_errors else row[wanted:].sum())

    def point(self, k: int, roll: Dice, left: int) -> Point:
        """Return the payoff and probability of category ``k`` for a roll.

        ``left`` is the number of rerolls left.
        """
        r = self.lattice.point(roll) - self.lattice.first_roll
        exact_R, keep_R = self.exact(k, left)
        held = self._held(k, roll)
        probability, keep = float(exact_R[r]), self.lattice.points[keep_R[r]]
        if held is None and self.has_errors:
            # The paper uses the probability of a full house in one reroll, even with two left.
            probability_R, keep_R = self.exact(k, 1)
            probability, keep = float(probability_R[r]), self.lattice.points[keep_R[r]]
            if self.variant == "transcript" and probability < 1:
                probability = self._published_turn(k)
        elif held is not None and self.variant != "exact":
            probability, keep = self.reach(k, len(held), left), held
        points = self.points(k, roll)
        payoff = self.payoff(k, points)
        return Point(
            category=k,
            state=None if held is None else len(held),
            points=points,
            payoff=payoff,
            probability=probability,
            exact=float(exact_R[r]),
            distance=self.line.distance(payoff, probability),
            keep=keep,
        )

    def whole_turns(self) -> list[Point]:
        """Return the data of the regression: payoffs and probabilities before the first roll."""
        categories = [
            k
            for k, category in enumerate(self.rules.categories)
            if not isinstance(category.pattern, AnyRoll)
        ]
        weight_R = self.lattice.weight_R / self.lattice.weight_R.sum()
        points = []
        for k in categories:
            left = self.rules.rolls - 1
            exact_R, _ = self.exact(k, left)
            exact = float(exact_R @ weight_R)
            probability = exact
            if self.has_errors:
                probability = self._published_turn(k)
            elif self.variant == "corrected" and self.chain(k):
                held = [len(self._held(k, roll) or ()) for roll in self.lattice.rolls]
                by_state = [
                    self.reach(k, state, self.rules.rolls - 1) for state in range(max(held) + 1)
                ]
                probability = float(np.array(by_state)[held] @ weight_R)
            counted = self.points(k)
            payoff = self.payoff(k, counted)
            points.append(Point(k, None, counted, payoff, probability, exact, 0.0, ()))
        return points

    @cached_property
    def line(self) -> FittedLine:
        """The least-squares line through the coordinates of whole turns."""
        points = self.whole_turns()
        payoffs = [point.payoff for point in points]
        if len(set(payoffs)) < 2:
            raise IllegalError(
                f"{self.rules.name} has no payoff line, because all its payoffs are equal; choose "
                "another game"
            )
        slope, intercept = np.polyfit(payoffs, [point.probability for point in points], 1)
        return FittedLine(float(slope), float(intercept))

    def _published_turn(self, k: int) -> float:
        """Return the success probability of a whole turn according to the paper.

        For most categories, this is an entry of T²s, P²s, or L²s; see
        :mod:`rollwise.strategies.payoff_paper`.
        """
        left = self.rules.rolls - 1
        match self.rules.categories[k].pattern:
            case FaceDice():  # exactly three dice of the face
                chain = payoff_chains.matrix_of(
                    payoff_chains.one_face(self.rules.dice, self.rules.faces)
                )
                return float(np.linalg.matrix_power(chain, left + 1)[0, UPPER_GOAL])
            case Groups(sizes=(size,)):
                return float(payoff_paper.of_a_kind().after(left)[size])
            case Groups():  # the paper takes a sixth of the probability of three of a kind
                return float(payoff_paper.of_a_kind().after(left)[3] / 6)
            case Run(length=length):
                return float(payoff_paper.straight(length).after(left)[length])
        raise AssertionError("checked when the payoffs were made")

    def _held(self, k: int, roll: Dice) -> Dice | None:
        """Return the dice that the chain of category ``k`` keeps, or None if it has no chain."""
        match self.rules.categories[k].pattern:
            case FaceDice(face=face):
                return (face,) * roll.count(face)
            case Groups(sizes=(_,)):
                face = commonest(roll)
                return (face,) * roll.count(face)
            case Run(length=length):
                windows = [
                    tuple(sorted(set(roll) & set(range(low, low + length))))
                    for low in range(1, self.rules.faces - length + 2)
                ]
                return max(windows, key=lambda faces: (len(faces), faces))
        return None


def commonest(roll: Dice) -> int:
    """Return the most frequent face of a roll. If several faces are tied, return the highest."""
    return max(roll, key=lambda face: (roll.count(face), face))


@lru_cache(maxsize=16)
def payoffs(rules: Rules, variant: Variant, custom: CustomPayoffs = ()) -> Payoffs:
    """Return the payoffs and probabilities of a game, and cache them."""
    return Payoffs(rules, variant, custom)
