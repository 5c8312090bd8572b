"""``rollwise advise``: the options of a roll with their values.

``rollwise advise --file`` reads a position per line, and writes a line of JSON for each position.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic_core import to_json
from rich.text import Text

import rollwise
from rollwise.cli import flags, opponents
from rollwise.cli.common import (
    console,
    empty_table,
    headed,
    objective_of,
    position_of,
    print_tie_rules,
    solved,
    solved_with_moments,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError, MalformedError, TooLargeError
from rollwise.game.actions import Action
from rollwise.game.notation import format_action, format_position
from rollwise.game.position import Position
from rollwise.rules import Rules, load_rules

with lazy_imports():
    from rollwise.evaluation import forward_pass_by_score
    from rollwise.reviews import reasons as option_reasons
    from rollwise.solving import option as solver_option
    from rollwise.solving import solution as solutions
    from rollwise.two_player import advice as duel_advice


TIES = 6
"""Maximum number of equally good options that the first line names."""

REASONS = 3
"""Maximum number of options that are compared with the best option in words."""


def advise(
    dice: Annotated[
        str | None,
        typer.Argument(
            metavar="DICE|POSITION", help="The roll, in any order, or a whole position as one line."
        ),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    rules: flags.Rules = "yahtzee",
    objective: flags.Objective = "expected",
    opponent: opponents.OpponentCards = None,
    opponent_plays: opponents.OpponentPlays = None,
    top: flags.Top = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", metavar="FILE", help="Positions, one a line; answered in lines of JSON."
        ),
    ] = None,
    why: Annotated[
        bool | None,
        typer.Option(
            "--why/--no-why", help="Say why, box by box: of itself where somebody looks on."
        ),
    ] = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Say what to do with a roll: every legal keep and score with its value and its loss.

    [bold]Examples[/bold]

      rollwise advise 11366

      rollwise advise 11366 --rolls-left 1 --card "ones=3,full-house=25"

      rollwise advise "dice 11366 | rolls-left 2 | card ones=3" --json

      rollwise advise 336 --rules crag --top 3 --why

      rollwise advise --file positions.txt --top 1

      rollwise advise 33345 --card "sixes=18,yahtzee=0" --objective target:250

      rollwise advise 336 --rules crag --objective beat --opponent "sixes=18,crag=50"

    The value of an option is the expected final score of the game if you take it and play best
    from then on, points so far included; ± is the standard deviation of that score. Its loss is
    what it gives away against the best option. With another objective the value is what that asks
    for, such as a probability, and the expected score stands beside it.

    With --why it is said what the best option has more of every box and bonus than the next ones:
    the differences of expected points add up to the loss. Early in a large game it is told of turns
    that end in each box.

    With --objective beat it is the probability of the highest score at the table, equal ones
    shared, against opponents who play on from the cards shown, each for himself; with
    --opponent-plays duel against one who answers: win, tie and loss, as rollwise duel has them; far
    from the end of a large game near-optimally, with what is known of the error.
    """
    if file is not None:
        conflicting = (dice, rolls_left, card, opponent, opponent_plays)
        if any(value is not None for value in conflicting):
            raise InputError("--file with a position of its own: expected one or the other")
        if why:
            raise InputError("--why with --file: expected one position")

        advise_file(file, load_rules(rules), objective, top, quiet=quiet)
        return
    if dice is None:
        raise InputError("expected DICE|POSITION, or --file: see rollwise advise --help")
    if why and objective != "expected":
        raise InputError(f"--why with --objective {objective}: expected --objective expected")
    position = position_of(load_rules(rules), dice, card, rolls_left)
    cards = opponents.cards_of(opponent, opponent_plays, objective, position.rules)
    if opponent_plays is not None and opponent_plays == duel_advice.DUEL:
        opponents.advise_duel(position, cards[0], top, as_json=as_json, quiet=quiet)
        return
    others = opponents.opponents_of(cards, opponent_plays, quiet=quiet)
    goal = (
        duel_advice.beat_all(others)
        if others
        else objective_of(objective, position.rules, quiet=quiet)
    )
    solution = solved_with_moments(goal, position, quiet=quiet)
    options = solution.options(position)
    shown = options[:top]
    if as_json:
        rows = [option.as_dict(position.rules) for option in shown]
        if why:
            reasons = _reasons(solution, position, quiet=quiet).of(position, options)
            for option, gains in zip(rows, reasons, strict=False):
                option["reasons"] = dict(gains)
        advice: dict[str, Any] = {
            "rules": position.rules.name,
            "objective": solution.objective.name,
            "position": format_position(position),
            "options": rows,
        }
        if others:
            advice["opponents"] = [other.as_dict() for other in others]
        write_json(advice)
    else:

        def sentences() -> list[str]:
            if not (sys.stdout.isatty() if why is None else why):
                return []
            reasons = _reasons(solution, position, quiet=quiet).sentences(position, options)
            return list(islice(reasons, REASONS))

        _print_advice(solution, options, top, others, sentences)


def _reasons(
    solution: rollwise.Solution, position: Position, *, quiet: bool
) -> option_reasons.Reasons:
    reasons = option_reasons.Reasons(solution)
    with progress("finding the reasons", quiet):
        reasons.prepare(position)
    return reasons


def _print_advice(
    solution: rollwise.Solution,
    options: solver_option.Options,
    top: int | None,
    others: list[forward_pass_by_score.Opponent],
    reasons: Callable[[], list[str]],
) -> None:
    """Print the options first and then the reasons, which take longer to compute."""
    out = console()
    rules, wanted = solution.rules, solution.objective
    ties = [format_action(rules, option.action) for option in options if option.best]
    more = f" or {len(ties) - TIES} others as good" if len(ties) > TIES else ""
    best = " or ".join(ties[:TIES]) + more
    out.print(headed(rules.title, f": {options.position}"))
    for other in others:
        out.print(str(other))
    value = solver_option.format_value(options[0].value, wanted.unit)
    out.print(Text.assemble("Best: ", (best, "bold green"), f", {wanted.meaning} {value}"))
    out.print()
    (first, *numbers), *rows = options.table()
    table = empty_table(first, *(f">{heading}" for heading in numbers))
    for option, row in zip(options[:top], rows, strict=False):
        table.add_row(*row, style="green" if option.best else None)
    out.print(table)
    hidden = len(options) - len(options[:top])
    if hidden:
        out.print(f"… and {hidden} more")
    out.print()
    sys.stdout.flush()
    for sentence in (sentences := reasons()):
        out.print(sentence)
    if sentences:
        out.print()
    if options[0].sd is not None and len(ties) > 1:
        print_tie_rules([solutions.rule_for_ties()])
    out.print(
        f"Exact, not simulated: best play from each of the {solution.states:,} "
        f"{solution.counted}.\nrollwise verify holds such values against published ones."
    )


REPORTED = 100
"""Number of positions between two progress reports."""

OPTION_JSON = '%s, "value": %s, "loss": %s, "best": %s, "expected": %s, "sd": %s}'
"""JSON template of an option; the first placeholder takes the action and its kind."""


def advise_file(path: Path, rules: Rules, objective: str, top: int | None, *, quiet: bool) -> None:
    """Write a line of JSON for each position in a file, in the order of the file.

    All positions are read first, so that an error in a line is reported before the game is solved.
    """
    positions = _read(path, rules)
    goal = objective_of(objective, rules, quiet=quiet)
    try:
        solution = solved(rules, goal, moments=True, quiet=quiet)
    except TooLargeError:  # then without SD, as for a single position
        solution = solved(rules, goal, quiet=quiet)

    @cache
    def words(action: Action) -> str:
        return f'{{"action": "{format_action(rules, action)}", "kind": "{action.kind}"'

    with progress("advising", quiet) as advance:
        each = zip(positions, solution.options_each(positions), strict=True)
        for number, (position, options) in enumerate(each, start=1):
            written = _to_json(options[:top], words)
            sys.stdout.write(
                f'{{"position": "{format_position(position)}", "options": [{written}]}}\n'
            )
            if number % REPORTED == 0 or number == len(positions):
                advance(number / len(positions))


def _to_json(options: list[rollwise.Option], words: Callable[[Action], str]) -> str:
    """Return options as JSON; converting all numbers in one call is three times as fast."""
    parts = list(chain.from_iterable(options))
    width, actions = len(rollwise.Option._fields), [words(option.action) for option in options]
    parts[::width] = [None] * len(options)
    values = to_json(parts).decode()[1:-1].split(",")
    values[::width] = actions
    return ", ".join([OPTION_JSON] * len(options)) % tuple(values)


def _read(path: Path, rules: Rules) -> list[Position]:
    """Read the positions from a file or from standard input."""
    source = sys.stdin if str(path) == "-" else path.open(encoding="utf-8")
    try:
        with source as text:
            numbered = ((number, line.strip()) for number, line in enumerate(text, start=1))
            lines = {number: line for number, line in numbered if line}
    except UnicodeDecodeError:
        raise MalformedError(f"{path}: expected positions as UTF-8 text") from None
    positions: list[Position] = []
    try:
        positions.extend(Position.each(rules, lines.values()))
    except InputError as error:
        number = list(lines)[len(positions)]
        raise MalformedError(f"{path}, line {number}: {error}") from None
    return positions
