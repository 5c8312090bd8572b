"""Test the estimated time and memory for solving a game."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from commands import run
from games_with_layers import small_maxi
from rollwise.errors import TooLargeError
from rollwise.model.arrays import build
from rollwise.questions.estimate import estimate
from rollwise.rules import Rules, load_rules
from rollwise.solving.backward_induction import solve_cards
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.storage.layers import bytes_of
from rollwise.solving.values import layers_of
from rollwise.two_player.solver import DuelSolver

SAVES = small_maxi()
EXTRA = SAVES.model_copy(update={"saves_rolls": False, "extra_rolls": 3})
MADE = ("crag", "generala", "micro-yahtzee", "yahtzee", "yatzy-forced-order", "balut")


@pytest.mark.parametrize("name", MADE)
def test_state_counts_equal_the_model(name: str) -> None:
    rules = load_rules(name)
    model, needs = build(rules), estimate(rules)
    assert needs.classes == model.n_classes
    assert needs.entries == model.n_classes * model.lanes
    assert needs.disk == 8 * needs.entries
    assert needs.memory > needs.disk, "rows are padded in memory"
    assert needs.core_seconds > 0


@pytest.mark.parametrize("rules", [SAVES, EXTRA], ids=["saved", "extra"])
def test_saved_layers_have_the_estimated_size(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.solving.values.SMALL", 0)
    folder = tmp_path / "cache" / "layers"
    solve_cards(build(rules), EXPECTED, folder=folder, on_disk=True)
    layers = [np.load(path) for path in sorted(folder.glob("*.npy"))]
    needs = estimate(rules)
    assert sum(layer.nbytes for layer in layers) == needs.disk
    assert max(a.nbytes + b.nbytes for a, b in pairwise(layers)) <= needs.memory < needs.disk
    assert needs.disk > 8 * needs.entries * 0.9, "rows are padded on disk"


@pytest.mark.parametrize("name", ["maxi-yatzy", "kniffel-extreme"])
def test_large_games_have_the_estimated_layers(name: str) -> None:
    rules = load_rules(name)
    sizes = [bytes_of(shape) for shape in layers_of(build(rules)).shapes]
    needs = estimate(rules)
    assert needs.disk == sum(sizes[:-1])
    assert needs.memory == max(map(sum, pairwise(sizes)))


@pytest.mark.parametrize(
    ("name", "core_seconds"),
    [
        ("maxi-yatzy-no-saving", 40),
        ("maxi-yatzy", 586),
        ("yamb-down-up-free", 492),
        ("kniffel-extreme", 6300),
    ],
)
def test_the_time_is_close_to_measurements(name: str, core_seconds: float) -> None:
    """Compare with the times in benchmarks/README.md and docs/large-games.md."""
    assert 0.6 < core_seconds / estimate(load_rules(name)).core_seconds < 1 / 0.6


def test_games_too_large_for_any_machine_are_estimated() -> None:
    """Estimate a game with four copies of each category of Yamb, which has 2**40 classes."""
    rules = load_rules("yamb-free")
    categories = tuple(
        category.model_copy(update={"key": f"{category.key}-{copy}", "codes": ()})
        for copy in range(4)
        for category in rules.categories
    )
    with pytest.raises(TooLargeError):
        build(rules.model_copy(update={"categories": categories}))
    needs = estimate(rules.model_copy(update={"categories": categories}))
    assert needs.classes == 2 ** len(categories)
    assert needs.core_seconds > 1e6 * estimate(rules).core_seconds


def test_columns() -> None:
    """Estimate Yamb, with 143, 103, and 1,024 states in the columns down, up, and free."""
    needs = estimate(load_rules("yamb-down-up-free"))
    assert needs.classes == 143 * 103 * 1024
    assert needs.memory < 3 << 30


def test_saved_rolls_need_less_than_separate_games() -> None:
    """Check that saved rolls need less time than separate games for each number of saved rolls."""
    without, needs = (
        estimate(load_rules("maxi-yatzy-no-saving")),
        estimate(load_rules("maxi-yatzy")),
    )
    numbers = needs.classes / without.classes
    assert numbers > 20
    assert without.core_seconds < needs.core_seconds < numbers * without.core_seconds


def test_cores_share_the_time() -> None:
    needs = estimate(load_rules("maxi-yatzy"), cores=7)
    assert needs.seconds == needs.core_seconds / 7


def test_two_players() -> None:
    needs, size = estimate(load_rules("micro-yahtzee"), 2), DuelSolver("micro-yahtzee").size()
    assert (needs.players, needs.classes, needs.entries) == (2, size.pairs, size.lanes)
    with pytest.raises(
        TooLargeError, match="kniffel-extreme is too large to estimate for two players"
    ):
        estimate(load_rules("kniffel-extreme"), 2)


def test_one_line_per_game() -> None:
    code, out, _ = run(
        "solve", "--estimate", "--rules", "crag", "--rules", "yahtzee", "--cores", "7"
    )
    assert code == 0
    head, *lines = out.splitlines()
    assert head.endswith("7 cores")
    assert [line.split()[:3] for line in lines] == [
        ["crag", "8,192", "8,192"],
        ["yahtzee", "12,288", "786,432"],
    ]
