"""Play a whole two-player game with its saved values, and measure what playing to win gains.

Run ``rollwise duel --rules GAME --grid light --save`` first, then
``python benchmarks/whole_game.py GAME``. The players of each match play to win or for points. A win
probability is the first player's value, plus the mean of all changes in value that a turn causes
before its dice are rolled. For a player who plays to win, these changes are only errors of the
grid. A player for points loses. The luck of the dice is left out, so the standard error is small,
and the match of two players to win checks the value of the game: on a grid without errors, no turn
changes it. The script prints the mean change of each turn with its standard error.

In this match, the script also measures each turn's loss if the player played for points, by turn
and by score difference. ``--plot`` draws it. The other two matches measure what playing to win
gains, and need fewer games. ``--second`` solves the game on another grid instead, with fewer nodes
in all turns except the last three, and prints the first player's value.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollwise.solving.solver import solve
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal
from rollwise.two_player.grid import COARSE, grids_for
from rollwise.two_player.near_optimal import win_policy
from rollwise.two_player.solution import DuelSolution
from rollwise.two_player.solver import DuelSolver

MATCHES = {"win win": (True, True), "win points": (True, False), "points win": (False, True)}
"""Whether the first and the second player play to win, or for points."""

GROUP = 50_000
"""The number of games with the same seed; results do not depend on the number of workers.

A large group reads each part of a layer only once.
"""

PART = 512
"""The number of turns that are computed together."""

SECOND = replace(COARSE, name="second", nodes_by_open=(16, 16, 16, 7, 5, 3, 2))
"""The grid with which the grid ``coarse`` is compared."""

FEW = 30
"""The smallest number of turns whose mean loss is drawn."""

STEP, MOST = 20, 100
"""The width of the ranges of score differences, and the last range on either side."""

INK = "#17202c"
STYLE = "<style>svg{--ink:#17202c}@media(prefers-color-scheme:dark){svg{--ink:#e6edf5}}</style>"
"""The color of the texts in a drawing, on a light page and on a dark one."""

NOTABLE = 0.001
"""The loss in win probability from which a turn counts as one that playing for points changes."""


class Turn(NamedTuple):
    """One turn of N games, before its dice are rolled.

    ``difference_N`` is the mover's score minus the opponent's score. ``change_N`` is the mean
    change in the mover's win probability through the turn, and ``loss_N`` is how much lower it
    would be if the mover played the turn for points (only for a mover who plays to win).
    """

    difference_N: NDArray[np.int64]
    change_N: NDArray[np.float64]
    loss_N: NDArray[np.float64]


@cache
def saved_game(name: str) -> DuelSolution:
    """Return the saved light solution of a whole game."""
    solver = DuelSolver(name)
    whole = solver.saved_game(grids_for(len(solver.rules.categories))["light"])
    if whole is None:
        raise SystemExit(f"first run: rollwise duel --rules {name} --grid light --save")
    return whole


class Games:
    """N games of a match, which are played at the same time, turn by turn."""

    def __init__(self, whole: DuelSolution, to_win: tuple[bool, bool], number: int) -> None:
        self._whole, self._to_win = whole, to_win
        self._policy, self._points = win_policy(whole.rules), Optimal(solve(whole.rules))
        self._cards = [
            Cards(whole.model, *(np.full(number, index) for index in (c.c, c.lane, c.score)))
            for c in (whole.card, whole.opponent)
        ]
        self.value_N = np.full(number, whole.value())

    def turns(self, chance: np.random.Generator) -> Iterator[Turn]:
        """Play all turns alternately."""
        for t in range(len(self._whole.layers) - 1):
            yield self._turn(t % 2, chance)

    def _turn(self, mover: int, chance: np.random.Generator) -> Turn:
        mine, other = self._cards[mover], self._cards[1 - mover]
        number, model = len(self.value_N), mine.model
        mean_N, loss_N, after_N = np.empty(number), np.zeros(number), np.empty(number)
        outcome_N = np.empty(number, dtype=np.int64)
        # Neighbors in this order read the same part of the next layer.
        order = np.lexsort((other.lane_G, other.class_G))
        for games in (order[part] for part in mine.at(order).parts(PART)):
            cards = mine.at(games)
            value_G_O = self._policy.outcome_values(cards[1:], other.at(games)[1:], self._whole)
            to_win = self._policy.turns(cards[1:], value_G_O) if self._to_win[mover] else None
            value_G_O[value_G_O == -np.inf] = 0.0
            probability_G_O = (to_win or self._points.turns(cards)).outcome_probabilities()
            mean_N[games] = (probability_G_O * value_G_O).sum(axis=1)
            if self._to_win == (True, True):
                for_points_G_O = self._points.turns(cards).outcome_probabilities()
                loss_N[games] = mean_N[games] - (for_points_G_O * value_G_O).sum(axis=1)
            until_G_O = np.cumsum(probability_G_O, axis=1)
            level_G = chance.random(len(games)) * until_G_O[:, -1]
            outcome_N[games] = (until_G_O <= level_G[:, None]).sum(axis=1)
            after_N[games] = value_G_O[np.arange(len(games)), outcome_N[games]]
        self._cards[mover] = Cards(
            model,
            model.class_after(mine.class_G, outcome_N).astype(np.int64),
            model.lane_after(mine.lane_G, outcome_N),
            mine.score_G + model.total_points_O[outcome_N],
        )
        turn = Turn(mine.score_G - other.score_G, mean_N - self.value_N, loss_N)
        self.value_N = 1 - after_N
        return turn


def played(name: str, match: str, number: int, seed: int) -> tuple[list[Turn], list[float]]:
    """Play games of a match; return their turns and the first player's results, from 0 to 1."""
    games = Games(saved_game(name), MATCHES[match], number)
    turns = list(games.turns(np.random.default_rng(seed)))
    value_N = 1 - games.value_N if len(turns) % 2 else games.value_N
    return turns, value_N.tolist()


def joined(parts: list[list[Turn]]) -> list[Turn]:
    """Join the same turns of several groups of games."""
    return [
        Turn(*map(np.concatenate, zip(*turns, strict=True))) for turns in zip(*parts, strict=True)
    ]


def measure(name: str, games: dict[str, int], seed: int, workers: int) -> Iterator[dict[str, Any]]:
    """Yield the result of each match, and the losses of the first one by turn and by difference.

    ``games`` is the number of games of each match.
    """
    value = saved_game(name).value()
    with ProcessPoolExecutor(workers) as pool:
        groups = {match: groups_of(number, seed) for match, number in games.items()}
        parts = {
            match: [pool.submit(played, name, match, *group) for group in groups[match]]
            for match in games
        }
        for match, number in games.items():
            each = [part.result() for part in parts[match]]
            turns = joined([turns for turns, _ in each])
            result_N = np.concatenate([results for _, results in each])
            change_T_N = np.array([(-1) ** t * turn.change_N for t, turn in enumerate(turns)])
            change_N = change_T_N.sum(axis=0)
            row: dict[str, Any] = {"game": name, "match": match, "games": number, "seed": seed}
            row |= {"grid": value, "value": value + change_N.mean(), "se": error(change_N)}
            row |= {"results": result_N.mean(), "results_se": error(result_N)}
            if match == "win win":
                row["changes"] = [(change.mean(), error(change)) for change in change_T_N]
                row["losses"] = [losses(turns[t : t + 2]) for t in range(0, len(turns), 2)]
            yield row


def groups_of(games: int, seed: int) -> list[tuple[int, int]]:
    """Return the number of games and the seed of each group."""
    sizes = [min(GROUP, games - first) for first in range(0, games, GROUP)]
    seeds = np.random.SeedSequence(seed).generate_state(len(sizes)).tolist()
    return list(zip(sizes, seeds, strict=True))


def error(sample_N: NDArray[np.float64]) -> float:
    """Return the standard error of the mean of a sample."""
    return float(sample_N.std() / len(sample_N) ** 0.5)


def losses(turns: list[Turn]) -> dict[str, object]:
    """Return the mean loss of playing a turn for points, also by score difference.

    Also return the fraction of turns with a notable loss. The differences are rounded to multiples
    of ``STEP``, and those beyond ``MOST`` are joined.
    """
    loss_N = np.concatenate([turn.loss_N for turn in turns])
    difference_N = np.concatenate([turn.difference_N for turn in turns])
    rounded_N = np.clip(STEP * ((difference_N + STEP // 2) // STEP), -MOST, MOST)
    by_difference = {
        int(difference): [len(here), float(here.mean())]
        for difference in np.unique(rounded_N)
        for here in [loss_N[rounded_N == difference]]
    }
    return {
        "loss": float(loss_N.mean()),
        "notable": float((loss_N >= NOTABLE).mean()),
        "by_difference": by_difference,
    }


def draw(turns: list[dict[str, Any]], path: Path) -> None:
    """Draw the losses by turn and by score difference, in percentage points, as an SVG file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    differences = list(range(-MOST, MOST + 1, STEP))
    mean_T_D = np.full((len(turns), len(differences)), np.nan)
    for t, turn in enumerate(turns):
        for difference, (number, loss) in turn["by_difference"].items():
            if number >= FEW:
                mean_T_D[t, differences.index(int(difference))] = 100 * loss
    names = [f"{d:+}".replace("-", "−") if d else "0" for d in differences]
    names[0], names[-1] = f"≤ {names[0]}", f"≥ {names[-1]}"
    inked = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    style = {"svg.fonttype": "none", "svg.hashsalt": "rollwise", **dict.fromkeys(inked, INK)}
    with mpl.rc_context(style):
        figure = Figure(figsize=(8.4, 5.4), layout="constrained")
        axes = figure.subplots()
        shown = axes.imshow(mean_T_D, aspect="auto", cmap="viridis")
        axes.set_xticks(range(len(differences)), names)
        axes.set_yticks(range(len(turns)), [str(t + 1) for t in range(len(turns))])
        axes.set_xlabel("score minus the opponent's score, before the turn")
        axes.set_ylabel("turn")
        for t, d in np.argwhere(~np.isnan(mean_T_D)):
            color = "black" if mean_T_D[t, d] > np.nanmax(mean_T_D) / 2 else "white"
            text = f"{mean_T_D[t, d].round(2) + 0.0:.2f}"  # never "-0.00"
            axes.text(d, t, text, ha="center", va="center", color=color, fontsize=8)
        label = "percentage points lost by playing the turn for points"
        figure.colorbar(shown, ax=axes, label=label).outline.set_visible(False)
        axes.spines[:].set_visible(False)
        figure.savefig(path, format="svg", metadata={"Date": None}, transparent=True)
    text = path.read_text(encoding="utf-8").replace(INK, "var(--ink)")
    path.write_text(text.replace("<defs>", STYLE + "<defs>", 1), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--other-games", type=int, default=20_000, help="of the other two matches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--second", action="store_true")
    arguments = parser.parse_args()
    if arguments.second:
        second = DuelSolver(arguments.game).solve(grid=SECOND)
        print(json.dumps({"game": arguments.game, "grid": str(SECOND), "value": second.value()}))
        sys.exit()
    rows: list[dict[str, Any]] = []
    games = dict.fromkeys(MATCHES, arguments.other_games) | {"win win": arguments.games}
    for row in measure(arguments.game, games, arguments.seed, arguments.workers):
        print(json.dumps(row), flush=True)
        rows.append(row)
        if arguments.output:
            arguments.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if arguments.plot:
        draw(json.loads(json.dumps(rows[0]["losses"])), arguments.plot)
