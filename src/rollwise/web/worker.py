"""A process of a :class:`rollwise.web.line.JobQueue`: jobs come in, what they make goes out.

``python -m rollwise.web.worker BYTES NICENESS`` reads from its standard input and writes to its
standard output, as :mod:`rollwise.web.messages` says. It ends with whoever started it.
"""

import os
import pickle
import signal
import sys
from math import ceil
from queue import SimpleQueue
from threading import Thread
from time import process_time
from typing import Any, BinaryIO

from rollwise.errors import InputError
from rollwise.web.messages import LENGTH, WorkerReply

DONE, REFUSED, FAILED, SHARE = "done", "refused", "failed", "share"
"""What a message says: a result, a sentence on bad input, one on a fault, the share done."""

STEP = 0.01
"""Of the share done that is told."""


def main() -> None:
    """Do one job after another."""
    sent, pipe = _take_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
    if hasattr(os, "nice"):  # not on every platform
        os.nice(int(sys.argv[2]))
    _limit_memory(int(sys.argv[1]))
    jobs: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(sent, jobs), daemon=True).start()

    answers = WorkerReply()

    def tell(*parts: Any) -> None:
        pipe.write(answers.message(*parts))
        pipe.flush()

    told = 0.0

    def progress(share: float) -> None:
        nonlocal told
        if abs(share - told) >= STEP:
            told = share
            tell(SHARE, share)

    while True:
        body = jobs.get()
        told = 0.0
        try:
            work, given, seconds = pickle.loads(body)
            _limit_time(seconds)
            made = work(*given, progress)
        except InputError as error:
            tell(REFUSED, str(error))
        except MemoryError:
            tell(REFUSED, "this takes more memory than the server gives to a request")
        except Exception as error:
            tell(FAILED, f"{type(error).__name__}: {error}")
        else:
            tell(DONE, made)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep both pipes for ourselves: whatever else writes to the standard output, writes to errors.

    Returns
    -------
    (BinaryIO, BinaryIO)
        What is sent to us, and where answers go.
    """
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return pipes


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # not on every platform
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # nobody reads what an ended one leaves


def _limit_time(seconds: float) -> None:
    """Let the system end this process once it has computed for so long from now on."""
    try:
        import resource
    except ImportError:  # not on every platform
        return
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds), most))


def _listen(sent: BinaryIO, jobs: "SimpleQueue[bytes]") -> None:
    """Hand on the jobs that are sent; end with whoever sends them, whatever is being computed."""
    while head := sent.read(LENGTH.size):
        jobs.put(sent.read(*LENGTH.unpack(head)))
    os._exit(0)


if __name__ == "__main__":
    main()
