"""Test the history with killed processes, concurrent use, damaged files, and full disks."""

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
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from commands import run
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
    mistakes,
    people,
    rate_player,
)
from rollwise.history.transfer import export, parse_export, restore
from saved_games import game, reviews


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def history(file: Path) -> Iterator[History]:
    with History(file) as history:
        yield history


def save(history: History, id: str, record: Game) -> None:
    """Save a game and its reviews."""
    history.keep_reviews(id, reviews(record), history.save(id, record))


KILLED = """
import os, random, signal, sys, time
from rollwise.game.game import Game
from rollwise.history import History
record, rng = Game.parse("11366 66 25666 666 46666 4k"), random.Random(1)
for kill in range(int(sys.argv[2])):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        history = History(sys.argv[1])
        for number in range(10**6):
            history.save(f"{kill}-{number}", record)
            os.write(writer, f"{kill}-{number}\\n".encode())
    os.close(writer)
    with os.fdopen(reader) as pipe:
        print(pipe.readline(), end="")
        time.sleep(rng.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        print(pipe.read(), end="")
"""
"""A program that starts processes which save games, kills them, and prints the acknowledged ids."""


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_acknowledged_games_survive_sigkill(file: Path, kills: int) -> None:
    command = [sys.executable, "-c", KILLED, str(file), str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    acknowledged = done.stdout.split()
    assert len({id.partition("-")[0] for id in acknowledged}) == kills
    with History(file) as history:
        assert history.database.problems() == []
        assert {saved.id for saved in history.each() if not saved.reason} >= set(acknowledged)


def on_threads(work: Callable[[], Any], number: int = 4) -> list[Any]:
    """Run a function on several threads at the same time, and return its results."""
    barrier = threading.Barrier(number)

    def run_one(_: int) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(run_one, range(number)))


YAHTZEE = load_rules("yahtzee")
LONG = play(YAHTZEE, ["Ada", "Ben"], 1, at_random(1))
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
while not (game := history.load("a")).game.is_over:
    events = whole.events[: len(game.game.events) + 1]
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


class TestConcurrency:
    def test_saves_at_once(self, history: History) -> None:
        """Check that one of several simultaneous saves is acknowledged."""
        last = history.save("a", beginning(0))
        for number in range(1, 31):

            def append(number: int = number, last: datetime = last) -> datetime | None:
                try:
                    return history.save("a", beginning(number), last)
                except GoneOnError:
                    return None

            (last,) = filter(None, on_threads(append))
        assert history.load("a").game == beginning(30)

    def test_saves_of_two_processes(self, history: History) -> None:
        history.save("a", beginning(0))
        history.save("whole", beginning(len(LONG.events)))
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", APPENDING, str(history.database.file)],
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

    def test_all_operations_on_one_game(self, history: History) -> None:
        record = game(1)
        game_reviews = reviews(record)

        def work() -> None:
            for _ in range(10):
                with suppress(GoneOnError, NoSuchGameError):
                    saved_at = history.save("a", record)
                    history.keep_reviews("a", game_reviews, saved_at)
                    history.keep_reviews("a", game_reviews, saved_at)
                    history.load("a")
                    history.delete("a")

        on_threads(work)
        assert history.count() <= 1
        assert len(list(history.reviews("micro-yahtzee"))) <= 2

    def test_first_starts(self, tmp_path: Path) -> None:
        """Check that processes can start at the same time with a new history."""
        program = "import sys; from rollwise.history import History\nHistory(sys.argv[1]).games()"
        path = tmp_path / "games.sqlite"
        command = [sys.executable, "-c", program, str(path)]
        starts = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
        assert [start.communicate()[1] for start in starts] == [b""] * 3
        assert [start.returncode for start in starts] == [0] * 3

    def test_first_starts_on_threads(self, tmp_path: Path) -> None:
        for number in range(10):
            file = tmp_path / f"{number}.sqlite"
            on_threads(lambda file=file: History(file).close())  # type: ignore[misc]


def change(file: Path, statement: str, *values: Any) -> None:
    """Damage a history."""
    with sqlite3.connect(file) as connection:
        connection.execute(statement, values)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def printable(out: str) -> bool:
    """Return whether an output contains no control character except line breaks."""
    return all(line.isprintable() for line in out.split("\n"))


TEXTS = ["", "not JSON", "[]", b"\xff", b"\x00\xff", "\x1b]0;title\x07", "\x9b31m", "x" * 100]
NUMBERS = [7, 2.5, 1e400, -(2**62)]
UNREADABLE: dict[str, list[Any]] = {
    "game": [*TEXTS, *NUMBERS, "null", '{"format": "rollwise game 2"}', '{"rules": "gone"}'],
    "saved_at": [*TEXTS, *NUMBERS, "never", "0001-01-01 00:00:00", "9999-12-31 23:59:59"],
    "id": ["", b"\x00\xff", b"game-1", "\x1b]0;title\x07", "\x9b31m", "a\nb"],
}
"""Values with which a game cannot be read, by column."""

READABLE: dict[str, list[Any]] = {
    column: [*TEXTS, *NUMBERS] for column in ("owner", "rules", "is_over")
}
"""Values with which a game can be read, by column."""

ROWS = [(column, v) for column, values in (UNREADABLE | READABLE).items() for v in values]


class TestDamage:
    @pytest.fixture
    def file(self, file: Path) -> Path:
        with History(file) as history:
            for number in range(3):
                save(history, f"game-{number}", game(number))
        return file

    @pytest.mark.parametrize(("column", "value"), ROWS)
    def test_rows(self, file: Path, column: str, value: Any, zone: str) -> None:
        change(file, f"UPDATE games SET {column} = ? WHERE id = 'game-1'", value)
        is_readable = column in READABLE
        database = ("--database", str(file))
        code, out, _ = run("history", "list", *database)
        assert code == 0
        assert printable(out)
        assert all(f"game-{number}" in out for number in (0, 2))
        assert out.count(" cannot be read: ") == (not is_readable)
        listed = json.loads(run("history", "list", "--json", *database)[1])
        assert sum("unreadable" in entry for entry in listed) == (not is_readable)
        code, out, _ = run("history", "check", *database)
        assert (code, printable(out)) == (0 if is_readable else 1, True)
        assert f"{2 + is_readable} of 3 games can be read" in out
        exported = file.with_name("exported.jsonl")
        assert run("history", "export", str(exported), *database)[0] == 0
        assert run("history", "delete", "--all", *database)[0] == 0
        code, _, error = run("history", "import", str(exported), *database)
        assert (code, error.splitlines()[0]) == (0, f"imported {2 + is_readable} games")

    def test_a_damaged_game_cannot_be_shown_but_deleted(self, file: Path) -> None:
        change(file, "UPDATE games SET game = '[]' WHERE id = 'game-1'")
        database = ("--database", str(file))
        code, _, error = run("history", "show", "game-1", *database)
        assert (code, error[:46]) == (2, "error: cannot read the saved game game-1: reco")
        assert run("history", "delete", "game-1", *database)[0] == 0
        assert run("history", "check", *database)[0] == 0

    def test_rules_that_have_changed(self, file: Path) -> None:
        change(
            file,
            "UPDATE games SET game = replace(game, ?, ?) WHERE id = 'game-1'",
            '"score": [\n    ',
            '"score": [\n    1',
        )
        with History(file) as history:
            (changed,) = [saved for saved in history.games() if saved.reason]
        assert changed.id == "game-1"
        assert "the events add up to" in changed.reason

    @pytest.mark.parametrize("seed", range(60))
    def test_files(self, file: Path, seed: int) -> None:
        """Check that a changed file is refused, or that each game is right or has a reason."""
        rng, content = random.Random(seed), bytearray(file.read_bytes())
        kind = rng.choice(["bits", "page", "zeros", "end"])
        start = rng.randrange(0, len(content), 4096)
        if kind == "bits":
            for _ in range(10):
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        elif kind == "end":
            del content[rng.randrange(1, len(content)) :]
        else:
            content[start : start + 4096] = rng.randbytes(4096) if kind == "page" else bytes(4096)
        file.write_bytes(content)
        for command in ("list", "check"):
            code, out, error = run("history", command, "--database", str(file))
            assert code in (0, 1, 2)
            assert printable(out)
            assert code != 2 or error.startswith("error: "), error
        with suppress(InputError), History(file, create=False) as history:
            for saved in history.games():
                assert saved.reason or saved.game in map(game, range(3))

    def test_an_index_with_other_ids_than_its_table(self, file: Path) -> None:
        file.write_bytes(re.sub(rb"game-1(?!micro)", b"game-9", file.read_bytes()))
        with History(file) as history:
            assert history.database.problems()
            assert history.database.problems() == []
            assert history.count() == 3

    def test_damaged_names_of_tables(self, file: Path) -> None:
        file.write_bytes(file.read_bytes().replace(b"CREATE TABLE games", b"CREATE \xffABLE games"))
        code, _, error = run("history", "list", "--database", str(file))
        assert code == 2
        assert "its tables are damaged" in error


REVIEW_COLUMNS = ("player", "objective", "review", "checksum")


class TestDamagedReviews:
    """A damaged review gives no wrong number, and ``history check`` reviews the game again."""

    @pytest.fixture
    def file(self, file: Path) -> Path:
        with History(file) as history:
            for number, name in enumerate(("Ben", "Cem")):
                save(history, f"game-{number}", game(number, ("Ada", name)))
        return file

    def numbers(self, file: Path, deleted: Sequence[int] = ()) -> tuple[Any, set[tuple[Any, ...]]]:
        """Return the rating and the mistakes in any order, after deleting some of the reviews."""
        with History(file) as history:
            with history.database.writing() as database:
                database.executemany("DELETE FROM reviews WHERE id = ?", [(id,) for id in deleted])
            rating = rate_player(history, "micro-yahtzee")
            fields = attrgetter("player", "position", "chosen", "loss")
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

    @pytest.mark.parametrize("column", REVIEW_COLUMNS)
    @pytest.mark.parametrize("value", [None, *TEXTS, *NUMBERS])
    def test_any_other_value(
        self, file: Path, column: str, value: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Check that each column can get any value, or for None the value of another row."""
        ratings, (right, shown) = self.ratings(file), self.numbers(file)
        other = f"(SELECT max({column}) FROM reviews WHERE {column} != damaged.{column})"
        new = "?" if value is not None else f"coalesce(?, {other}, 'target:20')"
        change(file, f"UPDATE reviews AS damaged SET {column} = {new} WHERE id = 1", value)
        caplog.clear()
        rating, still_shown = self.numbers(file)
        assert rating in ratings
        assert still_shown <= shown
        assert "to review the game again, run: rollwise history check" in caplog.text
        database = ("--database", str(file))
        code, out, _ = run("history", "check", *database)
        words = "game-0 had a damaged review, which was computed again\n2 of 2 games can be read\n"
        assert (code, out) == (1, words)
        assert self.numbers(file) == (right, shown)
        assert run("history", "check", *database)[0] == 0

    def test_missing_reviews(self, file: Path) -> None:
        right = self.numbers(file)
        self.numbers(file, [1, 2, 3])
        code, out, _ = run("history", "check", "--database", str(file))
        assert (code, out) == (0, "reviewed 2 games that had no review\n2 of 2 games can be read\n")
        assert self.numbers(file) == right

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
                run("history", "check", "--database", str(file))


def exported(history: History) -> str:
    return "\n".join(export(history))


class TestExport:
    def test_export_delete_import_is_the_identity(self, history: History, file: Path) -> None:
        for number in range(3):
            save(history, f"game-{number}", game(number))
        unfinished = game(4)
        history.save("half", Game(unfinished.rules, ("Ada", "Ben"), unfinished.events[:1]))
        games, skill = history.games(), rate_player(history, "micro-yahtzee")
        text = exported(history)
        assert restore(history, parse_export(text)) == 0
        history.delete_all()
        assert restore(history, parse_export(text)) == 4
        assert (history.games(), exported(history)) == (games, text)
        assert rate_player(history, "micro-yahtzee") is None
        for command in (
            ["history", "rating", "--rules", "micro-yahtzee"],
            ["practice", "--rules", "micro-yahtzee"],
        ):
            _, _, error = run(*command, "--database", str(file))
            assert (
                error
                == "3 finished games without a review. To review, run: rollwise history check\n"
            )
        assert run("history", "check", "--database", str(file))[0] == 0
        assert rate_player(history, "micro-yahtzee") == skill

    def test_the_later_version_stays(self, history: History) -> None:
        record = game(1)
        last = history.save("a", Game(record.rules, record.players, record.events[:9]))
        early = exported(history)
        history.save("a", record, last=last)
        late = exported(history)
        assert restore(history, parse_export(early)) == 0
        history.delete_all()
        restore(history, parse_export(early))
        assert restore(history, parse_export(late)) == 1
        assert exported(history) == late

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"saved_at": "0001-01-01T00:00:00+12:00"}, "saved_at: the year must be from 1970"),
            ({"saved_at": "9999-12-31T23:59:59-12:00"}, "saved_at: the year must be from 1970"),
            ({"saved_at": None}, "saved_at: expected a date and time, got None"),
            ({"id": "\x1b[2J"}, "id: control characters are not allowed"),
            ({"id": "a\ud800"}, "id: "),
            ({"id": ""}, "id: "),
            ({"owner": "a\x00b"}, "owner: control characters"),
            ({"game": {"a": json.loads("[" * 500 + "]" * 500)}}, ""),
            ({"game": {"turns": "\x1b[2J"}}, "turns: "),
            ({"game": {"rules": "gone"}}, "there is no game 'gone'"),
            ({"game": {"seed": float("nan")}}, ""),
            ({"more": 1}, "more: no such key"),
            ({"card": {}}, ""),
        ],
    )
    def test_hostile_lines_are_refused(
        self, history: History, changes: dict[str, Any], reason: str
    ) -> None:
        save(history, "a", game(1))
        first, line = export(history)
        with pytest.raises(InputError, match="line 3 is not part of a history export: ") as error:
            parse_export("\n".join((first, line, json.dumps(json.loads(line) | changes))))
        assert reason in str(error.value)
        assert printable(str(error.value))

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "line 1: the record is empty"),
            (b'{"format": "rollwise history 1", "games": []}', 'expected {"format": "rollwise'),
            (b'{"format": "rollwise history 1"}\ngames', "line 2 is not part of a history export"),
            (b'{"format": "rollwise history 1"}\n[]', "line 2"),
            (b"[" * 100_000, "line 1"),
            (b"9" * 10_000, "line 1"),
            (b"\xff\xfe\x00", "is not UTF-8 text"),
        ],
    )
    def test_other_files_are_refused(
        self, file: Path, tmp_path: Path, content: bytes, reason: str
    ) -> None:
        path = tmp_path / "mine.jsonl"
        path.write_bytes(content)
        code, _, error = run("history", "import", str(path), "--database", str(file))
        assert code == 2
        assert reason in error
        assert not file.exists()

    def test_a_byte_order_mark_is_read(self, history: History, tmp_path: Path) -> None:
        path = tmp_path / "mine.jsonl"
        history.save("a", game(1))
        path.write_text(exported(history), "utf-8-sig")
        database = ("--database", str(tmp_path / "others.sqlite"))
        assert run("history", "import", str(path), *database)[0] == 0

    def test_a_pipe_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.jsonl"
        os.mkfifo(path)  # a pipe without a writer
        code, _, error = run("history", "import", str(path))
        assert code == 2
        assert "give a file, not a folder, pipe, or device" in error


class TestOwners:
    """Tests of owners in a history that several people share."""

    def test_each_owner_sees_their_games(self, history: History) -> None:
        ada, ben = history.of("ada"), history.of("ben")
        for number, owned in enumerate((ada, ben, history)):
            save(owned, f"game-{number}", game(number))
        for owned, ids in ((ada, ["game-0"]), (ben, ["game-1"])):
            assert [saved.id for saved in owned.games()] == ids
            assert [saved.id for saved in owned.each()] == ids
            assert [row["id"] for row in parse_export(exported(owned))] == ids
            assert owned.count() == 1
            rating = rate_player(owned, "micro-yahtzee")
            assert rating is not None
            assert rating.games == 2
        assert [saved.owner for saved in history.each()] == ["ada", "ben", None]
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
        ben.keep_reviews("a", reviews(game(2)), ben.save("a", game(2), last=last))
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
        rows = parse_export(exported(history))
        history.delete_all()
        restore(history, rows)
        assert [saved.owner for saved in history.each()] == ["ada", None]


class TestFiles:
    def test_a_newer_history_is_left_alone(self, file: Path) -> None:
        History(file).close()
        change(file, "PRAGMA user_version = 1000")
        before = file.read_bytes()
        with pytest.raises(HistoryError, match="up to 1; install a newer rollwise"):
            History(file)
        assert file.read_bytes() == before

    def test_a_database_of_another_program_is_left_alone(self, file: Path) -> None:
        change(file, "CREATE TABLE games (id)")
        before = file.read_bytes()
        for create in (True, False):
            with pytest.raises(HistoryError, match="not a history of rollwise"):
                History(file, create=create)
        assert file.read_bytes() == before

    def test_a_locked_file(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rollwise.history.database.PATIENCE", 0.05)
        with History(file) as history:
            history.save("a", game(1))
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        code, _, error = run("history", "delete", "a", "--database", str(file))
        assert (code, error) == (
            2,
            "error: cannot use the history: another program is writing to it; try again, or check "
            "the file in --database or ROLLWISE_DATABASE\n",
        )
        holder.close()
        assert run("history", "delete", "a", "--database", str(file))[0] == 0

    @pytest.mark.parametrize(
        ("pragma", "words"),
        [
            ("max_page_count=1", "the disk is full; free some disk space, and try again"),
            ("query_only=1", "/games.sqlite cannot be written; make the file and its folder"),
        ],
    )
    @pytest.mark.parametrize("create", [True, False])
    def test_a_disk_that_cannot_be_written(
        self, file: Path, monkeypatch: pytest.MonkeyPatch, pragma: str, words: str, create: bool
    ) -> None:
        if not create:
            with History(file) as history:
                history.save("old", game(1))
        connect = sqlite3.connect

        def restricted(*args: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*args, **options)
            connection.execute(f"PRAGMA {pragma}")
            return connection

        with monkeypatch.context() as patch:
            patch.setattr("rollwise.history.database.sqlite3.connect", restricted)
            problem = "cannot open the history" if create else "cannot use the history"
            with (
                pytest.raises(HistoryError, match=f"^{problem}.*{words}"),
                History(file) as history,
            ):
                history.save("new", play(YAHTZEE, [*"ABCDEFGHIJ"], 1, at_random(1)))  # over a page
        with History(file) as history:
            assert [saved.id for saved in history.games()] == ([] if create else ["old"])


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
    assert [saved.id for saved in history.each()] == ids[::-1]
