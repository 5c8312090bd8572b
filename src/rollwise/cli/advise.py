"""``rollwise advise``: the options of a roll with their values, or the value of a scorecard.

``rollwise advise --file`` reads one position per line, and writes one line of JSON for each
position.
"""

from __future__ import annotations

import math
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
from rollwise.cli import completion, flags, opponents
from rollwise.cli import interactive as dialogues
from rollwise.cli.common import (
    check_folder,
    headed,
    objective_of,
    position_of,
    solved,
    solved_with_moments,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.option_table import OptionTable
from rollwise.cli.progress import progress
from rollwise.cli.scorecard_value import print_value
from rollwise.errors import InputError, MalformedError, TooLargeError, counted, quoted
from rollwise.files import read_file
from rollwise.game.actions import Action
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import Position, format_position
from rollwise.game.scorecard import Scorecard
from rollwise.rules import Rules, load_rules, preset_names

with lazy_imports():
    from rollwise.evaluation import forward_pass_by_score
    from rollwise.reviews import reasons as option_reasons
    from rollwise.solving import option as solver_option
    from rollwise.two_player import advice as duel_advice


TIES = 6
"""The maximum number of equally good options that the first line names."""

REASONS = 3
"""The maximum number of options that are compared with the best option in words."""

REASON = 130
"""The usual length of a reason in characters; on a terminal, the table leaves room for one.
"""

UNUSED: tuple[object, ...] = (None, [])
"""The values of command-line options that were not given."""


def advise(
    dice: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DICE|POSITION", help="The roll, or a position as one line of text."
        ),
    ] = None,
    rolls_left: flags.RollsLeft = None,
    card: flags.Card = None,
    *,
    rules: flags.Rules,
    objective: flags.Objective = "expected",
    opponent: opponents.OpponentCards = None,
    opponent_strategy: opponents.OpponentStrategy = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            metavar="N",
            min=1,
            help="Show only the N best options (default: 10 on a terminal).",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Positions, one per line; prints JSON lines."),
    ] = None,
    explain: Annotated[
        bool | None,
        typer.Option(
            "--explain/--no-explain",
            help="Compare the best options category by category (default: on a terminal).",
        ),
    ] = None,
    interactive: Annotated[
        bool,
        typer.Option(
            "--interactive", "-i", help="Advise all players of a game with real dice, roll by roll."
        ),
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", "-n", metavar="NAME", help="With --interactive: a player; repeatable."
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="With --interactive: the strategy that advises.",
            show_default="optimal",
            autocompletion=completion.strategies,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="[ID|FILE]",
            help="With --interactive: resume a game.",
            autocompletion=completion.saved_games,
        ),
    ] = None,
    output: Annotated[Path | None, flags.writes("the record of --interactive")] = None,
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Find the best move, or the value of a scorecard.

    [bold]Examples[/bold]

      rollwise advise 11366

      rollwise advise 11366 --rolls-left 1 --card "ones=3,full-house=25" --explain

      rollwise advise 336 --rules crag --objective beat --opponent crag=50

      rollwise advise --interactive --name Ada --name Ben

    EV is the expected final score if you take the option and play optimally afterwards. EV loss is
    the difference from the best option. SD is the standard deviation of the final score. Without
    dice, the command prints the value of the scorecard before the roll.

    With --objective beat, opponents ignore your scorecard. With --opponent-strategy duel, one
    opponent responds to it. --interactive keeps the scorecards of a game with real dice.
    """
    given: dict[str, Any] = {
        "--rolls-left": rolls_left,
        "--top": top,
        "--explain": explain,
        "the dice": dice,
        "--card": card,
        "--opponent": opponent,
        "--opponent-strategy": opponent_strategy,
    }
    for_dialogue = {
        "--name": name,
        "--strategy": strategy,
        "--resume": resume,
        "--output": output,
        "--database": database,
    }
    if interactive:
        given |= {"--file": file, "--json": as_json or None}
        if names := _given(given, set(given)):
            raise InputError(f"--interactive asks for each roll. Leave out {names}.")
        if strategy is not None and objective != "expected":
            raise InputError("A strategy has its own objective. Leave out --objective.")
        check_folder(output)
        dialogues.advise_interactively(
            rules, objective, strategy, name, resume, output, database, quiet=quiet
        )
        return
    if names := _given(for_dialogue, set(for_dialogue)):
        raise InputError(f"{names} needs a dialogue. Add --interactive.")
    game = load_rules(rules)
    if file is not None:
        if names := _given(given, set(given) - {"--top"}):
            raise InputError(f"--file reads whole positions. Leave out {names}.")
        advise_file(file, game, objective, top, quiet=quiet)
        return
    if explain and objective != "expected":
        raise InputError(
            f"--explain compares expected scores. Leave out --explain or --objective {objective}."
        )
    if not dice and (names := _given(given, {"--rolls-left", "--top", "--explain"})):
        raise InputError(
            f"Only a roll can be combined with {names}. Add the dice, such as {_some_roll(game)}."
        )
    _check_words(dice or [])
    situation = (
        position_of(game, " ".join(dice), card, rolls_left)
        if dice
        else Scorecard(game, card or "-")
    )
    cards = opponents.cards_of(opponent, opponent_strategy, objective, game)
    if opponent_strategy and opponent_strategy == duel_advice.DUEL:  # its import is slow
        opponents.advise_duel(situation, cards[0], rules, top, as_json=as_json, quiet=quiet)
        return
    others = opponents.opponents_of(cards, opponent_strategy, quiet=quiet)
    goal = duel_advice.beat_all(others) if others else objective_of(objective, game, quiet=quiet)
    if isinstance(situation, Scorecard):
        print_value(situation, goal, others, as_json=as_json, quiet=quiet)
        return
    if explain is None:
        explain = sys.stdout.isatty() and objective == "expected" and not (quiet or as_json)
    solution = solved_with_moments(goal, situation, quiet=quiet)
    if as_json:
        write_json(_as_dict(solution, situation, top, others, explain=explain, quiet=quiet))
    else:
        _print_advice(solution, situation, top, others, explain=explain, quiet=quiet)


def _given(values: dict[str, Any], names: set[str]) -> str:
    """Return the named command-line options that were given, in words; empty if none was given."""
    return " and ".join(name for name in values if name in names and values[name] not in UNUSED)


def _check_words(words: list[str]) -> None:
    """Raise an error that names the option if a scorecard or a game follows the dice."""
    for word in words[1:] if "|" not in " ".join(words) else ():
        option = "--card" if "=" in word else "--rules" if word in preset_names() else ""
        if option:
            raise MalformedError(f"{quoted(word)} is not a roll. Perhaps you mean: {option} {word}")


def _some_roll(rules: Rules) -> str:
    return format_dice(rules, next(rules.every_roll()))


def _as_dict(
    solution: rollwise.Solution,
    position: Position,
    top: int | None,
    others: list[forward_pass_by_score.Opponent],
    *,
    explain: bool,
    quiet: bool,
) -> dict[str, Any]:
    """Return the advice as JSON data."""
    options = solution.options(position)
    rows = [option.as_dict(position.rules) for option in options[:top]]
    if explain:
        reasons = _reasons(solution, quiet=quiet).of(position, options)
        for option, gains in zip(rows, reasons, strict=False):
            option["reasons"] = dict(gains)
    return {
        "rules": position.rules.name,
        "objective": solution.objective.name,
        "position": format_position(position),
        "options": rows,
        **({"opponents": [other.as_dict() for other in others]} if others else {}),
    }


def _print_advice(
    solution: rollwise.Solution,
    position: Position,
    top: int | None,
    others: list[forward_pass_by_score.Opponent],
    *,
    explain: bool,
    quiet: bool,
) -> None:
    """Print the options first and then the reasons, which take longer to compute."""
    options = solution.options(position)
    headings, *rows = options.table()
    table = OptionTable(
        [
            headed(solution.rules.title, f": {position}"),
            *(headed("", str(other)) for other in others),
            _best(solution, options),
        ],
        headings,
        rows,
        [option.best for option in options],
    )
    reserved = 1 + math.ceil(REASON / table.out.width) if explain else 0
    free = table.print(top, quiet=quiet, reserved=reserved)
    if not explain:
        return
    reasons = _reasons(solution, quiet=quiet).sentences(position, options)
    for number, sentence in enumerate(["", *islice(reasons, REASONS)]):
        free -= table.lines(sentence)
        if free >= 0 or number < 2:  # the blank line and the first reason are always printed
            table.out.print(sentence)


def _best(solution: rollwise.Solution, options: solver_option.Options) -> Text:
    """Return the line that names the best option and the options tied with it."""
    objective = solution.objective
    ties = [format_action(solution.rules, option.action) for option in options if option.best]
    more = f" or {counted(len(ties) - TIES, 'equally good option')}" if len(ties) > TIES else ""
    value = solver_option.format_value(options[0].value, objective.unit)
    best = " or ".join(ties[:TIES]) + more
    return Text.assemble("Best: ", (best, "bold green"), f", {objective.meaning} {value}")


def _reasons(solution: rollwise.Solution, *, quiet: bool) -> option_reasons.Reasons:
    reasons = option_reasons.Reasons(solution)
    with progress("comparing the options", quiet):
        reasons.prepare()
    return reasons


MAX_BYTES = 100_000_000
"""The largest file of positions in bytes."""

REPORTED = 100
"""The number of positions between two progress reports."""

OPTION_JSON = '%s, "value": %s, "loss": %s, "best": %s, "expected": %s, "sd": %s}'
"""The JSON template of an option; the first placeholder is for the action and its kind."""


def advise_file(path: Path, rules: Rules, objective: str, top: int | None, *, quiet: bool) -> None:
    """Write one line of JSON for each position in a file, in the order of the file.

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
    """Read the positions from a file or from standard input; ``#`` begins a comment."""
    from_input = str(path) == "-"
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if from_input else read_file(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise MalformedError(
            f"Standard input is too large; it can have at most {MAX_BYTES:,} bytes."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not a UTF-8 text file. Save it as UTF-8.") from None
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    lines = {number: line for number, line in enumerate(stripped, start=1) if line}
    positions: list[Position] = []
    try:
        positions.extend(Position.each(rules, lines.values()))
    except InputError as error:
        number = list(lines)[len(positions)]
        raise MalformedError(f"{path}, line {number}: {error}") from None
    return positions
