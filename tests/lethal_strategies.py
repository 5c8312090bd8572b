"""A strategy that kills a worker."""

import os
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from rollwise.evaluation.batch import BLOCK
from rollwise.experiments.simulation import simulate
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


def check_simulation(executor: Executor, flag: Path) -> None:
    """Check that a simulation in which a worker is killed equals a simulation in this process."""
    strategy = lethal(flag)
    there = simulate(strategy, "crag", 3 * BLOCK, 4, executor=executor)
    assert flag.exists()
    here = simulate(strategy, "crag", 3 * BLOCK, 4)
    assert np.array_equal(here.points_N_K, there.points_N_K)
