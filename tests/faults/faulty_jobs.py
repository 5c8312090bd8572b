"""Jobs for the worker process of a job queue, most of which fail."""

import os
import time
from pathlib import Path
from typing import Never

import numpy as np
from numpy.typing import NDArray

from rollwise.errors import InputError
from rollwise.solving.progress import Progress


def double(number: int, progress: Progress) -> int:
    progress(0.5)
    return 2 * number


def sleep_for_ever(started: str, _: Progress) -> Never:
    Path(started).write_text(str(os.getpid()))
    while True:
        time.sleep(1)


def refuse(_: Progress) -> Never:
    raise InputError("expected something else")


def fail(_: Progress) -> Never:
    raise ZeroDivisionError("by nothing")


def die(_: Progress) -> Never:
    os._exit(1)


def fill_memory(_: Progress) -> int:
    return len(np.ones(1 << 40))


def print_a_line(_: Progress) -> str:
    print("a stray line")
    return "well"


def large_arrays(_: Progress) -> tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.float64]]:
    return np.arange(6e5).reshape(3, -1)[:, :100_000], np.ones(2_000_001, np.uint8), np.arange(4e5)
