"""Solved tables kept on disk, under a key of everything that their values depend on."""

import hashlib
import json
import logging
import shutil
from functools import lru_cache
from pathlib import Path

from rollwise import __version__
from rollwise.files import DRAFT, cache_folder, compiled_folder
from rollwise.rules import Rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import CardObjective
from rollwise.solving.table_file import FORMAT, TableError

log = logging.getLogger("rollwise")

DEPENDED_ON = ("rules", "model", "solving")
"""The packages whose code the values of a table depend on."""

LAYERS = ".layers"
"""How the names of folders of layers end."""


@lru_cache(maxsize=1)
def _code() -> str:
    """Return a hash of the code that values depend on: a changed solver makes other tables."""
    package, digest = Path(__file__).parent.parent, hashlib.sha256()
    for part in DEPENDED_ON:
        for path in sorted((package / part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def layers_of(rules: Rules, objective: CardObjective) -> Path:
    """Return the folder where the layers of a game that saves rolls are kept."""
    return path_of(rules, objective).with_suffix(LAYERS)


def path_of(rules: Rules, objective: CardObjective) -> Path:
    """Return where the table for these rules and objective is kept."""
    # Names and sources do not change values, but a table also says what it is a table of.
    says = [objective.name, rules.model_dump(mode="json")]
    key = json.dumps([FORMAT, __version__, _code(), *says])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return cache_folder() / f"{rules.name}-{objective.name}-{digest}.safetensors"


def load(rules: Rules, objective: CardObjective) -> CardSolution | None:
    """Return the kept table, or None where there is none that can be trusted."""
    path = path_of(rules, objective)
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
    """Keep a table; a cache that cannot be written is said and done without."""
    path = path_of(solution.rules, solution.objective)
    try:
        solution.save(path)
    except OSError as error:
        log.warning("the table could not be kept in %s: %s", path.parent, error.strerror)


def clear() -> tuple[int, list[OSError]]:
    """Delete all kept tables, what killed writers left of some, and compiled code.

    Returns
    -------
    deleted : int
        How many tables there were.
    stayed : list of OSError
        Why others could not be deleted.
    """
    deleted, stayed = 0, list[OSError]()
    for pattern in ("*.safetensors", f".*.safetensors.*{DRAFT}"):
        for path in sorted(cache_folder().glob(pattern)):
            try:
                path.unlink(missing_ok=True)
                deleted += not path.name.endswith(DRAFT)
            except OSError as error:
                stayed.append(error)
    for path in sorted(cache_folder().glob(f"*{LAYERS}")):
        try:
            shutil.rmtree(path)
            deleted += 1
        except OSError as error:
            stayed.append(error)
    try:
        shutil.rmtree(compiled_folder())
    except FileNotFoundError:
        pass
    except OSError as error:
        stayed.append(error)
    return deleted, stayed
