"""Check, with a model of the history, that two connections see each other's changes."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from databases import postgres
from rollwise.game.game import Game
from rollwise.history import GoneOnError, History, NoSuchGameError, SavedGame, people, rate_player
from saved_games import game, reviews

IDS = st.sampled_from(["a", "b", "Ab-c", "game-0"])
WHICH = st.integers(0, 1)
GAMES = [game(seed) for seed in range(3)]
REVIEWS = [reviews(record) for record in GAMES]


class Model(RuleBasedStateMachine):
    """The expected games and reviewed players by id, and two open histories with the same games."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        self.histories: list[History] = []
        self.games: dict[str, Game] = {}
        self.reviewed: dict[str, set[str]] = {}
        self.exported: tuple[dict[str, Any], dict[str, Game], dict[str, set[str]]] | None = None

    @initialize()
    def begin(self) -> None:
        """Open two connections to a new database."""
        url = self.url
        if not url:
            path = Path(self.open.enter_context(TemporaryDirectory()), "games.sqlite")
            url = f"sqlite:///{path}"
        self.histories = [self.open.enter_context(History(url)) for _ in range(2)]
        if self.url:
            self.histories[0].delete_all()

    def teardown(self) -> None:
        """Close both histories."""
        self.open.close()

    @rule(id=IDS, which=WHICH, number=st.integers(0, 2), events=st.integers(0, 3))
    def save(self, id: str, which: int, number: int, events: int) -> None:
        """Save a finished game, or its first events."""
        finished = GAMES[number]
        record = Game(finished.rules, finished.players, finished.events[:events])
        record = finished if events == 3 else record
        history = self.histories[which]
        last = history.load(id).saved_at if id in self.games else None
        history.save(id, record, last=last)
        self.games[id] = record
        with pytest.raises(GoneOnError):  # the version is no longer the last
            self.histories[1 - which].save(id, record, last=last)

    @rule(id=IDS, which=WHICH, number=st.integers(0, 2))
    def keep_reviews(self, id: str, which: int, number: int) -> None:
        """Save the reviews of a game."""
        if id in self.games:
            self.histories[which].keep_reviews(id, REVIEWS[number])
            self.reviewed[id] = {"Ada", "Ben"}
        else:
            with pytest.raises(NoSuchGameError):
                self.histories[which].keep_reviews(id, REVIEWS[number])

    @rule(id=IDS, which=WHICH)
    def delete(self, id: str, which: int) -> None:
        """Delete a game."""
        if id in self.games:
            self.histories[which].delete(id)
            del self.games[id]
            self.reviewed.pop(id, None)
        else:
            with pytest.raises(NoSuchGameError):
                self.histories[which].delete(id)

    @rule(which=WHICH)
    def export(self, which: int) -> None:
        """Export all games."""
        data = self.histories[which].export()
        self.exported = data, dict(self.games), dict(self.reviewed)

    @rule(which=WHICH)
    def restore(self, which: int) -> None:
        """Delete all games, and import the last export."""
        if self.exported is None:
            return
        data, games, reviewed = self.exported
        self.games, self.reviewed = dict(games), dict(reviewed)
        self.histories[which].delete_all()
        assert self.histories[which].restore(data) == len(self.games)
        assert self.histories[1 - which].export() == data

    @invariant()
    def both_see_the_same(self) -> None:
        """Compare both histories with the model."""
        for history in self.histories:
            games = {game.id: game for game in history.games()}
            assert set(games) == set(self.games)
            for id, record in self.games.items():
                saved = games[id]
                assert isinstance(saved, SavedGame)
                assert saved.game == record
            players = [names for id, names in self.reviewed.items() if self.games[id].is_over]
            rating = rate_player(history, "micro-yahtzee")
            assert (rating.games if rating else 0) == sum(map(len, players))
            assert people(history, "micro-yahtzee") == sorted(set[str]().union(*players))


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.needs("initdb"), pytest.mark.slow]),
    ]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield ""
    else:
        with postgres() as address:
            yield address


def test_a_history_agrees_with_its_model(url: str) -> None:
    machine = type("Machine", (Model,), {"url": url})
    checks = settings(
        max_examples=8, stateful_step_count=15, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(machine, settings=checks)
