"""Folders of this run, which the next run removes if this one is killed."""

import os
import shutil
import tempfile
from pathlib import Path


def new_folder(kind: str) -> Path:
    """Make a folder that bears the number of this process."""
    return Path(tempfile.mkdtemp(prefix=f"rollwise-{kind}-{os.getpid()}-"))


def remove_leftovers(kind: str) -> None:
    """Remove the folders of processes that are no more."""
    for folder in Path(tempfile.gettempdir()).glob(f"rollwise-{kind}-*-*"):
        if not _is_running(int(folder.name.split("-")[2])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of somebody else
        pass
    return True
