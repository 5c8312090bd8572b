"""``rollwise review``: the EV losses and the luck in a game, decision by decision.

``rollwise review --chances`` also prints the loss in win probability.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import rollwise
from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    objective_of,
    print_written,
    solved,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError, counted
from rollwise.files import write_atomically
from rollwise.game.dice_notation import format_dice
from rollwise.game.game import Game
from rollwise.game.notation import format_action
from rollwise.game.records.files import load_game
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise.evaluation import breakdown
    from rollwise.reviews import grades, hindsight, page, win_review
    from rollwise.reviews import review as reviewing
    from rollwise.terminal import review as review_screen


STYLES = {"best": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}


def review(
    game: Annotated[
        Path,
        typer.Argument(metavar="GAME", help="A game record as text or JSON; - for standard input."),
    ],
    rules: flags.RulesOrNone = None,
    objective: flags.Objective = "expected",
    step: Annotated[
        bool, typer.Option("--step", help="Step through the game with the arrow keys.")
    ] = False,
    html: Annotated[Path | None, flags.writes("a printable page", "--html")] = None,
    chances: Annotated[
        bool,
        typer.Option("--chances", help="For two players: also the win probability lost."),
    ] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Find the mistakes and the luck in a game.

    [bold]Examples[/bold]

      rollwise review game.txt

      rollwise review game.txt --step

      rollwise review game.txt -o game.html

      echo "11366 66 25666 666 46666 4k" | rollwise review -

    The EV loss of a decision is the value of the best option minus the value of the choice. Luck
    is what a roll adds to the value: score = start value + luck − EV loss. You can type a record
    by hand: one turn per line, with the rolls, the dice to keep, and the category. With --chances,
    ~ marks an approximate win probability.
    """
    check_folder(html)
    if step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("--step needs a terminal. Leave out --step, or run it without a pipe.")
    played = load_game(game, None if rules is None else load_rules(rules))
    solution = solved(played.rules, objective_of(objective, played.rules, quiet=quiet), quiet=quiet)
    reviews = hindsight.with_same_dice(
        reviewing.review(played, solution, breakdown.breakdown_of(solution)), played, solution
    )
    if html is not None:
        write_atomically(html, page.review_html(played, reviews).encode())
        print_written([html], quiet)
    by_chance = chances_of(played, reviews, quiet=quiet) if chances else None
    if as_json:
        told = [one.as_dict() for one in reviews]
        for one, decisions in zip(told, by_chance or (), strict=False):
            one["chances"] = [decision.as_dict(played) for decision in decisions]
        write_json(told)
        return
    if step:
        step_through(played, reviews)
        return
    print_review(played, reviews)
    for player, decisions in zip(played.players, by_chance or (), strict=False):
        print_chances(played, player, decisions)


def step_through(game: Game, reviews: list[rollwise.Review]) -> None:
    """Show each decision on a separate screen, if there are any."""
    if steps := reviewing.steps_through(game, reviews):
        review_screen.ReviewApp(game.players, steps, game.headers.bots).run()


def print_review(game: Game, reviews: list[rollwise.Review]) -> None:
    """Print every decision, the headline numbers, and the worst decisions."""
    out = console()
    for one in reviews:
        _print_decisions(one)
        out.print()
    _print_headline(game, reviews)
    for one in reviews:
        _print_worst(one)


def _print_decisions(one: rollwise.Review) -> None:
    out = console()
    out.print(one.player, style="bold")
    table = empty_table("", "dice", ">luck", "played", "", ">loss", "best", ">value")
    for decision, cells in zip(one.decisions, one.table(), strict=True):
        style = STYLES.get(decision.verdict) if decision.counted else None
        table.add_row(*cells, style=style)
    out.print(table)


def _print_headline(game: Game, reviews: list[rollwise.Review]) -> None:
    out = console()
    when = f", {game.headers.date.isoformat()}" if game.headers.date else ""
    out.print(f"{game.rules.title}{when}", style="bold")
    table = empty_table("", *(f">{one.player}" for one in reviews))
    score = "score" if game.is_over else "points so far"
    facts = [{score: str(one.score), **one.facts()} for one in reviews]
    names = max(facts, key=len)  # a finished player has no row for the value now
    rows = {name: [fact.get(name, "") for fact in facts] for name in names}
    for verdict, plural in zip(
        grades.VERDICTS[2:], ("inaccuracies", "mistakes", "blunders"), strict=True
    ):
        rows[plural] = [str(one.tally()[verdict]) for one in reviews]
    for name, cells in rows.items():
        table.add_row(name, *cells, style="bold" if name == score else None)
    out.print(table)
    out.print("\nexpected score by turn")
    for one in reviews:
        turns = one.line_by_turn()
        ends = f"{turns[0]:.0f} {grades.sparkline(turns)} {turns[-1]:.0f}"
        out.print(f"  {ends}{f'  {one.player}' if len(reviews) > 1 else ''}")


def _print_worst(one: rollwise.Review) -> None:
    out, rules = console(), one.rules
    worst = one.worst()
    out.print()
    out.print(f"{one.player}: {'largest EV losses' if worst else 'no EV loss'}")
    for decision in worst:
        dice = format_dice(rules, decision.position.dice)
        out.print(
            f"  turn {decision.turn}, roll {decision.number}, {dice}: "
            f"{format_action(rules, decision.chosen.action)} {grades.MARKS[decision.verdict]} "
            f"{grades.format_points(-decision.loss)}",
            markup=False,
        )
        out.print(f"    {decision.best_was()}", markup=False)


NOTABLE = 3
"""The number of decisions with the largest loss in win probability that are shown.

Decisions in which the best option for points is not the best option to win are always shown.
"""


def chances_of(
    game: Game, reviews: list[rollwise.Review], *, quiet: bool
) -> list[list[win_review.WinReview]]:
    """Review a two-player game by win probability, and report progress on stderr."""
    with progress(f"computing win probabilities in {game.rules.name}", quiet) as advance:
        return win_review.review_win_probability(game, reviews, progress=advance)


def print_chances(game: Game, player: str, decisions: list[win_review.WinReview]) -> None:
    """Print the total loss in win probability and the notable decisions.

    A decision is notable if its loss is one of the largest, or if the best option for points is not
    the best option to win.
    """
    out, rules = console(), game.rules
    all_exact = all(decision.exact for decision in decisions)
    lost = sum(decision.loss for decision in decisions)
    parted = [decision for decision in decisions if decision.parted]
    since = f" from turn {decisions[0].turn} on" if decisions else ""
    out.print(
        f"\n{player}: {_share(lost, all_exact)} win probability lost{since}; the best option for "
        f"points differs in {counted(len(parted), 'decision')}"
    )
    dearest = sorted(decisions, key=lambda one: -one.loss)[:NOTABLE]
    shown = [one for one in decisions if one.parted or (one in dearest and one.loss > 0)]
    table = empty_table("turn", "dice", "played", ">win", ">lost", "best to win", "best for points")
    for one in shown:
        played, win, points = (
            format_action(rules, option.action) for option in (one.chosen, one.best, one.for_points)
        )
        chance, loss = (_share(share, one.exact) for share in (one.chosen.value, one.loss))
        dice = format_dice(rules, one.dice)
        table.add_row(str(one.turn), dice, played, chance, loss, win, points if one.parted else "")
    if shown:
        out.print(table)


def _share(share: float, exact: bool) -> str:
    """Return a probability in percent, with ``~`` if it is not exact."""
    return f"{'' if exact else '~'}{100 * share:.2f}%"
