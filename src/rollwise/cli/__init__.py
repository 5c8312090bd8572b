"""The command line: it translates between text and the library, and does no arithmetic."""

from rollwise.cli.app import app

__all__ = ["app"]
