"""A strategy that kills a worker."""

import os
from pathlib import Path

from rollwise.strategies.custom import CustomStrategy

SOURCE = """
import os, signal
class Lethal:
    def keep(self, card, dice, rolls_left):
        if os.getpid() != {parent}:
            try:
                os.close(os.open({flag!r}, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return dice[1:]
"""


def lethal(flag: Path) -> CustomStrategy:
    """Return a strategy that kills the first other process that plays it, and creates a file."""
    source = SOURCE.format(parent=os.getpid(), flag=str(flag))
    return CustomStrategy.of_source("lethal.py", source, "Lethal")
