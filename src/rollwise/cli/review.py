"""``rollwise review``: a game judged, decision by decision."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    objective_of,
    solved,
    tell_written,
    write_json,
)
from rollwise.cli.review_chances import chances_of, print_chances

if TYPE_CHECKING:
    from rollwise.game.records.record import Record
    from rollwise.reviews.review import Review

STYLES = {"best": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}


def review(
    game: Annotated[
        Path,
        typer.Argument(metavar="GAME", help="A record, text or JSON; - for standard input."),
    ],
    rules: flags.RulesOrNone = None,
    objective: flags.Objective = "expected",
    step: Annotated[
        bool, typer.Option("--step", help="Step through it in the terminal, by arrow keys.")
    ] = False,
    html: Annotated[Path | None, flags.writes("also a page to print", "--html")] = None,
    chances: Annotated[
        bool,
        typer.Option("--chances", help="Of two players: also the winning chances lost."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Judge a game: what every decision lost, and how lucky every roll was.

    [bold]Examples[/bold]

      rollwise review game.txt

      rollwise review game.txt --step

      rollwise review game.txt -o game.html

      echo "11366 66 25666 666 46666 4k" | rollwise review -

    Loss is the value of the best option less that of the one played, luck what a roll adds to the
    value; score = value at the start + luck − loss, exactly. The record may be typed by hand: one
    line a turn, rolls and keeps in turn, then the category.

    With --chances a game of two is also judged by the chance of winning, a tie counting half: near
    the end exactly, against one who answers; before that about, with ~, as the strategy duel sees
    it.
    """
    from rollwise.errors import InputError
    from rollwise.evaluation.breakdown import parts_of
    from rollwise.files import write_atomically
    from rollwise.game.records.files import load_record
    from rollwise.reviews.review import review as judge
    from rollwise.reviews.same_dice import with_same_dice
    from rollwise.rules import load_rules

    check_folder(html)
    if step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("--step needs a terminal: expected a keyboard and a screen")
    record = load_record(game, None if rules is None else load_rules(rules))
    solution = solved(record.rules, objective_of(objective, record.rules, quiet=quiet), quiet=quiet)
    reviews = with_same_dice(judge(record, solution, parts_of(solution)), record, solution)
    if html is not None:
        from rollwise.reviews.page import review_html

        write_atomically(html, review_html(record, reviews).encode())
        tell_written([html], quiet)
    by_chance = chances_of(record, reviews, quiet=quiet) if chances else None
    if as_json:
        told = [one.as_dict() for one in reviews]
        for one, decisions in zip(told, by_chance or (), strict=False):
            one["chances"] = [decision.as_dict(record) for decision in decisions]
        write_json(told)
        return
    if step:
        step_through(record, reviews)
        return
    print_review(record, reviews)
    for player, decisions in zip(record.players, by_chance or (), strict=False):
        print_chances(record, player, decisions)


def step_through(record: "Record", reviews: "list[Review]") -> None:
    """Show every decision on a screen of its own, if there is any."""
    from rollwise.reviews.steps import steps_through
    from rollwise.terminal.review import ReviewApp

    if steps := steps_through(record, reviews):
        ReviewApp(record.players, steps).run()


def print_review(record: "Record", reviews: "list[Review]") -> None:
    """Print every decision, the headline numbers and the worst decisions."""
    out = console()
    for one in reviews:
        _print_decisions(one)
        out.print()
    _print_headline(record, reviews)
    for one in reviews:
        _print_worst(one)


def _print_decisions(one: "Review") -> None:
    out = console()
    out.print(one.player, style="bold")
    table = empty_table("", "dice", ">luck", "played", "", ">loss", "best", ">value")
    for decision, cells in zip(one.decisions, one.table(), strict=True):
        style = STYLES.get(decision.verdict) if decision.counted else None
        table.add_row(*cells, style=style)
    out.print(table)


def _print_headline(record: "Record", reviews: "list[Review]") -> None:
    from rollwise.reviews.verdicts import VERDICTS, sparkline

    out = console()
    when = f", {record.date.isoformat()}" if record.date else ""
    out.print(f"{record.rules.title}{when}", style="bold")
    table = empty_table("", *(f">{one.player}" for one in reviews))
    score = "score" if record.is_over else "points so far"
    facts = [{score: str(one.score), **one.facts()} for one in reviews]
    names = max(facts, key=len)  # who has filled the card has no row of what is still expected
    rows = {name: [fact.get(name, "") for fact in facts] for name in names}
    for verdict, plural in zip(VERDICTS[2:], ("inaccuracies", "mistakes", "blunders"), strict=True):
        rows[plural] = [str(one.tally()[verdict]) for one in reviews]
    for name, cells in rows.items():
        table.add_row(name, *cells, style="bold" if name == score else None)
    out.print(table)
    out.print("\nexpected score, turn by turn")
    for one in reviews:
        turns = one.line_by_turn()
        ends = f"{turns[0]:.0f} {sparkline(turns)} {turns[-1]:.0f}"
        out.print(f"  {ends}{f'  {one.player}' if len(reviews) > 1 else ''}")


def _print_worst(one: "Review") -> None:
    from rollwise.game.notation import format_action, format_dice
    from rollwise.reviews.verdicts import MARKS, because, format_points

    out, rules = console(), one.rules
    worst = one.worst()
    out.print()
    out.print(f"{one.player}: {'what cost most' if worst else 'nothing lost'}")
    for decision in worst:
        dice = format_dice(rules, decision.position.dice)
        out.print(
            f"  turn {decision.turn}, roll {decision.number}, {dice}: "
            f"{format_action(rules, decision.chosen.action)} {MARKS[decision.verdict]} "
            f"{format_points(-decision.loss)}",
            markup=False,
        )
        reasons = because(rules, decision.reasons)
        out.print(
            f"    best was {format_action(rules, decision.best.action)}"
            f"{f' because of {reasons}' if reasons else ''}",
            markup=False,
        )
