"""Test the client in Node: games and options, compared with positions that rollwise exports."""

import json
import os
import subprocess
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from games import at_random, play
from rollwise.client.bundle import modules
from rollwise.client.rules_data import rules_data
from rollwise.game.notation import format_event
from rollwise.game.position import Position, format_position
from rollwise.offline_page import site
from rollwise.offline_page.page import ENTRY, pocket_data
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from rollwise.web.game_state import option_data
from rollwise.web.rendering import SCRIPTS

GAMES = [
    ("yahtzee", "expected"),
    ("generala", "expected"),
    ("yamb-free", "expected"),
    ("crag", "exponential:-0.03"),
    ("crag", "exponential:1e-15"),
    ("yatzy-forced-order", "worst-case"),
]
MANY = ["yahtzee-forced-joker", "yahtzee-1956", "kismet", "balut", "generala"]


def game_data(rules: Rules, seed: int) -> dict[str, Any]:
    """Return a random game of one to three players, with the stage after every event."""
    game = play(rules, ["Ada", "Ben", "Cleo"][: 1 + seed % 3], seed, at_random(seed))
    return {
        "players": game.players,
        "events": [
            {
                "event": format_event(rules, step.event),
                "player": step.after.player,
                "dice": step.after.dice or step.after.kept,
                "left": step.after.rolls_left,
                "cards": [
                    {"boxes": card.boxes, "extra": card.extra_bonus, "total": card.points}
                    for card in step.after.cards
                ],
                "legal": position
                and [[k, move.points, move.extra] for k, move in position.possible().items()],
            }
            for event, step in zip(game.lines, game.steps, strict=True)
            for position in [step.after.position]
        ],
    }


def positions(rules: Rules, number: int) -> Iterator[Position]:
    """Return positions from random games."""
    games = (play(rules, ["Ada"], seed, at_random(seed)) for seed in count())
    found = (step.after.position for game in games for step in game.steps)
    return islice(filter(None, found), 0, 3 * number, 3)


def position_data(solution: Solution, position: Position) -> dict[str, Any]:
    """Return a position with its options."""
    return {
        "line": format_position(position),
        "options": [option_data(position.rules, one) for one in solution.options(position)],
    }


def node(name: str, folder: Path) -> None:
    """Run a file of tests in Node; fail with its output."""
    file = Path(__file__).parent / "client" / f"{name}.test.js"
    run = subprocess.run(
        ["node", "--test", str(file)],
        env={**os.environ, "ROLLWISE_EXPORTED": str(folder)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert "fail 0" in run.stdout


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    ("name", "objective", "number"),
    [
        *((*game, 40) for game in GAMES),
        *(pytest.param(name, "expected", 400, marks=pytest.mark.slow) for name in MANY),
    ],
)
def test_options_and_games_agree_with_the_solution(
    tmp_path: Path, name: str, objective: str, number: int
) -> None:
    solution = solve(load_rules(name), parse_objective(objective))
    assert isinstance(solution, CardSolution)
    rules = solution.rules
    data = {
        "rules": rules_data(rules),
        "solved": pocket_data(solution),
        "value": solution.value(),
        "positions": [position_data(solution, one) for one in positions(rules, number)],
        "games": [game_data(rules, seed) for seed in range(6)],
    }
    (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    node("positions", tmp_path)


@pytest.mark.needs("node")
@pytest.mark.parametrize("name", ["game", "words"])
def test_events_and_sentences_of_a_game(tmp_path: Path, name: str) -> None:
    node(name, tmp_path)


def test_every_module_of_the_client_is_in_a_bundle() -> None:
    folder = Path(__file__).parents[2] / "src" / "rollwise" / "client"
    bundled = {name for entry in (ENTRY, site.ENTRY, *SCRIPTS) for name in modules(entry)}
    assert bundled == {path.name for path in folder.glob("*.js")}
