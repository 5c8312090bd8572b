"""Memory that is handed back while its array is still in use."""

import ctypes
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

AT_LEAST = 1 << 20
"""Bytes: of less the system is not asked to take it back."""


def hand_back(values: NDArray[np.float64]) -> None:
    """Hand the memory of contiguous numbers back to the system; they are lost.

    Where that is done page by page, which is Linux; elsewhere memory stays until the array goes.
    """
    if sys.platform == "linux" and values.nbytes >= AT_LEAST:
        page, first = mmap.PAGESIZE, values.ctypes.data
        start, stop = -(-first // page) * page, (first + values.nbytes) // page * page
        size = ctypes.c_size_t(stop - start)
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)
