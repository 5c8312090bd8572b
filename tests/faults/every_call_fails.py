"""Fault injection: let each call that changes a file fail once, and print the results as JSON.

    LD_PRELOAD=faulty_files.so python every_call_fails.py FOLDER OPERATION

This is a separate program because the preloaded library must be present when it starts.
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
    """Run an operation once for each of its calls, let that call fail, and print all problems."""
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
            problem = operation.judge(folder, acknowledged)
        except BaseException:
            problem = traceback.format_exc()
        drafts = [path.name for path in folder.rglob(f"*{DRAFT}*")]
        if problem or drafts:
            wrong.append(f"call {number}: {problem} {drafts}")
        shutil.rmtree(folder)
        if seen < number:
            break
    print(json.dumps({"calls": number - 1, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
