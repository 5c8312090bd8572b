"""Where the layers of a whole game of two are kept."""

import hashlib
import json
from pathlib import Path

from rollwise.files import cache_folder
from rollwise.rules import Rules
from rollwise.solving.cache_names import LAYERS, code


def folder_of(rules: Rules, tie: float, tables: int) -> Path:
    """Return the folder of the layers of a game, by what a tie is worth to who moves first.

    ``tables`` is how many numbers are kept of each pair and lead.
    """
    says = json.dumps([rules.model_dump(mode="json"), tie, tables])
    digest = hashlib.sha256(says.encode()).hexdigest()[:16]
    return cache_folder() / f"{rules.name}.duel.{code()}.{digest}{LAYERS}"
