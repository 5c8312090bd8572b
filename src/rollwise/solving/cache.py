"""Cached results of games: value tables, evaluations, and arrays of numbers.

The name of a cached file contains its game, the name of the result, and a hash of this name and of
the rules. The header of the file has the same data, so a result of other rules or of other code is
never used. A result in a damaged file is computed again.
"""

import functools
import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rollwise.cache_folder import (
    RULES_HASH,
    SHIPPED,
    cache_folder,
    code_hash,
    current_folder,
    evict,
    limit,
    make_own,
    note_use,
)
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective
from rollwise.solving.storage.tables import Arrays, TableError, read_table, write_table

log = logging.getLogger("rollwise")

Result = TypeVar("Result")

TABLE, LAYERS = ".npz", ".layers"
"""The suffixes of table files and of folders of layers."""


def entry_path(rules: Rules, name: str, suffix: str = TABLE) -> Path:
    """Return the path of a cached result for these rules.

    The name of the file contains a hash of the rules, and ``name`` up to the first space. The last
    hash covers all of both.
    """
    content = rules.model_dump_json()
    game = f"{rules.name}{RULES_HASH}{hashlib.sha256(content.encode()).hexdigest()[:6]}"
    digest = hashlib.sha256(json.dumps([name, content]).encode())
    readable = re.sub(r"[^\w.-]", "=", name.partition(" ")[0])[:60]  # Windows reserves the colon
    return current_folder() / f"{game}.{readable}.{digest.hexdigest()[:16]}{suffix}"


def is_cached(rules: Rules, name: str) -> bool:
    """Return whether the cache or the installed package has a file for a result."""
    path = entry_path(rules, name)
    return path.exists() or (SHIPPED / path.name).exists()


def _identity(rules: Rules, name: str) -> dict[str, str]:
    return {"name": name, "rules": rules.model_dump_json(), "code": code_hash()}


def load(
    rules: Rules,
    name: str,
    what: str,
    decode: Callable[[dict[str, Any], Arrays], Result],
    suffix: str = TABLE,
) -> Result | None:
    """Return a result from the cache or from the installed package; None if it is missing.

    ``what`` is the kind of result, for the warning about a file that cannot be used. ``decode``
    returns the result, given the header and the arrays of the file. If they are not as expected, it
    raises TableError, LookupError, ValueError, or TypeError.
    """
    limit()  # a wrong limit must not be refused only after the work
    cached, identity = entry_path(rules, name, suffix), _identity(rules, name)
    for path in (cached, SHIPPED / cached.name):
        try:
            if path.is_symlink():
                raise TableError(f"{path} is a symbolic link")
            header, arrays = read_table(path)
            if not identity.items() <= header.items():
                raise TableError(f"{path} contains another result")
            result = decode(header, arrays)
        except (FileNotFoundError, NotADirectoryError):  # the latter: ROLLWISE_CACHE is a file
            continue
        except (TableError, OSError, LookupError, ValueError, TypeError) as error:
            reason = str(error).partition("; ")[0]  # without the fix
            log.warning("the saved %s cannot be used; computing it again (%s)", what, reason)
        else:
            note_use(path)
            return result
    return None


def save(
    rules: Rules,
    name: str,
    what: str,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    suffix: str = TABLE,
) -> None:
    """Save a result to the cache, and evict old entries if the cache is full.

    Log a warning if the cache is not writable.
    """
    path = entry_path(rules, name, suffix)
    try:
        make_own(path.parent)
        write_table(path, {**header, **_identity(rules, name)}, arrays)
    except OSError as error:
        _warn_once(what, cache_folder(), _hint(error))
    evict(spared=path)


def load_table(rules: Rules, objective: CardObjective) -> CardSolution | None:
    """Return the solution that is saved in the cache or in the installed package."""

    def decode(header: Mapping[str, Any], arrays: Arrays) -> CardSolution:
        return CardSolution.of_arrays(rules, objective, arrays)

    return load(rules, objective.name, "value table", decode)


def save_table(solution: CardSolution) -> None:
    """Save a table to the cache."""
    save(solution.rules, solution.objective.name, "value table", {}, solution.saved_arrays())


def load_or_compute_numbers(
    rules: Rules, name: str, compute: Callable[[], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the array that is cached for a game under the given name, or compute and cache it."""
    numbers = load(rules, name, name, lambda _, arrays: arrays["numbers"])
    if numbers is None:
        numbers = compute()
        save(rules, name, name, {}, {"numbers": numbers})
    return numbers


def _hint(error: OSError) -> str:
    """Return why a file cannot be saved, and how to choose another cache."""
    not_a_folder = isinstance(error, FileExistsError | NotADirectoryError)
    reason = "the path is not a folder" if not_a_folder else error.strerror
    return f"{reason}; set ROLLWISE_CACHE to a folder that you can write"


@functools.cache
def _warn_once(what: str, folder: Path, reason: str) -> None:
    """Warn that results cannot be saved in a folder, but only once per folder."""
    log.warning("cannot save the %s in %s: %s", what, folder, reason)
