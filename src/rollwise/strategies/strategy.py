"""The base class of all strategies, which map a scorecard to the policy of a turn."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from rollwise.game.scorecard import Dice
from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.turn_policy import Choices, TurnPolicy


class Strategy(ABC):
    """A strategy for whole games: a name, and a policy for every turn.

    Attributes
    ----------
    sees_lane, sees_score : bool
        Whether the policy depends on the upper-section total, and whether it depends on the points
        so far. A policy that does not depend on a quantity is computed once for all its values.
    mixed : bool
        Whether the policy is mixed, which means that its actions are drawn at random.
    ties : str or None
        The tie-breaking rule, in words.

    Examples
    --------
    >>> isinstance(parse_strategy("greedy"), Strategy)
    True
    """

    name: str
    sees_lane: bool = True
    sees_score: bool = False
    mixed: bool = False
    ties: str | None = None

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"

    @abstractmethod
    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy of a turn on one scorecard.

        Parameters
        ----------
        c, lane : int
            The class and the lane of the scorecard.
        score : int
            The points so far, excluding any upper bonus already earned.
        """

    def aim(self, rules: Rules, filled: int, roll: Dice, left: int) -> str | None:
        """Return the key of the category that the strategy chooses for a roll, or None.

        ``filled`` is the bit mask of the filled categories, and ``left`` is the number of rerolls
        left.
        """
        return None

    def choices_at(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        """Return deterministic turn policies for several scorecards.

        Parameters
        ----------
        classes_G, lanes_G, scores_G : int64 arrays of shape (G,)
            The class, the lane, and the points so far of each scorecard.

        Returns
        -------
        uint16 array of shape (G, rerolls, R)
            The lattice index of the dice to keep from each roll before each reroll. For turns with
            fewer rerolls, the first entries are zeros, so that the last entry is always the last
            reroll.
        uint8 array of shape (G, E)
            The category for each final roll. For turns with fewer rerolls, the last entries are
            zeros.
        """
        rerolls_G, n_rolls = model.rerolls_C[classes_G], len(model.lattice.rolls)
        most = int(rerolls_G.max())
        keeps_G_J_R = np.zeros((len(classes_G), most, n_rolls), dtype=np.uint16)
        ends = n_rolls * (most + 1 if model.rules.stops else 1)
        categories_G_E = np.zeros((len(classes_G), ends), dtype=np.uint8)
        for count in np.unique(rerolls_G):
            in_group_G = rerolls_G == count
            group = (array_G[in_group_G] for array_G in (classes_G, lanes_G, scores_G))
            keeps, categories = self._choices(model, *group)
            keeps_G_J_R[in_group_G, most - count :] = keeps
            categories_G_E[in_group_G, : categories.shape[1]] = categories
        return keeps_G_J_R, categories_G_E

    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices:
        """Return deterministic policies for scorecards with the same number of rerolls."""
        cards = zip(classes_G.tolist(), lanes_G.tolist(), scores_G.tolist(), strict=True)
        policies = [self.turn_policy(model, *card) for card in cards]
        shape = (len(policies), int(model.rerolls_C[classes_G[0]]), len(model.lattice.rolls))
        keeps = np.array([policy.keeps for policy in policies], dtype=np.uint16).reshape(shape)
        return keeps, np.array([policy.categories for policy in policies], dtype=np.uint8)


class BatchStrategy(Strategy):
    """A strategy that computes the policies of many scorecards in one batch."""

    def turn_policy(self, model: Model, c: int, lane: int, score: int = 0) -> TurnPolicy:
        """Return the policy of a turn on one scorecard."""
        at = (np.array([number]) for number in (c, lane, score))
        keeps_G_J_R, categories_G_E = self.choices_at(model, *at)
        return TurnPolicy(tuple(keeps_G_J_R[0]), categories_G_E[0])

    @abstractmethod
    def _choices(
        self,
        model: Model,
        classes_G: NDArray[np.int64],
        lanes_G: NDArray[np.int64],
        scores_G: NDArray[np.int64],
    ) -> Choices: ...
