"""The payoff-line strategy, a published heuristic based on Markov chains and linear regression.

Each category has two coordinates. The first is its payoff: the points of a success, plus a
proportional part of the upper bonus, divided by the highest possible total. The second is the
probability that a fixed policy for the category succeeds with the rolls left. A line is fitted to
the coordinates of whole turns. Before a reroll, the strategy chooses the open category with the
largest distance above the line. It scores the final roll in the category with the most points.

The fixed policies keep the most frequent face for n of a kind, the face of the category for an
upper category, and one die of each face of one straight for a straight. The number of dice to keep
is then a Markov chain. The variants are:

* ``published`` computes the numbers of the paper, with its errors;
* ``corrected`` uses the same chains without the errors;
* ``exact`` uses the optimal policy for each category instead of chains.

Matrices of chains are float64 of shape (states, states), with one row for each previous state, from
state 0. (The paper prints the transposed matrices.) Other arrays have the axes R (all rolls, int64
or float64) and K (all categories); dice to keep are lattice indices.

Source: M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee (Pomona College),
sections 4 to 7. Errors in the source are listed in ``docs/published.md``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rollwise.decision_analysis import MarkovChain, Multisets, Turn, turn_chain
from rollwise.errors import IllegalError, InputError, one_of, quoted
from rollwise.game.actions import Action, Keep
from rollwise.game.position import Position
from rollwise.game.scorecard import Dice
from rollwise.model.dice_lattice import lattice
from rollwise.model.roll_points import category_points
from rollwise.model.turn import choose_keeps, keep_values, roll_values
from rollwise.rules import AnyRoll, FaceDice, Groups, Pattern, Rules, Run
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies.greedy import Greedy
from rollwise.strategies.strategy import Strategy

Values = NDArray[np.float64]
Keeps = NDArray[np.int64]
Variant = Literal["published", "corrected", "exact"]
CustomPayoffs = tuple[tuple[str, float], ...]
Kind = Literal["of-a-kind", "one-face"] | int
"""The kind of a chain; the number is the length of a straight."""

UPPER_GOAL = 3
"""The target number of dice in an upper category. Three dice of each face earn the bonus."""

KIND_POINTS = 15
"""The points of three or four of a kind in the regression, where the face is not known."""


@dataclass(frozen=True)
class PayoffChain:
    """The chain of the number of dice to keep, and its distribution after the first roll."""

    chain: MarkovChain
    start: Mapping[str, Fraction]

    @property
    def states(self) -> tuple[str, ...]:
        """The numbers of dice to keep, in increasing order."""
        return self.chain.states

    def matrix(self) -> list[list[Fraction]]:
        """Return the transition matrix as in the paper, indexed [next state][previous state]."""
        return [list(column) for column in zip(*self.chain.matrix(), strict=True)]

    def after(self, start: str | Mapping[str, Fraction], rolls: int) -> list[Fraction]:
        """Return the probability of each state some rolls after a state or a distribution."""
        distribution = self.chain.after(start, rolls)
        return [distribution.get(state, Fraction(0)) for state in self.states]

    def expected_rolls(self, target: str) -> tuple[list[Fraction], Fraction]:
        """Return the expected numbers of rolls until at least ``target`` dice are kept.

        The list has the further rolls from each state. The last number includes the first roll of a
        turn, which can have any number of rolls.
        """
        at_least = [state for state in self.states if int(state) >= int(target)]
        steps = self.chain.expected_steps(at_least)
        # Every state of these chains leads to the target, so no expected number is infinite.
        further = {state: Fraction(steps[state]) for state in self.states}
        first = sum((p * further[state] for state, p in self.start.items()), Fraction(1))
        return list(further.values()), first

    @cached_property
    def in_floats(self) -> Values:
        """The transition matrix, including a row for state 0, which can be unused."""
        matrix = np.eye(int(self.states[-1]) + 1)
        for state, row in self.chain.rows.items():
            for end, p in row.items():
                matrix[int(state), int(end)] = float(p)
        return matrix


@lru_cache(maxsize=32)
def payoff_chain(kind: Kind, dice: int = 5, faces: int = 6) -> PayoffChain:
    """Return the chain of n of a kind, of one face, or of a straight of some length."""
    turn = Turn(Multisets(faces), {}, dice)

    def keep(roll: Dice) -> Dice:
        if isinstance(kind, int):  # the lowest face of the straight does not matter
            return tuple(sorted(set(roll) & set(range(1, kind + 1))))
        face = 1 if kind == "one-face" else commonest(roll)  # the chain is the same for each face
        return (face,) * roll.count(face)

    kept = {roll: keep(turn.notation.parse(roll)) for roll in turn.states}
    start: dict[str, Fraction] = {}
    for roll, p in turn.outcomes(turn.start).items():
        state = str(len(kept[roll]))
        start[state] = start.get(state, Fraction(0)) + p
    rolls = turn_chain(turn, lambda roll: turn.text_of(kept[roll]))
    rows = rolls.lump(lambda roll: str(len(kept[roll]))).rows
    return PayoffChain(MarkovChain({state: rows[state] for state in sorted(rows, key=int)}), start)


PAPER: dict[Kind, tuple[int, tuple[int, ...]]] = {
    "of-a-kind": (129, (720, 5400, 1500, 150, 6)),
    4: (108, (844, 3420, 3022, 480)),
    5: (16, (156, 1800, 3900, 1800, 120)),
}
"""What the printed T²s, P²s, and L²s follow from: 1296 times entry (1, 1) of the matrix, and 7776
times the first distribution, from state 1.

Entry (1, 1) of T is printed as 120/1296; 129 is inferred from the printed T²s. The printed column 1
of P sums to more than 1. The third number of rolls of the small straight should be 3000, and 32
rolls are missing. The first number of the large straight should be 155, and one roll is missing.
"""


@cache
def paper_chain(kind: Kind) -> tuple[Values, Values]:
    """Return the matrix and the first distribution of a kind in :data:`PAPER`, from state 0.

    Their probabilities might not sum to 1.
    """
    entry, rolls = PAPER[kind]
    matrix = payoff_chain(kind).in_floats.copy()
    matrix[1, 1] = entry / 1296
    return matrix, np.array([0, *rolls]) / 7776


def paper_after(kind: Kind, rolls: int) -> Values:
    """Return the probability of each state some rolls after the first distribution."""
    matrix, start = paper_chain(kind)
    return np.asarray(start @ np.linalg.matrix_power(matrix, rolls))


def chain_of(pattern: Pattern) -> tuple[Kind, int] | None:
    """Return the kind and the target state of the chain of a category, or None without a chain."""
    match pattern:
        case FaceDice():
            return "one-face", UPPER_GOAL
        case Groups(sizes=(size,)):
            return "of-a-kind", size
        case Run(length=length):
            return length, length
    return None


def held(pattern: Pattern, roll: Dice, faces: int) -> Dice | None:
    """Return the dice that the chain of a category keeps, or None if it has no chain."""
    match pattern:
        case FaceDice(face=face):
            return (face,) * roll.count(face)
        case Groups(sizes=(_,)):
            return (commonest(roll),) * roll.count(commonest(roll))
        case Run(length=length):
            starts = range(1, faces - length + 2)
            runs = [tuple(sorted(set(roll) & set(range(low, low + length)))) for low in starts]
            return max(runs, key=lambda run: (len(run), run))
    return None


def commonest(roll: Dice) -> int:
    """Return the most frequent face of a roll. If several faces are tied, return the highest."""
    return max(roll, key=lambda face: (roll.count(face), face))


@dataclass(frozen=True)
class Point:
    """The payoff and the probability of a category before a reroll.

    ``state`` is the state of the chain, or None if the category has no chain. ``points`` are the
    points of a success. ``probability`` and ``exact`` are the probabilities of a success in the
    variant and with the optimal policy for the category. ``distance`` is the distance from the
    line, positive above the line, and ``keep`` the dice to keep.
    """

    category: int
    state: int | None
    points: float
    payoff: float
    probability: float
    exact: float
    distance: float = 0.0
    keep: Dice = ()


@dataclass(frozen=True)
class FittedLine:
    """The regression line: probability = slope · payoff + intercept."""

    slope: float
    intercept: float

    def distance(self, payoff: float, probability: float) -> float:
        """Return the distance of (payoff, probability) from the line, positive above the line."""
        height = probability - (self.slope * payoff + self.intercept)
        return float(height / np.hypot(1.0, self.slope))


class PayoffModel:
    """The payoffs and probabilities of all categories of a game.

    ``custom`` are the points of categories, by key. They are complete, so no part of the upper
    bonus is added to them.
    """

    def __init__(self, rules: Rules, variant: Variant, custom: CustomPayoffs = ()) -> None:
        self.rules, self.variant, self.custom = rules, variant, dict(custom)
        self.has_errors = variant == "published"
        self.exact, self.ranks = cache(self._exact), cache(self._ranks)
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
        self._check()

    def _check(self) -> None:
        """Raise an error if a category has no payoff, or if a custom payoff has no category."""
        rules, sizes = self.rules, (self.rules.dice, self.rules.faces)
        may_miss = [key for k, key in enumerate(rules.keys) if self._may_miss(k)]
        for key in self.custom:
            if key not in may_miss:
                raise InputError(
                    f"a custom payoff belongs to {quoted(key)}: expected "
                    f"{one_of(may_miss, key, 'a category that a roll can miss')}"
                )
        for category in rules.categories:
            key, pattern, chain = category.key, category.pattern, chain_of(category.pattern)
            if isinstance(pattern, FaceDice | AnyRoll):
                continue
            sums = isinstance(category.points, str) and key not in self.custom
            if sums and (chain is None or isinstance(pattern, Run)):
                raise IllegalError(
                    f"the strategy payoff-line has no payoff for the category {key} of "
                    f"{rules.name}; choose another strategy"
                )
            is_full_house = isinstance(pattern, Groups) and sorted(pattern.sizes) == [2, 3]
            printed = is_full_house or (chain is not None and chain[0] in PAPER)
            if self.has_errors and not (printed and sizes == (5, 6)):
                raise IllegalError(
                    f"the paper has no probability for the category {key} of {rules.name}; use "
                    "the strategy payoff-line or payoff-line-exact, which play more games"
                )

    def points(self, k: int, roll: Dice | None = None) -> float:
        """Return the points of a success for a roll before the decision, or before a turn."""
        category = self.rules.categories[k]
        if category.key in self.custom:
            return self.custom[category.key]
        match category.pattern:
            case FaceDice(face=own):
                return own * UPPER_GOAL
            case Groups(sizes=(size,)) if isinstance(category.points, str):
                return KIND_POINTS if roll is None else size * commonest(roll)
        return float(self._points_R_K[:, k].max())

    def payoff(self, k: int, points: float) -> float:
        """Return the payoff of ``points`` in category ``k``."""
        weighted, bonus, category = points, self.rules.upper_bonus, self.rules.categories[k]
        if bonus and category.section == "upper" and category.key not in self.custom:
            weighted += points / bonus.threshold * bonus.points
        return weighted / self.best_total

    def reach(self, k: int, state: int, left: int) -> float:
        """Return the probability that the chain of a category reaches its target from a state.

        The paper counts only turns that end exactly in the target state, unless the target is
        already reached.
        """
        chain = chain_of(self.rules.categories[k].pattern)
        assert chain is not None
        kind, wanted = chain
        if state >= wanted:
            return 1.0
        if self.has_errors and kind == "one-face":
            kind = "of-a-kind"  # the paper lets the face change
        matrix = payoff_chain(kind, self.rules.dice, self.rules.faces).in_floats
        if self.has_errors and isinstance(kind, int):
            matrix, _ = paper_chain(kind)
        row = np.linalg.matrix_power(matrix, left)[state]
        return float(row[wanted] if self.has_errors else row[wanted:].sum())

    def point(self, k: int, roll: Dice, left: int) -> Point:
        """Return the payoff and probability of category ``k`` for a roll with rerolls left."""
        r = self.lattice.point(roll) - self.lattice.first_roll
        exact_R, keep_R = self.exact(k, left)
        kept = held(self.rules.categories[k].pattern, roll, self.rules.faces)
        probability, keep = float(exact_R[r]), self.lattice.points[keep_R[r]]
        if kept is None and self.has_errors:
            # The paper uses the probability of a full house in one reroll, even with two left.
            probability_R, keep_R = self.exact(k, 1)
            probability, keep = float(probability_R[r]), self.lattice.points[keep_R[r]]
        elif kept is not None and self.variant != "exact":
            probability, keep = self.reach(k, len(kept), left), kept
        points = self.points(k, roll)
        payoff = self.payoff(k, points)
        return Point(
            category=k,
            state=None if kept is None else len(kept),
            points=points,
            payoff=payoff,
            probability=probability,
            exact=float(exact_R[r]),
            distance=self.line.distance(payoff, probability),
            keep=keep,
        )

    def whole_turns(self) -> list[Point]:
        """Return the data of the regression: payoffs and probabilities before the first roll."""
        weight_R = self.lattice.weight_R / self.lattice.weight_R.sum()
        points, left = [], self.rules.rolls - 1
        for k in filter(self._may_miss, range(len(self.rules.keys))):
            exact_R, _ = self.exact(k, left)
            probability = exact = float(exact_R @ weight_R)
            pattern = self.rules.categories[k].pattern
            if self.has_errors:
                probability = self.published_turn(k)
            elif self.variant == "corrected" and chain_of(pattern):
                kept = [held(pattern, roll, self.rules.faces) for roll in self.lattice.rolls]
                states = [len(dice or ()) for dice in kept]
                by_state = [self.reach(k, state, left) for state in range(max(states) + 1)]
                probability = float(np.array(by_state)[states] @ weight_R)
            counted = self.points(k)
            points.append(Point(k, None, counted, self.payoff(k, counted), probability, exact))
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

    def published_turn(self, k: int) -> float:
        """Return the success probability of a whole turn according to the paper."""
        rolls, pattern = self.rules.rolls, self.rules.categories[k].pattern
        if isinstance(pattern, FaceDice):  # exactly three dice of the face
            matrix = payoff_chain("one-face", self.rules.dice, self.rules.faces).in_floats
            return float(np.linalg.matrix_power(matrix, rolls)[0, UPPER_GOAL])
        if chain := chain_of(pattern):
            kind, wanted = chain
            return float(paper_after(kind, rolls - 1)[wanted])
        # For a full house, the paper takes a sixth of the probability of three of a kind.
        return float(paper_after("of-a-kind", rolls - 1)[3] / 6)

    def aims(self, categories: Iterable[int], roll: Dice, left: int) -> list[Point]:
        """Return the points of the categories that the strategy can go for, best first.

        ``categories`` are the indices of the open categories.
        """
        candidates = [self.point(k, roll, left) for k in categories if self._may_miss(k)]
        shown = [point for point in candidates if self._is_shown(point.category, roll)]
        return sorted(shown or candidates, key=lambda point: -point.distance)

    def _ranks(self, left: int) -> tuple[Values, Keeps]:
        """Return the rank of each category for each roll, and the dice to keep, both (R, K).

        The rank is the distance from the line. A category that accepts any roll has rank -inf. The
        rank of an upper category whose face the roll does not show is reduced by a million.
        """
        rank_R_K = np.full((len(self.lattice.rolls), len(self.rules.keys)), -np.inf)
        keep_R_K = np.zeros(rank_R_K.shape, dtype=np.int64)
        for k in filter(self._may_miss, range(len(self.rules.keys))):
            for r, roll in enumerate(self.lattice.rolls):
                point = self.point(k, roll, left)
                rank_R_K[r, k] = point.distance - (0.0 if self._is_shown(k, roll) else 1e6)
                keep_R_K[r, k] = self.lattice.point(point.keep)
        return rank_R_K, keep_R_K

    def _exact(self, k: int, left: int) -> tuple[Values, Keeps]:
        """Return the highest success probability of each roll, and the dice to keep, both (R,)."""
        pattern = self.rules.categories[k].pattern
        if isinstance(pattern, FaceDice):
            shown = self.lattice.counts_P_F[self.lattice.first_roll :, pattern.face - 1]
            hits = shown >= UPPER_GOAL
        else:
            hits = self._points_R_K[:, k] > 0
        value_R = roll_values(self.lattice, hits.astype(np.float64), left - 1, "mean")[-1]
        value_P = keep_values(self.lattice, value_R, "mean")
        keep_R = choose_keeps(self.lattice, value_P, -1e-12)
        return value_P[keep_R], keep_R

    def _may_miss(self, k: int) -> bool:
        return not isinstance(self.rules.categories[k].pattern, AnyRoll)

    def _is_shown(self, k: int, roll: Dice) -> bool:
        pattern = self.rules.categories[k].pattern
        return not isinstance(pattern, FaceDice) or pattern.face in roll


@lru_cache(maxsize=16)
def payoff_model(rules: Rules, variant: Variant, custom: CustomPayoffs = ()) -> PayoffModel:
    """Return the payoffs and probabilities of a game, and cache them."""
    return PayoffModel(rules, variant, custom)


class PayoffLine(Strategy):
    """The strategy that chooses the category farthest above the line, and keeps dice for it.

    An upper category whose face the roll does not show is considered only if there is no other
    category. A category that accepts any roll is never considered. If no other category is open,
    the strategy rerolls the dice that are not above the mean of a die. The paper does not specify
    this case. The paper says only "the farthest", but its transcript never chooses a category far
    below the line.

    Parameters
    ----------
    variant : {"published", "corrected", "exact"}
    custom : dict of str to float, optional
        The points of a success in categories, by key, which replace the payoffs of the paper.
    """

    sees = ()

    def __init__(
        self, variant: Variant = "corrected", custom: Mapping[str, float] | None = None
    ) -> None:
        self.variant: Variant = variant
        self.custom: CustomPayoffs = tuple((custom or {}).items())
        self.name = "payoff-line" if variant == "corrected" else f"payoff-line-{variant}"
        if custom:
            self.name += " with custom payoffs"

    def model(self, rules: Rules) -> PayoffModel:
        """Return the payoffs and probabilities of a game."""
        return payoff_model(rules, self.variant, self.custom)

    def turns(self, cards: Cards) -> Turns:
        """Return the policies that keep the dice for the category that is chosen at each roll."""
        model, payoffs = cards.model, self.model(cards.model.rules)
        turns, open_G_1_K = Greedy().turns(cards), model.open_categories(cards.class_G)[:, None]
        high_R = [model.lattice.point(_high(model.rules, roll)) for roll in model.lattice.rolls]
        for left in range(cards.rerolls, 0, -1):
            rank_R_K, keep_R_K = payoffs.ranks(left)
            rank_G_R_K = np.where(open_G_1_K, rank_R_K, -np.inf)
            keep_G_R = keep_R_K[np.arange(len(high_R)), rank_G_R_K.argmax(axis=2)]
            has_none_G_1 = np.isinf(rank_G_R_K[:, :1]).all(axis=2)
            turns.keeps[:, -left] = np.where(has_none_G_1, high_R, keep_G_R)
        return turns

    def action(self, position: Position) -> Action:
        """Return the dice to keep, or the category to score in. All dice can be kept."""
        rules = position.rules
        if not position.rolls_left:
            options = Greedy().options(position)
            return next(action for action, _ in options if action.kind == "score")
        aims = self.aims(rules, position.state.filled, position.dice, position.rolls_left)
        return Keep(aims[0].keep if aims else _high(rules, position.dice))

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the category that the strategy goes for with a roll, or None."""
        aims = self.aims(rules, filled, roll, left)
        return rules.keys[aims[0].category] if aims else None

    def aims(self, rules: Rules, filled: int, roll: Dice, left: int) -> list[Point]:
        """Return the categories to go for, best first; ``filled`` is a bit mask."""
        categories = [k for k in range(len(rules.keys)) if not filled >> k & 1]
        return self.model(rules).aims(categories, roll, left)


def _high(rules: Rules, roll: Dice) -> Dice:
    """Return the dice of a roll that are above the mean of a die."""
    return tuple(die for die in roll if die > (1 + rules.faces) / 2)
