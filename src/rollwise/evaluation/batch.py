"""Vectorized simulation of many games, turn by turn.

The games are divided into groups. The scorecards of a group agree in everything on which the
strategy depends. All games of a group therefore have the same turn policy.

Each block of ``BLOCK`` games draws its dice from a separate seed. Game number n therefore has the
same dice with any strategy and any number of games, jobs, or workers. A reroll of m dice uses the
first m dice that were drawn for this roll. Two strategies with the same seed therefore play with
common random numbers.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.notation import format_dice
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.rules import Rules
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns
from rollwise.solving.turn_policy import Choices
from rollwise.strategies import RollByRoll, Strategy, TurnPolicy
from rollwise.strategies.roll_by_roll import NONE

Integers = NDArray[np.int64]

BLOCK = 4096
"""The number of games whose dice come from one seed."""

STRIDE = 2048
"""The number of groups whose turn policies a thread holds in memory at the same time."""

DICE, CHOICES = 0, 1
"""The streams of random numbers for the dice and for the decisions of mixed strategies."""


@dataclass(frozen=True)
class ScorecardBatch:
    """The scorecard of each game: its class, its lane, and its points without upper bonuses."""

    class_N: Integers
    lane_N: Integers
    points_N: Integers


class CardGroups:
    """Groups of games in which a strategy has the same turn policy.

    Group g of ``number`` groups contains ``games[starts[g] .. starts[g + 1] - 1]``, and game n is
    in group ``group_N[n]``.
    """

    def __init__(self, strategy: Strategy, model: Model, cards: ScorecardBatch) -> None:
        self._strategy, self._model = strategy, model
        key_N = cards.class_N
        if strategy.sees_lane or strategy.sees_score:
            key_N = key_N * (int(cards.lane_N.max()) + 1) + cards.lane_N
        if strategy.sees_score:
            key_N = key_N * (int(cards.points_N.max()) + 1) + cards.points_N
        self.games = np.argsort(key_N, kind="stable")
        ordered = key_N[self.games]
        new = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
        self.number = len(new)
        self.starts = np.append(new, len(ordered))
        self.group_N = np.empty(len(ordered), dtype=np.int64)
        self.group_N[self.games] = np.repeat(np.arange(self.number), np.diff(self.starts))
        leaders = self.games[new]
        self.class_G = cards.class_N[leaders]
        self.lane_G = cards.lane_N[leaders]
        self.points_G = cards.points_N[leaders]

    def policy(self, group: int) -> TurnPolicy:
        """Return the turn policy of one group."""
        return self._strategy.turn_policy(
            self._model,
            int(self.class_G[group]),
            int(self.lane_G[group]),
            int(self.points_G[group]),
        )

    def classes(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the start and the end of each range of groups with the same class.

        The ranges divide the groups ``first .. last - 1``, and the end of a range is exclusive.
        """
        changes = np.flatnonzero(np.diff(self.class_G[first:last], prepend=-1)) + first
        yield from pairwise([*changes.tolist(), last])

    def choices(self, first: int, last: int) -> Choices:
        """Return the deterministic turn policies of the groups ``first .. last - 1``."""
        span = slice(first, last)
        return self._strategy.choices_at(
            self._model, self.class_G[span], self.lane_G[span], self.points_G[span]
        )


class Batch:
    """The simulated games ``start .. stop - 1`` of a strategy.

    Game ``start`` must be the first game of a block.

    Attributes
    ----------
    cards : ScorecardBatch
        The current scorecards: empty at first, then after the most recent turn.
    points_N_K : int16 array of shape (N, K)
        The points in each category.
    extra_N : int64 array of shape (N,)
        The points of five-of-a-kind bonuses in each game.
    """

    def __init__(
        self, strategy: Strategy, model: Model, seed: int, start: int, stop: int, threads: int = 1
    ) -> None:
        self._strategy, self._model, self._threads = strategy, model, threads
        self._seed, self._start, self._stop = seed, start, stop
        n = stop - start
        self.cards = ScorecardBatch(np.zeros(n, int), np.zeros(n, int), np.zeros(n, int))
        self.points_N_K = np.zeros((n, len(model.rules.categories)), dtype=np.int16)
        self.extra_N = np.zeros(n, dtype=np.int64)

    @property
    def bonus_N(self) -> Integers:
        """The points of the upper bonus that each game has earned so far, shape (N,)."""
        return self._model.bonus_L[self.cards.lane_N]

    def turns(self) -> Iterator[TurnLog]:
        """Play all turns, and yield the log of each turn after ``cards`` is updated."""
        rules, n = self._model.rules, self._stop - self._start
        rngs = [self._sources(stream) for stream in (DICE, CHOICES)]
        for number in range(len(rules.categories)):
            rolls = rules.most_rolls(number)
            dice = [_draw_dice(rules, rng, rolls) for rng in rngs[DICE]]
            chance = [rng.random((BLOCK, rolls)) for rng in rngs[CHOICES] if self._strategy.mixed]
            turn = TurnLog.empty(n, rolls)
            self._play_turn(
                turn, np.concatenate(dice)[:n], np.concatenate(chance)[:n] if chance else None
            )
            self._score(turn)
            yield turn

    def _sources(self, stream: int) -> list[np.random.Generator]:
        """Return the random number generator of each block for a stream of random numbers."""
        return [
            np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(block, stream)))
            for block in range(self._start // BLOCK, -(-self._stop // BLOCK))
        ]

    def _play_turn(
        self, turn: TurnLog, drawn: NDArray[np.uint8], chance: NDArray[np.float64] | None
    ) -> None:
        model = self._model
        if isinstance(self._strategy, RollByRoll):
            self._play_rolls(self._strategy, turn, drawn)
            return
        groups = CardGroups(self._strategy, model, self.cards)
        allowed_N = 1 + model.rerolls_C[self.cards.class_N].astype(np.int64)

        def play(first: int) -> None:
            last = min(first + STRIDE, groups.number)
            games = groups.games[groups.starts[first] : groups.starts[last]]
            if chance is not None:
                for group in range(first, last):
                    self._play_mixed(groups, group, turn, drawn, chance)
                return
            choices = GroupChoices(groups.group_N, first, *groups.choices(first, last))
            dice, stops = LatticeArrays.of(model.lattice), model.rules.stops
            play_turns(games, choices, drawn, allowed_N, dice, stops, turn)

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(play, range(0, groups.number, STRIDE)))

    def _play_rolls(self, strategy: RollByRoll, turn: TurnLog, drawn: NDArray[np.uint8]) -> None:
        """Play the games of a strategy that decides roll by roll."""
        model, cards, stops = self._model, self.cards, self._model.rules.stops
        dice, first_roll = LatticeArrays.of(model.lattice), model.lattice.first_roll
        left = 1 + model.rerolls_C[cards.class_N].astype(np.int64)
        point, category = np.zeros_like(left), np.full_like(left, NONE)
        turn.thrown_N[:] = 0
        games = np.arange(len(left))
        for j in range(drawn.shape[1]):
            for die in drawn[games, j].T:
                point[games] = dice.parent_P_F[point[games], die]
            turn.rolled_N_J[games, j] = point[games]
            turn.thrown_N[games] += 1
            left[games] -= 1
            deciding = games[category[games] == NONE]
            card = (cards.class_N[deciding], cards.lane_N[deciding], cards.points_N[deciding])
            roll = point[deciding] - first_roll
            keep, category[deciding] = strategy.decide(model, *card, roll, left[deciding])
            point[deciding] = np.where(keep == NONE, point[deciding], keep)
            games = games[(left[games] > 0) & ~((category[games] != NONE) & stops)]
            if not len(games):
                break
            turn.kept_N_J[games, j] = point[games]
        turn.ended_N[:] = point - first_roll + left * len(model.lattice.rolls) * stops
        turn.scored_N[:] = category

    def _play_mixed(
        self,
        groups: CardGroups,
        group: int,
        turn: TurnLog,
        drawn: NDArray[np.uint8],
        chance: NDArray[np.float64],
    ) -> None:
        """Play the games of one group with a mixed policy."""
        model = self._model
        dice, first_roll = LatticeArrays.of(model.lattice), model.lattice.first_roll
        policy = groups.policy(group)
        for games in np.array_split(*_parts(groups.games, groups.starts, group)):
            left = 1 + model.rerolls_C[self.cards.class_N[games]].astype(np.int64)
            point = np.zeros(len(games), dtype=np.int64)
            turn.thrown_N[games] = 0
            active = np.ones(len(games), dtype=np.bool_)
            for j in range(drawn.shape[1]):
                rolling = games[active]
                for die in drawn[rolling, j].T:
                    point[active] = dice.parent_P_F[point[active], die]
                turn.rolled_N_J[rolling, j] = point[active]
                turn.thrown_N[rolling] += 1
                left[active] -= 1
                active &= left > 0
                if not active.any():
                    break
                for rerolls in np.unique(left[active]):
                    deciding = active & (left == rerolls)
                    choice, roll = policy.keeps[-rerolls], point[deciding] - first_roll
                    point[deciding] = _drawn_choice(choice, roll, chance[games[deciding], j])
                if model.rules.stops:
                    active &= point < first_roll
                turn.kept_N_J[games[active], j] = point[active]
            end = point - first_roll + left * len(model.lattice.rolls) * model.rules.stops
            turn.ended_N[games] = end
            turn.scored_N[games] = _drawn_choice(policy.categories, end, chance[games, -1])

    def _score(self, turn: TurnLog) -> None:
        """Score the final rolls of a turn on the scorecards."""
        model, cards = self._model, self.cards
        left_N, roll_N = np.divmod(turn.ended_N, len(model.lattice.rolls))
        special_R = np.full(len(model.lattice.rolls), -1)
        special_R[model.special_J] = np.arange(len(model.special_J))
        special_N = special_R[roll_N]
        joker_N = special_N >= 0
        row_N = roll_N.copy()
        row_G_J = model.special_row_C_J[cards.class_N[joker_N]]
        row_N[joker_N] = row_G_J[np.arange(len(row_G_J)), special_N[joker_N]]
        bit_N = 1 << turn.scored_N.astype(np.int64)
        table_N = left_N + model.table_C[cards.class_N] if model.rules.stops else 0
        option_N = model.option_T_V_K[table_N, row_N, turn.scored_N]
        mask_N, before_N = model.mask_C[cards.class_N], model.before_K[turn.scored_N]
        filled_N = (mask_N & bit_N != 0) | (mask_N & before_N != before_N)
        illegal = np.flatnonzero((option_N == FORBIDDEN) | filled_N)
        if len(illegal):
            raise IllegalError(self._complaint(int(illegal[0]), turn))
        games = np.arange(len(roll_N))
        self.points_N_K[games, turn.scored_N] = model.points_O[option_N]
        self.extra_N += model.extra_O[option_N]
        self.cards = ScorecardBatch(
            model.class_after(cards.class_N, option_N).astype(np.int64),
            model.lane_after(cards.lane_N, option_N),
            cards.points_N + model.total_points_O[option_N],
        )

    def _complaint(self, game: int, turn: TurnLog) -> str:
        rules, lattice = self._model.rules, self._model.lattice
        roll = format_dice(rules, lattice.rolls[turn.ended_N[game] % len(lattice.rolls)])
        mask = int(self._model.mask_C[self.cards.class_N[game]])
        filled = [key for k, key in enumerate(rules.keys) if mask >> k & 1]
        return (
            f"{self._strategy.name} scores {roll} in {rules.keys[turn.scored_N[game]]}, which the "
            f"rules do not allow (filled categories: {', '.join(filled) or 'none'}); change the "
            "strategy to choose another category"
        )


def _draw_dice(rules: Rules, rng: np.random.Generator, rolls: int) -> NDArray[np.uint8]:
    """Return the symbols of the dice, counted from 0, for ``rolls`` rolls of a block of games."""
    of_kind = [
        rng.integers(faces, size=(BLOCK, rolls, dice), dtype=np.uint8) + np.uint8(symbols[0] - 1)
        for (dice, faces), symbols in zip(rules.kinds, rules.symbols, strict=True)
    ]
    return np.concatenate(of_kind, axis=2)


def _parts(games: Integers, starts: Integers, group: int) -> tuple[Integers, int]:
    """Return the games of a group, and the number of parts into which they are divided.

    A part has at most ``BLOCK`` games, to limit memory.
    """
    of_group = games[starts[group] : starts[group + 1]]
    return of_group, -(-len(of_group) // BLOCK)


def _drawn_choice(
    choice: NDArray[Any], roll: Integers, chance: NDArray[np.float64]
) -> NDArray[Any]:
    """Return the decision of a policy for each roll.

    ``choice`` contains the decision for each roll, or, in a mixed policy, the probability of each
    decision. ``chance`` contains the random numbers that select the decisions of a mixed policy.
    """
    if choice.ndim == 1:
        return np.asarray(choice[roll])
    cumulative = np.cumsum(choice[roll], axis=1)
    # Rounding can make the total differ from 1. Scaling avoids choices with probability 0.
    drawn = (cumulative <= chance[:, None] * cumulative[:, -1:]).sum(axis=1)
    return np.asarray(drawn)
