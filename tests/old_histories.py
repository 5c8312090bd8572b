"""Games for histories, and history files from before the schema had versions."""

import json
import sqlite3
from pathlib import Path

from games import at_random, play
from rollwise import load_rules
from rollwise.game.records.as_json import format_record_json
from rollwise.game.records.record import Record
from rollwise.reviews.review import Review, review
from rollwise.solving.solver import solve

SMALL = load_rules("micro-yahtzee")

BEFORE_VERSIONS = """
CREATE TABLE games (
    id VARCHAR(40) NOT NULL, rules VARCHAR(40) NOT NULL, record TEXT NOT NULL,
    robots TEXT NOT NULL, is_over BOOLEAN NOT NULL, saved_at {time} NOT NULL, PRIMARY KEY (id)
);
CREATE TABLE played (
    id {number} NOT NULL, game_id VARCHAR(40) NOT NULL, name VARCHAR(40) NOT NULL,
    objective VARCHAR(80) NOT NULL, score INTEGER NOT NULL, start FLOAT NOT NULL,
    luck FLOAT NOT NULL, loss FLOAT NOT NULL, PRIMARY KEY (id),
    FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
CREATE INDEX played_of_game ON played (game_id);
CREATE TABLE decisions (
    id {number} NOT NULL, played_id INTEGER NOT NULL, turn INTEGER NOT NULL,
    category VARCHAR(40) NOT NULL, position TEXT NOT NULL, chosen VARCHAR(80) NOT NULL,
    best VARCHAR(80) NOT NULL, loss FLOAT NOT NULL, verdict VARCHAR(20) NOT NULL,
    counted BOOLEAN NOT NULL, PRIMARY KEY (id),
    FOREIGN KEY(played_id) REFERENCES played (id) ON DELETE CASCADE
);
CREATE INDEX decisions_of_played ON decisions (played_id);
"""
"""The database schema before it had versions."""


def game(seed: int, names: tuple[str, ...] = ("Ada", "Ben")) -> Record:
    """Return a finished game of Micro Yahtzee."""
    return Record(SMALL, names, play(SMALL, list(names), seed, at_random(seed)).events, seed)


def reviews(record: Record) -> list[Review]:
    """Return the reviews of a game of Micro Yahtzee."""
    return review(record, solve(SMALL))


def old_file(path: Path, games: int = 3) -> dict[str, Record]:
    """Write a history file without a schema version and with duplicate rows; return its games."""
    records = {f"game-{number}": game(number) for number in range(games)}
    connection = sqlite3.connect(path)
    tables = BEFORE_VERSIONS.format(time="DATETIME", number="INTEGER")
    connection.executescript(f"BEGIN; {tables} COMMIT;")
    fill_old(connection, records)
    connection.close()
    return records


def fill_old(connection: sqlite3.Connection, records: dict[str, Record]) -> None:
    """Insert games into the old tables, and two copies of a review for each game."""
    number = 0
    for id, record in records.items():
        row = (id, SMALL.name, format_record_json(record), json.dumps({}), 1)
        connection.execute("INSERT INTO games VALUES (?,?,?,?,?,'2026-11-21 10:00:00.000000')", row)
        for _ in range(2):
            number += 1
            connection.execute(
                "INSERT INTO played VALUES (?,?,'Ada','expected',10,20.0,-1.0,9.0)", (number, id)
            )
            connection.execute(
                "INSERT INTO decisions VALUES (?,?,1,'ones','dice 1','a','b',9.0,'blunder',1)",
                (number, number),
            )
    connection.commit()
