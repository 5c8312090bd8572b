"""The command-line interface; all computation is in the library."""

from rollwise.cli.app import app

__all__ = ["app"]
