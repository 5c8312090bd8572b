"""Test the client in Node: games and options, compared with positions that rollwise exports."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games import at_random, play
from rollwise.client.bundle import bundle, modules
from rollwise.client.rules_data import rules_data
from rollwise.game.actions import Keep
from rollwise.game.game import Game
from rollwise.game.notation import format_event
from rollwise.game.position import Position
from rollwise.offline_page.page import ENTRY, pocket_data
from rollwise.rules import Rules, load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from rollwise.web.rendering import SCRIPTS

TESTS = Path(__file__).parent / "client"

FEW = [
    ("yahtzee", "expected"),
    ("generala", "expected"),
    ("yamb-free", "expected"),
    ("crag", "exponential:-0.03"),
    ("crag", "exponential:1e-15"),
    ("yatzy-forced-order", "worst-case"),
]
FIVE = ["yahtzee-forced-joker", "yahtzee-1956", "kismet", "balut", "generala"]


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


def positions(rules: Rules, number: int) -> list[Position]:
    """Return positions from random games, distributed over all turns."""
    sample, seed = list[Position](), 0
    while len(sample) < number:
        choose = at_random(seed)

        def note(game: Game, choose: Any = choose) -> Any:
            sample.extend([game.position] if game.position else [])
            return choose(game)

        play(rules, ["Ada"], seed, note)
        seed += 1
    return sample[:: max(1, len(sample) // number)][:number]


def position_data(solution: Solution, position: Position) -> dict[str, Any]:
    """Return a position with its options."""
    return {
        "boxes": position.card.boxes,
        "extra": position.card.extra_bonus,
        "dice": position.dice,
        "left": position.rolls_left,
        "options": [
            {"value": option.value, "loss": option.loss}
            | (
                {"keep": option.action.dice}
                if isinstance(option.action, Keep)
                else {"category": position.rules.category_index(option.action.category)}
            )
            for option in solution.options(position)
        ],
    }


def check(folder: Path, name: str, objective: str, number: int) -> None:
    """Run the tests in Node with positions and games of one preset."""
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
    (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    node(TESTS / "positions.test.js", folder)


def node(file: Path, folder: Path) -> None:
    """Run a file of tests in Node; fail with its output."""
    run = subprocess.run(
        ["node", "--test", str(file)],
        env={**os.environ, "ROLLWISE_EXPORTED": str(folder)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert "fail 0" in run.stdout


@pytest.mark.needs("node")
@pytest.mark.parametrize(("name", "objective"), FEW)
def test_options_and_games_agree_with_the_solution(
    tmp_path: Path, name: str, objective: str
) -> None:
    check(tmp_path, name, objective, 40)


@pytest.mark.needs("node")
@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_many_options_agree_with_the_solution(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, "expected", 400)


@pytest.mark.needs("node")
def test_events_of_a_game(tmp_path: Path) -> None:
    node(TESTS / "game.test.js", tmp_path)
    node(TESTS / "words.test.js", tmp_path)


@pytest.mark.needs("node")
@pytest.mark.parametrize("entry", [ENTRY, *SCRIPTS])
def test_a_bundle_is_a_module_without_imports(tmp_path: Path, entry: str) -> None:
    path = tmp_path / "bundle.mjs"
    path.write_text(bundle(entry), encoding="utf-8")
    assert "\nimport " not in path.read_text(encoding="utf-8")
    subprocess.run(["node", "--check", str(path)], check=True)


def test_every_module_of_the_client_is_in_a_bundle() -> None:
    folder = Path(__file__).parents[2] / "src" / "rollwise" / "client"
    bundled = {name for entry in (ENTRY, *SCRIPTS) for name in modules(entry)}
    assert bundled == {path.name for path in folder.glob("*.js")}
