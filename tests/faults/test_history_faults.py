"""Test the history with damaged rows, changed rules, and concurrent use."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, delete, text

from commands import run
from databases import postgres
from games import at_random, play
from rollwise import load_rules
from rollwise.errors import InputError
from rollwise.game.game import Game
from rollwise.history import (
    GoneOnError,
    History,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
    SavedGame,
    UnreadableGame,
    database,
    mistakes,
    people,
    rate_player,
)
from rollwise.history.check import check
from rollwise.history.schema import VERSION, Base, PlayedRow
from saved_games import game, reviews


@pytest.fixture(scope="session")
def club() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty history, in each kind of database in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.sqlite"
    address: str = request.getfixturevalue("club")
    with History(address) as history:
        history.delete_all()
    return address


@pytest.fixture
def history(url: str) -> Iterator[History]:
    with History(url) as history:
        yield history


def on_threads(work: Callable[[], Any], number: int = 4) -> None:
    """Run a function on several threads at the same time, and raise the first error."""
    errors: list[BaseException] = []

    def run_one() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run_one) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


LONG = play(load_rules("yahtzee"), ["Ada", "Ben"], 1, at_random(1))
"""A finished game with more than 100 events."""

APPENDING = """
import sys
from rollwise.game.game import Game
from rollwise.history import GoneOnError, History
history = History(sys.argv[1])
whole = history.load("whole").game
print(history.count())
sys.stdin.readline()
acknowledged = refused = 0
while not (game := history.load("a")).record.is_over:
    events = whole.events[: len(game.record.events) + 1]
    try:
        history.save("a", Game(whole.rules, whole.players, events), last=game.saved_at)
        acknowledged += 1
    except GoneOnError:
        refused += 1
print(acknowledged, refused)
"""
"""A program that appends the next event to a game again and again, until the game is over."""


def beginning(number: int) -> Game:
    """Return the first events of the long game."""
    return Game(LONG.rules, LONG.players, LONG.events[:number])


class Window:
    """A window that shows the long game."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.load()

    def load(self) -> None:
        """Show the last version."""
        saved = self.history.load("a")
        self.events, self.last = len(saved.game.events), saved.saved_at

    def append(self) -> bool:
        """Save the next event; return whether this was acknowledged."""
        try:
            self.last = self.history.save("a", beginning(self.events + 1), last=self.last)
        except GoneOnError:
            return False
        self.events += 1
        return True


class TestConcurrency:
    @pytest.fixture
    def windows(self, url: str) -> Iterator[list[Window]]:
        """Yield two windows with their own connections."""
        with History(url) as first, History(url) as second:
            first.save("a", beginning(0))
            yield [Window(first), Window(second)]

    def test_saves_in_turn(self, windows: list[Window]) -> None:
        """Check that only the window that has seen all events can add one."""
        rng, acknowledged = random.Random(1), 0
        for _ in range(100):
            window = rng.choice(windows)
            is_next = window.events == acknowledged
            assert window.append() == is_next
            acknowledged += is_next
            if not is_next:
                window.load()
        assert 30 < acknowledged < 90
        assert windows[0].history.load("a").game == beginning(acknowledged)

    def test_saves_at_once(self, windows: list[Window]) -> None:
        """Check that one of two simultaneous saves is acknowledged, and the other is refused."""
        barrier = threading.Barrier(2)

        def append(window: Window) -> bool:
            barrier.wait()
            return window.append()

        with ThreadPoolExecutor(2) as threads:
            for number in range(1, 31):
                assert sorted(threads.map(append, windows)) == [False, True]
                for window in windows:
                    window.load()
                assert [window.events for window in windows] == [number, number]

    def test_saves_of_two_processes(self, history: History) -> None:
        history.save("a", beginning(0))
        history.save("whole", beginning(len(LONG.events)))
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", APPENDING, history.place],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for _ in range(2)
        ]  # fmt: skip
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()  # it has started
        with ThreadPoolExecutor(2) as threads:
            ends = threads.map(lambda process: process.communicate("go\n"), processes)
            acknowledged, refused = zip(*(map(int, out.split()) for out, _ in ends), strict=True)
        assert sum(acknowledged) == len(LONG.events)
        assert sum(refused) > 0
        assert history.load("a").game == history.load("whole").game

    def test_reviews_of_one_game(self, history: History) -> None:
        record = game(1)
        history.save("a", record)
        game_reviews = reviews(record)

        def work() -> None:
            for _ in range(10):
                history.keep_reviews("a", game_reviews)

        on_threads(work)
        (exported,) = history.export()["games"]
        assert [played["name"] for played in exported["played"]] == ["Ada", "Ben"]

    def test_all_operations_on_one_game(self, history: History) -> None:
        record = game(1)
        game_reviews = reviews(record)

        def work() -> None:
            for _ in range(10):
                try:
                    history.save("a", record)
                    history.keep_reviews("a", game_reviews)
                    history.load("a")
                    history.delete("a")
                except (GoneOnError, NoSuchGameError):
                    pass

        on_threads(work)
        assert history.count() <= 1

    def test_first_starts(self, tmp_path: Path) -> None:
        """Check that processes can start at the same time with a new database."""
        program = "import sys; from rollwise.history import History\nHistory(sys.argv[1]).games()"
        path = tmp_path / "games.sqlite"
        command = [sys.executable, "-c", program, f"sqlite:///{path}"]
        starts = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
        assert [start.communicate()[1] for start in starts] == [b""] * 3
        assert [start.returncode for start in starts] == [0] * 3

    def test_first_starts_on_threads(self, tmp_path: Path) -> None:
        for number in range(10):
            address = f"sqlite:///{tmp_path}/{number}.sqlite"
            on_threads(lambda address=address: History(address).close())  # type: ignore[misc]


DAMAGED: dict[str, list[Any]] = {
    "record": ["not JSON", "", "[]", '{"format": "rollwise game 2"}', '{"rules": "gone"}', b"\xff"],
    "robots": ["not JSON", "[]", '{"a": "optimal"}', "null", b"\xff"],
    "saved_at": ["never", "", 7, b"\xff", "0001-01-01 00:00:00", "9999-12-31 23:59:59"],
}
CASES = [(column, value) for column, values in DAMAGED.items() for value in values]


def change(file: Path, statement: str, value: Any) -> None:
    """Damage a database."""
    with sqlite3.connect(file) as connection:
        connection.execute(statement, [value])
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def printable(out: str) -> bool:
    """Return whether an output contains no control character except line breaks."""
    return all(line.isprintable() for line in out.split("\n"))


class TestDamage:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
            for number in range(3):
                history.save(f"game-{number}", game(number))
        return tmp_path / "games.sqlite"

    @pytest.mark.parametrize(("column", "value"), CASES)
    def test_the_other_rows_can_be_read(self, file: Path, column: str, value: Any) -> None:
        with sqlite3.connect(file) as connection:
            connection.execute(f"UPDATE games SET {column} = ? WHERE id = 'game-1'", [value])
        connection.close()
        database = ("--database", f"sqlite:///{file}")
        code, out, _ = run("history", "list", *database)
        assert code == 0
        assert all(f"game-{number}" in out for number in range(3))
        assert out.count("cannot be read: ") == 1
        listed = json.loads(run("history", "list", "--json", *database)[1])
        assert ["id" in entry and "unreadable" in entry for entry in listed].count(True) == 1
        code, out, _ = run("history", "check", *database)
        assert code == 1
        assert out.startswith("game-1 cannot be read: ")
        assert "2 of 3 games can be read" in out
        assert run("history", "show", "game-0", *database)[0] == 0
        code, _, error = run("history", "show", "game-1", *database)
        assert code == 2
        assert error.startswith("error: cannot read the saved game game-1: ")
        before, after = file.with_name("before.json"), file.with_name("after.json")
        assert run("history", "export", str(before), *database)[0] == 0
        assert run("history", "delete", "--all", *database)[0] == 0
        code, _, error = run("history", "import", str(before), *database)
        assert (code, error) == (0, "imported 3 games\n")
        assert run("history", "export", str(after), *database)[0] == 0
        if column != "saved_at":
            assert after.read_bytes() == before.read_bytes()
            assert "unreadable" in run("history", "list", "--json", *database)[1]
        assert run("history", "delete", "game-1", *database)[0] == 0
        assert run("history", "check", *database)[0] == 0

    @pytest.mark.parametrize(
        "id", [b"\x00\xff", b"game-1", "\x1b]0;title\x07", "\x9b31m", "a\nb", 7, 2.5, ""]
    )
    def test_a_damaged_id(self, file: Path, id: Any, zone: str) -> None:
        change(file, "UPDATE games SET id = ? WHERE id = 'game-1'", id)
        database = ("--database", f"sqlite:///{file}")
        code, out, _ = run("history", "list", *database)
        assert code == 0
        assert printable(out)
        assert all(f"game-{number}" in out for number in (0, 2))
        data = json.loads(run("history", "list", "--json", *database)[1])
        assert len(data) == 3
        code, out, _ = run("history", "check", *database)
        assert code in (0, 1)
        assert printable(out)
        assert "of 3 games can be read" in out
        exported = file.with_name("exported.json")
        assert run("history", "export", str(exported), *database)[0] == 0
        assert run("history", "delete", "--all", *database)[0] == 0
        assert run("history", "import", str(exported), *database)[0] == 0
        data = json.loads(run("history", "list", "--json", *database)[1])
        assert {"game-0", "game-2"} <= {entry["id"] for entry in data}

    @pytest.mark.parametrize("column", ["rules", "owner", "is_over"])
    @pytest.mark.parametrize("value", [b"\x00\xff", "\x1b[2J", 7, "x" * 100, 1e400])
    def test_other_damaged_columns(self, file: Path, column: str, value: Any) -> None:
        change(file, f"UPDATE games SET {column} = ? WHERE id = 'game-1'", value)
        database = ("--database", f"sqlite:///{file}")
        code, out, _ = run("history", "list", *database)
        assert code == 0
        assert printable(out)
        assert all(f"game-{number}" in out for number in range(3))
        exported = file.with_name("exported.json")
        assert run("history", "export", str(exported), *database)[0] == 0
        assert run("history", "delete", "--all", *database)[0] == 0
        code, _, error = run("history", "import", str(exported), *database)
        assert (code, error) == (0, "imported 3 games\n")

    @pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"], indirect=True)
    @pytest.mark.parametrize("time", ["0001-01-01 00:00:00", "9999-12-31 23:59:59"])
    def test_a_time_at_the_edge_of_the_calendar(self, file: Path, time: str, zone: str) -> None:
        change(file, "UPDATE games SET saved_at = ? WHERE id = 'game-1'", time)
        database = ("--database", f"sqlite:///{file}")
        for command in (("list",), ("list", "--json"), ("check",), ("export", f"{file}.json")):
            assert run("history", *command, *database)[0] in (0, 1)

    @pytest.mark.parametrize("table", ["played", "decisions"])
    @pytest.mark.parametrize("value", [b"\x00\xff", "\x1b[2J", 1e400, 2**62, "text"])
    def test_damaged_reviews(
        self, tmp_path: Path, table: str, value: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = tmp_path / "games.sqlite"
        with History(f"sqlite:///{file}") as history:
            for number in range(2):
                history.save(f"game-{number}", game(number))
                history.keep_reviews(f"game-{number}", reviews(game(number)))
            columns = Base.metadata.tables[table].columns
        names = [c.name for c in columns if c.name not in ("id", "game_id", "played_id")]
        database = ("--database", f"sqlite:///{file}")
        before = file.read_bytes()
        for name in names:
            file.write_bytes(before)
            change(file, f"UPDATE OR IGNORE {table} SET {name} = ? WHERE id = 1", value)
            caplog.clear()
            code, out, _ = run("rating", "--rules", "micro-yahtzee", *database)
            assert code == 0
            assert printable(out)
            exported = tmp_path / "exported.json"
            assert run("history", "export", str(exported), *database)[0] == 0
            with History(f"sqlite:///{file}") as history:
                assert people(history, "micro-yahtzee")
                mistakes(history, "micro-yahtzee")
                history.delete_all()
                assert history.restore(json.loads(exported.read_text())) == 2
                assert rate_player(history, "micro-yahtzee")

    def test_a_damaged_review_is_named(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = tmp_path / "games.sqlite"
        with History(f"sqlite:///{file}") as history:
            for number in range(2):
                history.save(f"game-{number}", game(number))
                history.keep_reviews(f"game-{number}", reviews(game(number)))
            sound = len(reviews(game(0)))
            change(file, "UPDATE played SET score = ? WHERE game_id = 'game-1'", b"\xff")
            rating = rate_player(history, "micro-yahtzee")
            assert rating is not None
            assert rating.games == sound
            assert rating.decisions == sum(part.decisions for part in rating.by_turn)
            assert "game-1 is not rated, because its review is damaged" in caplog.text
            played = {data["id"]: len(data["played"]) for data in history.export()["games"]}
            assert played == {"game-0": sound, "game-1": 0}
            assert "a review of the game game-1 is not exported" in caplog.text

    def test_rules_that_have_changed(self, history: History) -> None:
        history.save("a", game(1))
        history.save("b", game(2))
        with history.database.writing() as session:
            session.execute(
                text("UPDATE games SET record = replace(record, :old, :new) WHERE id = 'a'"),
                {"old": '"score": [\n    ', "new": '"score": [\n    1'},
            )
        latest, changed = history.games()
        assert isinstance(latest, SavedGame)
        assert isinstance(changed, UnreadableGame)
        assert changed.id == "a"
        assert "the turns add up to" in changed.reason
        findings = check(history)
        assert (findings.games, len(findings.unreadable), findings.problems) == (2, 1, [])

    def test_an_index_with_other_ids_than_its_table(self, file: Path) -> None:
        file.write_bytes(re.sub(rb"game-1(?!micro)", b"game-9", file.read_bytes()))
        with History(f"sqlite:///{file}") as history:
            assert history.count() == 3
            with pytest.raises(HistoryError, match="an index of the history is damaged; to repair"):
                list(history.each())
            assert check(history).problems
            assert check(history).sound
            assert len(list(history.each())) == 3

    def test_damaged_names_of_tables(self, file: Path) -> None:
        file.write_bytes(file.read_bytes().replace(b"CREATE TABLE games", b"CREATE \xffABLE games"))
        code, _, error = run("history", "list", "--database", f"sqlite:///{file}")
        assert code == 2
        assert "the names of its tables are damaged" in error

    def test_damaged_pages(self, file: Path) -> None:
        content = bytearray(file.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        file.write_bytes(content)
        code, out, error = run("history", "check", "--database", f"sqlite:///{file}")
        assert (code, bool(out)) in ((1, True), (2, False))
        assert code == 1 or re.match("error: cannot (open|use) the history[: ]", error)


class TestDamagedReviews:
    """A damaged review gives no wrong number, and ``history check`` reviews the game again."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
            for number, name in enumerate(("Ben", "Cem")):
                record = game(number, ("Ada", name))
                history.save(f"game-{number}", record)
                history.keep_reviews(f"game-{number}", reviews(record))
        return tmp_path / "games.sqlite"

    def numbers(self, file: Path, deleted: Sequence[int] = ()) -> tuple[Any, set[tuple[Any, ...]]]:
        """Return the rating and the mistakes in any order, after deleting some of the reviews."""
        with History(f"sqlite:///{file}") as history:
            with history.database.writing() as session:
                session.execute(delete(PlayedRow).where(PlayedRow.id.in_(deleted)))
            rating = rate_player(history, "micro-yahtzee")
            fields = attrgetter("position", "chosen", "best", "loss", "verdict")
            shown = set(map(fields, mistakes(history, "micro-yahtzee")))
        if rating is None:
            return None, shown
        by_category = sorted(rating.by_category, key=attrgetter("name"))
        rating = replace(rating, trend=sorted(rating.trend), by_category=by_category)
        data = json.dumps(rating.as_dict())
        return json.loads(data, parse_float=lambda digits: round(float(digits), 9)), shown

    def ratings(self, file: Path) -> list[Any]:
        """Return the ratings without any number of reviews."""
        content, found = file.read_bytes(), []
        for number in range(5):
            for deleted in combinations(range(1, 5), number):
                found.append(self.numbers(file, deleted)[0])
                file.write_bytes(content)
        return found

    @pytest.mark.parametrize("table", ["played", "decisions"])
    def test_any_other_value(
        self, file: Path, table: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Check that each column can get a value of another row, or a value that may occur."""
        content, ratings = file.read_bytes(), self.ratings(file)
        right, shown = self.numbers(file)
        columns = Base.metadata.tables[table].columns.keys()
        for column in columns:
            if column in ("id", "game_id", "played_id", "memory"):
                continue
            file.write_bytes(content)
            worst = f"(SELECT id FROM {table} ORDER BY loss DESC, id LIMIT 1)"
            others = f"SELECT min({column}) FROM {table} WHERE {column} != damaged.{column}"
            value = f"UPDATE {table} AS damaged SET {column} = coalesce(({others}), ?)"
            change(file, f"{value} WHERE id = {worst}", "target:20")
            caplog.clear()
            rating, still_shown = self.numbers(file)
            assert rating in ratings
            assert still_shown <= shown
            assert "to review it again, run: rollwise history check" in caplog.text
            database = ("--database", f"sqlite:///{file}")
            code, out, _ = run("history", "check", *database)
            assert code == 1
            words = "game-[01] had a damaged review, which was computed again\n2 of 2 games can be"
            assert re.match(words, out)
            assert self.numbers(file) == (right, shown)
            assert run("history", "check", *database)[0] == 0

    def test_reviews_without_a_checksum(self, file: Path) -> None:
        """Check that reviews of older versions of rollwise are accepted."""
        right = self.numbers(file)
        for table in ("played", "decisions"):
            change(file, f"UPDATE {table} SET checksum = ?", None)
        assert self.numbers(file) == right
        assert run("history", "check", "--database", f"sqlite:///{file}")[0] == 0

    @pytest.mark.parametrize("number", [10, pytest.param(300, marks=pytest.mark.slow)])
    def test_any_other_bit(self, file: Path, number: int) -> None:
        content, ratings = file.read_bytes(), self.ratings(file)
        _, shown = self.numbers(file)
        rng = random.Random(number)
        places = [place for place, byte in enumerate(content) if byte]
        for place in rng.sample(places, number):
            damaged = bytearray(content)
            damaged[place] ^= 1 << rng.randrange(8)
            file.write_bytes(damaged)
            for _ in range(2):
                try:
                    rating, still_shown = self.numbers(file)
                except HistoryError:
                    break
                assert rating in ratings
                assert still_shown <= shown
                run("history", "check", "--database", f"sqlite:///{file}")


class TestExport:
    def test_export_delete_import_is_the_identity(self, history: History) -> None:
        for number in range(3):
            history.save(f"game-{number}", game(number), {1: "greedy"} if number else None)
            history.keep_reviews(f"game-{number}", reviews(game(number)))
        unfinished = game(4)
        history.save("half", Game(unfinished.rules, ("Ada", "Ben"), unfinished.events[:9]))
        before, games = history.export(), history.games()
        skill = rate_player(history, "micro-yahtzee")
        data = json.loads(json.dumps(before))
        assert history.restore(data) == 0
        history.delete_all()
        assert history.restore(data) == 4
        assert history.export() == before
        assert history.games() == games
        assert rate_player(history, "micro-yahtzee") == skill

    def test_the_later_version_stays(self, history: History) -> None:
        record = game(1)
        last = history.save("a", Game(record.rules, record.players, record.events[:9]))
        early = history.export()
        history.save("a", record, last=last)
        late = history.export()
        assert history.restore(early) == 0
        history.delete_all()
        history.restore(early)
        assert history.restore(late) == 1
        assert history.export() == late

    def game_data(self, history: History, **changes: Any) -> Any:
        """Return an export of one game with changes to the game."""
        history.save("a", game(1))
        history.keep_reviews("a", reviews(game(1)))
        data = json.loads(json.dumps(history.export()))
        history.delete_all()
        data["games"][0] |= changes
        return data

    @pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"], indirect=True)
    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"saved_at": "0001-01-01T00:00:00+12:00"}, "saved_at: the year must be from 1970"),
            ({"saved_at": "9999-12-31T23:59:59-12:00"}, "saved_at: the year must be from 1970"),
            ({"id": "\x1b[2J"}, "id: control characters are not allowed"),
            ({"id": "a\ud800"}, "id: control characters are not allowed"),
            ({"id": ""}, "id: "),
            ({"owner": "a\x00b"}, "owner: control characters are not allowed"),
            ({"rules": "\x9b1m"}, "rules: control characters are not allowed"),
            ({"record": {"a": json.loads("[" * 30 + "]" * 30)}}, "more than 20 nested levels"),
        ],
    )
    def test_hostile_games_are_refused(
        self, history: History, changes: dict[str, Any], reason: str, zone: str
    ) -> None:
        data = self.game_data(history, **changes)
        with pytest.raises(InputError, match=re.escape(reason)) as error:
            history.restore(data)
        assert "games.0" in str(error.value)
        assert printable(str(error.value))
        assert history.count() == 0

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"score": 2**70}, "games.0.played.0.score: "),
            ({"score": -(2**40)}, "games.0.played.0.score: "),
            ({"loss": float("nan")}, "games.0.played.0.loss: "),
            ({"luck": float("inf")}, "games.0.played.0.luck: "),
            ({"name": "\x1b[31mAda"}, "games.0.played.0.name: control characters"),
        ],
    )
    def test_hostile_reviews_are_refused(
        self, history: History, changes: dict[str, Any], reason: str
    ) -> None:
        data = self.game_data(history)
        data["games"][0]["played"][0] |= changes
        with pytest.raises(InputError, match=re.escape(reason)):
            history.restore(data)
        assert history.count() == 0

    @pytest.mark.parametrize("part", ["turn", "loss"])
    def test_hostile_decisions_are_refused(self, history: History, part: str) -> None:
        data = self.game_data(history)
        data["games"][0]["played"][0]["decisions"][0][part] = 2**70 if part == "turn" else 1e400
        with pytest.raises(InputError, match=rf"games.0.played.0.decisions.0.{part}: "):
            history.restore(data)

    def test_doubles_are_refused(self, history: History) -> None:
        data = self.game_data(history)
        twice = {**data, "games": data["games"] * 2}
        with pytest.raises(InputError, match="two games have the same id"):
            history.restore(twice)
        data["games"][0]["played"] *= 2
        with pytest.raises(InputError, match=r"games.0: a player has two reviews"):
            history.restore(data)
        assert history.count() == 0

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b'{"format": "rollwise history 1", "games": NaN}', "NaN is not a number in JSON"),
            (b'{"format": "rollwise history 1", "games": 1e999}', "the number 1e999 is too large"),
            (b"[" * 100_000, "is not a history export"),
            (b"9" * 10_000, "is not a history export"),
            (b"\xff\xfe\x00", "is not a history export"),
        ],
    )
    def test_hostile_files_are_refused(self, tmp_path: Path, content: bytes, reason: str) -> None:
        path = tmp_path / "mine.json"
        path.write_bytes(content)
        database = f"sqlite:///{tmp_path}/games.sqlite"
        code, _, error = run("history", "import", str(path), "--database", database)
        assert code == 2
        assert reason in error
        assert not (tmp_path / "games.sqlite").exists()

    def test_a_byte_order_mark_is_read(self, history: History, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_bytes(b"\xef\xbb\xbf" + json.dumps(self.game_data(history)).encode())
        database = f"sqlite:///{tmp_path}/others.sqlite"
        assert run("history", "import", str(path), "--database", database)[0] == 0

    def test_a_pipe_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        os.mkfifo(path)  # a pipe without a writer
        code, _, error = run("history", "import", str(path))
        assert code == 2
        assert "give a file, not a folder, pipe, or device" in error

    @pytest.mark.parametrize(
        "data",
        [
            None,
            [],
            {},
            {"format": "rollwise history 2", "games": []},
            {"format": "rollwise history 1", "games": [{"id": "a"}]},
            {"format": "rollwise history 1", "games": {}},
        ],
    )
    def test_other_data_is_refused(self, history: History, data: Any) -> None:
        with pytest.raises(ValueError, match="to create one, run: rollwise history export"):
            history.restore(data)

    def test_other_files_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_text("games")
        code, _, error = run("history", "import", str(path))
        assert (code, error) == (
            2,
            f"error: {path} is not a history export. To create one, run: "
            "rollwise history export FILE.json\n",
        )

    def test_a_backup_is_a_history(self, history: History, tmp_path: Path) -> None:
        history.save("a", game(1))
        history.keep_reviews("a", reviews(game(1)))
        path = tmp_path / "folder" / "monday.sqlite"
        for _ in range(2):
            history.backup(path)
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        with History(f"sqlite:///{path}") as copy:
            assert copy.export() == history.export()


class TestOwners:
    """Tests of owners in a history that several people share."""

    def test_each_owner_sees_their_games(self, history: History) -> None:
        ada, ben = history.of("ada"), history.of("ben")
        for number, owned in enumerate((ada, ben, history)):
            owned.save(f"game-{number}", game(number))
            owned.keep_reviews(f"game-{number}", reviews(game(number)))
        for owned, ids in ((ada, ["game-0"]), (ben, ["game-1"])):
            assert [saved.id for saved in owned.games()] == ids
            assert [saved.id for saved in owned.each()] == ids
            assert [data["id"] for data in owned.export()["games"]] == ids
            assert owned.count() == 1
            rating = rate_player(owned, "micro-yahtzee")
            assert rating is not None
            assert rating.games == 2
        assert [data["owner"] for data in history.export()["games"]] == ["ada", "ben", None]
        rating_of_all = rate_player(history, "micro-yahtzee")
        assert rating_of_all is not None
        assert rating_of_all.games == 6
        number_of_all = len(mistakes(history, "micro-yahtzee"))
        assert 0 < len(mistakes(ada, "micro-yahtzee")) < number_of_all
        nobody = history.of("nobody")
        assert people(ada, "micro-yahtzee") == ["Ada", "Ben"]
        assert (people(nobody, "micro-yahtzee"), mistakes(nobody, "micro-yahtzee")) == ([], [])

    def test_the_owner_of_a_game_does_not_change(self, history: History) -> None:
        ada, ben = history.of("ada"), history.of("ben")
        last = ada.save("a", game(1))
        assert ben.load("a").game == game(1)
        ben.save("a", game(2), last=last)
        ben.keep_reviews("a", reviews(game(2)))
        assert (ada.load("a").game, ada.load("a").owner) == (game(2), "ada")
        history.save("old", game(3))
        for other, id in ((ben, "a"), (ada, "old"), (history.of("nobody"), "a")):
            with pytest.raises(NotOwnerError, match=f"the game '{id}' belongs to another player"):
                other.delete(id)
        assert (ben.delete_all(), history.count()) == (0, 2)
        ada.delete("a")
        with pytest.raises(NoSuchGameError):
            ada.delete("a")
        history.delete("old")

    def test_an_export_contains_the_owners(self, history: History) -> None:
        history.of("ada").save("a", game(1))
        history.save("b", game(2))
        data = json.loads(json.dumps(history.export()))
        history.delete_all()
        history.restore(data)
        assert history.export() == data
        assert [saved.id for saved in history.of("ada").games()] == ["a"]
        without_owners = [
            {key: saved[key] for key in saved if key != "owner"} for saved in data["games"]
        ]
        history.delete_all()
        history.restore({**data, "games": without_owners})
        assert [data["owner"] for data in history.export()["games"]] == [None, None]


class TestSchema:
    def test_a_newer_database_is_left_alone(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path}/games.sqlite"
        with History(url) as history, history.database.writing() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '1000'"))
        with pytest.raises(HistoryError, match=r"up to [0-9]+; install a newer rollwise"):
            History(url)

    def test_migrations_create_the_tables(self, history: History) -> None:
        with history.database.engine.connect() as connection:
            context = MigrationContext.configure(connection)
            assert compare_metadata(context, Base.metadata) == []
            assert context.get_current_revision() == VERSION
        config = Config()
        config.set_main_option("script_location", "rollwise.history:migrations")
        assert ScriptDirectory.from_config(config).get_current_head() == VERSION


def test_a_restarted_server(club: str) -> None:
    """Check that a history opens a new connection if the server has closed the old connection."""
    with History(club) as history:
        history.games()
        engine = create_engine(club.replace("postgresql", "postgresql+psycopg"))
        with engine.begin() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != "
            connection.execute(text(f"{others} pg_backend_pid() AND datname = current_database()"))
        engine.dispose()
        history.games()


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.history.database.PATIENCE", 50)
    url = f"sqlite:///{tmp_path}/games.sqlite"
    with History(url) as history:
        history.save("a", game(1))
    holder = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    code, _, error = run("history", "delete", "a", "--database", url)
    assert (code, error) == (
        2,
        "error: cannot use the history: database is locked; try again, or check the address in "
        "--database or ROLLWISE_DATABASE\n",
    )
    holder.close()
    assert run("history", "delete", "a", "--database", url)[0] == 0


@pytest.mark.parametrize(
    ("pragma", "words"),
    [
        ("max_page_count=1", "the disk is full; free some disk space, and try again"),
        ("query_only=1", "/games.sqlite cannot be written; make the file and its folder writable"),
    ],
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_disk_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pragma: str, words: str, exists: bool
) -> None:
    url, export = f"sqlite:///{tmp_path}/games.sqlite", tmp_path / "export.json"
    with History("sqlite://") as history:
        history.save("a", beginning(len(LONG.events)))
        export.write_text(json.dumps(history.export()), "utf-8")
    if exists:
        History(url).close()
    monkeypatch.setattr(database, "_configure_sqlite", restricted(pragma))
    code, _, error = run("history", "import", str(export), "--database", url)
    assert (code, error.count("\n")) == (2, 1)
    assert error.startswith(f"error: cannot {'use' if exists else 'open'} the history")
    assert words in error


def restricted(pragma: str) -> Callable[[Any, Any], None]:
    """Return the configuration of SQLite connections with one more pragma."""
    configure = database._configure_sqlite

    def configure_and_restrict(connection: Any, record: Any) -> None:
        configure(connection, record)
        connection.execute(f"PRAGMA {pragma}")

    return configure_and_restrict


def test_an_id_that_cannot_be_stored(history: History) -> None:
    for id in ("\ud800", "a\0b"):
        with pytest.raises(NoSuchGameError):
            history.load(id)
        with pytest.raises(NoSuchGameError):
            history.delete(id)


def test_pages(history: History) -> None:
    for number in range(7):
        history.save(f"game-{number}", game(number))
    ids = [saved.id for saved in history.games()]
    assert ids == [f"game-{number}" for number in reversed(range(7))]
    pages = [[saved.id for saved in history.games(3, skip)] for skip in (0, 3, 6, 9)]
    assert pages == [ids[:3], ids[3:6], ids[6:], []]
    assert sorted(saved.id for saved in history.each()) == sorted(ids)
    assert all(isinstance(saved.saved_at, datetime) for saved in history.games())
