"""``rollwise rating``: the rating of a player over all saved games."""

from __future__ import annotations

from rollwise.cli import flags
from rollwise.cli.common import console, counted, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, quoted
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import history as saved_games


def rating(
    name: flags.Name = None,
    rules: flags.Rules = "yahtzee",
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
        check_name(history, game.name, name)
        result = saved_games.rate_player(history, game.name, name)
    if as_json:
        write_json(result.as_dict() if result else None)
    elif result is None:
        console().print("There is no finished game with these rules. Play one with: rollwise play")
    else:
        _print_rating(result)


def _print_rating(found: saved_games.Rating) -> None:
    out = console()
    counts = (counted(found.games, "game"), counted(found.decisions, "decision"))
    out.print(", ".join(counts), style="bold")
    out.print(f"luck-adjusted score  {found.luck_adjusted}")
    out.print(f"score                {found.score}")
    out.print(f"optimal play         {found.best_play:.2f}")
    out.print(f"EV loss per decision {found.mean_loss:.3f}")
    out.print(", ".join(f"{word} {number}" for word, number in found.tally.items()))
    for title, groups in (("turn", found.by_turn), ("category", found.by_category)):
        out.print()
        _print_groups(title, groups)


def _print_groups(title: str, groups: list[saved_games.DecisionGroup]) -> None:
    table = empty_table(title, ">decisions", ">mean EV loss", ">% of all")
    for group in groups:
        table.add_row(*group.words())
    console().print(table)


def check_name(history: saved_games.History, rules: str, name: str | None) -> None:
    """Check that someone with this name has finished a game of these rules.

    Raises
    ------
    InputError
        If there is no such game.
    """
    names = saved_games.people(history, rules)
    if name is not None and name not in names:
        hint = f"Players with games: {', '.join(sorted(names))}." if names else "Play one first."
        raise InputError(f"{quoted(name)} has no finished game of {rules}. {hint}")
