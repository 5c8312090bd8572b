"""What is to be learnt: a game, how its actions are told, what is seen of it and what it pays."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from rollwise import Rules, Scorecard, errors, load_rules
from rollwise.learning.codings import Coding, actions_of
from rollwise.learning.games import Form, Games, as_dict, space_of
from rollwise.learning.oracle import Oracle
from rollwise.model.arrays import build

REWARDS = "points", "luck-adjusted", "target:SCORE"

Infos = dict[str, NDArray[Any]]


class Task:
    """Some games side by side, as learners meet them; environments are doors to it.

    Parameters
    ----------
    number : int
        How many games.
    rules : Rules, str or Path
        The name of a preset, or a rule file.
    actions : {"keeps", "dice"}
        The coding of what is kept (:func:`rollwise.learning.codings.actions_of`).
    observation : {"dict", "flat"}
        As :func:`rollwise.learning.games.space_of` tells.
    reward : str
        ``points`` pays what a box and the bonuses bring, when they do: the final score in all.
        ``luck-adjusted`` pays minus what the action gave away, so that a game pays minus the points
        lost by its decisions, and the dice add nothing to it. ``target:250`` pays 1 at the end of a
        game of at least so many points.
    oracle : bool
        Whether to tell the exact value of the game, the best action, and the regret of the last
        one: in points, or in chances of a target if that is what pays. It asks for the solved game,
        and costs some microseconds a step; for a target a tenth of a millisecond a turn.
    threads : int
        What comes out does not depend on it.

    Raises
    ------
    InputError
        When one of these is none of what it can be, or the game is too large.
    """

    def __init__(
        self,
        number: int,
        rules: Rules | str = "yahtzee",
        actions: Coding = "keeps",
        observation: Form = "dict",
        reward: str = "points",
        oracle: bool = False,
        threads: int = 1,
    ) -> None:
        rules = rules if isinstance(rules, Rules) else load_rules(rules)
        self.games = Games(rules, actions_of(rules, actions), number, threads)
        self.action_space = spaces.Discrete(self.games.actions.number)
        self.observation_space = space_of(self.games, observation)
        self._flat = observation == "flat"
        self._target = _target_of(reward)
        self._adjusted = reward == "luck-adjusted"
        objective = "expected" if self._target is None else reward
        self.oracle = Oracle(self.games, objective) if oracle or self._adjusted else None

    def start_from(self, options: dict[str, Any] | None, which_N: NDArray[np.bool_]) -> None:
        """Say from which card games begin from now on: the option ``card``, else the empty one.

        Raises
        ------
        InputError
            When that is no card of the game with an open box.
        """
        card = (options or {}).get("card", Scorecard.empty(self.games.rules))
        if not isinstance(card, Scorecard):
            card = Scorecard(self.games.rules, card)
        self.games.start_from(card, which_N)

    def step(self, action_N: ArrayLike) -> tuple[NDArray[np.float64], Infos]:
        """Take actions; return what they pay, float64 of shape (N,), and what is told of them."""
        games = self.games
        action_N, was_over_N = games.chosen(action_N), games.stand.over_N.copy()
        told: Infos = {}
        if self.oracle:
            told["regret"] = self.oracle.regrets(action_N)
        earned_N, told["illegal"] = games.act(action_N)
        if self._adjusted:
            return 0.0 - told["regret"], told
        if self._target is None:
            return earned_N.astype(np.float64), told
        ended_N = games.stand.over_N & ~was_over_N
        return (ended_N & (games.points_N >= self._target)).astype(np.float64), told

    def look(self) -> tuple[Any, Infos]:
        """Return what the players see, and what is told of where they are."""
        seen, mask_N_A = self.games.look()
        told: Infos = {"action_mask": mask_N_A}
        if self.oracle:
            told["value"], told["best"] = self.oracle.look()
        return seen if self._flat else as_dict(self.games), told


def _target_of(reward: str) -> int | None:
    """Return the score that a reward asks for, if it does."""
    kind, colon, score = reward.partition(":")
    if kind == "target" and score.isascii() and score.isdigit():
        return int(score)
    if colon or kind not in REWARDS:
        raise errors.InputError(f"reward {reward!r}: expected one of {', '.join(REWARDS)}")
    return None


def one(batch: Any, n: int = 0) -> Any:
    """Return of what is seen or told of many games that of one, as an environment of one does."""
    if isinstance(batch, dict):
        return {key: one(values, n) for key, values in batch.items()}
    mine = batch[n]
    return mine if isinstance(mine, np.ndarray) else mine.item()


def only_open(rules: Rules | str, *boxes: str) -> Scorecard:
    """Return a card on which these boxes alone are open; the others hold the least they can.

    A learner that begins with such cards learns the end of the game, and has the same actions and
    sees the same numbers as later in the whole game.

    Raises
    ------
    InputError
        When there is no such box, or no game can have such a card.
    """
    rules = rules if isinstance(rules, Rules) else load_rules(rules)
    try:
        places = {rules.category_index(box) for box in boxes}
    except ValueError as error:
        raise errors.InputError(str(error)) from error
    model = build(rules)
    points_O, category_O = model.points_O, model.category_O
    least = [int(points_O[category_O == k].min()) for k in range(len(rules.categories))]
    card = [None if k in places else points for k, points in enumerate(least)]
    return Scorecard(rules, card)
