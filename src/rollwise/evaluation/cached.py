"""The files of cached evaluations, which are beside the solved tables."""

import hashlib
import json
from pathlib import Path

from rollwise.files import cache_folder
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.rules import Rules
from rollwise.solving.cache_entries import TABLE, code_fingerprint
from rollwise.solving.storage.table_file import FORMAT
from rollwise.strategies import STRATEGIES, Optimal, Strategy

DEPENDED_ON = ("strategies", "evaluation")
"""The packages whose code an evaluation depends on, in addition to the code of the solver."""

SUFFIXES = (".py", ".toml")
"""The files of those packages that count: strategies have data."""


def cache_path(strategy: Strategy, rules: Rules) -> Path | None:
    """Return the file for the evaluation of a strategy; None if its code is not in this package."""
    name = _name(strategy)
    if name is None:
        return None
    header = [FORMAT, name, rules.model_dump(mode="json"), _fingerprint()]
    digest = hashlib.sha256(json.dumps(header).encode()).hexdigest()[:16]
    short = name.partition(":")[0]  # names of opponents and payoffs can have any length
    return cache_folder() / f"{rules.name}.{short}.{code_fingerprint()}.{digest}{TABLE}"


def _fingerprint() -> str:
    return fingerprint(*(PACKAGE / part for part in DEPENDED_ON), suffixes=SUFFIXES)


def _name(strategy: Strategy) -> str | None:
    if isinstance(strategy, Optimal):
        objective = strategy.solution.objective.name
        fewer = "-fewer-dice" if strategy.die_bonus < 0 else ""
        return None if ".py" in objective else f"law-of-{objective}{fewer}"
    make = STRATEGIES.get(strategy.name)
    return f"law-of-{strategy.name}" if make and type(make()) is type(strategy) else None
