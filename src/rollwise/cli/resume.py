"""``rollwise play --resume``: which game goes on, and who of its players is a robot."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rollwise.errors import InputError, quoted
from rollwise.game.records.files import load_record
from rollwise.history import History, NoSuchGameError, SavedGame, new_id
from rollwise.playing.robot import seat_names
from rollwise.rules import Rules
from rollwise.strategies import STRATEGIES

LAST = "last"
"""What stands for the last game that is unfinished."""


def game_to_resume(
    wanted: str, history: History, rules: Rules | None, against: Sequence[str] = ()
) -> SavedGame:
    """Return the game that a file, an id of the history or ``LAST`` means.

    A file goes on as the game of the history that it is the record of. Where the record names no
    robots, a player that is called as a strategy, or as one of ``against``, is that robot.

    Raises
    ------
    InputError
        When there is no such game.
    """
    kept = (game for game in history.games() if isinstance(game, SavedGame))
    if Path(wanted).exists():
        record = load_record(Path(wanted), rules)
        for game in kept:
            if game.record == record:
                return game
        if record.setting.robots:
            now = datetime.now().astimezone()
            return SavedGame(new_id(), record, record.setting.robots, now)
        called = {name: name for name in ("optimal", "duel", *STRATEGIES)}
        called |= {name: robot for name, robot in seat_names(["You"], against).items() if robot}
        robots = {
            number: called[name] for number, name in enumerate(record.players) if name in called
        }
        return SavedGame(new_id(), record, robots, datetime.now().astimezone())
    if wanted == LAST:
        for game in kept:
            if not game.record.is_over:
                return game
        raise InputError("no unfinished game is kept: expected rollwise play to begin one")
    try:
        return history.load(wanted)
    except NoSuchGameError:
        expected = "a record, or an id of rollwise history list"
        raise InputError(f"no file and no game {quoted(wanted)}: expected {expected}") from None
