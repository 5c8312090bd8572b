"""The command line: it translates between text and the library, without arithmetic."""

from rollwise.cli.app import app

__all__ = ["app"]
