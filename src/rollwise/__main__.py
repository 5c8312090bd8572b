"""The entry point of ``python -m rollwise``, which runs the command line."""

from rollwise.cli import main

main()
