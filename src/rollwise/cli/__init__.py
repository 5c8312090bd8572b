"""The command-line interface; all computation is in the library."""

from rollwise.cli.front import main

__all__ = ["main"]
