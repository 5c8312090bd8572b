"""The ``rollwise`` command, and the list of its subcommands with their modules."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from cyclopts import App, Group, Parameter

from rollwise import __version__
from rollwise.questions import QUESTIONS


class CommandEntry(NamedTuple):
    """The location and summary of a command.

    Attributes
    ----------
    target : str
        The module and, in it, the function or the functions of a group: ``module:name``; empty for
        questions and for a group of questions.
    summary : str
        The first paragraph of the help, so that the list needs no import of the command.
    keywords : tuple of str
        Words that users might type instead of the name; an error suggests the command for them.
    """

    target: str
    summary: str
    keywords: tuple[str, ...] = ()


PANELS: dict[str, dict[str, CommandEntry]] = {
    "Get advice": {
        "advise": CommandEntry(
            "",
            "Find the best move, or the value of a scorecard.",
            ("value", "hint", "move"),
        ),
        "duel": CommandEntry(
            "",
            "Compute the probability of winning a two-player game.",
            ("win", "opponent"),
        ),
        "odds": CommandEntry(
            "",
            "Compute the odds of a target within one turn.",
            ("chance", "probability", "turn"),
        ),
        "mcp": CommandEntry(
            "cli.mcp:mcp", "Give an assistant exact answers.", ("assistant", "agent", "model")
        ),
    },
    "Play and review": {
        "play": CommandEntry(
            "cli.play:play",
            "Play in the terminal with hints, undo, and a tutor.",
            ("start", "game"),
        ),
        "web": CommandEntry(
            "cli.web:web",
            "Play, get advice, and review games in the browser.",
            ("serve", "server", "browser"),
        ),
        "pocket": CommandEntry(
            "cli.pocket:pocket",
            "Write a game as one HTML page for offline play.",
            ("offline", "html"),
        ),
        "review": CommandEntry(
            "cli.review:review", "Find the mistakes and the luck in a game.", ("mistakes", "luck")
        ),
        "practice": CommandEntry(
            "cli.practice:practice",
            "Practice decisions that you got wrong, or the daily puzzle.",
            ("puzzle", "train", "test"),
        ),
        "history": CommandEntry(
            "cli.history:COMMANDS",
            "List, import, and export saved games; rate your play.",
            ("games", "export", "import", "rating", "proficiency", "rank", "skill"),
        ),
    },
    "Strategies and statistics": {
        "report": CommandEntry(
            "",
            "Print exact score statistics of a strategy.",
            (
                "distribution",
                "trivia",
                "statistics",
                "stats",
                "openings",
                "worst-game",
                "adversarial",
            ),
        ),
        "compare": CommandEntry(
            "",
            "Compare strategies or agents: scores, EV loss, and wins.",
            ("judge", "evaluate", "agent"),
        ),
        "simulate": CommandEntry(
            "",
            "Simulate games of one strategy or of two opponents.",
            ("match", "versus"),
        ),
        "frontier": CommandEntry(
            "",
            "Find the best trade-offs: target scores, variance, and restarts.",
            ("targets", "variance", "stopping", "restart"),
        ),
        "tournament": CommandEntry(
            "", "Find the equilibrium of a tournament of many players.", ("equilibrium", "players")
        ),
    },
    "Rules and data": {
        "rules": CommandEntry("cli.rules:COMMANDS", "List, show, and check rules.", ("presets",)),
        "sweep": CommandEntry(
            "",
            "Compute the expected score for many rule variants.",
            ("vary", "variants", "grid"),
        ),
        "solve": CommandEntry(
            "questions.solve:solve",
            "Solve a game, or estimate what solving it takes.",
            ("plan", "estimate"),
        ),
        "cache": CommandEntry(
            "cli.cache:app", "List or delete the value tables saved on disk.", ("clear", "tables")
        ),
    },
    "From the literature": {
        "decide": CommandEntry(
            "",
            "Find the best policy for decisions in a file.",
            ("decision", "diagram", "policy", "utility"),
        ),
        "greedy": CommandEntry("cli.greedy:greedy", "Ask a greedy strategy which dice to reroll."),
        "payoff-line": CommandEntry(
            "",
            "Show the payoff-line strategy, or its action for a roll.",
        ),
        "tree": CommandEntry(
            "", "Count the games and strategies in a game tree.", ("count", "graph")
        ),
        "verify": CommandEntry(
            "",
            "Check published numbers against computed numbers.",
            ("published", "check"),
        ),
    },
}
"""The commands by panel, in the order of ``rollwise --help``."""

HELP = """Play, analyze, and solve Yahtzee and other roll-and-keep dice games.
Start with rollwise play or rollwise advise 11366; COMMAND --help has examples.
Options: --help, --version, --install-completion."""

ENTRIES = {name: entry for commands in PANELS.values() for name, entry in commands.items()}


def make_app(*, summaries: bool = False) -> App:
    """Return the command; cyclopts imports the module of a subcommand when it is used.

    Only the list of commands needs ``summaries``, which replace the help of each command, and the
    option that installs completion.
    """
    app = App(
        name="rollwise",
        help=HELP,
        help_format="plaintext",
        version=f"rollwise {__version__}",
        default_parameter=Parameter(negative=(), allow_repeating=True),
        group_parameters=Group("Options"),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
    )
    if summaries:
        app.register_install_completion_command()
    for option in app:
        app[option].show = False  # the help lists them in one line
    for number, (panel, commands) in enumerate(PANELS.items()):
        group = Group(panel, sort_key=number)
        for position, (name, entry) in enumerate(commands.items()):
            target = f"{__name__}:{name}"
            summary = entry.summary if summaries else None
            app.command(target, name=name, help=summary, group=group, sort_key=position)
    return app


def __getattr__(name: str) -> App:
    """Import a command by its name, when cyclopts looks it up."""
    if name not in ENTRIES:
        raise AttributeError(name)
    from rollwise.cli.commands import (  # a list of commands is faster
        command,
        group,
        question_command,
    )

    if name in QUESTIONS and not ENTRIES[name].target:
        return question_command(name)
    module, _, attribute = ENTRIES[name].target.partition(":")
    found = getattr(import_module(f"rollwise.{module}"), attribute) if module else {}
    if isinstance(found, dict):
        return group(name, ENTRIES[name].summary, found)
    return found if isinstance(found, App) else command(found, name)
