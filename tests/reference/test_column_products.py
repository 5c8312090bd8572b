"""Games of several columns as products of cards: the same bits as from one table.

The table is held against the reference in fractions, for the same games, where all small games are.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from repository import ROOT
from rollwise.rules import Rules, load_rules, parse_rules
from rollwise.solving.column_solver import solve_columns
from rollwise.solving.solver import solve
from rollwise.solving.storage.layer_files import LayerFiles
from rollwise.solving.storage.stores import LocalStore
from small_games import of_columns


def value(rules: Rules, **options: Any) -> float:
    """Return the value of a game from the start."""
    return solve_columns(rules, threads=1, **options).value()


def in_brief(*keys: str) -> Rules:
    """Return three columns of Yamb with three dice and these boxes."""
    head, *boxes = (
        (ROOT / "examples" / "yamb_three_columns.toml").read_text("utf-8").split("[[categories]]")
    )
    few = [box for box in boxes if box.split('"')[1] in keys]
    text = "[[categories]]".join([head, *few]).replace("dice = 5", "dice = 3")
    return parse_rules(text.replace("[5]", "[3]").replace("threshold = 60", "threshold = 6"))


@settings(max_examples=40)
@given(of_columns())
def test_of_any_small_game(rules: Rules) -> None:
    assert value(rules) == solve(rules, cache=False).value()


THREE = in_brief("ones", "twos", "yamb")


def test_three_columns_of_yamb_in_brief() -> None:
    assert value(THREE) == solve(THREE, cache=False).value()


def test_two_columns_of_yamb_to_the_last_bit() -> None:
    rules = load_rules("yamb-down-up")
    assert value(rules) == solve(rules).value()


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    files = LayerFiles(LocalStore(tmp_path), "layers")

    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        value(THREE, files=files, progress=stop)
    shares: list[float] = []
    assert value(THREE, files=files, progress=shares.append) == value(THREE)
    assert min(shares) > 0.3  # the layers that stood were not computed again
