"""Measure the time and memory that a history takes to load games, list games, and rate players.

Run ``python benchmarks/history.py [GAMES]``; the default is 20,000 two-player games of Yahtzee in
SQLite.
"""

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text

from rollwise import load_rules, solve
from rollwise.game.game import Game, fair_roll
from rollwise.game.records.as_json import format_record_json, parse_record_json
from rollwise.game.records.record import Record
from rollwise.history import History, mistakes, rate_player
from rollwise.history.schema import DecisionRow, GameRow, PlayedRow
from rollwise.reviews.review import review

RULES = load_rules("yahtzee")
DIFFERENT, PAGE = 20, 50


def played(seed: int) -> Record:
    """Return a random game of two players."""
    game, rng = Game(RULES, ["Ada", "Ben"]), random.Random(seed)
    while not game.is_over:
        game.push(fair_roll(game, seed) if game.awaits_roll else rng.choice(game.legal_actions()))
    return Record.of(game, seed)


def fill(history: History, number: int) -> None:
    """Save ``number`` reviewed games: a few different games, each many times."""
    solution = solve(RULES)
    for seed in range(DIFFERENT):
        history.save(f"{seed:05}", played(seed))
        history.keep_reviews(f"{seed:05}", review(played(seed), solution))
    exported = history.export()["games"]
    for start in range(DIFFERENT, number, DIFFERENT):
        games, people, decisions = [], [], []
        with history.database.writing() as session:
            row = session.execute(text("SELECT max(id) FROM played")).scalar() or 0
            for index, data in enumerate(exported):
                id = f"{start + index:05}"
                record = format_record_json(played_once[index])
                games.append({"id": id, "rules": RULES.name, "record": record, "robots": "{}"})
                for person in data["played"]:
                    row += 1
                    columns = {key: value for key, value in person.items() if key != "decisions"}
                    people.append({"id": row, "game_id": id, **columns})
                    decisions += [{"played_id": row, **data} for data in person["decisions"]]
            now = {"is_over": True, "saved_at": history.load("00000").saved_at}
            session.execute(insert(GameRow), [{**game, **now} for game in games])
            session.execute(insert(PlayedRow), people)
            session.execute(insert(DecisionRow), decisions)


played_once = [played(seed) for seed in range(DIFFERENT)]


def timed(name: str, call: Callable[[], Any], times: int = 1) -> None:
    """Print the wall and CPU time of the fastest of several calls."""
    best = (float("inf"), float("inf"))
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu))
    print(f"{name:32} {1000 * best[0]:9.1f} ms wall {1000 * best[1]:9.1f} ms CPU")


def main(number: int) -> None:
    """Fill a history, and print the measurements."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        with History(f"sqlite:///{path}") as history:
            fill(history, number)
            print(f"{history.count()} games, {path.stat().st_size / 1e6:.0f} MB")
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            record = format_record_json(played_once[0])
            timed("a game read back", lambda: [parse_record_json(record) for _ in range(10)], 5)
            timed("a game loaded", lambda: history.load("00001"), 20)
            for page in (1, number // PAGE):
                timed(f"page {page}", lambda page=page: history.games(PAGE, PAGE * (page - 1)), 3)  # type: ignore[misc]
            timed("rating", lambda: rate_player(history, RULES.name), 3)
            timed("rating of one", lambda: rate_player(history, RULES.name, "Ada"), 3)
            timed("mistakes", lambda: mistakes(history, RULES.name, most=10), 3)
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(
                f"peak memory {after / 1024:.0f} MB, {(after - before) / 1024:.0f} more than before"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
