"""``python -m rollwise`` is the command line."""

from rollwise.cli import app

app(prog_name="rollwise")
