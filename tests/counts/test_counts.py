"""The counts of each game: what any other program for it must agree with.

``counts/NAME.toml`` holds one game. A failure names the first layer that differs.
"""

import tomllib
from typing import Any

import pytest

from games import EVERY
from repository import COUNTS
from rollwise.model.arrays import build
from rollwise.model.reachable import reachable, reachable_by_layer
from rollwise.model.size import counts
from rollwise.rules import load_rules


def recorded(name: str) -> dict[str, Any]:
    """Return the counts file of a game."""
    return tomllib.loads((COUNTS / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EVERY)
def test_counts(name: str) -> None:
    assert counts(load_rules(name)) == recorded(name)["counts"]


@pytest.mark.parametrize("name", EVERY)
def test_reachable_states_by_layer(name: str) -> None:
    rules = load_rules(name)
    model = build(rules.unsaved)
    ours = reachable_by_layer(rules, model, reachable(model))
    theirs = recorded(name)["reachable_by_layer"]
    for layer, (mine, recorded_count) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == recorded_count, f"{name}: first difference with {layer} boxes filled"


@pytest.mark.parametrize("name", EVERY)
def test_layers_add_up(name: str) -> None:
    record = recorded(name)
    total = record["counts"]["reachable states between turns"]
    assert sum(record["reachable_by_layer"]) == total
