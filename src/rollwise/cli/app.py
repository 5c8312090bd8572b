"""The ``rollwise`` command, and the list of its subcommands with their modules."""

from typing import Annotated

import typer

from rollwise import __version__
from rollwise.cli.group import CommandEntry, Panels, RootGroup

PANELS: Panels = {
    "Ask": {
        "advise": CommandEntry(
            "advise:advise",
            "Say what to do with a roll: every legal keep and score with its value and its loss.",
        ),
        "value": CommandEntry(
            "value:value",
            "Print what a card is worth before the roll: the expected final score of best "
            "play, and ±.",
        ),
        "duel": CommandEntry(
            "duel:duel",
            "Print the chances of the player to move when two play against each other, before "
            "the roll.",
        ),
        "greedy": CommandEntry(
            "greedy:greedy",
            "Ask the greedy player of the blog: which dice to roll again, for this turn alone.",
        ),
        "payoff-line": CommandEntry(
            "payoff_line:payoff_line",
            "Show the chains, the points and the line of the strategy payoff-line, or explain "
            "a turn.",
        ),
        "chance": CommandEntry(
            "chance:chance",
            "Say how likely a turn ends in a target, or what it pays, and which keeps are best.",
        ),
    },
    "Play": {
        "play": CommandEntry(
            "play:play", "Play at the keyboard, with hints, undo and a tutor; then see the review."
        ),
        "web": CommandEntry(
            "web:web",
            "Play, ask for advice and review games in the browser; nothing leaves this machine.",
        ),
        "pocket": CommandEntry(
            "pocket:pocket", "Write a solved game as one HTML file, for a phone without a network."
        ),
        "match": CommandEntry(
            "match:match", "Let two strategies play each other, and show the score board."
        ),
    },
    "Judge": {
        "review": CommandEntry(
            "review:review", "Judge a game: what every decision lost, and how lucky every roll was."
        ),
        "judge": CommandEntry(
            "judge:judge",
            "Judge an agent by its decisions: points lost a game, by kind of decision, by "
            "turn, by box.",
        ),
        "practice": CommandEntry(
            "practice:practice",
            "Ask again what you did wrong, the worst first; or what everybody is asked.",
        ),
        "proficiency": CommandEntry(
            "proficiency:proficiency",
            "Say how well you play, over all games that were played here.",
        ),
        "history": CommandEntry(
            "history:app",
            "Games that were played: list, show, export, import, back up, check, delete.",
        ),
    },
    "Study": {
        "report": CommandEntry(
            "report:report",
            "Print every statistic of a strategy: scores, boxes, bonuses; computed, not simulated.",
        ),
        "distribution": CommandEntry(
            "report:distribution",
            "Print the probability of reaching scores, and of exactly these scores.",
        ),
        "compare": CommandEntry(
            "compare:compare", "Compare strategies: scores, points lost and where, who beats whom."
        ),
        "simulate": CommandEntry(
            "simulate:simulate", "Play seeded games of any strategy and print how they ended."
        ),
        "trivia": CommandEntry(
            "trivia:trivia",
            "Show the best and the worst rolls of the first turn, and each category alone.",
        ),
        "worst-game": CommandEntry(
            "worst_game:worst_game",
            "Show the worst that can happen to the best strategy, roll by roll.",
        ),
        "tree": CommandEntry(
            "tree:tree",
            "Count the games and strategies of a game; draw its graph or tree if it is tiny.",
        ),
        "frontier": CommandEntry(
            "frontier:app", "The best that can be had: targets, variance, time."
        ),
    },
    "Rules of your own": {
        "sweep": CommandEntry(
            "sweep:sweep",
            "Vary the rules over a grid: mean and SD of a strategy in each game, exact.",
        ),
        "rules": CommandEntry("rules:app", "List, show and check rules."),
    },
    "Service": {
        "solve": CommandEntry(
            "solve:solve",
            "Solve a game: its value from the start, the number of reachable states, the time "
            "it took.",
        ),
        "plan": CommandEntry(
            "plan:plan",
            "Print what it would take to solve games, however large: cards, memory, disk, "
            "core hours.",
        ),
        "verify": CommandEntry(
            "verify:verify",
            "Hold every figure that four texts and other programs print against ours, from "
            "scratch.",
        ),
        "cache": CommandEntry(
            "cache:app", "The tables kept on disk: list them, make room, delete them."
        ),
    },
}
"""The commands by panel, in the order of ``rollwise --help``."""


class _Rollwise(RootGroup):
    panels = PANELS


app = typer.Typer(
    cls=_Rollwise,
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
