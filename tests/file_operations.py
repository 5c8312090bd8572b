"""File operations for fault injection, and checks that no data is lost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from commands import run
from games_with_layers import small_maxi
from rollwise.game.records.files import load_game, save_game
from rollwise.history import History, HistoryError
from rollwise.history.transfer import export
from rollwise.solving import values
from rollwise.solving.solver import solve
from saved_games import SMALL, game, reviews

MAXI = small_maxi(3)


@dataclass(frozen=True)
class Operation:
    """An operation that changes files in a folder.

    Attributes
    ----------
    prepare : callable
        Prepares the folder.
    act : callable
        Runs the operation and returns whether it was acknowledged.
    judge : callable
        Takes the folder and whether the operation was acknowledged. Returns a description of the
        problem, or an empty string.
    """

    prepare: Callable[[Path], None]
    act: Callable[[Path], bool]
    judge: Callable[[Path, bool], str]


def nothing(folder: Path) -> None:
    """Leave the folder unchanged."""


def _history(folder: Path) -> str:
    return f"{folder}/games.sqlite"


def fill(folder: Path) -> None:
    """Save one game in the history, and save an export of two games in a file."""
    with History(_history(folder)) as history:
        history.save("old", game(1))
        history.save("more", game(2))
        (folder / "export.jsonl").write_text("\n".join(export(history)))
        history.delete("more")


def refused(work: Callable[[], object]) -> bool:
    """Run an operation; return True if it succeeds, or False if it fails with an expected error."""
    try:
        work()
    except (HistoryError, OSError):
        return False
    return True


def save(folder: Path) -> bool:
    """Save a game in the history."""

    def work() -> None:
        with History(_history(folder)) as history:
            history.save("new", game(3))

    return refused(work)


def is_saved(folder: Path, acknowledged: bool) -> str:
    """Check that the history contains all acknowledged games."""
    with History(_history(folder)) as history:
        ids = {saved_game.id for saved_game in history.games()}
        if "old" not in ids or (acknowledged and "new" not in ids):
            return f"lost: {ids}"
        return "" if history.load("old").game == game(1) else "another game"


def judge_game(folder: Path) -> bool:
    """Save the reviews of a game."""

    def work() -> None:
        with History(_history(folder)) as history:
            history.keep_reviews("old", REVIEWS, history.load("old").saved_at)

    return refused(work)


def is_judged(folder: Path, acknowledged: bool) -> str:
    """Check that the history contains all reviews, or none if ``act`` is not acknowledged."""
    with History(_history(folder)) as history:
        number = len(list(history.reviews("micro-yahtzee")))
    total = len(REVIEWS)
    return "" if number == total or (number == 0 and not acknowledged) else f"{number} of {total}"


def take_in(folder: Path) -> bool:
    """Import an export on the command line."""
    code, _, error = run(
        "history", "import", str(folder / "export.jsonl"), "--database", _history(folder)
    )
    assert code == 0 or (code == 2 and error.startswith("error: ")), error
    return code == 0


def is_taken_in(folder: Path, acknowledged: bool) -> str:
    """Check that all games of the export were imported, or none if ``act`` is not acknowledged."""
    with History(_history(folder)) as history:
        ids = {saved_game.id for saved_game in history.games()}
    expected = [{"old", "more"}] if acknowledged else [{"old", "more"}, {"old"}]
    return "" if ids in expected else f"{ids}"


def solve_table(folder: Path) -> bool:
    """Solve a small game with a cache."""
    assert solve(SMALL).value() == VALUE
    return True


def solve_layers(folder: Path) -> bool:
    """Solve a game layer by layer."""
    values.SMALL, before = 0, values.SMALL
    try:
        assert solve(MAXI).value() == LAYERS_VALUE
        return True
    finally:
        values.SMALL = before


def is_solved(act: Callable[[Path], bool]) -> Callable[[Path, bool], str]:
    """Return a check that ``act`` gives the correct value from the saved files."""
    return lambda folder, acknowledged: "" if act(folder) else "a wrong value"


def write_record(folder: Path) -> bool:
    """Replace a game record in a file."""
    return refused(lambda: save_game(game(3), folder / "game.txt"))


def is_written(folder: Path, acknowledged: bool) -> str:
    """Check that the file contains the new record; the old one is allowed if not acknowledged."""
    record = load_game(folder / "game.txt", SMALL)
    return "" if record == game(3) or (record == game(1) and not acknowledged) else "another"


def first_record(folder: Path) -> None:
    """Write a game record to a file."""
    save_game(game(1), folder / "game.txt")


OPERATIONS = {
    "save": Operation(fill, save, is_saved),
    "review": Operation(fill, judge_game, is_judged),
    "import": Operation(fill, take_in, is_taken_in),
    "solve": Operation(nothing, solve_table, is_solved(solve_table)),
    "layers": Operation(nothing, solve_layers, is_solved(solve_layers)),
    "record": Operation(first_record, write_record, is_written),
}

REVIEWS = reviews(game(1))
VALUE = solve(SMALL, cache=False).value()
LAYERS_VALUE = solve(MAXI, cache=False).value()
