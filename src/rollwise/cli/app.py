"""The ``rollwise`` command, and the list of its subcommands with their modules."""

from typing import Annotated

import typer

from rollwise import __version__
from rollwise.cli.group import CommandEntry, Panels, RootGroup

PANELS: Panels = {
    "Get advice": {
        "advise": CommandEntry(
            "advise:advise",
            "Find the best move, or the value of a scorecard.",
            ("value", "hint", "help", "move"),
        ),
        "duel": CommandEntry(
            "duel:duel",
            "Compute the probability of winning a two-player game.",
            ("win", "opponent"),
        ),
        "odds": CommandEntry(
            "odds:odds",
            "Compute the odds of a target within one turn.",
            ("chance", "probability", "turn"),
        ),
        "mcp": CommandEntry(
            "mcp:mcp", "Give an assistant exact answers.", ("assistant", "agent", "model")
        ),
    },
    "Play and review": {
        "play": CommandEntry(
            "play:play", "Play in the terminal with hints, undo, and a tutor.", ("start", "game")
        ),
        "web": CommandEntry(
            "web:web",
            "Play, get advice, and review games in the browser.",
            ("serve", "server", "browser"),
        ),
        "pocket": CommandEntry(
            "pocket:pocket", "Write a game as one HTML page for offline play.", ("offline", "html")
        ),
        "review": CommandEntry(
            "review:review", "Find the mistakes and the luck in a game.", ("mistakes", "luck")
        ),
        "practice": CommandEntry(
            "practice:practice",
            "Practice decisions that you got wrong, or the daily puzzle.",
            ("puzzle", "train", "test"),
        ),
        "rating": CommandEntry(
            "rating:rating",
            "Rate how well you play over your saved games.",
            ("proficiency", "rank", "skill"),
        ),
        "history": CommandEntry(
            "history:app",
            "List, show, export, back up, and delete saved games.",
            ("games", "export", "import"),
        ),
    },
    "Strategies and statistics": {
        "report": CommandEntry(
            "report:report",
            "Print exact score statistics of a strategy.",
            ("distribution", "trivia", "statistics", "stats", "openings"),
        ),
        "compare": CommandEntry(
            "compare:compare",
            "Compare strategies or agents: scores, EV loss, and wins.",
            ("judge", "evaluate", "agent"),
        ),
        "simulate": CommandEntry(
            "simulate:simulate",
            "Simulate games of one strategy or of two opponents.",
            ("match", "versus"),
        ),
        "frontier": CommandEntry(
            "frontier:app",
            "Find the best trade-offs: target scores, variance, and restarts.",
            ("targets", "variance", "stopping", "restart"),
        ),
    },
    "Rules and data": {
        "rules": CommandEntry("rules:app", "List, show, and check rules.", ("presets",)),
        "sweep": CommandEntry(
            "sweep:sweep",
            "Compute the expected score for many rule variants.",
            ("vary", "variants", "grid"),
        ),
        "solve": CommandEntry(
            "solve:solve", "Solve a game, or estimate what solving it takes.", ("plan", "estimate")
        ),
        "cache": CommandEntry(
            "cache:app", "List or delete the value tables saved on disk.", ("clear", "tables")
        ),
    },
    "From the literature": {
        "decide": CommandEntry(
            "decide:decide",
            "Find the best policy for decisions in a file.",
            ("decision", "diagram", "policy", "utility"),
        ),
        "greedy": CommandEntry("greedy:greedy", "Ask a greedy strategy which dice to reroll."),
        "payoff-line": CommandEntry(
            "payoff_line:payoff_line", "Show the payoff-line strategy, or its choice for a roll."
        ),
        "worst-game": CommandEntry(
            "worst_game:worst_game",
            "Show the worst possible game under optimal play.",
            ("adversarial",),
        ),
        "tree": CommandEntry(
            "tree:tree", "Count the games and strategies in a game tree.", ("count", "graph")
        ),
        "verify": CommandEntry(
            "verify:verify",
            "Check published numbers against computed numbers.",
            ("published", "check"),
        ),
    },
}
"""The commands by panel, in the order of ``rollwise --help``."""


class _Rollwise(RootGroup):
    panels = PANELS


app = typer.Typer(
    name="rollwise",
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
    """Play, analyze, and solve Yahtzee and other roll-and-keep dice games.

    Start with rollwise play or rollwise advise 11366; COMMAND --help has examples.
    """
