"""Many games of one player each, side by side, a step at a time: what all environments stand on.

What a player sees: everything that matters for what is still to come, and the points so far.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from rollwise import Position, Rules, Scorecard, errors
from rollwise.learning.codings import Actions
from rollwise.learning.kernels.games import (
    Fallen,
    GameArrays,
    GameStates,
    ScorecardArrays,
    act,
    deal,
    keys_of,
    look,
)
from rollwise.model.arrays import Model, build
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.place import CardPlace

PART = 2048
"""Games that are worth a thread of their own, at least."""


class Games:
    """Some games, none of which knows of the others.

    Parameters
    ----------
    rules : Rules
    actions : Actions
    number : int
        How many games.
    threads : int
        What comes out does not depend on it.

    Attributes
    ----------
    model : Model
    cards, stand : ScorecardArrays, GameStates
        Where the games are.
    """

    def __init__(self, rules: Rules, actions: Actions, number: int, threads: int = 1) -> None:
        rules.check_unannounced("an environment")
        self.rules, self.actions, self.number = rules, actions, number
        self.model = build(rules)
        self.arrays = _arrays(self.model, actions)
        self.dice = LatticeArrays.of(self.model.lattice)
        self.cards, self._start = self._empty_cards(), self._empty_cards()
        key_N, thrown_N = np.zeros((2, number), dtype=np.uint64)
        roll_N, left_N = np.zeros((2, number), dtype=np.int64)
        over_N, fresh_N = np.zeros((2, number), dtype=np.bool_)
        self.stand = GameStates(Fallen(key_N, thrown_N, roll_N), left_N, over_N, fresh_N)
        parts = max(min(threads, number // PART), 1)
        self._parts = list(pairwise(number * part // parts for part in range(parts + 1)))
        self._pool = ThreadPoolExecutor(parts - 1) if parts > 1 else None
        self.start_from(Scorecard.empty(rules))

    def _empty_cards(self) -> ScorecardArrays:
        class_N, lane_N, score_N, extra_N = np.zeros((4, self.number), dtype=np.int64)
        boxes = np.full((self.number, len(self.rules.categories)), -1, dtype=np.int16)
        return ScorecardArrays(class_N, lane_N, score_N, boxes, extra_N)

    def seed(self, seeds: ArrayLike, which_N: Any = slice(None)) -> None:
        """Give games the dice of their seeds, from the first one on."""
        self.stand.fallen.key_N[which_N] = keys_of(np.asarray(seeds, dtype=np.uint64))
        self.stand.fallen.thrown_N[which_N] = 0

    def start_from(self, card: Scorecard, which_N: Any = slice(None)) -> None:
        """Say from which card games begin from now on.

        Raises
        ------
        InputError
            When it is full, or one of another game.
        """
        if card.rules != self.rules or card.is_full:
            raise errors.InputError(f"expected a card of {self.rules.name} with an open box")
        place, start = CardPlace.of_card(self.model, card), self._start
        start.class_N[which_N] = place.c
        start.lane_N[which_N] = place.lane
        start.score_N[which_N] = place.score
        start.points_N_K[which_N] = [-1 if box is None else box for box in card.boxes]
        start.extra_N[which_N] = card.extra_bonus

    def deal(self, which_N: NDArray[np.bool_]) -> None:
        """Begin some games anew."""
        if which_N.any():
            self.each(deal, which_N, self._start, self.arrays, self.dice, self.cards, self.stand)

    def act(self, action_N: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Take an action in each game that is not over; one that is not allowed ends it.

        Returns
        -------
        int64 and bool arrays of shape (N,)
            The points that it earned, bonuses included, and whether it was not allowed.
        """
        earned_N, illegal_N = np.empty(self.number, np.int64), np.empty(self.number, np.bool_)
        chosen_N = self.chosen(action_N)
        told = chosen_N, self.arrays, self.dice, self.cards, self.stand, earned_N, illegal_N
        self.each(act, *told)
        return earned_N, illegal_N

    def chosen(self, action_N: ArrayLike) -> NDArray[np.int64]:
        """Return actions as the kernels take them.

        Raises
        ------
        InputError
            When they are not one whole number a game.
        """
        chosen_N = np.ascontiguousarray(action_N)
        if chosen_N.shape != (self.number,) or chosen_N.dtype.kind not in "iu":
            raise errors.InputError(
                f"expected {self.number} whole numbers as actions, got {chosen_N.dtype} of shape "
                f"{chosen_N.shape}"
            )
        return chosen_N.astype(np.int64)

    def look(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return what players see, float32 of shape (N, D), and what they may do, int8 (N, A)."""
        seen_N_D = np.empty((self.number, self.seen), dtype=np.float32)
        mask_N_W = np.empty((self.number, self.arrays.legal_R_W.shape[1]), dtype=np.uint64)
        mask_N_B = mask_N_W.view(np.int8)
        self.each(look, self.arrays, self.cards, self.stand, seen_N_D, mask_N_W, mask_N_B)
        return seen_N_D, mask_N_B[:, : self.actions.number]

    @cached_property
    def seen(self) -> int:
        """How many numbers a player sees: see :mod:`rollwise.learning.games`."""
        symbols = self.arrays.counts_R_F.shape[1]
        return symbols + self.arrays.most_left + 1 + len(self.rules.categories) + 4

    @property
    def points_N(self) -> NDArray[np.int64]:
        """The points of each game so far, bonuses included."""
        return self.cards.score_N + self.model.bonus_L[self.cards.lane_N]

    def card(self, n: int) -> Scorecard:
        """Return the card of one game."""
        boxes = [None if points < 0 else points for points in self.cards.points_N_K[n].tolist()]
        saved = int(self.model.saved_C[self.cards.class_N[n]])
        return Scorecard(self.rules, boxes, int(self.cards.extra_N[n]), saved)

    def position(self, n: int) -> Position:
        """Return the decision that is due in one game that is not over."""
        dice = self.model.lattice.rolls[self.stand.fallen.roll_N[n]]
        return Position.of(self.card(n), dice, int(self.stand.left_N[n]))

    def each(
        self, kernel: Callable[..., None], *told: Any, room: Callable[[], Any] | None = None
    ) -> None:
        """Run a kernel on all games, on all threads, each with room of its own if asked for."""

        def run(part: tuple[int, int]) -> None:
            kernel(*part, *([room()] if room else []), *told)

        others = [self._pool.submit(run, part) for part in self._parts[1:]] if self._pool else []
        run(self._parts[0])
        for other in others:
            other.result()


def _arrays(model: Model, actions: Actions) -> GameArrays:
    """Return what the kernels need to know of a game."""
    lattice, rules = model.lattice, model.rules
    special_R = np.full(len(lattice.rolls), -1)
    special_R[model.special_J] = np.arange(len(model.special_J))
    legal_R_B = np.zeros((len(lattice.rolls), -(-actions.number // 8) * 8), dtype=np.int8)
    legal_R_B[:, : actions.keeps] = actions.keep_R_A >= 0
    best_K = [model.step_O[model.category_O == k].max() for k in range(len(rules.categories))]
    own = {
        name: np.asarray(getattr(model, name))
        for name in GameArrays._fields
        if hasattr(model, name)
    }
    own["class_S"] = own["class_S"].reshape(2, -1)  # unarmed, armed
    return GameArrays(
        **own,
        special_R=special_R,
        counts_R_F=np.ascontiguousarray(lattice.counts_P_F[lattice.first_roll :]),
        keep_R_A=actions.keep_R_A,
        legal_R_W=legal_R_B.view(np.uint64),
        most_left=rules.most_rolls(len(rules.categories) - 1) - 1,
        highest=int(sum(best_K) + model.bonus_L.max()),
    )


Form = Literal["dict", "flat"]


def space_of(games: Games, form: Form) -> spaces.Space:
    """Return the space of what the player of one game sees.

    ``dict`` has whole numbers:

    ==============  ===================================================================
    ``dice``        how many dice show each symbol
    ``rolls_left``  rerolls left in the turn
    ``open``        1 for each open box, in card order
    ``upper``       the upper total, at most the last threshold of its bonus
    ``eligible``       1 where the box of the extra bonus holds points
    ``saved``       rolls saved, or extra rolls left
    ``score``       the points so far, bonuses included
    ==============  ===================================================================

    ``flat`` is the same as one vector of numbers from 0 to 1: each a share of the most that it
    can be, but for the rerolls, of which each number has a place of its own.

    Raises
    ------
    InputError
        When the form is neither.
    """
    if form not in ("dict", "flat"):
        raise errors.InputError(f"observation {form!r}: expected dict or flat")
    if form == "flat":
        return spaces.Box(0.0, 1.0, (games.seen,), np.float32)
    arrays, model, boxes = games.arrays, games.model, len(games.rules.categories)
    return spaces.Dict(
        dice=spaces.Box(0, model.lattice.dice, (arrays.counts_R_F.shape[1],), np.int8),
        rolls_left=spaces.Discrete(arrays.most_left + 1),
        open=spaces.MultiBinary(boxes),
        upper=spaces.Box(0, max(model.lanes - 1, 1), (1,), np.int64),
        eligible=spaces.Discrete(2),
        saved=spaces.Discrete(model.saved_F[-1].stop),
        score=spaces.Box(0, arrays.highest, (1,), np.int64),
    )


def as_dict(games: Games) -> dict[str, NDArray[Any]]:
    """Return what the players of all games see, an entry a game in each array."""
    cards, model = games.cards, games.model
    mask_N, boxes = model.mask_C[cards.class_N], np.arange(len(games.rules.categories))
    return {
        "dice": games.arrays.counts_R_F[games.stand.fallen.roll_N],
        "rolls_left": games.stand.left_N.copy(),
        "open": (1 - (mask_N[:, None] >> boxes & 1)).astype(np.int8),
        "upper": cards.lane_N[:, None].copy(),
        "eligible": model.eligible_C[cards.class_N].astype(np.int64),
        "saved": model.saved_C[cards.class_N].astype(np.int64),
        "score": games.points_N[:, None],
    }
