"""The ``rollwise`` command: its parts, by what people come for."""

from collections.abc import Callable
from typing import Annotated

import typer

from rollwise import __version__
from rollwise.cli import (
    advise,
    cache,
    chance,
    compare,
    duel,
    frontier,
    greedy,
    history,
    judge,
    match,
    payoff_line,
    plan,
    play,
    pocket,
    practice,
    proficiency,
    report,
    review,
    rules,
    simulate,
    solve,
    sweep,
    tree,
    trivia,
    value,
    verify,
    web,
    worst_game,
)
from rollwise.cli.group import Command, CommandGroup

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"rollwise {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Yahtzee and its relatives, solved exactly: advice, games, reviews, published numbers.

    [bold]Examples[/bold]

      rollwise advise 11366 --card "ones=3,full-house=25"

      rollwise play --against optimal --tutor

      rollwise compare optimal greedy --rules yatzy --games 100
    """


PANELS: dict[str, dict[str, Callable[..., None] | typer.Typer]] = {
    "Ask": {
        "advise": advise.advise,
        "value": value.value,
        "duel": duel.duel,
        "greedy": greedy.greedy,
        "payoff-line": payoff_line.payoff_line,
        "chance": chance.chance,
    },
    "Play": {
        "play": play.play,
        "web": web.web,
        "pocket": pocket.pocket,
        "match": match.match,
    },
    "Judge": {
        "review": review.review,
        "judge": judge.judge,
        "practice": practice.practice,
        "proficiency": proficiency.proficiency,
        "history": history.app,
    },
    "Study": {
        "report": report.report,
        "distribution": report.distribution,
        "compare": compare.compare,
        "simulate": simulate.simulate,
        "frontier": frontier.app,
        "trivia": trivia.trivia,
        "worst-game": worst_game.worst_game,
        "tree": tree.tree,
    },
    "Rules of your own": {"rules": rules.app, "sweep": sweep.sweep},
    "Service": {
        "solve": solve.solve,
        "plan": plan.plan,
        "verify": verify.verify,
        "cache": cache.app,
    },
}
"""The commands, by what people come for, in the order of ``rollwise --help``."""

for panel, commands in PANELS.items():
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, cls=CommandGroup, rich_help_panel=panel)
        else:
            app.command(name, cls=Command, rich_help_panel=panel)(command)
