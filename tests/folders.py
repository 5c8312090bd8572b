"""Temporary folders of a test run; if a run is killed, the next run removes its folders."""

import os
import shutil
import tempfile
from pathlib import Path


def new_folder(kind: str) -> Path:
    """Create a folder whose name contains the id of this process."""
    return Path(tempfile.mkdtemp(prefix=f"rollwise-{kind}-{os.getpid()}-"))


def remove_leftovers(kind: str) -> None:
    """Remove the temporary folders of processes that have ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"rollwise-{kind}-*-*"):
        if not _is_running(int(folder.name.split("-")[2])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # a process of another user
        pass
    return True
