r"""One who plays to win against one who plays for points, in games of any size: simulated.

He plays the best reply to a walk (:mod:`rollwise.evaluation.walk_reply`): the opponent's card is to
him its expected final score. In his last turns he also sees what that card can do next. What he
thinks of his game, H, is 1, ½ or 0 at the end, so that his chance is

.. math:: P = H_0 + E \sum_i \bigl(E(H_{i+1} \mid \text{both cards}) - H_i\bigr)

over the turns of both, whatever H is. Given the cards each mean is exact: what is simulated is how
far from true he thinks, a fifth of the spread that counting wins has in official Yahtzee.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rollwise.evaluation.walk import walk
from rollwise.evaluation.walk_reply import WalkLayer, WalkReply
from rollwise.laboratory.batch import Batch
from rollwise.laboratory.duel_games import AgainstPoints
from rollwise.laboratory.opponents import Opponents
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.model.turn import best_keep_values, keep_values, options_of_all
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.duel.layout import rows_at
from rollwise.solving.kernels.games import Choices, TurnLog, play_turns
from rollwise.solving.kernels.states import Dice
from rollwise.solving.play import BestPlay, Play
from rollwise.solving.progress import Progress, within
from rollwise.strategies import Duel, Optimal
from rollwise.strategies.best_turns import best_turns

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEAR = 4
"""Open boxes before a turn from which on he sees what the opponent's card can do next."""

PART = 1024
"""Games whose choices are worked out at once, for their memory."""

SOLVED = 0.25
"""The part that the tables take of the time of many games."""


def reply_to_points(
    points: CardSolution, games: int, seed: int = 0, progress: Progress | None = None
) -> AgainstPoints:
    """Let one who replies to a walk play games against one who plays for points.

    Parameters
    ----------
    points : CardSolution
        Of the game for the expected score.
    progress : callable, optional
        Called with the done share of the work, from 0 to 1.

    Raises
    ------
    TooLargeError
        When the game is too large for its cards to be played through.
    """
    play = BestPlay(points)
    steps, halves = list(walk(play, points)), []
    for second in (False, True):
        begin, end = second / 2, (second + 1) / 2
        middle = begin + SOLVED * (end - begin)
        told = within(progress, begin, middle)
        reply = WalkReply(points, steps, second=second, progress=told)
        chance_N = _chances(reply, points, play, games, seed, within(progress, middle, end))
        halves.append((float(chance_N.mean()), float(chance_N.std() / np.sqrt(games))))
    (first, first_error), (other, other_error) = halves
    return AgainstPoints(games, first, other, first_error, other_error, None, None)


def _chances(
    reply: WalkReply,
    points: CardSolution,
    play: Play,
    games: int,
    seed: int,
    progress: Progress | None,
) -> Floats:
    """Return what each game says of his chance, float64 of shape (games,)."""
    other = Batch(Optimal(points), reply.model, 2 * seed + 1, 0, games)

    def opponents() -> Opponents:
        return Opponents(play, points, other.cards)

    mine = _Replier(reply, points, 2 * seed, games, opponents())
    turns, answers = other.turns(), mine.turns()
    boxes = len(reply.model.rules.categories)
    for number in range(boxes):
        if not reply.second:
            next(answers)
        mine.foresee()
        next(turns)
        mine.opponents = opponents()
        if reply.second:
            next(answers)
        if progress:
            progress((number + 1) / boxes)
    return mine.chance_N


@dataclass(frozen=True)
class _Sight:
    """What one who has just moved thinks of cards that he can have.

    Attributes
    ----------
    layer : WalkLayer
        Of these cards.
    opponents : Opponents
    near : bool
        Whether he sees what the opponents' cards can do next.
    """

    layer: WalkLayer
    opponents: Opponents
    near: bool

    def worth(self, row: Integers, points: Integers, games: Integers) -> Floats:
        """Return what they are worth to him, float64 of shape (G,)."""
        if self.near:
            return self.opponents.after_turn(self.layer, row, points, games)
        lead = points - self.opponents.total_N[games]
        return self.layer.between(self.layer.after, row, lead)


class _Replier(Batch):
    """Games of one who replies to a walk, each against an opponent of its own.

    Attributes
    ----------
    opponents : Opponents
    chance_N : float64 array of shape (N,)
        What he thought of his chance at first, and how far each turn has put that right on average.
    """

    def __init__(
        self, reply: WalkReply, points: CardSolution, seed: int, games: int, opponents: Opponents
    ) -> None:
        super().__init__(Duel(points), reply.model, seed, 0, games)
        self._reply, self.opponents = reply, opponents
        self.chance_N = self._sight(0).worth(*self._cards) if reply.second else self._before()

    def foresee(self) -> None:
        """Put right what he thinks by what the opponents' cards can do next."""
        sight = self._sight(self._filled)
        if not sight.near:
            self.chance_N += replace(sight, near=True).worth(*self._cards)
            self.chance_N -= sight.worth(*self._cards)

    @property
    def _filled(self) -> int:
        return int(np.bitwise_count(self._model.mask_C[self.cards.class_N[0]]))

    @property
    def _cards(self) -> tuple[Integers, Integers, Integers]:
        """Row and points so far of each game, and its number."""
        places = (array.astype(np.int32) for array in (self.cards.class_N, self.cards.lane_N))
        row_N = rows_at(self._model, *places)
        return row_N, self.cards.points_N, np.arange(len(row_N))

    def _before(self) -> Floats:
        """Return what he thinks of his games before his turn."""
        row_N, points_N, _ = self._cards
        layer = self._reply.layers[self._filled]
        return layer.between(layer.before, row_N, points_N - self.opponents.total_N)

    def _sight(self, filled: int) -> _Sight:
        """Return what he thinks after a turn of cards with so many boxes filled."""
        boxes = len(self._model.rules.categories)
        is_last = self._reply.second and filled == boxes
        near = filled > boxes - NEAR and not is_last
        return _Sight(self._reply.layers[filled], self.opponents, near)

    def _play_turn(self, turn: TurnLog, fallen: NDArray[np.uint8], chance: Floats | None) -> None:
        model, class_N = self._model, self.cards.class_N
        sight, dice = self._sight(self._filled + 1), Dice.of(model.lattice)
        self.chance_N -= self._before()
        allowed_N = 1 + model.rerolls_C[class_N].astype(np.int64)
        group_N = np.zeros(len(class_N), dtype=np.int64)
        for games in self._parts():
            classes_G = class_N[games]
            classes, class_G = np.unique(classes_G, return_inverse=True)
            option_G_E_K = options_of_all(model, classes)[class_G]
            worth_G_O = self._worths(sight, option_G_E_K, games)
            value_G_E = worth_G_O[np.arange(len(games))[:, None, None], option_G_E_K].max(axis=-1)
            self.chance_N[games] += turn_values(model, int(classes[0]), value_G_E)
            each = group_N[games] = np.arange(len(games))
            choices = Choices(group_N, 0, *best_turns(model, worth_G_O, each, classes_G))
            play_turns(games, choices, fallen, allowed_N, dice, model.rules.stops, turn)

    def _parts(self) -> Iterator[Integers]:
        """Yield games whose turns are of one length."""
        class_N = self.cards.class_N
        rerolls_N = self._model.rerolls_C[class_N]
        for rerolls in np.unique(rerolls_N):
            mine = np.flatnonzero(rerolls_N == rerolls)
            mine = mine[np.argsort(class_N[mine])]
            yield from np.array_split(mine, -(-len(mine) // PART))

    def _worths(self, sight: _Sight, option_G_E_K: NDArray[np.uint16], games: Integers) -> Floats:
        """Return what each outcome of a turn is worth, (G, O); -inf of those that cannot be."""
        model, cards = self._model, self.cards
        can_G_O = np.zeros((len(games), len(model.points_O)), dtype=np.bool_)
        can_G_O[np.arange(len(games))[:, None, None], option_G_E_K] = True
        can_G_O[:, FORBIDDEN] = False
        g, o = np.nonzero(can_G_O)
        n = games[g]
        lane = model.lane_after(cards.lane_N[n], o)
        row = rows_at(model, model.class_after(cards.class_N[n], o), lane)
        worth_G_O = np.full(can_G_O.shape, -np.inf)
        worth_G_O[g, o] = sight.worth(row, cards.points_N[n] + model.step_O[o], n)
        return worth_G_O


def turn_values(model: Model, c: int, value_G_E: Floats) -> Floats:
    """Return what turns as long as those of class ``c`` are worth, by what their ends are."""
    lattice = model.lattice
    n_rolls, first_roll = len(lattice.rolls), lattice.first_roll
    value_G_R = value_G_E[:, :n_rolls]
    for left in range(1, int(model.rerolls_C[c]) + 1):
        value_G_P = keep_values(lattice, value_G_R, "mean")
        if value_G_E.shape[1] > n_rolls:
            value_G_P[:, first_roll:] = value_G_E[:, left * n_rolls :][:, :n_rolls]
        value_G_R = best_keep_values(lattice, value_G_P)[:, first_roll:]
    return np.asarray(value_G_R @ (lattice.weight_R / lattice.weight_R.sum()))
