"""The estimated time and memory of solving a game, before anything is built."""

import pytest

from commands import run
from rollwise.errors import TooLargeError
from rollwise.experiments.plan import plan
from rollwise.model.arrays import build
from rollwise.rules import load_rules
from rollwise.two_player.solver import DuelSolver

MADE = ("crag", "generala", "micro-yahtzee", "yahtzee", "yatzy-forced-order", "balut")


@pytest.mark.parametrize("name", MADE)
def test_cards_are_those_of_the_model(name: str) -> None:
    model, planned = build(load_rules(name)), plan(name)
    assert planned.cards == model.n_classes
    assert planned.states == model.n_classes * model.lanes
    assert planned.disk == 8 * planned.states
    assert planned.memory < planned.disk or name == "micro-yahtzee"
    assert planned.core_seconds > 0


def test_a_game_too_large_for_any_machine() -> None:
    """Three copies of the categories of Yamb, filled in any order: 5e11 states."""
    rules = load_rules("yamb-free")
    boxes = tuple(
        box.model_copy(update={"key": f"{box.key}-{copy}", "codes": ()})
        for copy in range(4)
        for box in rules.categories
    )
    with pytest.raises(TooLargeError):
        build(rules.model_copy(update={"categories": boxes}))
    planned = plan(rules.model_copy(update={"categories": boxes}))
    assert planned.cards == 2 ** len(boxes)
    assert planned.core_seconds > 1e6 * plan(rules).core_seconds


def test_columns_are_planned_as_they_are_solved() -> None:
    """Yamb has 143 states in the column down, 103 in the column up, and 1,024 free sets."""
    planned = plan("yamb-down-up-free")
    assert planned.cards == 143 * 103 * 1024
    assert planned.memory < 3 << 30


def test_saved_rolls_are_one_chain_of_turns() -> None:
    """All numbers of saved rolls together take less time than one game for each number."""
    without, planned = plan("maxi-yatzy-no-saving"), plan("maxi-yatzy")
    numbers = planned.cards / without.cards
    assert numbers > 20
    assert without.core_seconds < planned.core_seconds < numbers * without.core_seconds


def test_cores_share_the_time() -> None:
    planned = plan("maxi-yatzy")
    assert planned.seconds(100) == planned.core_seconds / 100


def test_two_players() -> None:
    planned, size = plan("micro-yahtzee", 2), DuelSolver("micro-yahtzee").size()
    assert (planned.players, planned.cards, planned.states) == (2, size.pairs, size.lanes)
    with pytest.raises(TooLargeError, match="kniffel-extreme for two: expected a game that one"):
        plan("kniffel-extreme", 2)


def test_a_line_a_game() -> None:
    code, out, _ = run("plan", "--rules", "crag", "--rules", "yahtzee", "--cores", "7")
    assert code == 0
    head, *lines = out.splitlines()
    assert head.endswith("7 cores")
    assert [line.split()[:3] for line in lines] == [
        ["crag", "8,192", "8,192"],
        ["yahtzee", "12,288", "786,432"],
    ]
