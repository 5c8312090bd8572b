"""Playing for this turn alone: the most points now, whatever they cost later.

Sources: the blog "Greedy AI" for a family game of Yams (one reroll at a time, and a penalty for
boxes that could score more); J. Glenn, An optimal strategy for Yahtzee (2006), for the exact turn.

Keep the commonest face, and take what scores most: what many a first program does.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rollwise.game.actions import Action
from rollwise.game.position import Position
from rollwise.model.arrays import Model, build
from rollwise.model.lattice import lattice
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.roll_points import category_points
from rollwise.model.turn import options_of, roll_values, score_rolls
from rollwise.rules import Rules
from rollwise.solving.place import ActionWorths, Place, Worths
from rollwise.solving.solution import TIE
from rollwise.solving.turn_policy import Choices, TurnPolicy, best_turn, best_turns
from rollwise.strategies.strategy import Strategy

Appraisal = Callable[[Model, Worths], Worths]
"""What outcomes are worth to the player: from their points (O,), extra bonus included."""


def plain(model: Model, points_O: Worths) -> Worths:
    """Return the points themselves."""
    return points_O


def discounted(model: Model, points_O: Worths) -> Worths:
    """Return points times exp(−(best possible score of the box − points) / 100).

    The penalty of the blog. A small box that is filled to the brim keeps all of its few points;
    thirty points short cost a quarter of them.
    """
    best_O = _most(model)[model.category_O]
    return np.asarray(points_O * np.exp(-(best_O - points_O) / 100))


def above_average(model: Model, points_O: Worths) -> Worths:
    """Return points less what the box is worth on average to a turn that plays for it alone."""
    return np.asarray(points_O - np.array(_alone(model.rules))[model.category_O])


def _most(model: Model) -> Worths:
    """Return the most that each box can hold, shape (K,)."""
    most_K = np.zeros(len(model.rules.categories))
    np.maximum.at(most_K, model.category_O[1:], model.points_O[1:].astype(np.float64))
    return most_K


@lru_cache(maxsize=8)
def _alone(rules: Rules) -> tuple[float, ...]:
    """Return the mean of each box when a whole turn is played for it."""
    dice = lattice(rules.kinds)
    counts_R_F = dice.counts_P_F[dice.first_roll :]
    means = []
    for category in rules.categories:
        value_E = np.concatenate(
            [
                category_points(rules, category, counts_R_F, left).astype(np.float64)
                for left in range(rules.rolls if rules.counts_rolls else 1)
            ]
        )
        value_R = roll_values(dice, value_E, rules.rolls - 1, "mean")[-1]
        means.append(float(value_R @ dice.weight_R / dice.weight_R.sum()))
    return tuple(means)


class Greedy(Strategy):
    """The most points of this turn, extra bonus included, over the open boxes.

    Ties: as :class:`Optimal` breaks them; so the first open box in card order is sacrificed.

    Parameters
    ----------
    appraise : callable
        What points are worth: :func:`plain`, :func:`discounted`, :func:`above_average`.
    ahead : int, optional
        How many rerolls to look ahead, as the blog's program looks one ahead; all of them unless
        told.
    """

    sees_lane = False

    def __init__(
        self, name: str = "greedy", appraise: Appraisal = plain, ahead: int | None = None
    ) -> None:
        self.name = name
        self.appraise = appraise
        self.ahead = ahead

    def outcome_worths(self, model: Model) -> Worths:
        """Return what each outcome is worth, float64 of shape (O,)."""
        return self.appraise(model, model.step_O.astype(np.float64))

    def worths(self, model: Model, c: int) -> Worths:
        """Return what each end of a turn is worth in each box, -inf if forbidden, (E, K)."""
        option_E_K = options_of(model, c)
        worth_E_K = self.outcome_worths(model)[option_E_K]
        return np.where(option_E_K == FORBIDDEN, -np.inf, worth_E_K)

    def categories(self, model: Model, c: int) -> NDArray[np.int64]:
        """Return where each end of a turn is worth most, int64 of shape (E,)."""
        return score_rolls(self.worths(model, c)[None], TIE)[1]

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        worth_1_O = self.outcome_worths(model)[None]
        return best_turns(model, worth_1_O, classes_G * 0, classes_G, ahead=self.ahead)

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the best turn for itself alone."""
        return best_turn(
            model, self.worths(model, c), count=int(model.rerolls_C[c]), ahead=self.ahead
        )

    def options(self, position: Position) -> list[tuple[Action, float]]:
        """Return the best way to score and every keep, with their worths; the best one first.

        A keep is worth what the player expects of it, who looks no more ahead than he does.
        """
        position.rules.check_unannounced("the greedy player")
        model = build(position.rules)
        place = Place.of(model, position)
        worth_Q_E_K, most = self.worths(model, place.c)[None], int(model.rerolls_C[place.c])
        worths = ActionWorths(model.lattice, worth_Q_E_K, most, "mean", TIE, self.ahead)
        actions, worth_Q_A = worths.at(place)
        options = list(zip(actions, worth_Q_A[0].tolist(), strict=True))
        score = max((one for one in options if one[0].kind == "score"), key=lambda one: one[1])
        keeps = (one for one in options if one[0].kind == "keep")
        return sorted([score, *keeps], key=lambda one: -one[1])


class CommonestFace(Strategy):
    """Keep the dice of the commonest face, the highest if there are several.

    The last roll is scored where it has the most points, as :class:`Greedy` does.
    """

    name = "commonest-face"
    sees_lane = False

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Keep the commonest face of every roll."""
        keep_R = _commonest(model)
        return TurnPolicy((keep_R,) * int(model.rerolls_C[c]), Greedy().categories(model, c))

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        keeps, categories = Greedy()._choices(model, classes_G, lanes_G, scores_G)
        keeps[:] = _commonest(model)
        return keeps, categories


def _commonest(model: Model) -> NDArray[np.int64]:
    keeps = []
    for roll in model.lattice.rolls:
        shown = model.rules.shown(roll)
        face = max(shown, key=lambda face: (shown.count(face), face))
        keep = (die for die, number in zip(roll, shown, strict=True) if number == face)
        keeps.append(model.lattice.point(tuple(keep)))
    return np.array(keeps)
