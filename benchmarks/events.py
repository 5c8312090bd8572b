"""Measure how long the server takes for one event of a long game: the change, and what is shown.

    python benchmarks/events.py

The game has four players and 250 events. The state is what all windows of a browser show, and the
record is what the history saves. The numbers are means in milliseconds of processor time.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable

from rollwise import Game, solve
from rollwise.game.game import fair_roll
from rollwise.history import History
from rollwise.web.game_state import state_of
from rollwise.web.live_games import LiveGames
from rollwise.web.solved_games import SolvedGames

EVENTS, TIMES = 250, 100


def long_game() -> Game:
    """Return a game of four players who choose at random."""
    game, source = Game("yahtzee", "Ada, Ben, Cy, Di", seed=1), random.Random(1)
    while len(game.events) < EVENTS:
        game.push(fair_roll(game, 1) if game.awaits_roll else source.choice(game.legal_actions()))
    return game


async def main() -> None:
    """Print a line for each part of an event."""
    with (
        tempfile.TemporaryDirectory() as folder,
        History(f"sqlite:///{folder}/games.sqlite") as history,
    ):
        history.save("long", long_game())
        games = SolvedGames(history)
        live = await LiveGames(games).enter("long")
        live.session.solution = solve("yahtzee")
        game, event = live.session.game, live.session.game.pop()

        def change() -> None:
            live.session.push(event)
            live.session.undo()

        def state() -> None:
            game.push(event)
            state_of(live)
            game.pop()

        def record() -> None:
            game.push(event)
            game.copy().as_json()
            game.pop()

        parts: dict[str, Callable[[], None]] = {
            "an event, and undoing it": change,
            "an event, and the state that all windows show": state,
            "an event, and the record that is saved": record,
        }
        for name, part in parts.items():
            part()
            begin = time.process_time()
            for _ in range(TIMES):
                part()
            print(f"{(time.process_time() - begin) / TIMES * 1000:6.2f} ms  {name}")
        games.computing.close()


if __name__ == "__main__":
    asyncio.run(main())
