"""``rollwise rating``: the rating of a player over all saved games."""

from __future__ import annotations

import typer

from rollwise.cli import flags
from rollwise.cli.common import console, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import counted
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import history as saved_games


def rating(
    name: flags.Name = None,
    *,
    rules: flags.Rules,
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Rate how well you play over your saved games.

    [bold]Examples[/bold]

      rollwise rating

      rollwise rating --name Ada --rules yatzy --json

    The luck-adjusted score is your expected score with average luck. A few games are enough to
    estimate it; ± is its SE.
    """
    game = load_rules(rules)
    with saved_games.History(database, create=False) as history:
        saved_games.check_name(history, game.name, name)
        result = saved_games.rate_player(history, game.name, name)
        missing = saved_games.missing_reviews(history, game.name)
    if missing and not quiet:
        typer.echo(missing, err=True)
    if as_json:
        write_json(result.as_dict() if result else None)
    elif result is None and not missing:
        console().print(
            "There is no finished game with these rules. To play one, run: rollwise play"
        )
    elif result is not None:
        _print_rating(result)


def _print_rating(result: saved_games.Rating) -> None:
    out = console()
    counts = (counted(result.games, "game"), counted(result.decisions, "decision"))
    out.print(", ".join(counts), style="bold")
    out.print(f"luck-adjusted score  {result.luck_adjusted}")
    out.print(f"score                {result.score}")
    out.print(f"optimal play         {result.best_play:.2f}")
    out.print(f"EV loss per decision {result.mean_loss:.3f}")
    out.print(", ".join(f"{word} {number}" for word, number in result.tally.items()))
    for title, groups in (("turn", result.by_turn), ("category", result.by_category)):
        out.print()
        _print_groups(title, groups)


def _print_groups(title: str, groups: list[saved_games.DecisionGroup]) -> None:
    table = empty_table(title, ">decisions", ">mean EV loss", ">% of all")
    for group in groups:
        table.add_row(*group.words())
    console().print(table)
