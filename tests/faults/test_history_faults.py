"""The history with damaged rows, changed rules, old files, and concurrent use."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from commands import run
from databases import postgres
from old_histories import BEFORE_VERSIONS, game, old_file, reviews
from rollwise.game.records.record import Record
from rollwise.history import (
    History,
    HistoryError,
    NoSuchGameError,
    NotOwnerError,
    SavedGame,
    UnreadableGame,
    mistakes,
    people,
    proficiency,
)
from rollwise.history.check import check
from rollwise.history.games import row_of
from rollwise.history.schema import VERSION, Base


@pytest.fixture(scope="session")
def club() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty history in each kind of database."""
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


def drop(club: str) -> None:
    """Drop all tables of a database."""
    History(club).close()
    engine = create_engine(club.replace("postgresql", "postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version, decisions, played, games"))
    engine.dispose()


def on_threads(work: Callable[[], Any], number: int = 4) -> None:
    """Run a function on several threads at the same time; raise the first error."""
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


class TestConcurrency:
    def test_saves_of_one_game(self, history: History) -> None:
        record = game(1)

        def work() -> None:
            for _ in range(25):
                history.save("a", record)

        on_threads(work)
        assert history.count() == 1

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
                history.save("a", record)
                try:
                    history.keep_reviews("a", game_reviews)
                    history.load("a")
                    history.delete("a")
                except NoSuchGameError:
                    pass

        on_threads(work)
        assert history.count() <= 1

    @pytest.mark.parametrize("old", [False, pytest.param(True, marks=pytest.mark.slow)])
    def test_first_starts(self, old: bool, tmp_path: Path) -> None:
        """Processes can start at the same time, with no database or with an old database."""
        program = "import sys; from rollwise.history import History\nHistory(sys.argv[1]).games()"
        path = tmp_path / "games.sqlite"
        if old:
            old_file(path)
        command = [sys.executable, "-c", program, f"sqlite:///{path}"]
        starts = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
        assert [start.communicate()[1] for start in starts] == [b""] * 4
        assert [start.returncode for start in starts] == [0] * 4

    def test_first_starts_on_threads(self, tmp_path: Path) -> None:
        for number in range(10):
            address = f"sqlite:///{tmp_path}/{number}.sqlite"
            on_threads(lambda address=address: History(address).close())  # type: ignore[misc]


DAMAGED: dict[str, list[Any]] = {
    "record": ["not JSON", "", "[]", '{"format": "rollwise game 2"}', '{"rules": "gone"}', b"\xff"],
    "robots": ["not JSON", "[]", '{"a": "optimal"}', "null", b"\xff"],
    "saved_at": ["never", "", 7, b"\xff"],
}
CASES = [(column, value) for column, values in DAMAGED.items() for value in values]


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
        assert error.startswith("error: the game game-1 cannot be read: ")
        before, after = file.with_name("before.json"), file.with_name("after.json")
        assert run("history", "export", str(before), *database)[0] == 0
        assert run("history", "delete", "--all", *database)[0] == 0
        code, _, error = run("history", "import", str(before), *database)
        assert (code, error) == (0, "took in 3 games\n")
        assert run("history", "export", str(after), *database)[0] == 0
        if column != "saved_at":
            assert after.read_bytes() == before.read_bytes()
            assert "unreadable" in run("history", "list", "--json", *database)[1]
        assert run("history", "delete", "game-1", *database)[0] == 0
        assert run("history", "check", *database)[0] == 0

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
        assert "the turns make" in changed.reason
        findings = check(history)
        assert (findings.games, len(findings.unreadable), findings.problems) == (2, 1, [])

    def test_damaged_pages(self, file: Path) -> None:
        content = bytearray(file.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        file.write_bytes(content)
        code, out, error = run("history", "check", "--database", f"sqlite:///{file}")
        assert (code, bool(out)) in ((1, True), (2, False))
        assert code == 1 or error.startswith("error: the history cannot be")


class TestExport:
    def test_export_delete_import_is_the_identity(self, history: History) -> None:
        for number in range(3):
            history.save(f"game-{number}", game(number), {1: "greedy"} if number else None)
            history.keep_reviews(f"game-{number}", reviews(game(number)))
        unfinished = game(4)
        history.save("half", Record(unfinished.rules, ("Ada", "Ben"), unfinished.events[:9]))
        before, games = history.export(), history.games()
        skill = proficiency(history, "micro-yahtzee")
        data = json.loads(json.dumps(before))
        assert history.restore(data) == 0
        history.delete_all()
        assert history.restore(data) == 4
        assert history.export() == before
        assert history.games() == games
        assert proficiency(history, "micro-yahtzee") == skill

    def test_the_later_version_stays(self, history: History) -> None:
        record = game(1)
        history.save("a", Record(record.rules, record.players, record.events[:9]))
        early = history.export()
        history.save("a", record)
        late = history.export()
        assert history.restore(early) == 0
        history.delete_all()
        history.restore(early)
        assert history.restore(late) == 1
        assert history.export() == late

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
        with pytest.raises(ValueError, match="expected what rollwise history export writes"):
            history.restore(data)

    def test_other_files_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_text("games")
        code, _, error = run("history", "import", str(path))
        assert (code, error) == (
            2,
            f"error: {path}: expected JSON as rollwise history export writes\n",
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
    """Owners in a history that several people share."""

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
            rating = proficiency(owned, "micro-yahtzee")
            assert rating is not None
            assert rating.games == 2
        assert [data["owner"] for data in history.export()["games"]] == ["ada", "ben", None]
        rating_of_all = proficiency(history, "micro-yahtzee")
        assert rating_of_all is not None
        assert rating_of_all.games == 6
        number_of_all = len(mistakes(history, "micro-yahtzee"))
        assert 0 < len(mistakes(ada, "micro-yahtzee")) < number_of_all
        nobody = history.of("nobody")
        assert people(ada, "micro-yahtzee") == ["Ada", "Ben"]
        assert (people(nobody, "micro-yahtzee"), mistakes(nobody, "micro-yahtzee")) == ([], [])

    def test_the_owner_of_a_game_does_not_change(self, history: History) -> None:
        ada, ben = history.of("ada"), history.of("ben")
        ada.save("a", game(1))
        assert ben.load("a").record == game(1)
        ben.save("a", game(2))
        ben.keep_reviews("a", reviews(game(2)))
        assert (ada.load("a").record, ada.load("a").owner) == (game(2), "ada")
        for other, id in ((ben, "a"), (ada, "old"), (history.of("nobody"), "a")):
            history.save("old", game(3))
            with pytest.raises(NotOwnerError, match=f"the game '{id}' is another's: expected"):
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


class TestMigration:
    def test_a_history_from_before_owners(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        if not url.startswith("sqlite"):
            drop(url)
        with monkeypatch.context() as before:
            before.setattr("rollwise.history.database.VERSION", "2")
            with History(url) as history, history.database.writing() as session:
                row = row_of("a", game(1), {})
                columns = ", ".join(row)
                values = ", ".join(f":{column}" for column in row)
                session.execute(text(f"INSERT INTO games ({columns}) VALUES ({values})"), row)
        with History(url) as history:
            assert (history.load("a").record, history.load("a").owner) == (game(1), None)
            history.of("ada").save("b", game(2))
            assert [saved.id for saved in history.of("ada").games()] == ["b"]
            if history.database.file:
                copy = sqlite3.connect(f"{history.database.file}.before-{VERSION}")
                assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("2",)
                assert copy.execute("SELECT id FROM games").fetchall() == [("a",)]
                copy.close()

    def test_a_file_from_before_versions(self, tmp_path: Path) -> None:
        path = tmp_path / "games.sqlite"
        records = old_file(path)
        with History(f"sqlite:///{path}") as history:
            for id, record in records.items():
                assert history.load(id).record == record
            data = history.export()
            assert [len(saved["played"]) for saved in data["games"]] == [1, 1, 1]
            assert [len(saved["played"][0]["decisions"]) for saved in data["games"]] == [1, 1, 1]
        copy = sqlite3.connect(f"{path}.before-{VERSION}")
        assert copy.execute("SELECT count(*) FROM played").fetchone() == (6,)
        copy.close()
        written_at = Path(f"{path}.before-{VERSION}").stat().st_mtime_ns
        History(f"sqlite:///{path}").close()
        assert Path(f"{path}.before-{VERSION}").stat().st_mtime_ns == written_at

    def test_a_database_from_before_versions(self, club: str) -> None:
        drop(club)
        engine = create_engine(club.replace("postgresql", "postgresql+psycopg"))
        with engine.begin() as connection:
            for statement in BEFORE_VERSIONS.format(time="TIMESTAMP", number="SERIAL").split(";"):
                if statement.strip():
                    connection.execute(text(statement))
        engine.dispose()
        with History(club) as history:
            history.save("a", game(1))
            history.keep_reviews("a", reviews(game(1)))
            assert history.load("a").record == game(1)

    def test_a_file_without_the_column_robots(self, tmp_path: Path) -> None:
        path = tmp_path / "games.sqlite"
        records = old_file(path)
        with sqlite3.connect(path) as connection:
            connection.execute("ALTER TABLE games DROP COLUMN robots")
        connection.close()
        with History(f"sqlite:///{path}") as history:
            assert [saved.id for saved in history.games()] == sorted(records, reverse=True)
            assert dict(history.load("game-1").robots) == {}

    def test_a_newer_database_is_left_alone(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path}/games.sqlite"
        with History(url) as history, history.database.writing() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '1000'"))
        with pytest.raises(HistoryError, match="so a newer rollwise"):
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
    """A history opens a new connection if the server has closed the old connection."""
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
    assert (code, error) == (2, "error: the history cannot be used: database is locked\n")
    holder.close()
    assert run("history", "delete", "a", "--database", url)[0] == 0


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
