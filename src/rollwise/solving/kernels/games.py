"""Games played in batches: the best choices of one state after another, and the games that meet it.

The steps and the tie rule are those of :mod:`rollwise.model.turn`; a state costs about a hundredth
of what it costs there.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.kernels.compiler import compiled


class Dice(NamedTuple):
    """The dice lattice; where a die is not to be thrown, a point is its own parent.

    Attributes
    ----------
    parent_P_F, child_P_F : int32 arrays of shape (P, F)
    thrown_K : int64 array of shape (K, 2)
        The first symbol, counted from 0, and one past the last of the die that is thrown next.
    sizes_P : float64 array of shape (P,)
    first_roll : int
        The first point that is a roll of all dice.
    """

    parent_P_F: NDArray[np.int32]
    child_P_F: NDArray[np.int32]
    thrown_K: NDArray[np.int64]
    sizes_P: NDArray[np.float64]
    first_roll: int


@compiled
def score_values(worth_O: Any, option_E_K: Any, left: int, value: Any, first_roll: int) -> None:
    """Write what it is worth to end a turn with some rolls left to the rolls of ``value``."""
    first = left * (len(value) - first_roll)
    for r in range(len(value) - first_roll):
        top = -np.inf
        for k in range(option_E_K.shape[1]):
            o = option_E_K[first + r, k]
            if o != 0:
                top = max(top, worth_O[o])
        value[first_roll + r] = top


@compiled
def turn_values(worth_O: Any, option_E_K: Any, dice: Any, values: Any) -> None:
    """Write what keeping each point is worth, and each roll to the best play.

    Parameters
    ----------
    worth_O : float64 array of shape (O,)
        What scoring an outcome is worth, all that follows included.
    option_E_K : uint16 array of shape (E, K)
        0 where forbidden; ends of a turn as in :mod:`rollwise.model.turn`.
    values : float64 array of shape (rerolls + 1, P)
        With j rerolls left: first what each final roll is worth (its keeps hold nothing), then
        what each point is worth that is kept before the last reroll, before the one before it, ….
    """
    n_points, n_keeps = len(dice.sizes_P), dice.first_roll
    n_rolls = n_points - n_keeps
    faces = dice.child_P_F.shape[1]
    best = np.empty(n_points)
    score_values(worth_O, option_E_K, 0, values[0], n_keeps)
    best[n_keeps:] = values[0, n_keeps:]
    for stage in range(1, len(values)):
        value = values[stage]
        value[n_keeps:] = best[n_keeps:]
        for p in range(n_keeps - 1, -1, -1):
            total = 0.0
            first, end = dice.thrown_K[p]
            for f in range(first, end):
                total += value[dice.parent_P_F[p, f]]
            value[p] = total / (end - first)
        if len(option_E_K) > n_rolls:  # to stop here is worth something else than to stop later
            score_values(worth_O, option_E_K, stage, value, n_keeps)
        for p in range(n_points):
            most = value[p]
            for f in range(faces):
                child = dice.child_P_F[p, f]
                if child >= 0:
                    most = max(most, best[child])
            best[p] = most


@compiled
def choose_keep(value: Any, dice: Any, die: float, best: Any, choice: Any) -> None:
    """Write the point that is kept of each point, for the values of one reroll."""
    slack = abs(die) / 4
    for p in range(len(value)):
        own = value[p] + dice.sizes_P[p] * die
        highest = own
        for f in range(dice.child_P_F.shape[1]):
            child = dice.child_P_F[p, f]
            if child >= 0:
                highest = max(highest, best[child])
        best[p] = highest
        choice[p] = p
        if own < highest - slack:
            for f in range(dice.child_P_F.shape[1]):
                child = dice.child_P_F[p, f]
                if child >= 0 and best[child] >= highest - slack:
                    choice[p] = choice[child]
                    break


@compiled
def best_choices(
    worth_G_O: Any,
    option_E_K: Any,
    dice: Any,
    tie: float,
    die: float,
    keeps: Any,
    categories: Any,
) -> None:
    """Write the best turn of each of some states of one class.

    Parameters
    ----------
    worth_G_O : float64 array of shape (G, O)
        As ``worth_O`` of :func:`turn_values`, for each state.
    keeps : uint16 array of shape (G, rerolls, R)
        The point kept of each roll, for the first reroll first.
    categories : uint8 array of shape (G, E)
    """
    n_points, first_roll = len(dice.sizes_P), dice.first_roll
    n_rolls = n_points - first_roll
    rerolls = keeps.shape[1]
    values = np.empty((rerolls + 1, n_points))
    best = np.empty(n_points)
    choice = np.empty(n_points, dtype=np.uint16)
    for g in range(len(worth_G_O)):
        worth_O = worth_G_O[g]
        turn_values(worth_O, option_E_K, dice, values)
        for end in range(min(len(option_E_K), (rerolls + 1) * n_rolls)):
            goal = -np.inf
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0:
                    goal = max(goal, worth_O[o] - tie)
            for k in range(option_E_K.shape[1]):
                o = option_E_K[end, k]
                if o != 0 and worth_O[o] >= goal:
                    categories[g, end] = k
                    break
        for j in range(1, rerolls + 1):
            choose_keep(values[j], dice, die, best, choice)
            keeps[g, rerolls - j] = choice[first_roll:]


@compiled
def play_turns(
    games: Any,
    group_of: Any,
    first_group: int,
    keeps: Any,
    categories: Any,
    faces: Any,
    dice: Any,
    allowed: Any,
    stops: bool,
    rolled: Any,
    kept: Any,
    thrown: Any,
    ended: Any,
    scored: Any,
) -> None:
    """Play one turn of some games, each by the choices of its group.

    Parameters
    ----------
    games, group_of : int64 arrays of shape (n,)
    keeps, categories : arrays of shape (groups, rerolls, R) and (groups, E)
        Of the groups from ``first_group`` on.
    faces : uint8 array of shape (games, rolls, dice)
        The symbols of the dice as they fall, from 0, kind by kind; a reroll of m dice of a kind
        takes the first m.
    allowed : int64 array of shape (games,)
        The most rolls of each turn.
    stops : bool
        Whether to keep a whole roll ends the turn.
    rolled, kept, thrown, ended, scored : arrays
        Written, of shape (games, rolls), (games, rerolls) and (games,): points of the lattice, how
        many rolls there were, the end of the turn and the category.
    """
    first_roll = dice.first_roll
    n_rolls = len(dice.sizes_P) - first_roll
    for i in range(len(games)):
        game = games[i]
        group = group_of[i] - first_group
        point = 0
        left = allowed[game]
        while True:
            j = allowed[game] - left
            for d in range(faces.shape[2]):
                point = dice.parent_P_F[point, faces[game, j, d]]
            rolled[game, j] = point
            left -= 1
            if left == 0:
                break
            point = keeps[group, keeps.shape[1] - left, point - first_roll]
            if stops and point >= first_roll:
                break
            kept[game, j] = point
        thrown[game] = allowed[game] - left
        ended[game] = point - first_roll + left * n_rolls
        scored[game] = categories[group, ended[game]]


@compiled
def turn_losses(
    games: Any,
    starts: Any,
    worth_G_O: Any,
    option_E_K: Any,
    dice: Any,
    rolled: Any,
    kept: Any,
    thrown: Any,
    ended: Any,
    scored: Any,
    losses: Any,
) -> None:
    """Write what each decision of a turn gave away against the best play, for games of one class.

    Parameters
    ----------
    games : int64 array
        Those of state g are ``games[starts[g] .. starts[g + 1] - 1]``.
    rolled, kept, thrown, ended, scored : arrays
        As :func:`play_turns` wrote them.
    losses : float64 array of shape (games, rolls)
        Best value less the value of the choice: each keep, then the category.
    """
    n_points = len(dice.sizes_P)
    n_rolls = n_points - dice.first_roll
    stages = losses.shape[1]  # as many as rolls of the longest turn
    if len(option_E_K) > n_rolls:
        stages = min(stages, len(option_E_K) // n_rolls)
    values = np.empty((stages, n_points))
    best = np.empty(n_points)
    for g in range(len(worth_G_O)):
        worth_O = worth_G_O[g]
        turn_values(worth_O, option_E_K, dice, values)
        for left in range(stages):
            best[:] = values[left]
            if left:
                for p in range(n_points):
                    for f in range(dice.child_P_F.shape[1]):
                        child = dice.child_P_F[p, f]
                        if child >= 0:
                            best[p] = max(best[p], best[child])
            for i in range(starts[g], starts[g + 1]):
                game = games[i]
                unused = ended[game] // n_rolls  # 0 where it does not matter when a turn ends
                j = thrown[game] - 1 + unused - left
                if j < 0 or left < unused:
                    continue
                point = rolled[game, j]
                if left > unused:
                    losses[game, j] = best[point] - values[left, kept[game, j]]
                else:
                    o = option_E_K[ended[game], scored[game]]
                    losses[game, j] = best[point] - worth_O[o]
