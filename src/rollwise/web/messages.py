"""Messages between the server and the processes of its lines: pickles, each after its length.

Large arrays lie beside the answers, in memory that both map: some tables have 100 MB, and as long
as these were read from a pipe nobody else would be answered.
"""

import os
import pickle
import struct
from io import BytesIO
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import Any

import numpy as np

LENGTH = struct.Struct("<Q")

LARGE, ALIGNED = 1 << 20, 64
"""Bytes from which an array lies apart, and at multiples of how many it begins."""


def message(*parts: Any) -> bytes:
    """Return a message as it is sent."""
    body = pickle.dumps(parts, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


class _Pickler(pickle.Pickler):
    """Gives up every array as one piece of memory, parts of larger ones among them."""

    def reducer_override(self, thing: object) -> Any:
        """Return how a thing is pickled."""
        if isinstance(thing, np.ndarray) and not thing.flags.forc:
            return np.ascontiguousarray(thing).__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        return NotImplemented


class WorkerReply:
    """What a process answers; arrays of the last answer stay there to be fetched."""

    def __init__(self) -> None:
        self._memory: int | None = None

    def message(self, *parts: Any) -> bytes:
        """Return an answer as it is sent."""
        if self._memory is not None:
            os.close(self._memory)  # who fetched something has it mapped
            self._memory = None
        places: list[tuple[int, int]] = []

        def stays(buffer: pickle.PickleBuffer) -> bool:
            """Return whether a buffer stays in the pickle; else put it apart."""
            if buffer.raw().nbytes < LARGE or not hasattr(os, "memfd_create"):  # Linux has it
                return True
            places.append(self._put_apart(buffer.raw()))
            return False

        body = BytesIO()
        _Pickler(body, pickle.HIGHEST_PROTOCOL, buffer_callback=stays).dump(parts)
        where = f"/proc/{os.getpid()}/fd/{self._memory}" if places else None
        return message(body.getvalue(), where, places)

    def _put_apart(self, data: memoryview) -> tuple[int, int]:
        if self._memory is None:
            self._memory = os.memfd_create("rollwise")
        with open(self._memory, "ab", closefd=False) as memory:
            begin = -(-memory.tell() // ALIGNED) * ALIGNED
            memory.write(bytes(begin - memory.tell()))
            memory.write(data)
        return begin, begin + data.nbytes


def parts_of(answer: bytes) -> Any:
    """Return the parts of an answer, whose process waits for its next job."""
    body, where, places = pickle.loads(answer)
    if where is None:
        return pickle.loads(body)
    with Path(where).open("rb") as memory:
        shared = memoryview(mmap(memory.fileno(), 0, access=ACCESS_COPY))
    return pickle.loads(body, buffers=[shared[begin:end] for begin, end in places])
