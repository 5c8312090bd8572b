"""Games kept: in SQLite and in PostgreSQL, found again, exported, deleted; and what they say."""

import json
import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from databases import postgres
from games import at_random, play, records
from rollwise import load_rules, solve
from rollwise.game.records.as_text import parse_record
from rollwise.game.records.record import Record
from rollwise.history import (
    History,
    HistoryError,
    due_mistakes,
    mistakes,
    new_id,
    people,
    practised,
    proficiency,
)
from rollwise.history.rating import Mean
from rollwise.reviews.review import Review, review

YAHTZEE = load_rules("yahtzee")


@pytest.fixture(scope="session")
def club() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("initdb"))])
def history(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[History]:
    """Yield an empty history in each kind of database."""
    if request.param == "postgresql":
        kept = History(request.getfixturevalue("club"))
        kept.delete_all()
    else:
        kept = History(f"sqlite:///{tmp_path}/games.sqlite")
    yield kept
    kept.close()


def game(seed: int, names: tuple[str, ...] = ("Ada", "Ben")) -> Record:
    return Record(YAHTZEE, names, play(YAHTZEE, list(names), seed, at_random(seed)).events, seed)


def reviews(record: Record) -> list[Review]:
    return review(record, solve(YAHTZEE))


class TestStore:
    def test_a_game_is_found_again(self, history: History) -> None:
        record, id = game(1), new_id()
        history.save(id, record, {1: "optimal"})
        saved = history.load(id)
        assert (saved.record, saved.robots) == (record, {1: "optimal"})
        assert [one.id for one in history.games()] == [id]

    def test_saving_again_replaces(self, history: History) -> None:
        record, id = game(1), new_id()
        for events in range(0, len(record.events), 7):
            history.save(id, Record(YAHTZEE, record.players, record.events[:events]))
            assert len(history.load(id).record.events) == events
        assert len(history.games()) == 1

    def test_no_such_game(self, history: History) -> None:
        for use in (history.load, history.delete):
            with pytest.raises(HistoryError, match="no game 'x'"):
                use("x")

    def test_reviews_are_kept_once_and_deleted_with_their_game(self, history: History) -> None:
        record, id = game(1), new_id()
        history.save(id, record)
        for _ in range(2):
            history.keep_reviews(id, reviews(record))
        history.save(id, record)
        assert people(history, "yahtzee") == ["Ada", "Ben"]
        found = proficiency(history, "yahtzee")
        assert found is not None
        assert found.games == 2
        assert found.decisions == sum(len(one.counted) for one in reviews(record))
        (game_data,) = history.export()["games"]
        for played, one in zip(game_data["played"], reviews(record), strict=True):
            assert len(played["decisions"]) == len(one.decisions)
        assert proficiency(history, "yatzy") is None
        history.delete(id)
        assert not history.games()
        assert not people(history, "yahtzee")

    def test_export_is_everything(self, history: History) -> None:
        record, id = game(2), new_id()
        history.save(id, record)
        history.keep_reviews(id, reviews(record))
        data = json.loads(json.dumps(history.export()))
        (one,) = data["games"]
        assert one["record"]["score"] == [card.points for card in record.cards]
        assert [row["name"] for row in one["played"]] == ["Ada", "Ben"]
        assert one["played"][0]["decisions"][0]["position"].startswith("dice ")
        assert history.delete_all() == 1
        assert history.export()["games"] == []

    def test_only_finished_games_are_judged(self, history: History) -> None:
        record, id = parse_record("11366 keep 66"), new_id()
        history.save(id, record)
        with pytest.raises(ValueError, match="finished game"):
            history.keep_reviews(id, reviews(record))

    @settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(record=records())
    def test_any_game_is_found_again(self, history: History, record: Record) -> None:
        id = new_id()
        history.save(id, record)
        assert history.load(id).record == record


@pytest.mark.parametrize(
    "url",
    ["nonsense", "mongodb://x/y", "sqlite:////proc/none/x.sqlite", "postgresql://127.0.0.1:1/x"],
)
def test_a_database_that_cannot_be_used(url: str) -> None:
    with pytest.raises(HistoryError):
        History(url)


def test_no_password_is_told() -> None:
    with pytest.raises(HistoryError) as caught:
        History("postgresql://club:secret@127.0.0.1:1/games")
    assert "secret" not in str(caught.value)


KILLED = """
import sys
from rollwise.history import History
from rollwise.game.records.as_text import parse_record
history = History(sys.argv[1])
for number in range(200):
    history.save(f"game-{number}", parse_record(f"seed: {number}\\n11366 66 25666 666 46666 4k"))
    print(f"game-{number}", flush=True)
"""


@pytest.mark.parametrize("after", [1, 60, 150])
def test_what_was_acknowledged_survives_sigkill(tmp_path: Path, after: int) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    command = [sys.executable, "-c", KILLED, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().strip() for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().split()
    history = History(url)
    for id in acknowledged:
        assert history.load(id).record.seed == int(id.removeprefix("game-"))
    history.close()
    assert len(acknowledged) >= after


class TestProficiency:
    def test_sums(self, tmp_path: Path) -> None:
        history = History(f"sqlite:///{tmp_path}/games.sqlite")
        everything = []
        for seed in range(4):
            record, id = game(seed, ("Ada",)), new_id()
            history.save(id, record)
            history.keep_reviews(id, reviews(record))
            everything += reviews(record)
        found = proficiency(history, "yahtzee", "Ada")
        assert found is not None
        losses = [one.loss for one in everything]
        assert (found.games, found.decisions) == (4, sum(len(one.counted) for one in everything))
        assert found.score.mean == pytest.approx(sum(one.score for one in everything) / 4)
        assert found.luck_adjusted.mean == pytest.approx(254.5896094820 - sum(losses) / 4)
        assert found.mean_loss == pytest.approx(sum(losses) / found.decisions)
        for groups in (found.by_turn, found.by_category):
            assert sum(group.decisions for group in groups) == found.decisions
            assert math.fsum(group.share for group in groups) == pytest.approx(1)
            total = sum(group.mean_loss * group.decisions for group in groups)
            assert total == pytest.approx(sum(losses))
        assert found.tally == {
            verdict: sum(one.tally()[verdict] for one in everything) for verdict in found.tally
        }
        assert found.trend == pytest.approx([one.mean_loss for one in everything])
        json.dumps(found.as_dict())
        history.close()

    def test_error_of_a_mean(self) -> None:
        estimate = Mean.of([1.0, 2.0, 3.0, 4.0])
        assert estimate.mean == 2.5
        assert estimate.error == pytest.approx(math.sqrt(5 / 3) / 2)
        assert Mean.of([7.0]).error is None

    def test_without_games(self, history: History) -> None:
        assert proficiency(history, "yahtzee") is None

    def test_mistakes_are_worst_first_and_once(self, tmp_path: Path) -> None:
        history = History(f"sqlite:///{tmp_path}/games.sqlite")
        for _ in range(2):
            id = new_id()
            history.save(id, game(5, ("Ada",)))
            history.keep_reviews(id, reviews(game(5, ("Ada",))))
        found = mistakes(history, "yahtzee")
        history.close()
        losses = [decision.loss for decision in found]
        assert losses == sorted(losses, reverse=True)
        assert min(losses) >= 0.2
        assert len({decision.position for decision in found}) == len(found) > 10

    def test_mistakes_come_back_when_they_are_due(self, history: History) -> None:
        now = datetime(2026, 11, 22, 8, tzinfo=UTC)
        record = game(5, ("Ada",))
        history.save("first", record)
        history.keep_reviews("first", reviews(record))
        (worst, second, *rest), later = due_mistakes(history, "yahtzee", "Ada", now)
        assert later is None
        practised(history, "yahtzee", "Ada", worst.position, well=True, now=now)
        practised(history, "yahtzee", "Ada", second.position, well=False, now=now)
        history.keep_reviews("first", reviews(record))  # what is judged again stays remembered
        due, later = due_mistakes(history, "yahtzee", "Ada", now)
        assert [one.position for one in due] == [one.position for one in rest]
        assert later == now + timedelta(days=1)
        due, later = due_mistakes(history, "yahtzee", "Ada", now + timedelta(days=1))
        assert [one.position for one in due] == [one.position for one in (second, *rest)]
        assert later == now + timedelta(days=2)
        data = json.loads(json.dumps(history.export()))
        history.delete_all()
        history.restore(data)
        assert history.export() == data
        assert due_mistakes(history, "yahtzee", "Ada", now)[1] == now + timedelta(days=1)
        history.save("again", record)
        history.keep_reviews("again", reviews(record))  # the same mistakes, made once more
        due, later = due_mistakes(history, "yahtzee", "Ada", now)
        assert [one.position for one in due] == [one.position for one in (worst, second, *rest)]
        assert later is None
