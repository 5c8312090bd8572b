"""A game begun: its seats, its dice, its address."""

import datetime
from collections.abc import Mapping

from rollwise.game.records.record import Record, fresh_seed
from rollwise.history import History, new_id
from rollwise.rules import Rules
from rollwise.web.robots import check_seats
from rollwise.web.solved import SolvedGames


async def begin_game(
    games: SolvedGames,
    history: History,
    rules: Rules,
    seats: Mapping[str, str | None],
    *,
    real_dice: bool,
) -> str:
    """Save a new game, and return its id.

    Parameters
    ----------
    seats : mapping of str to str or None
        The players in the order of play, with the strategy of each robot.
    real_dice : bool
        Whether dice are rolled by hand and typed in.

    Raises
    ------
    InputError
        When a name is none, or a robot cannot play with these.
    """
    check_seats(rules, seats)
    seed = None if real_dice else fresh_seed()
    record = Record(rules, tuple(seats), seed=seed, date=datetime.date.today())
    robots = {number: name for number, name in enumerate(seats.values()) if name is not None}
    id = new_id()
    await games.write(history.save, id, record, robots)
    return id
