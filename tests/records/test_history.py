"""Test the history: saving, exporting, and deleting games; ratings; practice."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from games import at_random, play, records
from rollwise import load_rules, solve
from rollwise.errors import InputError
from rollwise.game.game import Game
from rollwise.history import (
    GoneOnError,
    History,
    HistoryError,
    Mistake,
    NoSuchGameError,
    chosen_mistakes,
    due_mistakes,
    missing_reviews,
    mistakes,
    new_id,
    people,
    practiced,
    rate_player,
    rated_rules,
)
from rollwise.history.rating import Mean
from rollwise.history.transfer import export, parse_export, restore
from rollwise.reviews.review import Review, review

YAHTZEE = load_rules("yahtzee")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    """Yield an empty history."""
    with History(tmp_path / "games.sqlite") as history:
        yield history


def game(seed: int, names: tuple[str, ...] = ("Ada", "Ben")) -> Game:
    return Game(YAHTZEE, names, play(YAHTZEE, list(names), seed, at_random(seed)).events, seed=seed)


def reviews(record: Game) -> list[Review]:
    return review(record, solve(YAHTZEE))


class TestStore:
    def test_a_game_is_loaded_as_saved(self, history: History) -> None:
        record, id = game(1), new_id()
        history.save(id, record)
        assert history.load(id).game == record
        assert [game.id for game in history.games()] == [id]

    def test_saving_again_replaces(self, history: History) -> None:
        record, id, last = game(1), new_id(), None
        for events in range(0, len(record.events), 7):
            last = history.save(
                id, Game(YAHTZEE, record.players, record.events[:events]), last=last
            )
            saved = history.load(id)
            assert (len(saved.game.events), saved.saved_at) == (events, last)
        assert len(history.games()) == 1

    def test_only_the_next_version_replaces(self, history: History, zone: str) -> None:
        first = history.save("a", game(1))
        second = history.save("a", game(2), last=history.load("a").saved_at)
        for last in (None, first, second - timedelta.resolution, second + timedelta.resolution):
            with pytest.raises(GoneOnError, match="the game has gone on in another window"):
                history.save("a", game(3), last=last)
        for last in (first, second + timedelta.resolution):
            with pytest.raises(GoneOnError):
                history.delete("a", last)
        assert history.load("a").game == game(2)
        history.delete("a", second)
        for _ in range(2):  # a deleted game stays deleted
            with pytest.raises(NoSuchGameError, match="no saved game 'a'"):
                history.save("a", game(3), last=second)
        assert history.count() == 0

    @pytest.mark.parametrize("zone", ["America/St_Johns"], indirect=True)
    def test_each_version_is_later_whatever_the_clock_says(
        self, history: History, monkeypatch: pytest.MonkeyPatch, zone: str
    ) -> None:
        """Check clocks that stand still and go back, in an hour that occurs twice."""
        clock = [
            datetime.fromisoformat(f"2026-11-01T{t}Z") for t in ("04:20", "04:20", "03:40", "04:40")
        ]
        monkeypatch.setattr("rollwise.history.store.now", lambda: clock.pop(0))
        times = [history.save("a", game(1))]
        while clock:
            times.append(history.save("a", game(1), last=times[-1]))
        assert times == sorted(set(times))
        assert times[-1] == datetime(2026, 11, 1, 4, 40, tzinfo=UTC)

    def test_no_such_game(self, history: History) -> None:
        for use in (history.load, history.delete):
            with pytest.raises(
                HistoryError, match="no saved game 'x'; to see all games, run: rollwise"
            ):
                use("x")

    def test_reviews_are_saved_once_and_deleted_with_their_game(self, history: History) -> None:
        record, id = game(1), new_id()
        saved_at = history.save(id, record)
        for _ in range(2):
            history.keep_reviews(id, reviews(record), saved_at)
        history.save(id, record, last=saved_at)
        assert people(history, "yahtzee") == ["Ada", "Ben"]
        assert rated_rules(history) == ["yahtzee"]
        rating = rate_player(history, "yahtzee")
        assert rating is not None
        assert rating.games == 2
        assert rating.decisions == sum(len(review.counted) for review in reviews(record))
        assert rate_player(history, "yatzy") is None
        history.delete(id)
        assert not history.games()
        assert not people(history, "yahtzee")
        assert not rated_rules(history)

    def test_reviews_of_another_version_are_not_saved(self, history: History) -> None:
        last = history.save("a", game(1))
        history.keep_reviews("a", reviews(game(1)), last)
        changed = history.save("a", game(2), last=last)
        assert not people(history, "yahtzee")  # the reviews of the first version are deleted
        for version in (last, None):
            history.keep_reviews("a", reviews(game(1)), version)
        assert not people(history, "yahtzee")
        assert missing_reviews(history, "yahtzee").startswith("1 finished game without a review.")
        history.keep_reviews("a", reviews(game(2)), changed)
        assert people(history, "yahtzee") == ["Ada", "Ben"]
        assert missing_reviews(history, "yahtzee") == ""

    def test_only_finished_games_have_reviews(self, history: History) -> None:
        record, id = Game.parse("11366 keep 66"), new_id()
        saved_at = history.save(id, record)
        with pytest.raises(ValueError, match="finished game"):
            history.keep_reviews(id, reviews(record), saved_at)

    @settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(record=records())
    def test_any_game_is_loaded_and_imported_as_saved(self, history: History, record: Game) -> None:
        history.delete_all()
        id = new_id()
        history.save(id, record)
        assert history.load(id).game == record
        rows = parse_export("\n".join(export(history)))
        history.delete_all()
        assert restore(history, rows) == 1
        assert history.load(id).game == record


@pytest.mark.parametrize(
    "path", ["mongodb://x/y", "/proc/none/x.sqlite", "mysql://ada:secret@127.0.0.1/x"]
)
def test_a_file_that_cannot_be_used(path: str) -> None:
    with pytest.raises(InputError) as caught:
        History(path)
    assert "secret" not in str(caught.value)


def test_forms_of_a_path(tmp_path: Path) -> None:
    with History(tmp_path / "games.sqlite") as history:
        history.save("a", game(1))
    for path in (f"{tmp_path}/games.sqlite", f"sqlite:///{tmp_path}/games.sqlite"):
        with History(path, create=False) as history:
            assert history.count() == 1


class TestRating:
    def test_sums(self, history: History) -> None:
        all_reviews = []
        for seed in range(4):
            record, id = game(seed, ("Ada",)), new_id()
            history.keep_reviews(id, reviews(record), history.save(id, record))
            all_reviews += reviews(record)
        rating = rate_player(history, "yahtzee", "Ada")
        assert rating is not None
        losses = [review.loss for review in all_reviews]
        counted = sum(len(review.counted) for review in all_reviews)
        assert (rating.games, rating.decisions) == (4, counted)
        assert rating.score.mean == pytest.approx(sum(review.score for review in all_reviews) / 4)
        assert rating.luck_adjusted.mean == pytest.approx(254.5896094820 - sum(losses) / 4)
        assert rating.mean_loss == pytest.approx(sum(losses) / rating.decisions)
        for groups in (rating.by_turn, rating.by_category):
            assert sum(group.decisions for group in groups) == rating.decisions
            assert math.fsum(group.share for group in groups) == pytest.approx(1)
            total = sum(group.mean_loss * group.decisions for group in groups)
            assert total == pytest.approx(sum(losses))
        tallies = [Counter[str](review.tally()) for review in all_reviews]
        assert rating.tally == {
            verdict: sum(tally[verdict] for tally in tallies) for verdict in rating.tally
        }
        assert rating.trend == pytest.approx([review.mean_loss for review in all_reviews])
        json.dumps(rating.as_dict())

    def test_error_of_a_mean(self) -> None:
        estimate = Mean.of([1.0, 2.0, 3.0, 4.0])
        assert estimate.mean == 2.5
        assert estimate.error == pytest.approx(math.sqrt(5 / 3) / 2)
        assert Mean.of([7.0]).error is None

    def test_without_games(self, history: History) -> None:
        assert rate_player(history, "yahtzee") is None

    def test_mistakes_are_worst_first_and_once(self, history: History) -> None:
        for id in ("a", "b"):
            saved_at = history.save(id, game(5, ("Ada",)))
            history.keep_reviews(id, reviews(game(5, ("Ada",))), saved_at)
        decisions = mistakes(history, "yahtzee")
        losses = [decision.loss for decision in decisions]
        assert losses == sorted(losses, reverse=True)
        assert min(losses) >= 0.2
        assert len({decision.position for decision in decisions}) == len(decisions) > 10

    def test_mistakes_are_found_by_their_ids(self, history: History) -> None:
        for name in ("Ada", "Ben"):
            saved_at = history.save(name, game(5, (name,)))
            history.keep_reviews(name, reviews(game(5, (name,))), saved_at)
        first, second, *_ = mistakes(history, "yahtzee", "Ada")
        others = mistakes(history, "yahtzee", "Ben")[0]
        ids = [second.id, "x", "99.9", others.id, first.id]
        found = chosen_mistakes(history, "yahtzee", "Ada", ids)
        assert [row.id for row in found] == [second.id, first.id]

    def test_mistakes_come_back_when_they_are_due(
        self, history: History, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = datetime(2026, 11, 22, 8, tzinfo=UTC)
        monkeypatch.setattr("rollwise.history.store.now", lambda: now - timedelta(hours=1))
        record = game(5, ("Ada",))
        saved_at = history.save("first", record)
        history.keep_reviews("first", reviews(record), saved_at)
        (worst, second, *rest), later = due_mistakes(history, "yahtzee", "Ada", now)
        assert later is None
        practiced(history, "yahtzee", "Ada", worst.position, well=True, now=now)
        practiced(history, "yahtzee", "Ada", second.position, well=False, now=now)
        practiced(history, "yahtzee", "Ada", worst.position, well=False, now=now, begun=now)
        history.keep_reviews("first", reviews(record), saved_at)  # a new review changes no card
        due, later = due_mistakes(history, "yahtzee", "Ada", now)
        assert _positions(due) == _positions(rest)
        assert later == now + timedelta(days=1)
        due, later = due_mistakes(history, "yahtzee", "Ada", now + timedelta(days=1))
        assert _positions(due) == _positions([second, *rest])
        assert later == now + timedelta(days=2)
        lines = list(export(history))
        history.delete_all()
        restore(history, parse_export("\n".join(lines)))
        assert list(export(history)) == lines
        history.keep_reviews("first", reviews(record), saved_at)
        assert due_mistakes(history, "yahtzee", "Ada", now)[1] == now + timedelta(days=1)
        monkeypatch.setattr("rollwise.history.store.now", lambda: now + timedelta(hours=1))
        again = history.save("again", record)
        history.keep_reviews("again", reviews(record), again)  # the mistakes of a later game
        due, later = due_mistakes(history, "yahtzee", "Ada", now + timedelta(hours=2))
        assert _positions(due) == _positions([worst, second, *rest])
        assert later is None

    def test_each_player_and_owner_has_their_own_cards(self, history: History) -> None:
        now = datetime.now(UTC) + timedelta(hours=1)
        for owner, name in (("ada", "You"), ("ben", "You"), ("ben", "Cy")):
            saved_at = history.of(owner).save(f"{owner}-{name}", game(5, (name,)))
            history.keep_reviews(f"{owner}-{name}", reviews(game(5, (name,))), saved_at)
        worst, *rest = mistakes(history, "yahtzee")
        practiced(history.of("ben"), "yahtzee", "You", worst.position, well=True, now=now)
        due = {
            (owner, name): due_mistakes(history.of(owner), "yahtzee", name, now)[0]
            for owner, name in (("ada", "You"), ("ben", "You"), ("ben", "Cy"))
        }
        numbers = {key: len(found) - len(rest) for key, found in due.items()}
        assert numbers == {("ada", "You"): 1, ("ben", "You"): 0, ("ben", "Cy"): 1}
        practiced(history.of("ben"), "yahtzee", None, worst.position, well=True, now=now)
        assert len(due_mistakes(history.of("ben"), "yahtzee", None, now)[0]) == len(rest)


def _positions(decisions: list[Mistake]) -> list[str]:
    return [decision.position for decision in decisions]
