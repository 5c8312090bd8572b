"""Test the counts of each game, which every other solver must reproduce.

``counts/NAME.toml`` has the counts of one game. A failure names the first layer that differs.
"""

import tomllib
from typing import Any

import pytest

from games import EVERY
from repository import COUNTS
from rollwise.model.size import counts, reachable_by_layer
from rollwise.rules import Rules, load_rules, preset_names


def recorded(name: str) -> dict[str, Any]:
    """Return the content of the counts file of a game."""
    return tomllib.loads((COUNTS / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=EVERY)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Return the rules of each game; all tests of a game run before the tests of the next game."""
    return load_rules(request.param)


def test_counts(rules: Rules) -> None:
    assert counts(rules) == recorded(rules.name)["counts"]


def test_reachable_states_by_layer(rules: Rules) -> None:
    counts_of_rollwise = reachable_by_layer(rules)
    counts_recorded = recorded(rules.name)["reachable_by_layer"]
    for layer, (count, recorded_count) in enumerate(
        zip(counts_of_rollwise, counts_recorded, strict=True)
    ):
        assert count == recorded_count, f"{rules.name}: first difference with {layer} boxes filled"


@pytest.mark.parametrize("name", preset_names())
def test_layers_add_up(name: str) -> None:
    record = recorded(name)
    total = record["counts"]["reachable states between turns"]
    assert sum(record["reachable_by_layer"]) == total
