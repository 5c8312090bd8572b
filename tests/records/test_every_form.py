"""Check that games survive every form: text, JSON, Python code, and the export of a history."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwise
from games import at_random, play, records
from rollwise import load_rules, preset_names
from rollwise.game.game import Game
from rollwise.history import History
from rollwise.history.transfer import export, parse_export, restore
from rollwise.rules import Rules

Histories = tuple[History, History]

PRESETS = [load_rules(name) for name in preset_names()]
NAMES = {name: getattr(rollwise, name) for name in ("Game", "Position", "Rules", "Scorecard")}


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Histories]:
    """Return two empty histories."""
    folder = tmp_path_factory.mktemp("histories")
    with History(folder / "one.sqlite") as one, History(folder / "other.sqlite") as other:
        yield one, other


def exported(game: Game, histories: Histories) -> Game:
    """Save a game in a history, import its export into the other one, and load the game there."""
    one, other = histories
    one.save("a", game)
    assert restore(other, parse_export("\n".join(export(one)))) == 1
    again = other.load("a").game
    assert one.delete_all() == other.delete_all() == 1
    return again


def check_forms(game: Game, histories: Histories) -> None:
    """Check that each form of a game gives an equal game, which has the same forms."""
    from_text = Game.parse(str(game), game.rules)
    from_json = Game.parse(from_text.as_json())
    from_history = exported(from_json, histories)
    for again in (from_text, from_json, from_history, eval(repr(game), NAMES), game.copy()):
        assert again == game
        assert again.steps == game.steps
        assert (str(again), again.as_json()) == (str(game), game.as_json())


@given(records())
def test_any_rules(histories: Histories, game: Game) -> None:
    check_forms(game, histories)


@pytest.mark.parametrize("events", [100, 10_000])
@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
@settings(max_examples=3)
@given(st.data())
def test_presets(histories: Histories, rules: Rules, events: int, data: st.DataObject) -> None:
    game = data.draw(records(st.just(rules), events=st.just(events)))
    assert game.is_over or len(game.events) == events == 100
    check_forms(game, histories)


@given(records(), st.data())
def test_games_from_a_position(histories: Histories, game: Game, data: st.DataObject) -> None:
    positions = [step.after.position for step in game.steps if step.after.position]
    if positions:
        start, seed = data.draw(st.sampled_from(positions)), data.draw(st.integers(0, 100))
        game = play(start, ["Ada"], seed, at_random(seed), events=data.draw(st.integers(0, 9)))
        check_forms(game, histories)
