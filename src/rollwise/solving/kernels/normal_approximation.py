"""Decisions by a normal approximation of the final score, and the forward pass over them.

For each option, the points to come under optimal play for the expected score have a mean and a
standard deviation (SD). With s points so far, the z-value of the option for a target T is

    z = (s + mean - T + 1/2) / SD.

The option with the highest z-value has the highest probability of T points or more under a normal
distribution; one half is the continuity correction. The options are to score the roll, which ends
the turn, or to keep fewer dice than all. Ties are broken as in
:mod:`rollwise.solving.kernels.policy`.

The mean and the second moment of a turn do not depend on the points so far. :func:`turn_moments`
computes them once per state. Each score then needs only the comparison of z-values.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled, inlined
from rollwise.solving.kernels.lattice_index import ForwardIndex, LatticeIndex
from rollwise.solving.kernels.legal_outcomes import Arrays, LegalOutcomes, list_options
from rollwise.solving.kernels.policy import (
    PolicyScratch,
    TieRule,
    choose_keeps,
    forward_first_rolls,
    value_final_rolls,
)
from rollwise.solving.kernels.scalar_turn import LatticeArrays, Options, StateScratch, choose_keep
from rollwise.solving.kernels.score import NONE, row_after
from rollwise.solving.kernels.second_quantity import (
    ScoreFlow,
    ScoreFlowScratch,
    add_outcomes,
    copy_probabilities,
)
from rollwise.solving.kernels.vector import (
    WIDTH,
    Floats,
    Vector,
    add,
    aligned,
    fill,
    load,
    maximum,
    minimum,
    mul,
    store,
)

CERTAIN = 2.0**17
"""The limit of z-values; adding the tie breaker to larger numbers would have no effect."""

STEEP = 1e30
"""The replacement for the inverse of an SD of 0, which makes the z-value one of its limits."""

NEGLIGIBLE = 1e-13
"""Smaller variances, relative to the second moment, are rounding errors."""


class MomentScratch(NamedTuple):
    """The moments of the points to come from each option, under play for the expected score.

    Attributes
    ----------
    state : StateScratch
        ``values_J_P[j]`` has the mean of keeping each lattice point with j rerolls left. For j = 0
        it has the mean of the best category of each roll.
    second_J_P : float64 array of shape (rerolls + 1, P), the second moments of the same options
    scale_J_P : float64 array of shape (rerolls + 1, P), the inverse of their SDs
    mean_O, second_O, scale_O : float64 arrays of shape (O,)
        The mean, the second moment, and the inverse of the SD of each outcome.
    z_P : float64 array of shape (P,), the z-value of keeping each lattice point
    """

    state: StateScratch
    second_J_P: Floats
    scale_J_P: Floats
    mean_O: Floats
    second_O: Floats
    scale_O: Floats
    z_P: Floats

    @classmethod
    def of(cls, dice: LatticeArrays, rerolls: int, outcomes: int) -> "MomentScratch":
        """Return scratch arrays for turns with at most ``rerolls`` rerolls."""
        shape = rerolls + 1, len(dice.sizes_P)
        return cls(
            StateScratch.of(dice, rerolls),
            second_J_P=np.empty(shape),
            scale_J_P=np.empty(shape),
            mean_O=np.zeros(outcomes),
            second_O=np.zeros(outcomes),
            scale_O=np.zeros(outcomes),
            z_P=np.empty(shape[1]),
        )


@inlined
def inverse_sd(mean: float, second: float) -> float:
    """Return the inverse of an SD, given the mean and the second moment."""
    variance = second - mean * mean
    return 1.0 / np.sqrt(variance) if variance > NEGLIGIBLE * second else STEEP


@inlined
def z_value(margin: float, mean: float, scale: float) -> float:
    """Return the z-value of an option; ``margin`` is the points so far minus T plus one half."""
    return min(max((margin + mean) * scale, -CERTAIN), CERTAIN)


@inlined
def z_values(margin: Vector, mean: float, scale: float) -> Vector:
    """Return the z-values of an option for ``WIDTH`` margins."""
    z = mul(add(margin, fill(mean)), fill(scale))
    return minimum(maximum(z, fill(-CERTAIN)), fill(CERTAIN))


@inlined
def score_moments(
    first: int, left: int, option_E_K: Options, tie: TieRule, moments: MomentScratch
) -> None:
    """Set the moments of each roll to the moments of its best category.

    The best category has the highest expected score with ``left`` rolls left. ``first`` is the
    index of the first roll.
    """
    mean_P, second_P = moments.state.values_J_P[left], moments.second_J_P[left]
    n_rolls = len(mean_P) - first
    for r in range(n_rolls):
        end = left * n_rolls + r
        goal = -np.inf
        for k in range(option_E_K.shape[1]):
            o = option_E_K[end, k]
            if o != 0:
                goal = max(goal, moments.mean_O[o] - tie.slack)
        for k in range(option_E_K.shape[1]):
            o = option_E_K[end, k]
            if o != 0 and moments.mean_O[o] >= goal:
                mean_P[first + r], second_P[first + r] = moments.mean_O[o], moments.second_O[o]
                break


@inlined
def turn_moments(
    rerolls: int,
    stops: bool,
    option_E_K: Options,
    dice: LatticeArrays,
    tie: TieRule,
    moments: MomentScratch,
) -> None:
    """Compute the moments of keeping each lattice point with 1, 2, …, ``rerolls`` rerolls left.

    ``option_E_K`` has the outcome of each final roll in each category, or 0 if it is forbidden.
    ``stops`` says whether outcomes depend on the rolls left.
    """
    first, n_points = dice.first_roll, len(dice.sizes_P)
    score_moments(first, 0, option_E_K, tie, moments)
    for left in range(1, rerolls + 1):
        mean_P, second_P = moments.state.values_J_P[left], moments.second_J_P[left]
        last_P, last_second_P = moments.state.values_J_P[left - 1], moments.second_J_P[left - 1]
        if left > 1:
            choose_keep(last_P, dice, tie.die, moments.state)
        for p in range(first, n_points):
            kept = p if left == 1 else moments.state.choice_P[p]
            mean_P[p], second_P[p] = last_P[kept], last_second_P[kept]
        for p in range(first - 1, -1, -1):
            mean, second = 0.0, 0.0
            begin, end = dice.thrown_K[p, 0], dice.thrown_K[p, 1]
            for f in range(begin, end):
                mean += mean_P[dice.parent_P_F[p, f]]
                second += second_P[dice.parent_P_F[p, f]]
            mean_P[p], second_P[p] = mean / (end - begin), second / (end - begin)
            moments.scale_J_P[left, p] = inverse_sd(mean_P[p], second_P[p])
        if stops:
            score_moments(first, left, option_E_K, tie, moments)


class Decisions(NamedTuple):
    """Rolls that need decisions, sorted by state, and the decisions.

    Attributes
    ----------
    starts_G : int64 array of shape (G + 1,)
        The rolls on state g are ``starts_G[g] .. starts_G[g + 1] - 1``.
    table_G : int64 array of shape (G,), the number of the option table of each state
    margin_N : float64 array of shape (N,), the points so far minus T plus one half
    roll_N, left_N : int64 arrays of shape (N,), the roll and the number of rerolls left
    keep_N, category_N : int64 arrays of shape (N,)
        Receive the lattice point to keep, or the category to score in. For each roll, one of the
        two entries stays unchanged.
    """

    starts_G: NDArray[np.int64]
    table_G: NDArray[np.int64]
    margin_N: Floats
    roll_N: NDArray[np.int64]
    left_N: NDArray[np.int64]
    keep_N: NDArray[np.int64]
    category_N: NDArray[np.int64]


@compiled
def decide(
    moments: MomentScratch,
    mean_G_O: Floats,
    second_G_O: Floats,
    option_X_E_K: NDArray[np.uint16],
    dice: LatticeArrays,
    stops: bool,
    tie: TieRule,
    rolls: Decisions,
) -> None:
    """Write the decisions for rolls in states that all have the same number of rerolls.

    ``mean_G_O`` and ``second_G_O`` have the moments of the points to come from each outcome,
    including its points. ``option_X_E_K`` has the option tables, as for :func:`turn_moments`.
    """
    first, n_points = dice.first_roll, len(dice.sizes_P)
    z_P, state = moments.z_P, moments.state
    for g in range(len(mean_G_O)):
        option_E_K = option_X_E_K[rolls.table_G[g]]
        for o in range(mean_G_O.shape[1]):
            moments.mean_O[o], moments.second_O[o] = mean_G_O[g, o], second_G_O[g, o]
            moments.scale_O[o] = inverse_sd(mean_G_O[g, o], second_G_O[g, o])
        most = 0
        for n in range(rolls.starts_G[g], rolls.starts_G[g + 1]):
            most = max(most, rolls.left_N[n])
        turn_moments(most, stops, option_E_K, dice, tie, moments)
        for n in range(rolls.starts_G[g], rolls.starts_G[g + 1]):
            margin, left, roll = rolls.margin_N[n], rolls.left_N[n], rolls.roll_N[n]
            end = left * (n_points - first) + roll if stops else roll
            best = -np.inf
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0:
                    best = max(best, z_value(margin, moments.mean_O[o], moments.scale_O[o]))
            if left > 0:
                for p in range(n_points):
                    z_P[p] = -np.inf
                    if p < first:
                        mean, scale = state.values_J_P[left, p], moments.scale_J_P[left, p]
                        z_P[p] = z_value(margin, mean, scale)
                z_P[first + roll] = best
                choose_keep(z_P, dice, tie.die, state)
                if state.choice_P[first + roll] != first + roll:
                    rolls.keep_N[n] = state.choice_P[first + roll]
                    continue
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0:
                    z = z_value(margin, moments.mean_O[o], moments.scale_O[o])
                    if z >= best - tie.slack:
                        rolls.category_N[n] = k
                        break


class PointsToCome(NamedTuple):
    """The target, and the moments of the points to come under play for the expected score.

    Attributes
    ----------
    target : int
    mean_C_L, second_C_L : float64 arrays of shape (C, L)
    """

    target: int
    mean_C_L: Floats
    second_C_L: Floats


class NormalFlowScratch(NamedTuple):
    """Scratch arrays for the forward pass.

    Attributes
    ----------
    option_E_K : uint16 array of shape (E, K), the slot of each final roll in each open category
    margin : float64 array of shape (WIDTH,), the scores minus T plus one half
    """

    moments: MomentScratch
    flow: ScoreFlowScratch
    option_E_K: Options
    margin: Floats

    @classmethod
    def of(
        cls, dice: LatticeArrays, arrays: Arrays, lattice_index: LatticeIndex
    ) -> "NormalFlowScratch":
        """Return scratch arrays for a game."""
        n_ends = len(arrays.option_T_V_K) * len(lattice_index.ways_R)
        rerolls = int(arrays.class_C.rerolls.max())
        return cls(
            MomentScratch.of(dice, rerolls, len(arrays.outcome_O)),
            ScoreFlowScratch.of(arrays, lattice_index),
            np.zeros((n_ends, len(arrays.category_K)), dtype=np.uint16),
            aligned(WIDTH),
        )


@inlined
def copy_options(ends: int, boxes: int, legal: LegalOutcomes, option_E_K: Options) -> None:
    """Write the slot of the first ``ends`` final rolls in each open category, then zeros."""
    for end in range(ends):
        for k in range(option_E_K.shape[1]):
            option_E_K[end, k] = legal.options[end * boxes + k] // WIDTH if k < boxes else 0


@inlined
def slot_moments(
    arrays: Arrays,
    lane: int,
    slots: int,
    future: PointsToCome,
    legal: LegalOutcomes,
    moments: MomentScratch,
) -> None:
    """Set the moments of the points to come from each slot, including its points."""
    for slot in range(1, slots):
        outcome = arrays.outcome_O[legal.outcome_of_slot[slot]]
        after = legal.row_of_slot[slot]
        lane_after = min(lane + outcome.shift, arrays.lanes - 1)
        points, rest = float(outcome.total_points), future.mean_C_L[after, lane_after]
        moments.mean_O[slot] = points + rest
        square = future.second_C_L[after, lane_after]
        moments.second_O[slot] = points * (points + rest + rest) + square
        moments.scale_O[slot] = inverse_sd(moments.mean_O[slot], moments.second_O[slot])


@inlined
def choose_by_z(
    rerolls: int,
    tables: int,
    boxes: int,
    slots: int,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    tie: TieRule,
    scratch: NormalFlowScratch,
) -> None:
    """Compute the best dice to keep before each reroll, for the scores of ``scratch.margin``."""
    turn, moments = scratch.flow.turn, scratch.moments
    margin = load(scratch.margin, 0)
    for slot in range(1, slots):
        z = z_values(margin, moments.mean_O[slot], moments.scale_O[slot])
        store(turn.legal.value, slot * WIDTH, z)
    value_final_rolls(turn, boxes, 0, lattice_index)
    for stage in range(rerolls):
        if tables > 1:
            value_final_rolls(turn, boxes, stage + 1, lattice_index)
        mean_P, scale_P = moments.state.values_J_P[stage + 1], moments.scale_J_P[stage + 1]
        for p in range(len(lattice_index.keep_offsets)):
            store(turn.point, p * WIDTH, z_values(margin, mean_P[p], scale_P[p]))
        choose_keeps(
            turn.point,
            lattice_index,
            forward_index,
            tie.die,
            turn.best,
            turn.whole_J[stage],
            turn.moved_J[stage],
        )


@compiled
def forward_by_normal(
    first: int,
    last: int,
    scratch: NormalFlowScratch,
    arrays: Arrays,
    lattice_index: LatticeIndex,
    forward_index: ForwardIndex,
    dice: LatticeArrays,
    future: PointsToCome,
    tie: TieRule,
    flow: ScoreFlow,
) -> None:
    """Add the distributions of scores after one turn to the next layer.

    The turn starts from the states in ``flow.classes[first:last]``. See
    :func:`rollwise.solving.kernels.second_quantity.forward_by_score`.
    """
    turn: PolicyScratch = scratch.flow.turn
    legal, moments, reached = turn.legal, scratch.moments, flow.reached
    tables, n_rolls = len(arrays.option_T_V_K), len(lattice_index.ways_R)
    for i in range(first, last):
        c = flow.classes[i]
        rerolls = arrays.class_C[c].rerolls
        size = list_options(arrays, c, lattice_index, legal)
        ends = min(tables, rerolls + 1) * n_rolls
        copy_options(ends, size.boxes, legal, scratch.option_E_K)
        for slot in range(1, size.slots):
            store(scratch.flow.total, slot * WIDTH, fill(0.0))
        for x in range(reached.first_row_C[c], reached.first_row_C[c + 1]):
            if reached.low_X[x] == NONE:
                continue
            lane = arrays.class_C[c].first_lane + x - reached.first_row_C[c]
            for slot in range(1, size.slots):
                o = legal.outcome_of_slot[slot]
                y = row_after(arrays, reached.first_row_C, legal.row_of_slot[slot], lane, o)
                scratch.flow.offset[slot] = (
                    reached.start_X[y] - reached.low_X[y] + arrays.outcome_O[o].total_points
                )
            start = reached.start_X[x] - reached.low_X[x]
            solved = False
            for score in range(reached.low_X[x], reached.high_X[x], WIDTH):
                length = reached.high_X[x] - score
                if not copy_probabilities(flow.here, start + score, length, scratch.flow.mass):
                    continue
                if not solved:
                    slot_moments(arrays, lane, size.slots, future, legal, moments)
                    turn_moments(rerolls, tables > 1, scratch.option_E_K, dice, tie, moments)
                    solved = True
                for lane_of_score in range(WIDTH):
                    scratch.margin[lane_of_score] = score + lane_of_score - future.target + 0.5
                choose_by_z(
                    rerolls,
                    tables,
                    size.boxes,
                    size.slots,
                    lattice_index,
                    forward_index,
                    tie,
                    scratch,
                )
                forward_first_rolls(
                    rerolls, tables, True, size, lattice_index, forward_index, tie, turn
                )
                add_outcomes(scratch.flow, size.slots, score, flow.after)
        for slot in range(1, size.slots):
            for lane_of_score in range(WIDTH):
                taken = scratch.flow.total[slot * WIDTH + lane_of_score]
                flow.taken_C_O[c - flow.first, legal.outcome_of_slot[slot]] += taken
