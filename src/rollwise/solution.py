"""A solved game: the value of every card, and of every option at a position."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rollwise.errors import InputError
from rollwise.model import NO_CLASS, Model, build
from rollwise.objectives import Objective, parse_objective
from rollwise.reach import reachable
from rollwise.rules import Rules
from rollwise.scorecard import Action, Keep, Position, Score, legal_keeps
from rollwise.turn import best_keep_values, category_values, keep_values

TIE = 1e-9
"""Options closer than this, in points, are equally good."""

FORMAT = "rollwise table 1"


class TableError(InputError):
    """A file that is no table, or no longer the one that was written."""


def signature(solution: "Solution") -> str:
    """Return one hash of all values: equal for equal results, bit for bit, on any machine."""
    values = np.ascontiguousarray(solution.remaining_C_L, dtype="<f8")
    return hashlib.sha256(values.tobytes()).hexdigest()


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
    """

    action: Action
    value: float
    loss: float
    best: bool


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every card under best play.

    Attributes
    ----------
    remaining_C_L : float64 array of shape (classes, lanes)
        What is still to come from each state between turns, the upper bonus included however early
        it was earned; NaN on lanes beyond any game. Axes as in :mod:`rollwise.model`.
    """

    rules: Rules
    objective: Objective
    model: Model
    remaining_C_L: NDArray[np.float64]

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

    def category_values(self, c: int, lane: int) -> NDArray[np.float64]:
        """Return what each final roll is worth in each category on one card.

        Shape (R, K) as in :mod:`rollwise.model`; -inf where the rules forbid it. Worth as in
        ``remaining_C_L``: what the move earns and what is still to come.
        """
        points_O = (self.model.points_O + self.model.extra_O).astype(np.float64)
        return category_values(
            self.model,
            self.remaining_C_L,
            self.objective.gain(points_O),
            self.objective.points(points_O),
            c,
            lane,
        )

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
        model, state = self.model, position.state
        c = int(model.class_S[int(state.armed), state.filled])
        roll = model.lattice.point(position.dice) - model.lattice.first_roll
        value_R_K = self.category_values(c, state.upper)
        actions: list[tuple[Action, float]] = [
            (Score(k), float(value)) for k, value in enumerate(value_R_K[roll]) if value > -np.inf
        ]
        if position.rolls_left:
            value_R = value_R_K.max(axis=1)
            for _ in range(position.rolls_left - 1):
                value_P = keep_values(model.lattice, value_R, self.objective.chance)
                value_R = best_keep_values(model.lattice, value_P)[model.lattice.first_roll :]
            value_P = keep_values(model.lattice, value_R, self.objective.chance)
            actions += [
                (Keep(keep), float(value_P[model.lattice.point(keep)]))
                for keep in legal_keeps(position.dice)
            ]
        so_far = position.points - float(self._earned(state.upper))
        best = max(value for _, value in actions)
        options = [
            Option(action, so_far + value, best - value, best - value <= TIE)
            for action, value in actions
        ]
        return sorted(options, key=lambda option: 0.0 if option.best else option.loss)

    def save(self, path: str | Path) -> None:
        """Write the table to a file, whole or not at all.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        from safetensors.numpy import save

        from rollwise.files import write_atomically

        values = np.ascontiguousarray(self.remaining_C_L)
        metadata = {
            "format": FORMAT,
            "rules": self.rules.model_dump_json(),
            "objective": self.objective.name,
            "sha256": signature(self),
        }
        write_atomically(Path(path), save({"remaining_C_L": values}, metadata))

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
        from safetensors import SafetensorError, safe_open

        with Path(path).open("rb"):
            pass  # a missing file is an OSError with its name, not one of safetensors' own
        try:
            with safe_open(path, framework="numpy") as table:
                metadata = table.metadata() or {}
                values = table.get_tensor("remaining_C_L")
        except SafetensorError as error:
            raise TableError(f"{path}: not a whole table: {error}") from error
        if metadata.get("format") != FORMAT:
            raise TableError(f"{path}: expected a {FORMAT!r}, got {metadata.get('format')!r}")
        rules = Rules.model_validate_json(metadata["rules"])
        model = build(rules)
        if values.shape != (model.classes, model.lanes):
            raise TableError(
                f"{path}: expected values of shape {(model.classes, model.lanes)}, "
                f"got {values.shape}"
            )
        solution = cls(rules, parse_objective(metadata["objective"]), model, values)
        if signature(solution) != metadata.get("sha256"):
            raise TableError(f"{path}: the values are not those that were written")
        return solution
