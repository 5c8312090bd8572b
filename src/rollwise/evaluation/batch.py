"""Vectorized simulation of many games, turn by turn.

The games are divided into groups. The scorecards of a group agree in everything on which the
strategy depends. All games of a group therefore have the same turn policy.

Each block of ``BLOCK`` games draws its dice from a separate seed. Game number n therefore has the
same dice with any strategy and any number of games, jobs, or workers. A reroll of m dice uses the
first m dice that were drawn for this roll. Two strategies with the same seed therefore play with
common random numbers.
"""

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import IllegalError
from rollwise.game.dice_notation import format_dice
from rollwise.model.arrays import Model
from rollwise.model.outcomes import FORBIDDEN
from rollwise.rules import Rules
from rollwise.solving.kernels.scalar_turn import LatticeArrays
from rollwise.solving.kernels.simulation import GroupChoices, TurnLog, play_turns
from rollwise.solving.turn_policy import Cards, Turns
from rollwise.strategies import RollByRoll, Strategy
from rollwise.strategies.roll_by_roll import NONE

Integers = NDArray[np.int64]
Decide = Callable[[Integers, Integers, int], tuple[Integers, Integers]]
"""A function that decides the rolls of some games with a number of rerolls left.

It returns the same as :meth:`rollwise.strategies.RollByRoll.decide`.
"""

BLOCK = 4096
"""The number of games whose dice come from one seed."""

DICE, CHOICES = 0, 1
"""The streams of random numbers for the dice and for the decisions of mixed strategies."""


class CardGroups:
    """Groups of games in which a strategy has the same turn policy.

    Group g has the scorecard g of ``cards`` and contains ``games[starts[g] .. starts[g + 1] - 1]``.
    Game n is in group ``group_N[n]``. Groups with the same class are adjacent, and so are
    groups with the same number of rerolls.
    """

    def __init__(self, sees: Collection[str], cards: Cards) -> None:
        rerolls_N = cards.model.rerolls_C[cards.class_G].astype(np.int64)
        key_N = rerolls_N * cards.model.n_classes + cards.class_G
        if sees:
            key_N = key_N * (int(cards.lane_G.max()) + 1) + cards.lane_G
        if "score" in sees:
            key_N = key_N * (int(cards.score_G.max()) + 1) + cards.score_G
        self.games = np.argsort(key_N, kind="stable")
        ordered = key_N[self.games]
        new = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
        self.starts = np.append(new, len(ordered))
        self.group_N = np.empty(len(ordered), dtype=np.int64)
        self.group_N[self.games] = np.repeat(np.arange(len(new)), np.diff(self.starts))
        self.cards = cards.at(self.games[new])

    def classes(self) -> Iterator[tuple[int, int]]:
        """Yield the first group of each class, and one past the last."""
        changes = np.flatnonzero(np.diff(self.cards.class_G, prepend=-1))
        yield from pairwise([*changes.tolist(), len(self.cards.class_G)])


class Batch:
    """The simulated games ``start .. stop - 1`` of a strategy.

    Game ``start`` must be the first game of a block.

    Attributes
    ----------
    cards : Cards
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
        self.cards = Cards(model, *np.zeros((3, n), dtype=np.int64))
        self.points_N_K = np.zeros((n, len(model.rules.categories)), dtype=np.int16)
        self.extra_N = np.zeros(n, dtype=np.int64)

    @property
    def bonus_N(self) -> Integers:
        """The points of the upper bonus that each game has earned so far, shape (N,)."""
        return self._model.bonus_L[self.cards.lane_G]

    def turns(self) -> Iterator[TurnLog]:
        """Play all turns, and yield the log of each turn after ``cards`` is updated."""
        rules, n = self._model.rules, self._stop - self._start
        rngs = [self._sources(stream) for stream in (DICE, CHOICES)]
        for number in range(len(rules.categories)):
            rolls = rules.most_rolls(number)
            dice = [_draw_dice(rules, rng, rolls) for rng in rngs[DICE]]
            chance = [rng.random((BLOCK, rolls)) for rng in rngs[CHOICES]]
            turn = TurnLog.empty(n, rolls)
            self._play_turn(turn, np.concatenate(dice)[:n], np.concatenate(chance)[:n])
            self._score(turn)
            yield turn

    def _sources(self, stream: int) -> list[np.random.Generator]:
        """Return the random number generator of each block for a stream of random numbers."""
        return [
            np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=(block, stream)))
            for block in range(self._start // BLOCK, -(-self._stop // BLOCK))
        ]

    def _play_turn(
        self, turn: TurnLog, drawn: NDArray[np.uint8], chance: NDArray[np.float64]
    ) -> None:
        model, strategy, cards = self._model, self._strategy, self.cards
        if isinstance(strategy, RollByRoll):  # decides only the rolls that occur
            for games in cards.parts(len(drawn)):
                self._play_rolls(
                    games,
                    lambda at, roll, left: strategy.decide(cards.at(at), roll, left),
                    turn,
                    drawn,
                )
            return
        groups = CardGroups(strategy.sees, cards)
        allowed_N = 1 + model.rerolls_C[cards.class_G].astype(np.int64)

        def play(part: Integers) -> None:
            first, last = int(part[0]), int(part[-1]) + 1
            games = groups.games[groups.starts[first] : groups.starts[last]]
            turns = strategy.turns(groups.cards.at(slice(first, last)))
            if turns.is_mixed:
                for some in np.array_split(games, -(-len(games) // BLOCK)):  # to limit memory
                    decide = _drawing(turns, groups.group_N - first, chance)
                    self._play_rolls(some, decide, turn, drawn)
                return
            choices = GroupChoices(groups.group_N, first, turns.keeps, turns.categories)
            dice, stops = LatticeArrays.of(model.lattice), model.rules.stops
            play_turns(games, choices, drawn, allowed_N, dice, stops, turn)

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(play, groups.cards.parts(strategy.batch)))

    def _play_rolls(
        self, games: Integers, decide: Decide, turn: TurnLog, drawn: NDArray[np.uint8]
    ) -> None:
        """Play a turn roll by roll, in games with the same number of rerolls."""
        model, stops = self._model, self._model.rules.stops
        dice, first_roll = LatticeArrays.of(model.lattice), model.lattice.first_roll
        rerolls = self.cards.at(games).rerolls
        point, category = np.zeros_like(games), np.full_like(games, NONE)
        left_N, active = np.zeros_like(games), np.arange(len(games))
        for j in range(rerolls + 1):
            rolling, left = games[active], rerolls - j
            for die in drawn[rolling, j].T:
                point[active] = dice.parent_P_F[point[active], die]
            turn.rolled_N_J[rolling, j] = point[active]
            turn.thrown_N[rolling] = j + 1
            left_N[active] = left
            undecided = active[category[active] == NONE]
            if len(undecided):
                roll = point[undecided] - first_roll
                keep, category[undecided] = decide(games[undecided], roll, left)
                point[undecided] = np.where(keep == NONE, point[undecided], keep)
            if stops:
                active = active[category[active] == NONE]
            if not left or not len(active):
                break
            turn.kept_N_J[games[active], j] = point[active]
        turn.ended_N[games] = point - first_roll + left_N * len(model.lattice.rolls) * stops
        turn.scored_N[games] = category

    def _score(self, turn: TurnLog) -> None:
        """Score the final rolls of a turn on the scorecards."""
        model, cards = self._model, self.cards
        left_N, roll_N = np.divmod(turn.ended_N, len(model.lattice.rolls))
        special_R = np.full(len(model.lattice.rolls), -1)
        special_R[model.special_J] = np.arange(len(model.special_J))
        special_N = special_R[roll_N]
        joker_N = special_N >= 0
        row_N = roll_N.copy()
        row_G_J = model.special_row_C_J[cards.class_G[joker_N]]
        row_N[joker_N] = row_G_J[np.arange(len(row_G_J)), special_N[joker_N]]
        bit_N = 1 << turn.scored_N.astype(np.int64)
        table_N = left_N + model.table_C[cards.class_G] if model.rules.stops else 0
        option_N = model.option_T_V_K[table_N, row_N, turn.scored_N]
        mask_N, before_N = model.mask_C[cards.class_G], model.before_K[turn.scored_N]
        filled_N = (mask_N & bit_N != 0) | (mask_N & before_N != before_N)
        illegal = np.flatnonzero((option_N == FORBIDDEN) | filled_N)
        if len(illegal):
            raise IllegalError(self._complaint(int(illegal[0]), turn))
        games = np.arange(len(roll_N))
        self.points_N_K[games, turn.scored_N] = model.points_O[option_N]
        self.extra_N += model.extra_O[option_N]
        self.cards = Cards(
            model,
            model.class_after(cards.class_G, option_N).astype(np.int64),
            model.lane_after(cards.lane_G, option_N),
            cards.score_G + model.total_points_O[option_N],
        )

    def _complaint(self, game: int, turn: TurnLog) -> str:
        rules, lattice = self._model.rules, self._model.lattice
        roll = format_dice(rules, lattice.rolls[turn.ended_N[game] % len(lattice.rolls)])
        mask = int(self._model.mask_C[self.cards.class_G[game]])
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


def _drawing(turns: Turns, group_N: Integers, chance: NDArray[np.float64]) -> Decide:
    """Return a function that draws the decisions of mixed policies.

    ``group_N`` is the number of each game's scorecard in ``turns``, and ``chance`` has the random
    numbers of each game: one for each choice of dice, then one for the category.
    """
    model, rerolls = turns.cards.model, turns.cards.rerolls
    n_rolls, stops = len(model.lattice.rolls), model.rules.stops

    def decide(games: Integers, roll: Integers, left: int) -> tuple[Integers, Integers]:
        g, whole = group_N[games], roll + model.lattice.first_roll
        keep = turns.keep(g, left, roll, lambda: chance[games, rerolls - left]) if left else whole
        scores = (keep == whole) & (stops or left == 0)
        end = roll + left * n_rolls * stops
        category = turns.category(g, end, lambda: chance[games, -1])
        return np.where(scores, NONE, keep), np.where(scores, category, NONE)

    return decide
