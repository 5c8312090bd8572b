"""Check, with a model of the history, that two connections see each other's changes."""

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

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

from rollwise.game.game import Game
from rollwise.history import GoneOnError, History, NoSuchGameError, people, rate_player
from rollwise.history.transfer import export, parse_export, restore
from saved_games import game, reviews

IDS = st.sampled_from(["a", "b", "Ab-c", "game-0"])
WHICH = st.integers(0, 1)
GAMES = [game(seed) for seed in range(3)]
REVIEWS = [reviews(record) for record in GAMES]


class Model(RuleBasedStateMachine):
    """The expected games by id, the ids of the reviewed games, and two open histories."""

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        self.histories: list[History] = []
        self.games: dict[str, Game] = {}
        self.reviewed: set[str] = set()
        self.exported: tuple[list[str], dict[str, Game]] | None = None

    @initialize()
    def begin(self) -> None:
        """Open two connections to a new history."""
        path = Path(self.open.enter_context(TemporaryDirectory()), "games.sqlite")
        self.histories = [self.open.enter_context(History(path)) for _ in range(2)]

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
        if self.games.get(id) != record:
            self.reviewed.discard(id)
        self.games[id] = record
        with pytest.raises(GoneOnError):  # the version is no longer the last
            self.histories[1 - which].save(id, record, last=last)

    @rule(id=IDS, which=WHICH, is_current=st.booleans())
    def keep_reviews(self, id: str, which: int, is_current: bool) -> None:
        """Save the reviews of a game, or of a version that is not the last."""
        history, game = self.histories[which], self.games.get(id)
        if game is None:
            with pytest.raises(NoSuchGameError):
                history.keep_reviews(id, REVIEWS[0], datetime.now(UTC))
        elif game.is_over:
            saved_at = history.load(id).saved_at if is_current else datetime.now(UTC)
            history.keep_reviews(id, REVIEWS[GAMES.index(game)], saved_at)
            if is_current:
                self.reviewed.add(id)

    @rule(id=IDS, which=WHICH)
    def delete(self, id: str, which: int) -> None:
        """Delete a game."""
        if id in self.games:
            self.histories[which].delete(id)
            del self.games[id]
            self.reviewed.discard(id)
        else:
            with pytest.raises(NoSuchGameError):
                self.histories[which].delete(id)

    @rule(which=WHICH)
    def export(self, which: int) -> None:
        """Export all games."""
        self.exported = list(export(self.histories[which])), dict(self.games)

    @rule(which=WHICH)
    def restore(self, which: int) -> None:
        """Delete all games, and import the last export."""
        if self.exported is None:
            return
        lines, games = self.exported
        self.games, self.reviewed = dict(games), set()
        self.histories[which].delete_all()
        assert restore(self.histories[which], parse_export("\n".join(lines))) == len(self.games)
        assert list(export(self.histories[1 - which])) == lines

    @invariant()
    def both_see_the_same(self) -> None:
        """Compare both histories with the model."""
        for history in self.histories:
            games = {game.id: game for game in history.games()}
            assert set(games) == set(self.games)
            for id, record in self.games.items():
                assert games[id].game == record
            rating = rate_player(history, "micro-yahtzee")
            assert (rating.games if rating else 0) == 2 * len(self.reviewed)
            assert people(history, "micro-yahtzee") == (["Ada", "Ben"] if self.reviewed else [])


def test_a_history_agrees_with_its_model() -> None:
    checks = settings(
        max_examples=8, stateful_step_count=15, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Model, settings=checks)
