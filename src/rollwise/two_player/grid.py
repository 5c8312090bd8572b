r"""Grids for near-exact two-player values: fewer upper-section totals and score differences.

Only some totals are nodes (:mod:`rollwise.two_player.nodes`), and only every second or fourth score
difference of most pairs of scorecards has a value. Other values are interpolated: linearly between
two nodes, and by a cubic polynomial through four score differences. The nodes and the steps depend
on the game, and on the open categories.

The nodes of a set of open upper categories minimize the sum of p * ((x - y) * (z - x) + ``GAP``)
over all other totals. Here p is an estimate of the probability of the total, x is the expected
bonus to come, and y and z are those of the two nodes around it, as fractions of the highest bonus.

The step between score differences is the largest one whose error is small. The points to come from
a scorecard are approximately the sum of the points of its open categories, if each of them is
scored in a turn that maximizes its points. The win probability is then a convolution of these
distributions, so its Fourier transform is a product of characteristic functions. At the frequency
w, cubic interpolation with step h is wrong by a factor with the mean square
:math:`g_h(w) = \frac{1}{h} \sum_r |\sum_j c_j(r) e^{iw(hj - r)} - 1|^2`, and the mean squared
error of the win probability is

.. math:: E^2 = \frac{1}{4 \sigma \pi} \int_0^\pi |\phi_A(w) \phi_B(w)|^2
    \frac{g_h(w)}{4 \sin^2(w / 2)} \, dw,

where :math:`\sigma` is the standard deviation of the sum. For example, a scorecard with only
straights and Yahtzee open scores multiples of five, so it needs all differences.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.model.arrays import Model
from rollwise.solving.kernels.two_player import TAPS
from rollwise.solving.position_index import CardIndex
from rollwise.solving.turn_policy import Cards, best_turns
from rollwise.two_player.nodes import Choice, Floats, Indices, alike_lanes, shifts_of

DEVIATIONS = 5.0
"""The standard deviations of the final score difference beyond which a game is decided."""

FEW = 5
"""The number of open categories up to which such a game is not decided.

The sum of so few categories is not nearly normal.
"""

MARGIN = 3
"""The number of steps by which the score differences of a pair exceed those of games."""

GAP = 0.001
"""The error of a total that is not a node, however near to a node it is."""

RARE = 0.02
"""The probability that is divided equally among all totals when nodes are chosen."""

TINY = 1e-9
"""The smallest variance by which an error is divided."""

ERRORS = Path(__file__).with_name("grid_errors.json")
"""The measured errors, written by ``benchmarks/grid_errors.py``."""

FREQUENCIES = 192
"""The number of frequencies at which characteristic functions are computed."""


@dataclass(frozen=True)
class Grid:
    """The accuracy of a grid.

    Attributes
    ----------
    name : str
        The name on the command line.
    nodes_by_open : tuple of int
        The maximum number of nodes for a set of open upper categories, beside those without a
        bonus to come. Element k is for scorecards with k open categories, and the last element
        also for those with more.
    error_by_open : tuple of float
        The largest estimated error for which a step is used, for the same numbers of open
        categories of the player who has filled fewer. If it is 0, all differences have values.
    step : int
        The largest step: 4 or 8.
    first : int
        The number of turns from the start in which all differences have values.
    """

    name: str
    nodes_by_open: tuple[int, ...]
    error_by_open: tuple[float, ...]
    step: int
    first: int

    def __str__(self) -> str:
        early = self.most_nodes(len(self.nodes_by_open))
        fewer = f" ({early} in early turns)" if early < self.nodes else ""
        return (
            f"{self.name}: at most {self.nodes} upper-section totals for each set of open upper "
            f"categories{fewer}, and steps of up to {self.step} points"
        )

    @property
    def nodes(self) -> int:
        """The maximum number of nodes for a set of open upper categories."""
        return max(self.nodes_by_open)

    def most_nodes(self, open_categories: int) -> int:
        """Return the maximum number of nodes with so many open categories."""
        return self.nodes_by_open[min(open_categories, len(self.nodes_by_open) - 1)]

    def error(self, open_categories: int) -> float:
        """Return the largest estimated error of a step with so many open categories."""
        return self.error_by_open[min(open_categories, len(self.error_by_open) - 1)]


FINE, LIGHT, COARSE = (
    Grid("fine", (16,), (0, 0, 0, 0, 5e-6), 4, 8),
    Grid("light", (7,), (0, 0, 0, 0, 2e-4), 4, 6),
    Grid("coarse", (16, 16, 16, 7, 7, 5, 3), (0, 0, 0, 2e-4, 3e-4, 5e-4, 1e-3), 8, 6),
)
GRIDS = {grid.name: grid for grid in (FINE, LIGHT, COARSE)}
"""All grids, beginning with the most accurate one."""

MANY = 10
"""The number of open categories of either player up to which a light solution is ``LIGHT``."""


def grids_for(open_categories: int) -> dict[str, Grid]:
    """Return the fine and the light grid for so many open categories of either player."""
    return {"fine": FINE, "light": LIGHT if open_categories <= MANY else COARSE}


class GridErrors(NamedTuple):
    """Measured errors of win probabilities: the mean and the largest one.

    They are errors of the value before the roll, and of the dice to keep from a roll. The errors of
    options are larger, because those of different rolls cancel in the value.
    """

    value_typical: float
    value_largest: float
    option_typical: float
    option_largest: float


def measured_errors(game: str, open_categories: int, grid: str) -> GridErrors:
    """Return the errors of a grid.

    If a game was not measured with this number of open categories, they are the largest errors of
    all games with the nearest number.
    """
    table = json.loads(ERRORS.read_text(encoding="utf-8"))
    rows = [row for row in table if row["grid"] == grid]
    nearest = min((row["open"] for row in rows), key=lambda number: abs(number - open_categories))
    rows = [row for row in rows if row["open"] == nearest]
    if nearest == open_categories:
        rows = [row for row in rows if row["game"] == game] or rows
    return GridErrors(*(max(row[name] for row in rows) for name in GridErrors._fields))


def cubic_weights(step: int) -> Floats:
    """Return the weights of ``TAPS`` differences for each number of points above the second one.

    The shape is (step, TAPS).
    """
    share = np.arange(step) / step
    places = np.arange(TAPS) - 1.0
    apart = places[:, None] - places
    np.fill_diagonal(apart, 1.0)
    factors = (share[:, None, None] - places) / apart
    factors[:, np.arange(TAPS), np.arange(TAPS)] = 1.0
    return np.asarray(factors.prod(axis=2))


TAP_WEIGHTS = np.vstack([np.zeros((1, TAPS)), *(cubic_weights(1 << n) for n in range(4))])
"""The weights for each step h and each number r of points in row h + r."""


class CategoryLaws:
    """The distribution of the points of each category in a turn that maximizes its points."""

    def __init__(self, model: Model) -> None:
        self._model = model
        open_C_K = model.open_categories(np.arange(model.n_classes))
        self._law_K_O = np.zeros((open_C_K.shape[1], len(model.points_O)))
        for k, law_O in enumerate(self._law_K_O):
            c = int(np.flatnonzero(open_C_K[:, k])[-1])
            of_category = np.asarray(model.category_O) == k
            value_O = np.where(of_category, model.total_points_O, -1e6)
            turn = best_turns(Cards.one(model, c, 0), value_O[None])
            law_O[:] = np.where(of_category, turn.outcome_probabilities()[0], 0.0)
            law_O /= law_O.sum()

    def total(self, filled: int, lane: int) -> Floats:
        """Return the estimated distribution of the lane, shape (L,), after filling categories.

        The estimate assumes that half of the turns are those of the distributions, and that the
        others are the better one of two such turns.
        """
        top = self._model.lanes - 1
        total_L = np.zeros(top + 1)
        total_L[lane] = 1.0
        for k, shifts in enumerate(shifts_of(self._model)):
            if filled >> k & 1 and shifts.any():
                law = np.bincount(self._model.shift_O, self._law_K_O[k], minlength=shifts.max() + 1)
                best = np.diff(np.cumsum(law) ** 2, prepend=0.0)
                total = np.convolve(total_L, (law + best) / 2)
                total_L = np.append(total[:top], total[top:].sum())
        return total_L

    @cached_property
    def spectra(self) -> tuple[Floats, Floats]:
        """The squared absolute characteristic functions, shape (K, frequencies), and variances."""
        points_O = self._model.total_points_O
        wave_W_O = np.exp(1j * frequencies()[:, None] * points_O)
        mean_K, second_K = (self._law_K_O @ points_O**power for power in (1, 2))
        return np.abs(self._law_K_O @ wave_W_O.T) ** 2, second_K - mean_K**2


def frequencies() -> Floats:
    """Return frequencies from 0 to pi, which are denser near 0."""
    return np.asarray(np.pi * (np.arange(1, FREQUENCIES + 1) / FREQUENCIES) ** 2)


def error_weights(step: int) -> Floats:
    """Return the weight of each frequency in the squared error of interpolation with this step."""
    w, n = frequencies(), np.arange(1, FREQUENCIES + 1)
    places = step * (np.arange(TAPS) - 1) - np.arange(step)[:, None]
    wave_W_R = (cubic_weights(step) * np.exp(1j * w[:, None, None] * places)).sum(axis=2)
    wrong_W = (np.abs(wave_W_R - 1) ** 2).mean(axis=1)
    width_W = 2 * np.pi * n / FREQUENCIES**2
    return np.asarray(wrong_W / (4 * np.sin(w / 2) ** 2) * width_W / (4 * np.pi))


class GridChoices:
    """The choice of nodes and steps for a grid of one game."""

    def __init__(self, model: Model, grid: Grid) -> None:
        self.grid, self._model, self._laws = grid, model, CategoryLaws(model)

    def choice(self, start: CardIndex) -> Choice:
        """Return the choice of nodes among the totals that follow ``start``."""
        filled = int(self._model.mask_C[start.c])

        def choose(
            open_categories: int, open_upper: int, lane_N: Indices, to_come_N: Floats
        ) -> NDArray[np.bool_]:
            most = self.grid.most_nodes(open_categories)
            if len(lane_N) <= most:
                return np.ones(len(lane_N), dtype=np.bool_)
            total_L = self._laws.total(~filled & ~open_upper, start.lane)
            first_L, _ = alike_lanes(self._model, open_upper)
            probability_N = np.bincount(first_L, total_L)[lane_N] + RARE / len(lane_N)
            return best_nodes(np.asarray(probability_N), to_come_N, most)

        return choose

    def most_open(self, *turns: int) -> int:
        """Return the number of open categories of the player who has filled fewer."""
        return len(self._model.rules.categories) - min(turns)

    def steps(self, class_B: Indices, class_A: Indices, most_open: int) -> NDArray[np.uint8]:
        """Return the step of each pair of scorecards with these classes, shape (B, A).

        ``most_open`` is the number of open categories of the player who has filled fewer.
        """
        error = self.grid.error(most_open)
        if error == 0:
            return np.ones((len(class_B), len(class_A)), dtype=np.uint8)
        mask_C = np.asarray(self._model.mask_C)
        filled_S, of_B = np.unique(mask_C[class_B], return_inverse=True)
        filled_T, of_A = np.unique(mask_C[class_A], return_inverse=True)
        spectrum_S, variance_S = self._open(filled_S)
        spectrum_T, variance_T = self._open(filled_T)
        sd_S_T = np.sqrt(np.maximum(variance_S[:, None] + variance_T, TINY))
        step_S_T = np.ones(sd_S_T.shape, dtype=np.uint8)
        for step in (2, 4, 8)[: self.grid.step.bit_length() - 1]:
            squared_S_T = (spectrum_S * error_weights(step)) @ spectrum_T.T / sd_S_T
            step_S_T[squared_S_T <= error**2] = step
        return step_S_T[of_B[:, None], of_A]

    def _open(self, filled_S: Indices) -> tuple[Floats, Floats]:
        """Return the spectrum and the variance of the points of all open categories."""
        spectrum_K_W, variance_K = self._laws.spectra
        product_S_W, variance_S = np.ones((len(filled_S), FREQUENCIES)), np.zeros(len(filled_S))
        for k in range(len(variance_K)):
            is_open = filled_S >> k & 1 == 0
            product_S_W[is_open] *= spectrum_K_W[k]
            variance_S[is_open] += variance_K[k]
        return product_S_W, variance_S


def best_nodes(probability_N: Floats, to_come_N: Floats, count: int) -> NDArray[np.bool_]:
    """Return which of N totals are the best ``count`` nodes, for increasing ``to_come_N``.

    The totals without a bonus to come, 0 and 1, are nodes too.
    """
    number = len(to_come_N)
    x = np.concatenate([[0.0], to_come_N, [1.0]])
    p = np.concatenate([[0.0], probability_N, [0.0]])
    moments = (np.append(0.0, np.cumsum(p * x**power)) for power in range(3))
    # The moments of all totals between the totals i and j.
    mass_I_J, first_I_J, second_I_J = (m[:-1] - m[1:, None] for m in moments)
    x_I = x[:, None]
    cost_I_J = (x_I + x) * first_I_J - second_I_J + (GAP - x_I * x) * mass_I_J
    cost_I_J[np.tril_indices(number + 2)] = np.inf
    best_J, before = cost_I_J[0], []
    for _ in range(min(count, number)):
        through_I_J = best_J[:, None] + cost_I_J
        before.append(through_I_J.argmin(axis=0))
        best_J = through_I_J.min(axis=0)
    is_node, at = np.zeros(number + 2, dtype=np.bool_), number + 1
    for previous in reversed(before):
        at = previous[at]
        is_node[at] = True
    return is_node[1:-1]
