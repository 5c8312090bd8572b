"""Output of ``rollwise simulate --versus``: games of two strategies against each other."""

from __future__ import annotations

from rollwise.cli.common import console, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import counted

with lazy_imports():
    from rollwise.playing import match as matches


def print_match(match: matches.Match, seed: int, *, transcript: bool, as_json: bool) -> None:
    """Print the scorecards of one game, or the tally of several games.

    If ``transcript`` is set, print the record of the first game before them.
    """
    if as_json:
        lines = list(match.transcript(0)) if transcript else None
        write_json({**match.as_dict(), "seed": seed, "transcript": lines})
        return
    out = console()
    mark = "# " if transcript else ""  # after a record, everything else is a comment in it
    if transcript:
        for line in match.transcript(0):
            out.print(line)
        out.print()
    for line in _scorecards(match) if match.number == 1 else [_tally(match)]:
        out.print(f"{mark}{line}")


def _scorecards(match: matches.Match) -> list[str]:
    """Return a table of both scorecards of the first game as lines of text."""
    out = console()
    table = empty_table(match.rules.title, *(f">{name}" for name in match.names))
    for title, *cells in match.board(0):
        table.add_row(title, *cells, style="bold" if title == "Total" else None)
    with out.capture() as captured:
        out.print(table)
    return captured.get().splitlines()


def _tally(match: matches.Match) -> str:
    win, tie, lose = match.tally()
    games = counted(match.number, "game")
    return f"{games}: {match.names[0]} won {win:,}, tied {tie:,}, lost {lose:,}"
