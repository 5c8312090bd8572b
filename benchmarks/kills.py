"""Kill file operations at random moments, and check that all acknowledged data is correct.

    python benchmarks/kills.py        # 1,000 kills
    python benchmarks/kills.py 20

The operations are in tests/file_operations.py. Each operation runs in a forked process, which need
not import anything, and acknowledges its completion through a pipe. The exit code is 1 if any check
fails.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

KILLED = ("solve", "layers", "save", "import")


def forked(act: Callable[[Path], bool], folder: Path, after: float | None) -> tuple[bool, bool]:
    """Run ``act`` in a child process; return whether it was killed, and whether it finished."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if act(folder):
                os.write(writer, b"done")
        finally:
            os._exit(0)
    os.close(writer)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as pipe:
        return os.WIFSIGNALED(status), pipe.read() == b"done"


def main(kills: int) -> int:
    """Print one line per operation; return the number of failed checks."""
    from file_operations import OPERATIONS
    from rollwise.files import ABANDONED, DRAFT

    rng, wrong = random.Random(8), 0
    home = Path(tempfile.mkdtemp(prefix="rollwise-kills-"))
    print("operation   kills  hit  acknowledged  drafts left  wrong")
    for name in KILLED:
        operation, counts = OPERATIONS[name], [0, 0, 0, 0]
        took = 0.0
        for number in range(-3, kills // len(KILLED)):
            folder = home / f"{name}-{number}"
            folder.mkdir()
            operation.prepare(folder)
            os.environ["ROLLWISE_CACHE"] = str(folder)
            start = time.perf_counter()
            after = None if number < 0 else rng.uniform(0, 1.1 * took)
            hit, acknowledged = forked(operation.act, folder, after)
            if number < 0:
                took = time.perf_counter() - start  # from the last warm-up run
            drafts = list(folder.rglob(f"*{DRAFT}*"))
            for draft in drafts:
                os.utime(draft, (0, time.time() - 2 * ABANDONED))
            try:
                problem = operation.judge(folder, acknowledged)
            except Exception:
                problem = traceback.format_exc()
            left = list(folder.rglob(f"*{DRAFT}*"))
            if number >= 0:
                for column, count in enumerate((hit, acknowledged, bool(drafts), False)):
                    counts[column] += count
            if problem or left:
                counts[3] += 1
                print(f"{name} {number}: {problem} {left}", file=sys.stderr)
            shutil.rmtree(folder)
        hit_, acknowledged_, drafts_, wrong_ = counts
        done = kills // len(KILLED)
        print(f"{name:10} {done:6} {hit_:4} {acknowledged_:13} {drafts_:12} {wrong_:6}")
        wrong += wrong_
    shutil.rmtree(home)
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000) > 0)
