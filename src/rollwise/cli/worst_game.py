"""``rollwise worst-game``: the lowest total of optimal play, or a game with adversarial dice."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, headed, objective_of, solved, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError
from rollwise.game.actions import Keep, Roll
from rollwise.game.dice_notation import format_dice, format_keep
from rollwise.game.game import Game
from rollwise.game.scorecard import Scorecard
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import strategies
    from rollwise.solving import objectives, policy
    from rollwise.studies import adversarial_dice


class WorstDice(StrEnum):
    """The kind of dice in the worst game: any possible rolls, or adversarial dice."""

    ANY = "any"
    ADVERSARIAL = "adversarial"


_MEANING = {
    WorstDice.ANY: "the lowest possible total of optimal play",
    WorstDice.ADVERSARIAL: "each roll lowers the expected score most",
}


def worst_game(
    dice: Annotated[
        WorstDice,
        typer.Option("--dice", help="Show the lowest possible total, or the worst roll each time."),
    ] = WorstDice.ANY,
    *,
    rules: flags.Rules,
    objective: flags.Objective = "expected",
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Show the worst possible game under optimal play.

    [bold]Examples[/bold]

      rollwise worst-game

      rollwise worst-game --dice adversarial

      rollwise worst-game --rules yatzy --json

      rollwise worst-game --rules crag --objective worst-case

    The player plays as if the dice were fair. With --dice any, the game is one with the lowest
    possible total. With --dice adversarial (Verhoeff's demonic dice), each roll lowers the expected
    score most. Of several equally bad rolls, the game has the roll with the lowest faces.
    """
    game_rules = load_rules(rules)
    goal = objective_of(objective, game_rules, quiet=quiet)
    if not isinstance(goal, objectives.CardObjective):
        raise InputError(
            f"worst-game does not support --objective {objective}, which depends on the points so "
            "far. Use expected or worst-case."
        )
    if dice is WorstDice.ANY:
        policy.check_policy_memory(game_rules)
    solution = solved(game_rules, goal, quiet=quiet)
    with progress(f"looking for the worst game of {solution.rules.name}", quiet) as advance:
        if dice is WorstDice.ANY:
            strategy = strategies.Optimal(solution)
            game = adversarial_dice.lowest_game(
                strategy, adversarial_dice.lowest_totals(strategy, progress=advance)
            )
        else:
            game = adversarial_dice.adversarial_game(solution)
    (card,), turns = game.cards, _turns(game)
    if as_json:
        head = {"rules": game.rules.name, "objective": goal.name, "dice": dice.value}
        sums = {"total": card.points, "upper_bonus": card.upper_bonus}
        write_json({**head, **sums, "turns": turns})
    else:
        meaning = _MEANING[dice] + (f"; objective {objective}" if objective != "expected" else "")
        _print_game(card, turns, meaning)


def _turns(game: Game) -> list[dict[str, Any]]:
    """Return the turns of a finished game as JSON data."""
    rules, turns = game.rules, list[dict[str, Any]]()
    rolls, keeps = list[str](), list[str]()
    for step in game.steps:
        event = step.event
        if isinstance(event, Roll):
            rolls.append(format_dice(rules, event.dice))
        elif isinstance(event, Keep):
            keeps.append(format_keep(rules, event.dice))
        else:
            # If turns cannot end early, a player who keeps all dice rerolls none until the last
            # roll.
            again = [] if rules.stops else rolls[-1:] * (rules.rolls - len(rolls))
            points, extra = step.points
            scored = {"category": event.category, "points": points, "extra": extra}
            turns.append({"rolls": rolls + again, "keeps": keeps + again, **scored})
            rolls, keeps = [], []
    return turns


def _print_game(card: Scorecard, turns: list[dict[str, Any]], meaning: str) -> None:
    out, rules = console(), card.rules
    out.print(headed(rules.title, f": {meaning}"))
    out.print()
    most = max(len(turn["rolls"]) for turn in turns)
    steps = [name for number in range(most) for name in (f"roll {number + 1}", "keep")][:-1]
    table = empty_table(">turn", *steps, ">points", "category")
    for number, turn in enumerate(turns, start=1):
        cells = [""] * len(steps)  # the last cells stay empty if the turn ended early
        cells[: 2 * len(turn["rolls"]) : 2] = turn["rolls"]
        cells[1 : 2 * len(turn["keeps"]) : 2] = turn["keeps"]
        title = rules.categories[rules.category_index(turn["category"])].title
        table.add_row(str(number), *cells, str(turn["points"] + turn["extra"]), title)
    empty = [""] * (2 * most)
    if card.upper_bonus:
        table.add_row(*empty, str(card.upper_bonus), "upper bonus")
    table.add_row(*empty, str(card.points), "total", style="bold")
    out.print(table)
