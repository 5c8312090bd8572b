"""Games that differ in a few boxes, solved together: each card once for all that go on alike.

What is still to come on a card depends on the boxes that are open, and not on those that are
filled. Of two games that differ in one box half of all cards have it filled: these have the same
rows in both, and so has every card of a game that lacks the box. The rows of cards are kept in
groups, by which of the varied boxes are open and what these say; only groups that are new are
computed. A row is the same bits whichever game it was computed for: a kernel reads nothing of a
card but its open boxes and the rows after it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import TooLargeError
from rollwise.experiments.rule_grid import SAID
from rollwise.model.arrays import Model, build
from rollwise.rules import Category, Rules
from rollwise.solving.kernels.backward import BackwardScratch, Chains, Layer, backward
from rollwise.solving.kernels.legal_outcomes import Arrays, LegalOutcomes
from rollwise.solving.kernels.moments import fill_mean, fill_moments
from rollwise.solving.kernels.policy import LayerPolicy, PolicyScratch, Tie, Wanted, best_play
from rollwise.solving.kernels.vector import WIDTH
from rollwise.solving.layers import Memory, Sweep
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.solution import TIE
from rollwise.solving.values import sd_of

MAX_BYTES = 1 << 30
"""Of the rows that are kept; beyond that the oldest ones are forgotten, and computed again."""

MOST_VARIED = 10
"""Boxes by which cards are grouped: some thousand groups at most."""

Group = tuple[Category, ...]
"""What cards have in common: the boxes that are open on them, of those that are varied."""


@dataclass(frozen=True)
class Worth:
    """What a game is worth to best play.

    Attributes
    ----------
    mean : float
        Of the final score.
    sd : float or None
        Of the final score; None where only means are asked for.
    bonus_reached : float or None
        The probability of an upper bonus; None where the game has none, or only means are asked
        for.
    """

    mean: float
    sd: float | None
    bonus_reached: float | None


class Neighbours:
    """Games of which each is asked for what it is worth, and much is worked out once for all.

    Parameters
    ----------
    games : iterable of Rules
        Those that will be asked for, their boxes in one order. What they share is found if they
        differ in up to ``MOST_VARIED`` boxes of the lower section alone, and are asked for one
        after another.
    means_only : bool
        Leave out what the play has to be known for, which is four fifths of the work.
    threads : int, optional
        As many as the process may use unless told. The result does not depend on it.
    """

    def __init__(
        self, games: Iterable[Rules], *, means_only: bool = False, threads: int | None = None
    ) -> None:
        boxes: dict[str, set[Category | None]] = {}
        games = list(games)
        for key in dict.fromkeys(key for rules in games for key in rules.keys):
            boxes[key] = {_box(rules, key) for rules in games}
        self._bits = {key: 1 << bit for bit, key in enumerate(boxes)}
        self._varied = [key for key, found in boxes.items() if len(found) > 1][:MOST_VARIED]
        self._means_only, self._threads = means_only, threads
        self._memory, self._play_memory = Memory(), Memory()
        self._frame = ""
        self._known: dict[Group, NDArray[np.float64]] = {}

    def worth(self, rules: Rules) -> Worth:
        """Return what best play for points makes of one of the games.

        The bits are those of ``solve(rules, moments=True)``.

        Raises
        ------
        TooLargeError
            When rolls are saved in the game, or its table would not fit.
        """
        rules.check_unannounced("a sweep that finds no laws")
        if rules.carries_rolls:
            raise TooLargeError(f"{rules.name}: expected a game without saved or extra rolls")
        frame = self._frame_of(rules)
        if frame != self._frame:
            self._known.clear()
            self._frame = frame
        start = self._group(rules, self._varied)
        if start not in self._known:
            self._solve(rules)
        # The empty card is the first one of its group.
        value, *of_play = self._known[start][:, 0, 0].tolist()
        if self._means_only:
            return Worth(value, None, None)
        mean, second, reached = of_play
        return Worth(value, float(sd_of(mean, second)), reached if rules.upper_bonus else None)

    def _frame_of(self, rules: Rules) -> str:
        """Return what all cards of a game depend on: everything but the varied boxes."""
        others = tuple(
            box for box in rules.categories if box.section == "upper" or box.key not in self._varied
        )
        return rules.model_copy(update={"categories": others}).model_dump_json(exclude=SAID)

    def _group(self, rules: Rules, open_boxes: Collection[str]) -> Group:
        return tuple(box for key in self._varied if (box := _box(rules, key)) and key in open_boxes)

    def _solve(self, rules: Rules) -> None:
        """Compute the groups of a game that are not known."""
        model = build(rules)
        filled_C_K = np.asarray(model.mask_C)[:, None] >> np.arange(len(rules.keys)) & 1
        code_C = filled_C_K @ np.array([self._bits[key] for key in rules.keys])
        code_C += np.asarray(model.eligible_C, dtype=np.int64) << len(self._bits)
        varied = [k for k, key in enumerate(rules.keys) if key in self._varied and _box(rules, key)]
        group_C = filled_C_K[:, varied] @ (1 << np.arange(len(varied)))
        groups = {
            number: self._group(
                rules, {rules.keys[k] for bit, k in enumerate(varied) if not number >> bit & 1}
            )
            for number in range(1 << len(varied))
        }
        new_G = np.array([group not in self._known for group in groups.values()])
        # The new ones first in their layer: kernels take what stands together.
        order = np.lexsort((code_C, group_C, ~new_G[group_C], filled_C_K.sum(axis=1)))
        sweep, group_C = Sweep(model, EXPECTED, self._threads), group_C[order]
        sweep.arrays = _reordered(sweep.arrays, order)
        rows_Q_C_L = self._rows(sweep)
        cards = {number: np.flatnonzero(group_C == number) for number in groups}
        for number in compress(groups, ~new_G):
            rows_Q_C_L[:, cards[number]] = self._known[groups[number]]
        self._fill(sweep, order, new_G[group_C], rows_Q_C_L)
        for number in compress(groups, new_G):
            self._known[groups[number]] = rows_Q_C_L[:, cards[number]]
        self._forget(spared=len(groups))

    def _rows(self, sweep: Sweep) -> NDArray[np.float64]:
        """Return rows for all cards of a game, those of full ones written.

        The value; unless only means are asked for, mean and second moment of the play for it, and
        P(upper bonus).
        """
        model, (first, last) = sweep.model, sweep.layers[-1]
        bonus_L = np.pad(model.bonus_L, (0, sweep.stride - model.lanes), "edge").astype(np.float64)
        of_play = () if self._means_only else (bonus_L, bonus_L**2, bonus_L > 0)
        full_card = EXPECTED.terminal(bonus_L), *of_play
        shape = len(full_card), model.n_classes, sweep.stride
        rows_Q_C_L = self._memory.take(int(np.prod(shape))).reshape(shape)
        for row_C_L, values_L in zip(rows_Q_C_L, full_card, strict=True):
            row_C_L[first:last] = values_L
        return rows_Q_C_L

    def _fill(
        self,
        sweep: Sweep,
        order: NDArray[np.int64],
        new_C: NDArray[np.bool_],
        rows_Q_C_L: NDArray[np.float64],
    ) -> None:
        """Compute the rows of the new cards, which stand first in their layers.

        ``order`` has the class of each card as the model numbers it.
        """
        model, value = sweep.model, rows_Q_C_L[0]
        place_C, chains = np.arange(model.n_classes), _turn(model.rules)
        for first, last in sweep.layers[-2::-1]:
            end = first + int(new_C[first:last].sum())
            if end == first:
                continue
            layer = Layer(place_C[first:end], place_C, 1, 1, value, value)
            sweep.each_part(
                0,
                end - first,
                backward,
                sweep.arrays,
                sweep.lattice_index,
                chains,
                layer,
                scratch=BackwardScratch.of,
            )
            if not self._means_only:
                self._follow(sweep, first, order[first:end], *rows_Q_C_L)

    def _follow(
        self,
        sweep: Sweep,
        first: int,
        classes: NDArray[np.int64],
        value: NDArray[np.float64],
        mean: NDArray[np.float64],
        second: NDArray[np.float64],
        reached: NDArray[np.float64],
    ) -> None:
        """Compute what the best play of some cards brings, from the card ``first`` on."""
        model, end = sweep.model, first + len(classes)
        points_O, nothing_O = model.step_O.astype(np.float64), np.zeros(len(model.step_O))
        played = LayerPolicy(first, *self._room(model, classes))
        row_C = np.append(0, np.cumsum(model.rows_C[classes]))
        all_X = np.ones(int(row_C[-1]), dtype=np.bool_)
        wanted = Wanted(value, Tie(TIE, TIE / model.rules.dice), all_X, row_C)
        sweep.each_part(
            first,
            end,
            best_play,
            sweep.arrays,
            sweep.lattice_index,
            sweep.forward_index,
            wanted,
            played,
            scratch=PolicyScratch.of,
        )
        moments = fill_moments, sweep.arrays, played, points_O, mean, second
        sweep.each_part(first, end, *moments, scratch=LegalOutcomes.of)
        bonus = fill_mean, sweep.arrays, played, nothing_O, reached
        sweep.each_part(first, end, *bonus, scratch=LegalOutcomes.of)

    def _room(
        self, model: Model, classes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return where the play of each class begins, and room for that of all."""
        outcomes_K = model.outcome_starts_K[:, 3] - model.outcome_starts_K[:, 0]
        most_C = 1 + model.open_boxes(classes) @ outcomes_K
        ends = np.cumsum(most_C * -(-model.rows_C[classes] // WIDTH) * WIDTH)
        return np.append(0, ends[:-1]), self._play_memory.take(int(ends[-1]))

    def _forget(self, spared: int) -> None:
        """Drop the oldest groups until the others fit, but not those of the game at hand."""
        size = sum(rows.nbytes for rows in self._known.values())
        for group in list(self._known)[: len(self._known) - spared]:
            if size <= MAX_BYTES:
                break
            size -= self._known.pop(group).nbytes


def _box(rules: Rules, key: str) -> Category | None:
    """Return a box of the lower section, None where there is none of this key."""
    found = rules.categories[rules.keys.index(key)] if key in rules.keys else None
    return found if found and found.section == "lower" else None


def _reordered(arrays: Arrays, order: NDArray[np.int64]) -> Arrays:
    """Return the arrays with classes in another order, each in its layer."""
    place_C = np.empty(len(order), dtype=arrays.class_S.dtype)
    place_C[order] = np.arange(len(order))
    return arrays._replace(
        class_C=arrays.class_C[order].view(np.recarray),
        special_row_C_J=arrays.special_row_C_J[order],
        class_S=np.where(arrays.class_S >= 0, place_C[arrays.class_S], arrays.class_S),
    )


def _turn(rules: Rules) -> Chains:
    """Return the turn from every card, of a game that saves no rolls."""
    start_N_J = np.full((1, rules.rolls), -1)
    start_N_J[0, -1] = 0
    return Chains(np.zeros((1, rules.rolls), dtype=np.int64), start_N_J)
