"""The first turns of solutions for objectives of the final score, in the cache.

Such a solution takes hundreds of megabytes, but an answer needs only the values after the current
turn. So the cache contains only the first layers after the start, which also answer the questions
of the next turns. The name of the file ends with the scorecard at the start.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

import numpy as np

from rollwise.model.arrays import Model
from rollwise.rules import Rules
from rollwise.solving.by_score.solution import ConstantRanges, Layout, ScoreSolution, Tables
from rollwise.solving.cache import TABLE, entry_path, load, save
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import ScoreObjective
from rollwise.solving.position_index import CardIndex, Start
from rollwise.solving.rows import NONE, Rows, by_row
from rollwise.solving.storage.tables import Arrays

MAX_BYTES = 16 << 20
"""The maximum size of the values in a file, except for the two layers that each file contains."""

WHAT = "value table"

FILE_END = re.compile(rf"-(\d+)-(\d+)-(\d+){re.escape(TABLE)}")
"""The end of the name of a file: the class, the lane, and the points so far at its start."""


def find_turns(
    objective: ScoreObjective,
    expected: CardSolution,
    highest: int,
    card: CardIndex,
    *,
    with_expected: bool,
) -> ScoreSolution | None:
    """Return saved turns that contain a turn from ``card``, or None.

    ``expected`` is the solution for the expected score, and ``highest`` is the highest score of a
    game. ``with_expected`` is whether the result must contain expected scores.
    """
    rules, model, name = expected.rules, expected.model, objective.cached_name(highest)

    def decode(header: Mapping[str, Any], arrays: Arrays) -> ScoreSolution:
        remaining_X = by_row(model, expected.table_C_L)
        return _of_arrays(header, arrays, rules, objective, model, remaining_X)

    for suffix in _suffixes(rules, name, model, card):
        solution = load(rules, name, WHAT, decode, suffix)
        if solution is None or (solution.expected is None) == with_expected:
            continue
        if _contains(solution, card):
            return solution
    return None


def save_turns(solution: ScoreSolution, highest: int) -> None:
    """Save the values of the first layers of a solution that starts from one score."""
    start, layout, rows = solution.start, solution.layout, solution.layout.rows
    layer_C = np.bitwise_count(solution.model.mask_C)
    tables = 1 if solution.expected is None else 2
    ends = accumulate(8 * tables * size for size in layout.sizes)
    layers = max(int(layer_C[start.c]) + 2, sum(end <= MAX_BYTES for end in ends))
    end_X = rows.first_row_C[np.searchsorted(layer_C, layers)]
    x = np.flatnonzero(layout.reach.low_X[:end_X] != NONE)
    windows = rows.low_X, rows.high_X, rows.start_X, layout.reach.low_X, layout.reach.high_X
    arrays = {
        "rows": np.stack([x, *(window_X[x] for window_X in windows)]),
        "values": np.concatenate(solution.values[:layers]),
    }
    if solution.expected is not None:
        arrays["expected"] = np.concatenate(solution.expected[:layers])
    header = {
        "start": [start.c, start.lane, start.low, start.high],
        "flat": [solution.flat.below, solution.flat.above],
        "tie_weight": solution.tie_weight,
        "sizes": layout.sizes[:layers],
    }
    suffix = _suffix(CardIndex(start.c, start.lane, start.low))
    save(solution.rules, solution.objective.cached_name(highest), WHAT, header, arrays, suffix)


def _suffix(card: CardIndex) -> str:
    return f"-{card.c}-{card.lane}-{card.score}{TABLE}"


def _suffixes(rules: Rules, name: str, model: Model, card: CardIndex) -> Iterator[str]:
    """Yield the suffixes of the saved turns from which games reach the class of a scorecard.

    The turns that start from the most filled categories come first.
    """
    stem, mask = entry_path(rules, name, ""), int(model.mask_C[card.c])
    ends = (path.name.removeprefix(stem.name) for path in stem.parent.glob(f"{stem.name}-*"))
    matches = [match for end in ends if (match := FILE_END.fullmatch(end))]
    starts = [CardIndex(*map(int, match.groups())) for match in matches]
    earlier = [
        start
        for start in starts
        if start.c < model.n_classes and not int(model.mask_C[start.c]) & ~mask
    ]
    earlier.sort(key=lambda start: int(model.mask_C[start.c]).bit_count(), reverse=True)
    yield from map(_suffix, earlier)


def _of_arrays(
    header: Mapping[str, Any],
    arrays: Arrays,
    rules: Rules,
    objective: ScoreObjective,
    model: Model,
    remaining_X: Any,
) -> ScoreSolution:
    """Return the solution of saved turns, which has no values of the layers after them."""
    x, low, high, start, reach_low, reach_high = arrays["rows"]
    windows, reach = Rows.empty(np.asarray(model.rows_C)), Rows.empty(np.asarray(model.rows_C))
    windows.low_X[x], windows.high_X[x], windows.start_X[x] = low, high, start
    reach.low_X[x], reach.high_X[x] = reach_low, reach_high
    sizes = header["sizes"]

    def tables(name: str) -> Tables:
        return np.split(arrays[name], np.cumsum(sizes)[:-1])

    below, above = header["flat"]
    return ScoreSolution(
        rules=rules,
        objective=objective,
        model=model,
        start=Start(*header["start"]),
        layout=Layout(windows, [], sizes, reach),
        flat=ConstantRanges(below=below, above=above),
        values=tables("values"),
        remaining_X=remaining_X,
        tie_weight=header["tie_weight"],
        expected=tables("expected") if "expected" in arrays else None,
    )


def _contains(solution: ScoreSolution, card: CardIndex) -> bool:
    """Return whether a solution has the values before and after a turn from a scorecard."""
    layer = int(solution.model.mask_C[card.c]).bit_count()
    return layer + 1 < len(solution.values) and solution.reaches(card)
