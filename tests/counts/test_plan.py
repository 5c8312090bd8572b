"""Test the estimated time and memory for solving a game."""

import pytest

from commands import run
from rollwise.errors import TooLargeError
from rollwise.experiments.plan import plan
from rollwise.model.arrays import build
from rollwise.rules import load_rules
from rollwise.two_player.solver import DuelSolver

MADE = ("crag", "generala", "micro-yahtzee", "yahtzee", "yatzy-forced-order", "balut")


@pytest.mark.parametrize("name", MADE)
def test_state_counts_equal_the_model(name: str) -> None:
    model, planned = build(load_rules(name)), plan(name)
    assert planned.classes == model.n_classes
    assert planned.entries == model.n_classes * model.lanes
    assert planned.disk == 8 * planned.entries
    assert planned.memory < planned.disk or name == "micro-yahtzee"
    assert planned.core_seconds > 0


def test_games_too_large_for_any_machine_are_planned() -> None:
    """Estimate a game with four copies of each category of Yamb, which has 2**40 classes."""
    rules = load_rules("yamb-free")
    categories = tuple(
        category.model_copy(update={"key": f"{category.key}-{copy}", "codes": ()})
        for copy in range(4)
        for category in rules.categories
    )
    with pytest.raises(TooLargeError):
        build(rules.model_copy(update={"categories": categories}))
    planned = plan(rules.model_copy(update={"categories": categories}))
    assert planned.classes == 2 ** len(categories)
    assert planned.core_seconds > 1e6 * plan(rules).core_seconds


def test_columns() -> None:
    """Estimate Yamb, with 143, 103, and 1,024 states in the columns down, up, and free."""
    planned = plan("yamb-down-up-free")
    assert planned.classes == 143 * 103 * 1024
    assert planned.memory < 3 << 30


def test_saved_rolls_need_less_than_separate_games() -> None:
    """Check that saved rolls need less time than separate games for each number of saved rolls."""
    without, planned = plan("maxi-yatzy-no-saving"), plan("maxi-yatzy")
    numbers = planned.classes / without.classes
    assert numbers > 20
    assert without.core_seconds < planned.core_seconds < numbers * without.core_seconds


def test_cores_share_the_time() -> None:
    planned = plan("maxi-yatzy")
    assert planned.seconds(100) == planned.core_seconds / 100


def test_two_players() -> None:
    planned, size = plan("micro-yahtzee", 2), DuelSolver("micro-yahtzee").size()
    assert (planned.players, planned.classes, planned.entries) == (2, size.pairs, size.lanes)
    with pytest.raises(
        TooLargeError, match="kniffel-extreme is too large to estimate for two players"
    ):
        plan("kniffel-extreme", 2)


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
