"""Check against OpenSpiel's Yacht: the points of every roll, and the value of a small game."""

from itertools import combinations_with_replacement
from typing import Any

import pytest

from rollwise.game.scoring import natural_points
from rollwise.rules import Rules, load_rules
from rollwise.rules.patterns import Either, needs
from rollwise.solving.solver import solve

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

RULES = load_rules("yacht-openspiel")
KEEP_ALL = "Keep all (proceed to scoring)"


def game(**parameters: Any) -> Any:
    """Return the one-player game of OpenSpiel."""
    return pyspiel.load_game("yacht", {"players": 1, **parameters})


def action_named(state: Any, words: str) -> int:
    """Return the legal action with this name."""
    return int(next(a for a in state.legal_actions() if state.action_to_string(a) == words))


def total(state: Any) -> int:
    """Return the points so far."""
    return int(str(state).split("(total: ")[1].split(")")[0])


def roll_number(dice: tuple[int, ...], faces: int) -> int:
    """Return the index of the chance outcome with these dice in this order."""
    return sum((die - 1) * faces**place for place, die in enumerate(dice))


def test_every_roll_in_every_category() -> None:
    for dice in combinations_with_replacement(range(1, 7), 5):
        rolled = game().new_initial_state()
        rolled.apply_action(roll_number(dice, 6))
        rolled.apply_action(action_named(rolled, KEEP_ALL))
        for k, category in enumerate(RULES.categories):
            scored = rolled.clone()
            scored.apply_action(action_named(scored, f"Score in {category.title}"))
            assert total(scored) == natural_points(RULES, k, dice), (category.key, dice)


def small_game() -> tuple[Rules, Any]:
    """Return our rules for two faces and two rolls, and the same game in OpenSpiel.

    Categories that need more faces are removed from our rules, and filled in OpenSpiel. With two
    faces, OpenSpiel gives no points for four of a kind.
    """
    data = RULES.model_dump()
    patterns = [category.pattern for category in RULES.categories]
    fits = [not isinstance(p, Either) and needs(p)[1] <= 2 for p in patterns]
    categories = [c for c, fit in zip(data["categories"], fits, strict=True) if fit]
    for category in categories:
        if category["key"] == "four-of-a-kind":
            category["worth"] = (0, 0)
    rules = Rules.model_validate(data | {"faces": 2, "rolls": 2, "categories": categories})
    state = game(dice_sides=2, rolls_per_turn=2, sort_dice=True).new_initial_state()
    for category, fit in zip(RULES.categories, fits, strict=True):
        if not fit:
            state.apply_action(0)  # all ones
            state.apply_action(action_named(state, KEEP_ALL))
            state.apply_action(action_named(state, f"Score in {category.title}"))
    return rules, state


def joker_state(state: Any) -> tuple[str, ...]:
    """Return the part of the state that future points depend on: the roll and filled categories."""
    lines = [line for line in str(state).split("\n") if "(total" not in line]
    return tuple(line.split(":")[0] if line.startswith("  ") else line for line in lines)


def test_the_value_of_a_small_game() -> None:
    rules, start = small_game()
    assert len(rules.categories) == 6
    value_of: dict[tuple[str, ...], float] = {}

    def to_come(state: Any) -> float:
        if state.is_terminal():
            return 0.0
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            return float(sum(p * to_come(state.child(roll)) for roll, p in outcomes))
        key, here = joker_state(state), total(state)
        if key not in value_of:
            children = map(state.child, state.legal_actions())
            value_of[key] = max(total(child) - here + to_come(child) for child in children)
        return value_of[key]

    assert solve(rules, cache=False).value() == pytest.approx(to_come(start), abs=1e-9)
