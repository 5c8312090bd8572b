"""The counts of each game: what any other program for it must agree with.

``counts/NAME.toml`` holds one game. A failure names the first layer that differs.
"""

import tomllib
from typing import Any

import pytest

from games import EVERY
from repository import COUNTS
from rollwise.model.size import counts, reachable_by_layer
from rollwise.rules import Rules, load_rules, preset_names


def recorded(name: str) -> dict[str, Any]:
    """Return the counts file of a game."""
    return tomllib.loads((COUNTS / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=EVERY)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Return the rules of each game; all tests of one game come before those of the next."""
    return load_rules(request.param)


def test_counts(rules: Rules) -> None:
    assert counts(rules) == recorded(rules.name)["counts"]


def test_reachable_states_by_layer(rules: Rules) -> None:
    ours = reachable_by_layer(rules)
    theirs = recorded(rules.name)["reachable_by_layer"]
    for layer, (mine, recorded_count) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == recorded_count, f"{rules.name}: first difference with {layer} boxes filled"


@pytest.mark.parametrize("name", preset_names())
def test_layers_add_up(name: str) -> None:
    record = recorded(name)
    total = record["counts"]["reachable states between turns"]
    assert sum(record["reachable_by_layer"]) == total
