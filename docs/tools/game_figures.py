"""Compute the figures on the pages of games, and write them to ``docs/games/figures.json``.

    python docs/tools/game_figures.py [NAME …]

The default is every game that can be solved in seconds. Without a name, the script takes a few
minutes. If the exact distribution of the final score takes too much memory, the figures come from
simulated games. A large game takes minutes, and its value table is saved on disk: 18 GiB for Maxi
Yatzy. The three games that take longest have only the value that ``rollwise solve`` prints.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rollwise import Distribution, Rules, Solver, evaluate, load_rules, preset_names, solve
from rollwise.errors import InconsistentError, TooLargeError
from rollwise.evaluation.evaluate import QUANTILES
from rollwise.evaluation.forward_pass import forward_pass
from rollwise.experiments.simulation import simulate
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.questions.size_limits import is_small
from rollwise.rules.families import MAIN
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import WORST_CASE
from rollwise.strategies import Optimal
from rollwise.studies.adversarial_dice import adversarial_game
from rollwise.studies.opening_tables import rated_rolls

sys.path.insert(0, str(Path(__file__).parents[1]))

from directives.game_pages import ADVISED, FIGURES

SHOWN = 5
"""The number of best first rolls on a page, and the number of worst first rolls."""

SIMULATED = 10_000
"""The number of simulated games, if the exact distribution is not computed."""

WIDTHS = (1, 2, 5, 10, 20)
"""The possible widths of the bars of a histogram, of which there are at most 60."""


def figures_of(rules: Rules) -> dict[str, Any]:
    """Return the figures of a game, and for the main game of a family all figures of its page."""
    solution = Solver(rules).solve_by_card(on_disk=True)
    distribution, categories, simulated = statistics_of(solution)
    figures: dict[str, Any] = {
        "value": round(solution.value(), 6),
        "sd": round(distribution.sd, 4),
        "quantiles": [distribution.quantile(share) for share in QUANTILES],
        "simulated": simulated,
    }
    if rules.name not in MAIN:
        return figures
    if not simulated:
        figures["mode"] = distribution.mode
        for name, score in ("lowest", distribution.minimum), ("highest", distribution.maximum):
            figures[name] = score, float(f"{distribution.probability(score):.1e}")
    rolls = [
        (format_dice(rules, dice), format_action(rules, best.action), f"{best.value:.2f}")
        for dice, best in rated_rolls(solution)
    ]
    if len(rolls) > 2 * SHOWN:
        rolls[SHOWN:-SHOWN] = [("…", "", "")]
    if rules.name == ADVISED:
        figures["zeros"] = zeros_of(solution)
    return figures | {
        "histogram": histogram_of(distribution),
        "categories": categories,
        "openings": rolls,
        "adversarial": adversarial_game(solution).cards[0].points,
        "guaranteed": int(solve(rules, WORST_CASE, cache=False).value()),
    }


def statistics_of(solution: CardSolution) -> tuple[Distribution, list[list[float]], int]:
    """Return the distribution of the score, statistics of categories, and the simulated games.

    The statistics are the mean, the SD, and the percentage of games with 0 points of each category
    and of each bonus.
    """
    rules = solution.rules
    try:
        exact = evaluate(solution, rules, cache=True)
    except (TooLargeError, InconsistentError):
        sample = simulate(solution, rules, SIMULATED, seed=1)
        points = list(sample.points_N_K.T)
        points += [sample.bonus_N] * bool(rules.upper_bonus)
        points += [sample.extra_N] * bool(rules.extra_bonus)
        rows = [(points_N.mean(), points_N.std(), (points_N == 0).mean()) for points_N in points]
        distribution, simulated = sample.distribution, SIMULATED
    else:
        parts = [part for part in (exact.upper_bonus, exact.extra_bonus) if part is not None]
        rows = [(row.mean, row.sd, row.zero) for row in exact.categories.values()]
        rows += [(part.mean, part.sd, part.probability(0)) for part in parts]
        distribution, simulated = exact.distribution, 0
    rounded = [[round(float(x), 2) for x in (mean, sd, 100 * zero)] for mean, sd, zero in rows]
    return distribution, rounded, simulated


def zeros_of(solution: CardSolution) -> list[tuple[str, list[float]]]:
    """Return what a zero costs in each category, by turn: a mean over optimal play.

    It is the mean of the value before the turn minus the value after a turn with a zero in the
    category, over the games in which the category is open. Categories without zeros are left out.
    """
    model, value_C_L = solution.model, solution.table_C_L
    c_X = np.repeat(np.arange(model.n_classes), model.rows_C)
    lane_X = np.concatenate([*map(np.arange, np.asarray(model.rows_C))]) + model.first_lane_C[c_X]
    layers = list(forward_pass(Optimal(solution)).states())[:-1]
    probability_X = np.concatenate([*layers, np.zeros(len(c_X) - sum(map(len, layers)))])
    turn_X = np.bitwise_count(model.mask_C[c_X])
    rows = []
    for k, category in enumerate(solution.rules.categories):
        zeros = np.flatnonzero((model.category_O == k) & (model.total_points_O == 0))
        open_X = (probability_X > 0) & (model.mask_C[c_X] >> k & 1 == 0)
        if len(zeros):
            c, lane, weight, turn = (a[open_X] for a in (c_X, lane_X, probability_X, turn_X))
            after = model.class_after(c, zeros[0]), model.lane_after(lane, zeros[0])
            cost = value_C_L[c, lane] - value_C_L[after]
            means = np.bincount(turn, weight * cost) / np.bincount(turn, weight)
            rows.append((category.title, [round(float(mean), 2) for mean in means]))
    return rows


def histogram_of(distribution: Distribution) -> tuple[int, int, list[float]]:
    """Return the first score, the width of the bars, and the percentage of games of each bar.

    The lowest and the highest 0.05% of games are left out.
    """
    low, high = distribution.quantile(0.0005), distribution.quantile(0.9995)
    width = next(width for width in WIDTHS if (high - low) // width < 60)
    starts = range(low - low % width, high + 1, width)
    below = [distribution.below(start) for start in (*starts, starts[-1] + width)]
    percent = [round(100 * float(b - a), 3) for a, b in pairwise(below)]
    return starts[0], width, percent


if __name__ == "__main__":
    figures = json.loads(FIGURES.read_text("utf-8"))
    for name in sys.argv[1:] or filter(lambda name: is_small(load_rules(name)), preset_names()):
        figures[name] = figures_of(load_rules(name))
        rows = (
            json.dumps({key: figures[key]}, ensure_ascii=False)[1:-1] for key in sorted(figures)
        )
        FIGURES.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
