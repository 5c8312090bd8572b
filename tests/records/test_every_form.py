"""Check that games survive every form in which they are written: text, JSON, and Python code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwise
from games import at_random, play, records
from rollwise import load_rules, preset_names
from rollwise.game.game import Game
from rollwise.rules import Rules

PRESETS = [load_rules(name) for name in preset_names()]
NAMES = {name: getattr(rollwise, name) for name in ("Game", "Position", "Rules", "Scorecard")}


def check_forms(game: Game) -> None:
    """Check that each form of a game gives an equal game, which has the same forms."""
    from_text = Game.parse(str(game), game.rules)
    from_json = Game.parse(from_text.as_json())
    # Next form: the export of a history (save, export, import, load).
    for again in (from_text, from_json, eval(repr(game), NAMES), game.copy()):
        assert again == game
        assert again.steps == game.steps
        assert (str(again), again.as_json()) == (str(game), game.as_json())


@given(records())
def test_any_rules(game: Game) -> None:
    check_forms(game)


@pytest.mark.parametrize("events", [100, 10_000])
@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)
@settings(max_examples=3)
@given(st.data())
def test_presets(rules: Rules, events: int, data: st.DataObject) -> None:
    game = data.draw(records(st.just(rules), events=st.just(events)))
    assert game.is_over or len(game.events) == events == 100
    check_forms(game)


@given(records(), st.data())
def test_games_from_a_position(game: Game, data: st.DataObject) -> None:
    positions = [step.after.position for step in game.steps if step.after.position]
    if positions:
        start, seed = data.draw(st.sampled_from(positions)), data.draw(st.integers(0, 100))
        check_forms(
            play(start, ["Ada"], seed, at_random(seed), events=data.draw(st.integers(0, 9)))
        )
