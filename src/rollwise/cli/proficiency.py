"""``rollwise proficiency``: the rating of a player over all saved games."""

from __future__ import annotations

from rollwise.cli import flags
from rollwise.cli.common import console, counted, empty_table, write_json
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError, one_of, quoted
from rollwise.rules import load_rules

with lazy_imports():
    from rollwise import history as saved_games


def proficiency(
    name: flags.Name = None,
    rules: flags.Rules = "yahtzee",
    database: flags.Database = None,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Say how well you play, over all games that were played here.

    [bold]Examples[/bold]

      rollwise proficiency

      rollwise proficiency --name Ada --rules yatzy --json

    The luck-adjusted score is what you would score with ordinary luck: value at the start less
    loss. A few games tell it well; ± is its standard error.
    """
    game = load_rules(rules)
    with saved_games.History(database, create=False) as history:
        check_name(history, game.name, name)
        result = saved_games.proficiency(history, game.name, name)
    if as_json:
        write_json(result.as_dict() if result else None)
    elif result is None:
        console().print("No finished game of these rules yet: rollwise play")
    else:
        _print_proficiency(result)


def _print_proficiency(found: saved_games.Proficiency) -> None:
    out = console()
    counts = (counted(found.games, "game"), counted(found.decisions, "decision"))
    out.print(", ".join(counts), style="bold")
    out.print(f"luck-adjusted score  {found.luck_adjusted}")
    out.print(f"score                {found.score}")
    out.print(f"best play            {found.best_play:.2f}")
    out.print(f"mean loss a decision {found.mean_loss:.3f}")
    out.print(", ".join(f"{word} {number}" for word, number in found.tally.items()))
    for title, groups in (("turn", found.by_turn), ("box scored", found.by_category)):
        out.print()
        _print_groups(title, groups)


def _print_groups(title: str, groups: list[saved_games.DecisionGroup]) -> None:
    table = empty_table(title, ">decisions", ">mean loss", ">% of all loss")
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
        expected = one_of(sorted(names), name, "a name") if names else "one by rollwise play"
        raise InputError(f"no game of {quoted(name)} in {rules}: expected {expected}")
