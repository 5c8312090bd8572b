"""Backward induction for one turn of roll and keep, on the graph of dice.

A turn has n dice of f faces and R rolls. Let X_r(s) be the expected payoff of the full roll s with
r rolls left, under optimal play. X_0 is the payoff of the turn. With r rolls left,

* the value of keeping the whole roll is v_r(s) = X_{r−1}(s);
* the value of keeping fewer dice k is the mean over the results k' of rolling one more die:
  v_r(k) = Σ ways(k → k') v_r(k') / f, where ways(k → k') is the number of faces that lead from k
  to k';
* the best value among all subsets of the dice k is b_r(k) = max(v_r(k), max b_r(k')), where k'
  is k without one die;
* the value of a roll is X_r(s) = b_r(s).

The turn starts without dice, so its value is v_R(no dice).

`analyze` gives the same result for R − 1 decisions and a first roll. This module is faster because
it needs no matrix of options by states: it computes means and maxima one die at a time. Exact
values are stored as whole numbers, in units of f^(−nr). If k has j dice, v_r(k) is a multiple of
f^j, so that division by f has no remainder. In float64, ties allow for rounding: see `arrows.TIE`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite, lcm
from operator import floordiv, truediv
from typing import Any

import numpy as np

from rollwise.decision_analysis.arrows import Array, Number, is_exact, is_tie
from rollwise.decision_analysis.dice_graph import DiceGraph
from rollwise.decision_analysis.turn_problem import TurnProblem
from rollwise.errors import InputError

Divide = Callable[[Any, int], Array]


@dataclass(frozen=True)
class _Round:
    """The values with r rolls left: one array per layer of the graph, in the order of its nodes.

    ``values`` contains v_r, and ``best`` contains b_r. The other arrays contain the magnitudes of
    these means, which `arrows.TIE` defines. If values are exact or non-negative, the magnitudes are
    the means.
    """

    values: Sequence[Array]
    best: Sequence[Array]
    sizes: Sequence[Array]
    sizes_of_best: Sequence[Array]


@dataclass(frozen=True)
class TurnAnalysis:
    """The solution of a turn: the value of each option and the best options of each state.

    Values are Fractions if the solution is exact, and floats otherwise. In all methods,
    ``rolls_left`` is the number of rolls to come. It is 2 after the first of three rolls.
    """

    turn: TurnProblem
    exact: bool
    _payoff: Array = field(repr=False)
    _rounds: Sequence[_Round] = field(repr=False)
    _parts: int = field(repr=False)  # the unit of exact payoffs is 1 / _parts

    @property
    def value(self) -> Number:
        """The expected payoff of the turn before its first roll."""
        return self.keep_value(self.turn.start, self.turn.rolls)

    def keep_value(self, option: str, rolls_left: int) -> Number:
        """Return the value of an option: the expected payoff under optimal play after it.

        Raises
        ------
        ValueError
            If the string is not an option, or the number of rolls left is out of range.
        """
        layer, i = self.turn.place(option)
        return self._numbers(self._round(rolls_left).values[layer][[i]], rolls_left)[0]

    def is_tie(self, option: str, other: str, rolls_left: int) -> bool:
        """Return whether two options have the same value."""
        round_ = self._round(rolls_left)
        (layer, i), (other_layer, j) = self.turn.place(option), self.turn.place(other)
        values, sizes = round_.values, round_.sizes
        return is_tie(
            values[layer][i], values[other_layer][j], sizes[layer][i], sizes[other_layer][j]
        )

    def best_keeps(self, state: str, rolls_left: int) -> tuple[str, ...]:
        """Return all best options of a state, in increasing order of the number of dice to keep.

        Raises
        ------
        ValueError
            If the string is not a state, or the number of rolls left is out of range.
        """
        return self._best_keeps(self._state(state), rolls_left)

    def keep_values(self, rolls_left: int) -> dict[str, Number]:
        """Return the value of each option (see `keep_value`)."""
        layers = self._round(rolls_left).values
        numbers = [x for values in layers for x in self._numbers(values, rolls_left)]
        return dict(zip(self.turn.options, numbers, strict=True))

    def payoffs(self, rolls_left: int) -> dict[str, Number]:
        """Return the value X_r of each state, where r is ``rolls_left``; X_0 is the payoff.

        Raises
        ------
        ValueError
            If the number of rolls left is out of range.
        """
        values = self._payoff if rolls_left == 0 else self._round(rolls_left).best[-1]
        return dict(zip(self.turn.states, self._numbers(values, rolls_left), strict=True))

    def moves(self, rolls_left: int) -> dict[str, tuple[str, ...]]:
        """Return all best options of each state (see `best_keeps`)."""
        return {s: self._best_keeps(i, rolls_left) for i, s in enumerate(self.turn.states)}

    def _best_keeps(self, state: int, rolls_left: int) -> tuple[str, ...]:
        # Walk down from the state, only through dice whose subsets include a best option.
        round_ = self._round(rolls_left)
        graph = self.turn.graph
        top, size = round_.best[-1][state], round_.sizes_of_best[-1][state]
        keeps: list[str] = []
        within = {state}
        for layer in range(self.turn.dice, -1, -1):
            keeps += [
                self.turn.notation.format(graph.layers[layer][i])
                for i in sorted(within, reverse=True)
                if is_tie(round_.values[layer][i], top, round_.sizes[layer][i], size)
            ]
            if layer:
                best, sizes = round_.best[layer - 1], round_.sizes_of_best[layer - 1]
                below = {j for i in within for j in graph.down[layer - 1].heads_of(i)}
                within = {j for j in below if is_tie(best[j], top, sizes[j], size)}
        return tuple(reversed(keeps))

    def _state(self, text: str) -> int:
        layer, i = self.turn.place(text)
        if layer != self.turn.dice:
            raise InputError(f"{text!r} has {layer} dice; a roll of this turn has {self.turn.dice}")
        return i

    def _round(self, rolls_left: int) -> _Round:
        if not 1 <= rolls_left <= self.turn.rolls:
            raise InputError(
                f"the number of rolls left must be from 1 to {self.turn.rolls}, not {rolls_left}"
            )
        return self._rounds[rolls_left - 1]

    def _numbers(self, values: Array, rolls_left: int) -> list[Number]:
        if not self.exact:
            floats: list[Number] = values.tolist()
            return floats
        parts = self._parts * _outcomes(self.turn) ** rolls_left
        return [Fraction(value, parts) for value in values]


def analyze_turn(turn: TurnProblem, *, exact: bool = True) -> TurnAnalysis:
    """Solve a turn by backward induction, and return its values and best options.

    Values are Fractions if ``exact`` is true, and floats otherwise.

    Raises
    ------
    ValueError
        If a payoff is not finite, or if ``exact`` is true and a payoff is a float.
    """
    numbers = _checked_payoff(turn, exact)
    if exact:
        parts = lcm(*(Fraction(number).denominator for number in numbers))
        payoff = np.array([int(number * parts) for number in numbers], dtype=object)
        scale, divide = _outcomes(turn), floordiv
    else:
        parts, payoff = 1, np.array(numbers, dtype=np.float64)
        scale, divide = 1, truediv
    x, size = payoff, None if exact or min(numbers) >= 0 else abs(payoff)
    rounds: list[_Round] = []
    for _ in range(turn.rolls):
        rounds.append(_round_before(turn.graph, x * scale, size, turn.notation.faces, divide))
        x = rounds[-1].best[-1]
        size = None if size is None else rounds[-1].sizes_of_best[-1]
    return TurnAnalysis(turn, exact, payoff, rounds, parts)


def _round_before(
    graph: DiceGraph, x: Array, size: Array | None, faces: int, divide: Divide
) -> _Round:
    """Return the values with r rolls left, given ``x``, which is X_{r−1}.

    ``size`` contains the magnitudes of the elements of ``x``, or is None if they equal ``x``.
    """
    values = _means(graph, x, faces, divide)
    sizes = values if size is None else _means(graph, size, faces, divide)
    best, sizes_of_best = [values[0]], [sizes[0]]
    for down, values_here, size_here in zip(graph.down, values[1:], sizes[1:], strict=True):
        below = down.best(best[-1])
        if size is not None:
            size_below = down.size_of_best(best[-1], sizes_of_best[-1])
            sizes_of_best.append(np.where(values_here >= below, size_here, size_below))
        best.append(np.maximum(values_here, below))
    return _Round(values, best, sizes, best if size is None else sizes_of_best)


def _means(graph: DiceGraph, x: Array, faces: int, divide: Divide) -> list[Array]:
    """Return the mean of ``x`` after the missing dice are rolled, for each node of each layer."""
    means = [x]
    for up in reversed(graph.up):
        means.append(divide(up.total(means[-1]), faces))
    return means[::-1]


def _outcomes(turn: TurnProblem) -> int:
    """Return the number of ordered rolls of all dice."""
    return int(turn.notation.faces**turn.dice)


def _checked_payoff(turn: TurnProblem, exact: bool) -> list[Number]:
    payoff = [turn.payoff(state) for state in turn.graph.layers[-1]]
    for state, x in zip(turn.states, payoff, strict=True):
        if not isfinite(x):
            raise InputError(f"the payoff of roll {state!r} must be a finite number, not {x}")
        if exact and not is_exact([x]):
            raise InputError(
                f"the payoff of roll {state!r} is the float {x}; use an int or a Fraction, or set "
                "exact=False"
            )
    return payoff
