"""Search for the strategy ``one-page``: its lines one by one, its numbers by coordinate descent.

    python benchmarks/one_page.py                        # the exact expected score of the page
    nice python benchmarks/one_page.py --search page.toml  # a new search, 20 CPU minutes

The gain of a line is the EV loss per game that it saves in the decisions of simulated games. Each
condition of a line costs ``PLAIN`` points, so that the search prefers the simpler of two similar
lines. The first games are games of optimal play; later games follow the page found so far.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from one_page_states import Boxes, Keeps, decisions
from rollwise import Solver, evaluate, load_rules
from rollwise.model.arrays import build
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.turn_policy import Cards
from rollwise.strategies import Optimal, Strategy
from rollwise.strategies.one_page import (
    BOXES,
    FACES,
    PACES,
    PATTERNS,
    OnePage,
    Page,
    PageLine,
    kept_points,
)

RULES = load_rules("yahtzee")
LATTICE = build(RULES).lattice
LINES = 32
PLAIN = 0.01
"""The points per game that each condition of a line must save."""

ROLLS = ("any", "last", "first")
KINDS, STRAIGHTS = ("three-of-a-kind", "four-of-a-kind"), ("small-straight", "large-straight")
GROUPS = (
    *((key,) for key in BOXES[FACES:]),
    *(KINDS, STRAIGHTS, (*KINDS, "yahtzee"), ("four-of-a-kind", "yahtzee")),
    *(("three-of-a-kind", "chance"), (*KINDS, "chance")),
)
"""The groups of categories in conditions: a condition is that at least one category of a group is
open, or that all are filled."""

OF_FACES = ("four of a kind", "three of a kind", "pair", "highest face")
"""The patterns that a line can restrict to some faces."""

Lines = list[PageLine]


def patterns() -> Iterator[PageLine]:
    """Yield all lines that have no conditions on categories and rolls."""
    for keep in PATTERNS:
        for low in range(1, FACES + 1 if keep in OF_FACES else 2):
            for high in range(low, FACES + 1) if keep in OF_FACES else (FACES,):
                for own in (False, True) if keep in OF_FACES else (False,):
                    yield PageLine(keep, (low, high), own)


def conditions() -> list[tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]]:
    """Return all distinct conditions on categories with at most two parts."""
    atoms = [((group,), ()) for group in GROUPS] + [((), group) for group in GROUPS]
    distinct: dict[bytes, Any] = {}
    for some in (*combinations(atoms, 0), *combinations(atoms, 1), *combinations(atoms, 2)):
        condition = sum((part[0] for part in some), ()), sum((part[1] for part in some), ())
        held = PageLine("nothing", open=condition[0], filled=condition[1]).holds(EVERY)
        if held.any():
            distinct.setdefault(held.tobytes(), condition)
    return list(distinct.values())


EVERY = np.ones((1 << len(BOXES[FACES:]), len(BOXES)), dtype=np.bool_)
EVERY[:, FACES:] = np.arange(len(EVERY))[:, None] >> np.arange(len(BOXES) - FACES) & 1
CANDIDATES = list(patterns())
CONDITIONS = conditions()
HOLDS_D_S = np.array([PageLine("nothing", open=a, filled=b).holds(EVERY) for a, b in CONDITIONS])
KEEP_A_X_R = np.array([kept_points(LATTICE, line) for line in CANDIDATES])
ASKED = np.array([line.own + (line.faces != (1, FACES)) for line in CANDIDATES])[:, None, None] + (
    np.array([len(a) + (len(b) > 0) for a, b in CONDITIONS])[:, None] + [0, 1, 1]
)


@numba.njit
def _add_gains(  # type: ignore[no-untyped-def]
    gain, first_N, spare_N, set_N, upper_N, roll_N, left_N, keep, worth, start, those
):
    """Add the EV loss that each candidate line saves if it is inserted before each line."""
    for n in range(len(first_N)):
        for a in range(len(keep)):
            point = keep[a, upper_N[n], roll_N[n]]
            if point >= 0:
                saved = spare_N[n] + worth[n, point]
                for i in range(start[set_N[n]], start[set_N[n] + 1]):
                    gain[first_N[n], a, those[i], 0] += saved
                    gain[first_N[n], a, those[i], left_N[n]] += saved


class LineSearch:
    """A search for the lines with the lowest EV loss in the decisions of some games."""

    def __init__(self, keeps: Keeps, games: int) -> None:
        self.keeps, self.games = keeps, games
        each = keeps.card_N
        self.set_N = (keeps.open_U_K[:, FACES:] @ (1 << np.arange(len(BOXES) - FACES)))[each]
        self.upper_N = keeps.upper_U[each]
        self.worth_N_P = keeps.worth_U_J_P[each, keeps.left_N - 1]
        satisfied = [np.flatnonzero(held) for held in HOLDS_D_S.T]
        self.start = np.cumsum([0, *map(len, satisfied)])
        self.those = np.concatenate(satisfied)

    def play(self, lines: Lines) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the index of the first matching line, and the EV loss, for each decision."""
        keeps = self.keeps
        first_N = np.full(len(keeps.roll_N), len(lines))
        point_N = np.zeros(len(first_N), dtype=np.int64)
        for number, line in reversed(list(enumerate(lines))):
            keep_N = kept_points(LATTICE, line)[self.upper_N, keeps.roll_N]
            fits = (keep_N >= 0) & line.holds(EVERY)[self.set_N]
            fits &= (line.roll == "any") | (keeps.left_N == ROLLS.index(line.roll))
            first_N[fits], point_N[fits] = number, keep_N[fits]
        return first_N, keeps.best_N - self.worth_N_P[np.arange(len(first_N)), point_N]

    def loss(self, lines: Lines) -> float:
        """Return the mean EV loss per game plus the costs of all conditions."""
        number = sum(
            (line.own + (line.faces != (1, FACES)) + len(line.open))
            + ((len(line.filled) > 0) + (line.roll != "any"))
            for line in lines
        )
        return float(self.play(lines)[1].sum()) / self.games + PLAIN * number

    def insert(self, lines: Lines) -> Lines:
        """Return the lines with one more line, chosen and placed to reduce the EV loss the most."""
        keeps = self.keeps
        first_N, lost_N = self.play(lines)
        shape = (len(lines) + 1, len(CANDIDATES), len(CONDITIONS), len(ROLLS))
        gain = np.zeros(shape, dtype=np.float32)
        _add_gains(
            gain, first_N, lost_N - keeps.best_N, self.set_N, self.upper_N, keeps.roll_N,
            keeps.left_N, KEEP_A_X_R, self.worth_N_P, self.start, self.those,
        )  # fmt: skip
        gain = np.cumsum(gain[::-1], axis=0)[::-1] / self.games - PLAIN * ASKED
        index, a, d, roll = map(int, np.unravel_index(gain.argmax(), gain.shape))
        groups, filled = CONDITIONS[d]
        line = replace(CANDIDATES[a], open=groups, filled=filled, roll=ROLLS[roll])
        return [*lines[:index], line, *lines[index:]]

    def improve(self, lines: Lines) -> Lines:
        """Replace each line with the line that saves the most, if this reduces the EV loss."""
        for line in lines:
            if line in lines:
                at = lines.index(line)
                changed = self.insert([*lines[:at], *lines[at + 1 :]])
                if self.loss(changed) < self.loss(lines):
                    lines = changed
        return lines


@numba.njit
def _lost(worth_W_K_N, pace_M, lost_M_K, points_M_K, count_M_K):  # type: ignore[no-untyped-def]
    """Return the total EV loss if each choice maximizes the sum of points and worth."""
    total = 0.0
    for m in range(len(pace_M)):
        best, where = -1e9, 0
        for k in range(lost_M_K.shape[1]):
            value = worth_W_K_N[pace_M[m], k, count_M_K[m, k]] + points_M_K[m, k]
            if lost_M_K[m, k] < np.inf and value > best:
                best, where = value, k
        total += lost_M_K[m, where]
    return total


def fit_boxes(page: Page, boxes: Boxes, games: int) -> Page:
    """Return the page with the numbers that minimize the EV loss."""
    points_M_K = np.where(np.arange(len(BOXES)) < FACES, 0, boxes.points_M_K)
    pace_M = page.paces(Cards(build(RULES), boxes.class_M, boxes.lane_M, boxes.lane_M * 0))
    numbers = np.zeros((len(PACES), len(BOXES), FACES))
    numbers[:, :FACES] = page.upper_W_F_N
    numbers[:, FACES:, 0] = [page.zero[key] for key in BOXES[FACES:]]
    numbers[:, FACES:, 1] = [-page.price[key] for key in BOXES[FACES:]]
    parts: list[Any] = [np.s_[w, k, n] for w in range(3) for k in range(FACES) for n in range(6)]
    parts += [np.s_[w, k, n:] for w in range(3) for k in range(FACES) for n in (0, 3)]
    parts += [np.s_[:, k, n] for k in range(FACES, len(BOXES)) for n in ((0, 1), 0, 1)]
    measure = (pace_M, boxes.lost_M_K, points_M_K, boxes.count_M_K)
    best = _lost(numbers, *measure)
    for step in (4, 2, 1, 1):
        for part in parts:
            for change in (step, -step):
                numbers[part] += change
                loss = _lost(numbers, *measure)
                if loss < best - 0.0002 * games:
                    best = loss
                    break
                numbers[part] -= change
    print(f"  boxes {best / games:.3f}", flush=True)
    rounded = numbers.round().astype(int)
    return replace(
        page,
        upper_W_F_N=rounded[:, :FACES],
        zero={key: int(rounded[0, k, 0]) for k, key in enumerate(BOXES) if k >= FACES},
        price={key: -int(rounded[0, k, 1]) for k, key in enumerate(BOXES) if k >= FACES},
    )


def start() -> Page:
    """Return a page without lines and with initial numbers."""
    upper = [[face * (dice - 3) for dice in range(6)] for face in range(1, FACES + 1)]
    guess = dict.fromkeys(BOXES[FACES:], 22)
    return Page((), 4, np.array([upper] * len(PACES)), guess, dict.fromkeys(guess, -20))


def search(solution: CardSolution, seed: int, games: int) -> Iterator[Page]:
    """Yield the page after each round of the search."""
    page = start()
    player: Strategy = Optimal(solution)
    for number in range(4):
        keeps, boxes = decisions(player, solution, games * (1 + number), seed + number)
        lines, line_search = list(page.lines), LineSearch(keeps, games * (1 + number))
        while len(lines) < LINES:
            lines = line_search.insert(lines)
        for _ in range(2):
            before, lines = line_search.loss(lines), line_search.improve(lines)
            print(f"  lines {line_search.loss(lines):.3f}", flush=True)
            if line_search.loss(lines) > before - 0.01:
                break
        page = fit_boxes(replace(page, lines=tuple(lines)), boxes, games * (1 + number))
        player = OnePage(page)
        yield page


def written(page: Page) -> str:
    """Return a page in the format that :func:`rollwise.strategies.one_page.parse_page` reads."""
    text = ["# Found by benchmarks/one_page.py.\n", f"pace = {page.pace}", "lines = ["]
    for line in page.lines:
        fields: dict[str, Any] = {"keep": line.keep}
        if line.faces != (1, FACES):
            fields["faces"] = list(line.faces)
        if line.own:
            fields["own"] = True
        fields |= {"open": [list(group) for group in line.open], "filled": list(line.filled)}
        if line.roll != "any":
            fields["roll"] = line.roll
        pairs = (f"{key} = {json.dumps(value)}" for key, value in fields.items() if value != [])
        text.append(f"  {{ {', '.join(pairs)} }},")
    text.append("]\n")
    text.append("[upper]")
    for face, key in enumerate(BOXES[:FACES]):
        rows = (f"{pace} = {page.upper_W_F_N[w, face].tolist()}" for w, pace in enumerate(PACES))
        text.append(f"{key} = {{ {', '.join(rows)} }}")
    text.append("\n[lower]")
    for key in BOXES[FACES:]:
        text.append(f"{key} = {{ price = {page.price[key]}, zero = {page.zero[key]} }}")
    return "\n".join(text) + "\n"


def main() -> None:
    """Search for a page, or print the expected score of the saved page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", metavar="FILE", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000)
    arguments = parser.parse_args()
    if arguments.search is None:
        print(f"{evaluate(OnePage(), RULES).distribution.mean:.4f}")
        return
    best = 0.0
    for page in search(Solver(RULES).solve_by_card(), arguments.seed, arguments.games):
        mean = evaluate(OnePage(page), RULES).distribution.mean
        print(f"{mean:.4f} after {time.process_time():.0f} CPU s", flush=True)
        if mean > best:
            best = mean
            arguments.search.write_text(written(page), encoding="utf-8")


if __name__ == "__main__":
    main()
