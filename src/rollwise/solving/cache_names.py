"""How kept tables are named: after their game, and after everything that their values depend on."""

import hashlib
import json
from pathlib import Path

from rollwise.files import cache_folder
from rollwise.fingerprint import PACKAGE, fingerprint
from rollwise.rules import Rules
from rollwise.solving.objectives import CardObjective
from rollwise.solving.table_file import FORMAT

DEPENDED_ON = ("rules", "model", "solving")
"""The packages whose code the values of a table depend on."""

SHIPPED = PACKAGE / "tables"
"""Where a wheel brings tables of common games, named as kept ones are; a checkout has none."""

TABLE, LAYERS, JOBS = ".safetensors", ".layers", ".jobs"
"""How the names of tables end, of folders of layers, and of folders of finished jobs."""


def code() -> str:
    """Return the fingerprint of the code that solved values depend on."""
    return fingerprint(*(PACKAGE / part for part in DEPENDED_ON))


def path_of(rules: Rules, objective: CardObjective) -> Path:
    """Return where the table for these rules and objective is kept."""
    return path_named(rules, objective.name)


def path_named(rules: Rules, name: str) -> Path:
    """Return where a table of this name for these rules is kept."""
    # Names and sources do not change values, but a table also says what it is a table of.
    says = [name, rules.model_dump(mode="json")]
    digest = hashlib.sha256(json.dumps([FORMAT, *says]).encode()).hexdigest()[:16]
    return cache_folder() / f"{rules.name}.{name}.{code()}.{digest}{TABLE}"


def layers_of(rules: Rules, objective: CardObjective, more: str = "") -> Path:
    """Return the folder where the layers of a game that saves rolls are kept.

    Of its values, or of something ``more`` that goes with them.
    """
    return path_named(rules, objective.name + more).with_suffix(LAYERS)
