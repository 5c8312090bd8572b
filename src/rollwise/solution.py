"""A solved game: the value of every card, and of every option at a position."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.model import FORBIDDEN, NO_CLASS, Model, build
from rollwise.objectives import Objective, parse_objective
from rollwise.position import Position
from rollwise.reach import reachable
from rollwise.rules import Rules
from rollwise.scorecard import Action, Keep, Score, legal_keeps
from rollwise.tables import TableError, read_table, write_table
from rollwise.turn import keep_dice, outcomes_after, score_rolls, throw

TIE = 1e-9
"""Options closer than this, in points, are equally good."""

ARRAYS = ({"remaining_C_L"}, {"remaining_C_L", "mean_C_L", "second_C_L"})
"""The arrays of a table: without and with moments."""


def signature(solution: "Solution") -> str:
    """Return one hash of all values: equal for equal results, bit for bit, on any machine."""
    arrays = [solution.remaining_C_L]
    if solution.moments:
        arrays += [solution.moments.mean_C_L, solution.moments.second_C_L]
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and second moment of what is still to come from each state, under best play.

    Attributes
    ----------
    mean_C_L, second_C_L : float64 arrays of shape (classes, lanes)
        Of the points, the upper bonus included; NaN as in ``Solution.remaining_C_L``.
    """

    mean_C_L: NDArray[np.float64]
    second_C_L: NDArray[np.float64]


@dataclass(frozen=True)
class Option:
    """A legal action at a position.

    Attributes
    ----------
    action : Keep or Score
    value : float
        The expected final score after it, points so far included (for other objectives: theirs).
    loss : float
        Value of the best option less this one.
    best : bool
        Whether it is the best, or as good (within ``TIE``).
    sd : float or None
        Standard deviation of the final score after it; None if the solution has no moments.
    """

    action: Action
    value: float
    loss: float
    best: bool
    sd: float | None = None


def _sd(mean: float | None = None, second: float | None = None) -> float | None:
    if mean is None or second is None:
        return None
    variance = second - mean * mean
    # Below this share of what is subtracted there is nothing but rounding.
    return float(np.sqrt(variance)) if variance > 1e-13 * second else 0.0


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every card under best play.

    Attributes
    ----------
    remaining_C_L : float64 array of shape (classes, lanes)
        What is still to come from each state between turns, the upper bonus included however early
        it was earned; NaN on lanes beyond any game. Axes as in :mod:`rollwise.model`.
    moments : Moments or None
        For the spread of scores: see :func:`rollwise.spread.with_moments`.
    """

    rules: Rules
    objective: Objective
    model: Model
    remaining_C_L: NDArray[np.float64]
    moments: Moments | None = None

    def __repr__(self) -> str:
        return (
            f"<Solution of {self.rules.name} for {self.objective.name}: {self.value():.10g} "
            f"from the start>"
        )

    def value(self) -> float:
        """Return the value of the game from the start: the expected final score."""
        return float(self.remaining_C_L[0, 0])

    @cached_property
    def reachable_C_L(self) -> NDArray[np.bool_]:
        """Whether some game reaches each state between turns, bool array like ``remaining_C_L``."""
        return reachable(self.model)

    def values(
        self, filled: ArrayLike, upper: ArrayLike, bonus_armed: ArrayLike = False
    ) -> NDArray[np.float64]:
        """Return the expected remaining score of states between turns.

        Parameters
        ----------
        filled : array of int
            Bit masks of the filled categories, bit k for category k in the rules' order.
        upper : array of int
            Upper section totals; totals beyond the bonus threshold count as the threshold.
        bonus_armed : array of bool
            Whether the extra bonus is armed: its box holds points.

        Returns
        -------
        float64 array
            Of the shape that the arguments broadcast to. An upper bonus already earned is not
            counted: it is part of the score so far. NaN for states that no game reaches.

        Raises
        ------
        ValueError
            When a mask is no set of the game's categories, or a total is negative.
        """
        mask, total, armed = np.broadcast_arrays(
            np.asarray(filled, dtype=np.int64),
            np.asarray(upper, dtype=np.int64),
            np.asarray(bonus_armed, dtype=np.bool_),
        )
        sets = self.model.class_S.shape[1]
        if ((mask < 0) | (mask >= sets)).any():
            raise ValueError(f"expected masks of filled categories from 0 to {sets - 1}")
        if (total < 0).any():
            raise ValueError("expected upper totals of 0 or more")
        cap = self.model.lanes - 1
        lane = np.minimum(total, cap)
        c = self.model.class_S[armed.astype(np.int64), mask]
        known = (c != NO_CLASS) & self.reachable_C_L[c, lane]
        return np.where(known, self.remaining_C_L[c, lane] - self._earned(lane), np.nan)

    def _earned(self, lane: Any) -> Any:
        """Return the upper bonus that these lanes have earned."""
        bonus = self.rules.upper_bonus
        return (lane >= bonus.threshold) * float(bonus.points) if bonus else 0.0 * lane

    def score_worths(self, c: int, lane: int) -> NDArray[np.float64]:
        """Return what each final roll is worth in each category on one card, shape (Q, R, K).

        The first quantity is the value: what the move earns and what is still to come, -inf where
        the rules forbid it. With moments, the mean and the second moment follow.
        """
        model = self.model
        option_R_K, after_R_K, lane_R_K = outcomes_after(model, c, lane)
        points_R_K = (model.points_O + model.extra_O).astype(np.float64)[option_R_K]
        value_R_K = self.objective.gain(points_R_K) * self.remaining_C_L[
            after_R_K, lane_R_K
        ] + self.objective.points(points_R_K)
        worths = [np.where(option_R_K == FORBIDDEN, -np.inf, value_R_K)]
        if self.moments:
            mean_R_K = self.moments.mean_C_L[after_R_K, lane_R_K]
            second_R_K = self.moments.second_C_L[after_R_K, lane_R_K]
            worths += [
                points_R_K + mean_R_K,
                points_R_K * (points_R_K + 2 * mean_R_K) + second_R_K,
            ]
        return np.stack(worths)

    def options(self, position: Position) -> list[Option]:
        """Return every legal action at a position, best first.

        Ties keep the order of the rules: categories in card order, then keeps, more dice first.

        Raises
        ------
        ValueError
            When the position belongs to other rules.
        """
        if position.rules != self.rules:
            raise ValueError(
                f"expected a position of {self.rules.name}, got one of {position.rules.name}"
            )
        lattice, state = self.model.lattice, position.state
        c = int(self.model.class_S[int(state.armed), state.filled])
        worth_Q_R_K = self.score_worths(c, state.upper)
        scored_Q_K = worth_Q_R_K[:, lattice.point(position.dice) - lattice.first_roll]
        legal = np.flatnonzero(scored_Q_K[0] > -np.inf)
        worths: list[tuple[Action, NDArray[np.float64]]]
        worths = [(Score(int(k)), scored_Q_K[:, k]) for k in legal]
        if position.rolls_left:
            worth_Q_R, _ = score_rolls(worth_Q_R_K, TIE)
            for _ in range(position.rolls_left - 1):
                worth_Q_P = throw(lattice, worth_Q_R, self.objective.chance)
                worth_Q_R, _ = keep_dice(lattice, worth_Q_P, TIE / self.rules.dice)
            worth_Q_P = throw(lattice, worth_Q_R, self.objective.chance)
            for keep in legal_keeps(position.dice):
                worths.append((Keep(keep), worth_Q_P[:, lattice.point(keep)]))
        so_far = position.points - float(self._earned(state.upper))
        best = max(float(worth[0]) for _, worth in worths)
        options = []
        for action, (value, *moments) in worths:
            loss = best - float(value)
            options.append(Option(action, so_far + float(value), loss, loss <= TIE, _sd(*moments)))
        return sorted(options, key=lambda option: 0.0 if option.best else option.loss)

    def save(self, path: str | Path) -> None:
        """Write the table to a file, whole or not at all.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        arrays = {"remaining_C_L": np.ascontiguousarray(self.remaining_C_L)}
        if self.moments:
            arrays["mean_C_L"] = np.ascontiguousarray(self.moments.mean_C_L)
            arrays["second_C_L"] = np.ascontiguousarray(self.moments.second_C_L)
        header = {"rules": self.rules.model_dump_json(), "objective": self.objective.name}
        write_table(Path(path), header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> "Solution":
        """Read a table that :meth:`save` wrote.

        Raises
        ------
        TableError
            When the file is no table, is cut short, or was altered.
        OSError
            When it cannot be read.
        """
        header, arrays = read_table(Path(path))
        try:
            rules = Rules.model_validate_json(header["rules"])
            objective, model = parse_objective(header["objective"]), build(rules)
        except (KeyError, ValueError) as error:
            raise TableError(f"{path}: its header makes no game") from error
        shape = (model.classes, model.lanes)
        if set(arrays) not in ARRAYS or any(
            array.dtype != np.float64 or array.shape != shape for array in arrays.values()
        ):
            raise TableError(f"{path}: expected float64 arrays of shape {shape} by their names")
        moments = Moments(arrays["mean_C_L"], arrays["second_C_L"]) if len(arrays) > 1 else None
        return cls(rules, objective, model, arrays["remaining_C_L"], moments)
