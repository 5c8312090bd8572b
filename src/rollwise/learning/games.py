"""A batch of one-player games that run step by step, used by all environments.

An observation contains the points so far and everything that affects the points to come.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError, counted
from rollwise.game.dice_notation import format_dice
from rollwise.game.position import Position
from rollwise.game.scorecard import Scorecard
from rollwise.learning.actions import Actions, actions_of
from rollwise.learning.kernels.games import (
    Dice,
    GameArrays,
    GameStates,
    ScorecardArrays,
    act,
    deal,
    keys_of,
    observe,
)
from rollwise.model.arrays import Model, build
from rollwise.rules import Rules
from rollwise.solving.kernels.legal_outcomes import Arrays
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.position_index import CardIndex

PART = 2048
"""The minimum number of games per thread."""


class Games:
    """A batch of independent games of one player.

    Parameters
    ----------
    rules : Rules
    number : int
        The number N of games.
    threads : int
        The number of threads; results do not depend on it.

    Attributes
    ----------
    model : Model
    actions : Actions
    cards, states : ScorecardArrays, GameStates
        ``cards`` contains the scorecards. ``states`` contains the dice and the rerolls left.
    """

    def __init__(self, rules: Rules, number: int, threads: int = 1) -> None:
        self.rules, self.number = rules, number
        self.model, self.actions, self.arrays = _parts_of(rules)
        self.lattice = LatticeArrays.of(self.model.lattice)
        self.cards, self._start = self._empty_cards(), self._empty_cards()
        key_N, drawn_N = np.zeros((2, number), dtype=np.uint64)
        roll_N, left_N = np.zeros((2, number), dtype=np.int64)
        over_N, fresh_N = np.zeros((2, number), dtype=np.bool_)
        self.states = GameStates(Dice(key_N, drawn_N, roll_N), left_N, over_N, fresh_N)
        parts = max(min(threads, number // PART), 1)
        self._parts = list(pairwise(number * part // parts for part in range(parts + 1)))
        self._pool = ThreadPoolExecutor(parts - 1) if parts > 1 else None
        self.start_from(Scorecard.empty(rules))

    def _empty_cards(self) -> ScorecardArrays:
        class_N, lane_N, score_N, extra_N = np.zeros((4, self.number), dtype=np.int64)
        points_N_K = np.full((self.number, len(self.rules.categories)), -1, dtype=np.int16)
        return ScorecardArrays(class_N, lane_N, score_N, points_N_K, extra_N)

    def seed(self, seeds: ArrayLike, which_N: Any = slice(None)) -> None:
        """Restart the random streams of the games ``which_N`` (default: all) with these seeds."""
        self.states.dice.key_N[which_N] = keys_of(np.asarray(seeds, dtype=np.uint64))
        self.states.dice.drawn_N[which_N] = 0

    def start_from(self, card: Scorecard, which_N: Any = slice(None)) -> None:
        """Set the scorecard with which the games ``which_N`` (default: all) begin after a reset."""
        if card.rules != self.rules or card.is_full:
            raise InputError(
                f"the scorecard must belong to {self.rules.name} and have an open category"
            )
        place, start = CardIndex.of_card(self.model, card), self._start
        start.class_N[which_N] = place.c
        start.lane_N[which_N] = place.lane
        start.score_N[which_N] = place.score
        start.points_N_K[which_N] = [-1 if points is None else points for points in card.boxes]
        start.extra_N[which_N] = card.extra_bonus

    def deal(self, which_N: NDArray[np.bool_]) -> None:
        """Start new games where ``which_N`` is True."""
        if which_N.any():
            settings = self.arrays, self.lattice, self.cards, self.states
            self.run(deal, which_N, self._start, *settings)

    def act(self, action_N: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Take an action in each game that is not over; an illegal action ends the game.

        Return the points earned, including bonuses (int64 of shape (N,)), and whether each action
        was illegal (bool of shape (N,)).
        """
        earned_N, illegal_N = np.empty(self.number, np.int64), np.empty(self.number, np.bool_)
        settings = self.arrays, self.lattice, self.cards, self.states
        self.run(act, self.as_actions(action_N), *settings, earned_N, illegal_N)
        return earned_N, illegal_N

    def as_actions(self, action_N: ArrayLike) -> NDArray[np.int64]:
        """Return one action per game as an int64 array of shape (N,)."""
        numbers_N = np.ascontiguousarray(action_N)
        if numbers_N.shape != (self.number,) or numbers_N.dtype.kind not in "iu":
            raise InputError(
                f"the actions must be {self.number} integers, not {numbers_N.dtype} of shape "
                f"{numbers_N.shape}"
            )
        return numbers_N.astype(np.int64)

    def look(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return the flat observations (:func:`space_of`) and the masks of legal actions.

        They are float32 of shape (N, D), and int8 of shape (N, A) with 1 for each legal action.
        """
        seen_N_D = np.empty((self.number, self.observation_size), dtype=np.float32)
        mask_N_W = np.empty((self.number, self.arrays.legal_R_W.shape[1]), dtype=np.uint64)
        mask_N_B = mask_N_W.view(np.int8)
        self.run(observe, self.arrays, self.cards, self.states, seen_N_D, mask_N_W, mask_N_B)
        return seen_N_D, mask_N_B[:, : self.actions.number]

    @cached_property
    def observation_size(self) -> int:
        """The length D of a flat observation."""
        symbols = self.arrays.counts_R_F.shape[1]
        return symbols + self.arrays.max_rerolls + 1 + len(self.rules.categories) + 4

    @property
    def points_N(self) -> NDArray[np.int64]:
        """The points so far in each game, including bonuses."""
        return self.cards.score_N + self.model.bonus_L[self.cards.lane_N]

    def card(self, n: int) -> Scorecard:
        """Return the scorecard of game n."""
        points_K = [None if points < 0 else points for points in self.cards.points_N_K[n].tolist()]
        saved = int(self.model.saved_C[self.cards.class_N[n]])
        return Scorecard(self.rules, points_K, int(self.cards.extra_N[n]), saved)

    def position(self, n: int) -> Position:
        """Return the position of game n, which must not be over."""
        dice = self.model.lattice.rolls[self.states.dice.roll_N[n]]
        return Position.of(self.card(n), dice, int(self.states.left_N[n]))

    def text(self, n: int) -> str:
        """Return the dice and the scorecard of game n as text."""
        dice = format_dice(self.rules, self.model.lattice.rolls[self.states.dice.roll_N[n]])
        left = f"{counted(int(self.states.left_N[n]), 'roll')} left"
        turn = "the game is over" if self.states.over_N[n] else left
        return f"dice {dice}, {turn}\n{self.card(n)}\n"

    def run(
        self, kernel: Callable[..., None], *arguments: Any, scratch: Callable[[], Any] | None = None
    ) -> None:
        """Run a kernel on all games, divided among the threads.

        If ``scratch`` is given, each thread's part of the games uses new arrays from ``scratch()``.
        """

        def run_part(part: tuple[int, int]) -> None:
            kernel(*part, *([scratch()] if scratch else []), *arguments)

        jobs = [self._pool.submit(run_part, part) for part in self._parts[1:]] if self._pool else []
        run_part(self._parts[0])
        for job in jobs:
            job.result()


@lru_cache(maxsize=1)
def _parts_of(rules: Rules) -> tuple[Model, Actions, GameArrays]:
    """Return the model, the actions, and the arrays that the kernels read for a game."""
    model, actions = build(rules), actions_of(rules)
    lattice = model.lattice
    special_R = np.full(len(lattice.rolls), -1)
    special_R[model.special_J] = np.arange(len(model.special_J))
    legal_R_B = np.zeros((len(lattice.rolls), -(-actions.number // 8) * 8), dtype=np.int8)
    legal_R_B[:, : actions.keeps] = actions.contains_R_A
    best_K = [
        model.total_points_O[model.category_O == k].max() for k in range(len(rules.categories))
    ]
    points_O = model.total_points_O.astype(np.float64)
    arrays = GameArrays(
        arrays=Arrays.of(model, np.ones_like(points_O), points_O),
        points_O=model.points_O,
        extra_O=model.extra_O,
        saved_C=np.asarray(model.saved_C),
        bonus_L=model.bonus_L,
        special_R=special_R,
        counts_R_F=np.ascontiguousarray(lattice.counts_P_F[lattice.first_roll :]),
        contains_R_A=actions.contains_R_A,
        legal_R_W=legal_R_B.view(np.uint64),
        max_rerolls=rules.most_rolls(len(rules.categories) - 1) - 1,
        max_score=int(sum(best_K) + model.bonus_L.max()),
    )
    return model, actions, arrays


Form = Literal["dict", "flat"]


def space_of(games: Games, form: Form) -> spaces.Space:
    """Return the observation space of one game.

    With the form ``dict``, an observation contains these integers:

    ==============  ===================================================================
    ``dice``        the number of dice with each symbol
    ``rolls_left``  the rerolls left in the turn
    ``open``        1 for each open category, in scorecard order
    ``upper``       the upper-section total, at most the last threshold of the upper bonus
    ``eligible``    1 if the scorecard is eligible for the five-of-a-kind bonus
    ``saved``       the saved rolls, or the extra rolls left
    ``score``       the points so far, including bonuses
    ==============  ===================================================================

    With the form ``flat``, an observation is a vector of the same numbers, each divided by its
    maximum. The rerolls left are one-hot encoded. If the game has columns, ``upper`` is the upper
    number (:mod:`rollwise.rules.columns`).
    """
    if form not in ("dict", "flat"):
        raise InputError(f"unknown observation {form!r}; use dict or flat")
    if form == "flat":
        return spaces.Box(0.0, 1.0, (games.observation_size,), np.float32)
    arrays, model, categories = games.arrays, games.model, len(games.rules.categories)
    return spaces.Dict(
        dice=spaces.Box(0, model.lattice.dice, (arrays.counts_R_F.shape[1],), np.int8),
        rolls_left=spaces.Discrete(arrays.max_rerolls + 1),
        open=spaces.MultiBinary(categories),
        upper=spaces.Box(0, max(model.lanes - 1, 1), (1,), np.int64),
        eligible=spaces.Discrete(2),
        saved=spaces.Discrete(model.saved_F[-1].stop),
        score=spaces.Box(0, arrays.max_score, (1,), np.int64),
    )


def as_dict(games: Games) -> dict[str, NDArray[Any]]:
    """Return the observations of all games as a dict of arrays with one row per game."""
    cards, model = games.cards, games.model
    mask_N, bit_K = model.mask_C[cards.class_N], np.arange(len(games.rules.categories))
    return {
        "dice": games.arrays.counts_R_F[games.states.dice.roll_N],
        "rolls_left": games.states.left_N.copy(),
        "open": (1 - (mask_N[:, None] >> bit_K & 1)).astype(np.int8),
        "upper": cards.lane_N[:, None].copy(),
        "eligible": model.eligible_C[cards.class_N].astype(np.int64),
        "saved": model.saved_C[cards.class_N].astype(np.int64),
        "score": games.points_N[:, None],
    }
