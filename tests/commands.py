"""The command line, run in the process of a test."""

from typer.testing import CliRunner

from rollwise.cli import app


def run(*arguments: str) -> tuple[int, str, str]:
    """Run the command line in this process; return exit code, stdout and stderr."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr
