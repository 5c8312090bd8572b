"""Compare the options of commands with the parameters of the functions that they call."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import typer.main

import rollwise
from rollwise.cli.app import app

OUTPUT = {"as_json", "quiet", "output", "plot", "diagram", "exact", "matrices", "transcript"}
"""Options about what a command prints or writes; ``plot`` has a function in ``rollwise.plots``."""

OTHER_NAMES = {
    "more_keeps": "compare",
    "versus": "second",
    **dict.fromkeys(("rolls", "bonus", "jokers", "varied"), "vary"),
    "clauses": "grid",
    "tie_break": "fewer_dice",
    "workers": "executor",
    "cluster": "executor",
}
"""The parameters that have another name than the option."""

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "odds": rollwise.odds,
    "compare": rollwise.compare,
    "simulate": rollwise.simulate,
    "sweep": rollwise.sweep,
    "duel": rollwise.duel,
    "rating": rollwise.rating,
    "frontier targets": rollwise.frontier.targets,
    "frontier variance": rollwise.frontier.variance,
    "frontier restart": rollwise.frontier.restart,
}

PLOTS: dict[str, Callable[..., Any]] = {
    "report": rollwise.plots.save_report,
    "compare": rollwise.plots.save_comparison,
    "frontier targets": rollwise.plots.save_targets,
    "frontier variance": rollwise.plots.save_variance,
}


def options_of(command: str) -> dict[str, Any]:
    """Return the default of each option of a command, by its name in Python."""
    found: Any = typer.main.get_command(app)
    for word in command.split():
        found = found.commands[word]
    return {option.name: option.default for option in found.params if option.name != "help"}


@pytest.mark.parametrize("command", FUNCTIONS)
def test_functions_have_the_options_of_commands(command: str) -> None:
    parameters = set(inspect.signature(FUNCTIONS[command]).parameters)
    if command == "simulate":  # with --versus, the command calls match
        parameters |= set(inspect.signature(rollwise.match).parameters)
    options = options_of(command).keys() - OUTPUT
    assert {OTHER_NAMES.get(name, name) for name in options - parameters} <= parameters


@pytest.mark.parametrize("command", FUNCTIONS)
def test_commands_have_the_options_of_functions(command: str) -> None:
    options = options_of(command).keys()
    known = {*options, *(OTHER_NAMES.get(name, name) for name in options)}
    # A callback replaces the progress bar of the command.
    allowed = {"progress", "solve", "log", "executor"}
    assert set(inspect.signature(FUNCTIONS[command]).parameters) - known <= allowed


def test_each_plot_of_a_command_has_a_function() -> None:
    commands = ["report", "compare", "frontier targets", "frontier variance", "frontier restart"]
    assert [c for c in commands if "plot" in options_of(c)] == list(PLOTS)
