"""The disk cache of value tables and other results; results in damaged files are computed again."""

import errno
import functools
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.files import note_use
from rollwise.fingerprint import SHIPPED
from rollwise.rules import Rules
from rollwise.solving.cache_entries import evict, named_path, table_path
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective
from rollwise.solving.storage.table_file import TableError, read_table, write_table

log = logging.getLogger("rollwise")

Result = TypeVar("Result")


def load(rules: Rules, objective: CardObjective) -> CardSolution | None:
    """Return the solution that is saved in the cache or in the installed package; None if missing.

    An unreadable table counts as missing.
    """
    cached = table_path(rules, objective)
    for path in (cached, SHIPPED / cached.name):
        solution = _read(path, objective)
        if solution is not None:
            note_use(path)
            return solution
    return None


def _read(path: Path, objective: CardObjective) -> CardSolution | None:
    try:
        return CardSolution.load(path, objective)
    except (FileNotFoundError, NotADirectoryError):  # the latter: ROLLWISE_CACHE is a file
        return None
    except (TableError, OSError) as error:
        log.warning(
            "a saved value table cannot be used; solving the game again (%s)", _cause(error)
        )
        return None


def save(solution: CardSolution) -> None:
    """Save a table to the cache, and evict old entries if the cache is full.

    Log a warning if the cache is not writable.
    """
    path = table_path(solution.rules, solution.objective)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        solution.save(path)
    except OSError as error:
        _warn_once(path.parent, _hint(error))
    evict(spared=path)


def load_or_compute(
    path: Path,
    what: str,
    read: Callable[[Path], Result],
    compute: Callable[[], Result],
    write: Callable[[Path, Result], None],
) -> Result:
    """Return the result that is saved in a file, or compute and save it.

    Parameters
    ----------
    what : str
        The kind of result, for warnings.
    read : callable
        Reads the result from a path. If the file is damaged, it raises TableError, OSError,
        KeyError, ValueError, or TypeError.
    compute : callable
        Computes the result.
    write : callable
        Writes the result to a path.
    """
    try:
        result = read(path)
        note_use(path)
        return result
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (TableError, OSError, KeyError, ValueError, TypeError) as error:
        log.warning(
            "the saved %s cannot be used; computing the %s again (%s)", what, what, _cause(error)
        )
    result = compute()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, result)
    except OSError as error:
        log.warning("cannot save the %s in %s: %s", what, path.parent, _hint(error))
    evict(spared=path)
    return result


def load_or_compute_numbers(
    rules: Rules, name: str, compute: Callable[[], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the array that is cached for a game under the given name, or compute and cache it."""
    return load_or_compute(named_path(rules, name), name, _read_numbers, compute, _write_numbers)


def _read_numbers(path: Path) -> NDArray[np.float64]:
    _, arrays = read_table(path)
    return arrays["numbers"]


def _write_numbers(path: Path, numbers: NDArray[np.float64]) -> None:
    write_table(path, {}, {"numbers": np.ascontiguousarray(numbers)})


def _cause(error: Exception) -> str:
    """Return an error message without the fix, because the cache computes the result again."""
    return str(error).partition("; ")[0]


def _hint(error: OSError) -> str:
    """Return why a file cannot be saved, and how to choose another cache."""
    if error.errno == errno.ELOOP:
        return str(error.strerror)
    not_a_folder = isinstance(error, FileExistsError | NotADirectoryError)
    reason = "the path is not a folder" if not_a_folder else error.strerror
    return f"{reason}; set ROLLWISE_CACHE to a folder that you can write"


@functools.cache
def _warn_once(folder: Path, reason: str) -> None:
    """Warn that tables cannot be saved in a folder, but only once per folder."""
    log.warning("cannot save the value table in %s: %s", folder, reason)
