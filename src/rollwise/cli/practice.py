"""``rollwise practice``: one's own mistakes, asked again."""

from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, solved
from rollwise.cli.proficiency import check_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rollwise.game.position import Position
    from rollwise.game.scorecard import Action
    from rollwise.solving.solution import Solution


def practice(
    name: flags.Name = None,
    rules: flags.Rules = "yahtzee",
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, help="How many positions.")
    ] = 10,
    database: flags.Database = None,
    quiet: flags.Quiet = False,
) -> None:
    """Show positions in which you lost points, the worst first, and ask again.

    [bold]Examples[/bold]

      rollwise practice

      rollwise practice --name Ada --most 5

    Answer with an action, such as keep 66 or score full-house; nothing ends.
    """
    from rollwise.history import History, mistakes
    from rollwise.rules import load_rules
    from rollwise.solving.objectives import EXPECTED

    game = load_rules(rules)
    with History(database, create=False) as history:
        check_name(history, game.name, name)
        found = mistakes(history, game.name, name, most)
    if not found:
        console().print("Nothing to practise: no choice lost 0.2 points or more")
        return
    chosen = [(decision.position, decision.chosen) for decision in found]
    ask_again(chosen, solved(game, EXPECTED, quiet=quiet))


def ask_again(found: "Sequence[tuple[str, str]]", solution: "Solution") -> None:
    """Ask for better choices than those made in positions, until an empty answer."""
    from rollwise.game.notation import parse_position

    right = asked = 0
    for line, chosen_then in found:
        position = parse_position(solution.rules, line)
        answer = _ask(position)
        if answer is None:
            break
        asked += 1
        options = solution.options(position)
        chosen = next(option for option in options if option.action == answer)
        right += chosen.best
        _print_answer(position, options[0].action, chosen.loss, chosen.best, chosen_then)
    console().print(f"{right} of {asked} right")


def _ask(position: "Position") -> "Action | None":
    """Return the legal action that is typed for a position; None at the end of input."""
    from rollwise.errors import InputError
    from rollwise.game.game import legal_actions
    from rollwise.game.notation import format_position, parse_action

    out, legal = console(), legal_actions(position)
    out.print(f"\n{format_position(position)}")
    while True:
        try:
            text = input("? ").strip()
        except EOFError:
            return None
        if not text:
            return None
        try:
            action = parse_action(position.rules, text)
        except InputError as error:
            out.print(str(error))
            continue
        if action in legal:
            return action
        out.print("That is not allowed here: expected another action")


def _print_answer(
    position: "Position", best: "Action", loss: float, right: bool, then: str
) -> None:
    from rollwise.game.notation import format_action
    from rollwise.reviews.verdicts import format_points

    words = format_action(position.rules, best)
    if right:
        verdict = "Right"
    else:
        verdict = f"That loses {format_points(loss).removeprefix('+')}; best is {words}"
    console().print(f"{verdict}. In the game it was {then}.")
