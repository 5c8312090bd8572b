"""The worker process of a :class:`rollwise.web.job_queue.JobQueue`, and its messages.

``python -m rollwise.web.worker BYTES NICENESS`` reads jobs from its standard input and writes
replies to its standard output. It ends when the process that started it ends.

Messages are pickles, each preceded by its length. Large arrays of a reply are in memory that both
processes map, outside the pickle. Some tables take 100 MB, and the server could not handle requests
while it read them from a pipe.
"""

import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from io import BytesIO
from math import ceil
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import process_time
from typing import Any, BinaryIO

import numpy as np

from rollwise.errors import InputError

DONE, REFUSED, FAILED, PROGRESS = "done", "refused", "failed", "progress"
"""The kinds of a reply. The content is the fraction of the job that is done, or the CPU seconds of
the job after its result, a message on bad input, or a message on a failure."""

STEP = 0.01
"""The smallest step of progress that is reported."""

LENGTH = struct.Struct("<Q")

LARGE, ALIGNMENT = 1 << 20, 64
"""The minimum size of an array in shared memory, and the alignment of its offset; both in bytes."""


def main() -> None:
    """Run the jobs from standard input one after another."""
    requests, replies = _take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends this process
    if hasattr(os, "nice"):  # not on every platform
        os.nice(int(sys.argv[2]))
    _limit_memory(int(sys.argv[1]))
    jobs: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_jobs, args=(requests, jobs), daemon=True).start()

    encoder = ReplyEncoder()

    def reply(*parts: Any) -> None:
        replies.write(encoder.encode(*parts))
        replies.flush()

    reported = start = 0.0

    def progress(share: float) -> None:
        nonlocal reported
        if abs(share - reported) >= STEP:
            reported = share
            reply(PROGRESS, share)

    def end(kind: str, content: Any) -> None:
        reply(kind, (content, process_time() - start))

    while True:
        body = jobs.get()
        reported, start = 0.0, process_time()
        try:
            work, args, seconds = pickle.loads(body)
            _limit_time(seconds)
            result = work(*args, progress)
        except InputError as error:
            end(REFUSED, str(error))
        except MemoryError:
            end(
                REFUSED,
                (
                    "the calculation needs more memory than the server allows for one request; "
                    "choose a smaller game, or run rollwise on your own computer"
                ),
            )
        except Exception as error:
            end(FAILED, f"{type(error).__name__}: {error}")
        else:
            end(DONE, result)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take over standard input and output, and return them as pipes for requests and replies.

    Afterward, output that other code prints goes to standard error.
    """
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return pipes


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # not on every platform
        return
    with suppress(ValueError, OSError):  # macOS refuses a limit of the address space
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dumps


def _limit_time(seconds: float) -> None:
    """Let the system end this process after ``seconds`` more seconds of CPU time."""
    try:
        import resource
    except ImportError:  # not on every platform
        return
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds), most))


def _read_jobs(requests: BinaryIO, jobs: "SimpleQueue[bytes]") -> None:
    """Queue the jobs that arrive; end this process, even during a job, when the server ends."""
    while head := requests.read(LENGTH.size):
        jobs.put(requests.read(*LENGTH.unpack(head)))
    os._exit(0)


def encode(*parts: Any) -> bytes:
    """Return the parts as a message."""
    body = pickle.dumps(parts, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


class ReplyEncoder:
    """An encoder of replies, which keeps the large arrays of the last reply in shared memory."""

    def __init__(self) -> None:
        self._memory: int | None = None

    def encode(self, *parts: Any) -> bytes:
        """Return a reply as a message."""
        if self._memory is not None:
            os.close(self._memory)  # the server has already mapped the arrays
            self._memory = None
        spans: list[tuple[int, int]] = []

        def stays_in_pickle(buffer: pickle.PickleBuffer) -> bool:
            if buffer.raw().nbytes < LARGE or not hasattr(os, "memfd_create"):  # only Linux has it
                return True
            spans.append(self._share(buffer.raw()))
            return False

        body = BytesIO()
        _Pickler(body, pickle.HIGHEST_PROTOCOL, buffer_callback=stays_in_pickle).dump(parts)
        path = f"/proc/{os.getpid()}/fd/{self._memory}" if spans else None
        return encode(body.getvalue(), path, spans)

    def _share(self, data: memoryview) -> tuple[int, int]:
        """Copy data to the shared memory, and return its start and end offsets."""
        if self._memory is None:
            self._memory = os.memfd_create("rollwise")
        with open(self._memory, "ab", closefd=False) as memory:
            begin = -(-memory.tell() // ALIGNMENT) * ALIGNMENT
            memory.write(bytes(begin - memory.tell()))
            memory.write(data)
        return begin, begin + data.nbytes


class _Pickler(pickle.Pickler):
    """A pickler that writes every array, including views, as one out-of-band buffer."""

    def reducer_override(self, value: object) -> Any:
        """Return the reduced form of a non-contiguous array, as a contiguous copy."""
        if isinstance(value, np.ndarray) and not value.flags.forc:
            return np.ascontiguousarray(value).__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        return NotImplemented


def decode_reply(message: bytes) -> Any:
    """Return the parts of a reply; call it before the process gets its next job."""
    body, path, spans = pickle.loads(message)
    if path is None:
        return pickle.loads(body)
    with Path(path).open("rb") as memory:
        shared = memoryview(mmap(memory.fileno(), 0, access=ACCESS_COPY))
    return pickle.loads(body, buffers=[shared[begin:end] for begin, end in spans])


if __name__ == "__main__":
    main()
