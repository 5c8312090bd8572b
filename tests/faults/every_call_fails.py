"""Let every call that changes a file fail once, in turn, and print what came of it as JSON.

    LD_PRELOAD=faulty_files.so python every_call_fails.py FOLDER OPERATION

A program of its own: the layer between it and its files is there from its start.
"""

import ctypes
import json
import os
import shutil
import sys
import traceback
from pathlib import Path

from file_operations import OPERATIONS
from rollwise.files import DRAFT

LAYER = ctypes.CDLL(None)


def main(home: Path, name: str) -> None:
    """Let the first call fail, then the second, until there are no more; print what was wrong."""
    operation, number, wrong = OPERATIONS[name], 0, list[str]()
    while True:
        number += 1
        folder = home / f"{name}-{number}"
        folder.mkdir()
        operation.prepare(folder)
        os.environ["ROLLWISE_CACHE"] = str(folder)
        LAYER.faulty_files(str(folder).encode(), number)
        try:
            acknowledged = operation.act(folder)
        except BaseException:
            wrong.append(f"call {number}: {traceback.format_exc()}")
            acknowledged = False
        seen = LAYER.faulty_files_seen()
        LAYER.faulty_files(b"", 0)
        try:
            found = operation.judge(folder, acknowledged)
        except BaseException:
            found = traceback.format_exc()
        left = [path.name for path in folder.rglob(f"*{DRAFT}*")]
        if found or left:
            wrong.append(f"call {number}: {found} {left}")
        shutil.rmtree(folder)
        if seen < number:
            break
    print(json.dumps({"calls": number - 1, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
