"""Solved tables, and other results, kept on disk and found again; a damaged one is made anew."""

import functools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.files import note_use
from rollwise.rules import Rules
from rollwise.solving.cache_entries import SHIPPED, make_room, named_path, path_of
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective
from rollwise.solving.storage.table_file import TableError, read_table, write_table

log = logging.getLogger("rollwise")

Result = TypeVar("Result")


def load(rules: Rules, objective: CardObjective) -> CardSolution | None:
    """Return the kept table, or else the one that was installed with the package.

    None where there is none that can be trusted.
    """
    kept = path_of(rules, objective)
    for path in (kept, SHIPPED / kept.name):
        solution = _read(path, rules, objective)
        if solution is not None:
            note_use(path)
            return solution
    return None


def _read(path: Path, rules: Rules, objective: CardObjective) -> CardSolution | None:
    try:
        solution = CardSolution.load(path, objective)
    except FileNotFoundError:
        return None
    except (TableError, OSError) as error:
        log.warning("the kept table cannot be used, solving again (%s)", error)
        return None
    if solution.rules != rules:
        log.warning("%s: the kept table is of another game, solving again", path)
        return None
    return solution


def save(solution: CardSolution) -> None:
    """Keep a table, in place of those that were not used for long if room is short.

    A cache that cannot be written is said and done without.

    Raises
    ------
    MalformedError
        When ``$ROLLWISE_CACHE_LIMIT`` is no number of gigabytes.
    """
    path = path_of(solution.rules, solution.objective)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        solution.save(path)
    except OSError as error:
        _say_once(path.parent, str(error.strerror))
    make_room(spared=path)


def found_or_made(
    path: Path,
    what: str,
    read: Callable[[Path], Result],
    make: Callable[[], Result],
    write: Callable[[Path, Result], None],
) -> Result:
    """Return the result that a file holds; where it holds none, make it and keep it there.

    Parameters
    ----------
    what : str
        Names the kind of result where something is wrong with the file.
    read
        Raises TableError, OSError, KeyError, ValueError or TypeError where a file is damaged.
    """
    try:
        found = read(path)
        note_use(path)
        return found
    except FileNotFoundError:
        pass
    except (TableError, OSError, KeyError, ValueError, TypeError) as error:
        log.warning("the kept %s cannot be used, made again (%s)", what, error)
    made = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, made)
    except OSError as error:
        log.warning("the %s could not be kept in %s: %s", what, path.parent, error.strerror)
    make_room(spared=path)
    return made


def load_or_compute_numbers(
    rules: Rules, name: str, make: Callable[[], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the numbers that were kept under a name for a game; else make them, and keep them."""
    return found_or_made(named_path(rules, name), name, _read_numbers, make, _write_numbers)


def _read_numbers(path: Path) -> NDArray[np.float64]:
    _, arrays = read_table(path)
    return arrays["numbers"]


def _write_numbers(path: Path, numbers: NDArray[np.float64]) -> None:
    write_table(path, {}, {"numbers": np.ascontiguousarray(numbers)})


@functools.cache
def _say_once(folder: Path, reason: str) -> None:
    """Say that a folder takes no tables, and no more of it: one game may have several."""
    log.warning("the table could not be kept in %s: %s", folder, reason)
