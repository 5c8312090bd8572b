"""``rollwise decide``: the best policy for a decision in a file, and what it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import Annotated, Any

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    prepare_plot,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.cli.progress import progress
from rollwise.errors import InputError

with lazy_imports():
    from rollwise import decision_analysis
    from rollwise.decision_analysis import decision_model, exact_numbers
    from rollwise.experiments import plots


MAX_ROWS = 40
"""The maximum number of rows in a table."""

Number = float | Fraction


def decide(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.toml",
            help="A TOML file with consecutive decisions or an influence diagram.",
        ),
    ],
    information: Annotated[
        list[str] | None,
        typer.Option(metavar="NODE", help="Compute only the value of knowing this; repeatable."),
    ] = None,
    vary: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Find the values of this number at which the decision changes."
        ),
    ] = None,
    low: Annotated[
        str | None, typer.Option("--from", metavar="A", help="With --vary: the lowest number.")
    ] = None,
    high: Annotated[
        str | None, typer.Option("--to", metavar="B", help="With --vary: the highest number.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="With --vary: also plot the value of each option."
        ),
    ] = None,
    diagram: Annotated[
        Path | None,
        typer.Option(
            "--diagram", metavar="FILE", help="Also draw the decision as .svg, .png, or .dot."
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions.")] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Find the best policy for a decision in a file.

    [bold]Examples[/bold]

      rollwise decide oil.toml

      rollwise decide oil.toml --vary fee.payoffs.yes --from -30 --to 0 --exact

      rollwise decide holiday.toml --information health --diagram holiday.svg

      rollwise decide five-of-a-kind.toml --json

    The result is the best option in every situation, the distribution of the payoff, and the value
    of perfect information. With a utility, values are certainty equivalents: the certain payoffs
    that are equally good.
    """
    if (vary is None) != (low is None) or (vary is None) != (high is None):
        raise InputError("--vary, --from, and --to belong together. Give all three, or none.")
    if plot is not None and vary is None:
        raise InputError("--plot needs a number to vary. Add --vary, --from, and --to.")
    prepare_plot(plot)
    check_folder(diagram)
    read = decision_analysis.load_decision_file(file)
    request = DecisionRequest(str(file), read.model, exact)
    with progress("solving the decision", quiet):
        solution = read.model.solve()
        worth = list(read.model.information(*(information or [])))
    sensitivity = None
    if vary is not None and low is not None and high is not None:
        ends = exact_numbers.parse_number(low), exact_numbers.parse_number(high)
        with progress(f"varying {vary}", quiet) as advance:
            sensitivity = decision_analysis.sensitivity(read, vary, *ends, advance)
    if diagram is not None:
        read.model.picture().save(diagram)
    if plot is not None and sensitivity is not None:
        save_plot(read.model.title or str(file), read.model.unit, sensitivity, plot)
    if as_json:
        write_json(request.as_dict(solution, worth, sensitivity))
    else:
        request.print_solution(solution)
        request.print_information(worth)
        if sensitivity is not None:
            request.print_thresholds(sensitivity)
    print_written([path for path in (diagram, plot) if path is not None], quiet)


@dataclass(frozen=True)
class DecisionRequest:
    """A decision, and the format of the output.

    Attributes
    ----------
    file
        The path of the file.
    model
        The decision.
    exact
        Whether to print fractions.
    """

    file: str
    model: decision_analysis.DecisionModel
    exact: bool

    def as_dict(
        self,
        solution: decision_analysis.ModelSolution,
        worth: list[decision_analysis.Information],
        sensitivity: decision_analysis.Sensitivity | None,
    ) -> dict[str, Any]:
        """Return all results as JSON data."""
        number = self._number
        return {
            "file": self.file,
            "title": self.model.title,
            "unit": self.model.unit,
            "expected_payoff": number(solution.expected_payoff),
            "expected_utility": number(solution.expected_utility),
            "certainty_equivalent": number(solution.certainty_equivalent),
            "choices": [
                {
                    "decision": choice.decision,
                    "known": choice.known,
                    "probability": number(probability),
                    "values": {
                        option: number(value)
                        for option, value in solution.certainty_equivalents(choice).items()
                    },
                    "best": choice.best,
                }
                for choice, probability in solution.choices
            ],
            "risk_profile": [
                {"payoff": number(payoff), "probability": number(p)}
                for payoff, p in solution.risk_profile.items()
            ],
            "information": [
                {"names": names, "before": before, "value": number(value)}
                for names, before, value in worth
            ],
            "sensitivity": None
            if sensitivity is None
            else {
                "names": sensitivity.names,
                "range": [number(sensitivity.low), number(sensitivity.high)],
                "thresholds": [
                    {**item._asdict(), "number": number(item.number)}
                    for item in sensitivity.thresholds
                ],
            },
        }

    def print_solution(self, solution: decision_analysis.ModelSolution) -> None:
        """Print the value, the optimal policy, and the risk profile."""
        out, text = console(), self._text
        unit = f" {self.model.unit}" if self.model.unit else ""
        out.print(headed(self.model.title or self.file))
        out.print(f"expected payoff       {text(solution.expected_payoff)}{unit}")
        if not isinstance(self.model.utility, decision_analysis.LinearUtility):
            out.print(f"certainty equivalent  {text(solution.certainty_equivalent)}{unit}")
            out.print(f"expected utility      {text(solution.expected_utility)}")
        table = empty_table("decision", "known", ">probability", "best", ">value", "next best")
        rows = [planned for planned in solution.choices if planned.probability]
        for choice, probability in rows[:MAX_ROWS]:
            values = solution.certainty_equivalents(choice)
            others = [option for option in values if option not in choice.best]
            second = max(others, key=lambda option: choice.values[option], default="")
            table.add_row(
                choice.decision,
                _known(choice.known),
                text(probability),
                " or ".join(choice.best),
                text(values[choice.best[0]]),
                f"{second}: {text(values[second])}" if others else "",
            )
        out.print()
        out.print(headed("Optimal policy"))
        out.print(table)
        self._print_left_out(len(rows), "situations")
        table = empty_table(">payoff", ">probability", ">this or more")
        tail: Number = Fraction(1)
        for payoff, p in list(solution.risk_profile.items())[:MAX_ROWS]:
            table.add_row(text(payoff), text(p), text(tail))
            tail -= p
        out.print()
        out.print(headed("Payoff under the optimal policy"))
        out.print(table)
        self._print_left_out(len(solution.risk_profile), "payoffs")

    def print_information(self, worth: list[decision_analysis.Information]) -> None:
        """Print the value of perfect information."""
        if not worth:
            return
        out = console()
        is_staged = isinstance(self.model, decision_analysis.StagedDecision)
        table = empty_table("outcome of" if is_staged else "known", "before", ">value")
        for names, before, value in worth:
            table.add_row(" and ".join(names), before, self._text(value))
        out.print()
        out.print(headed("Value of perfect information"))
        out.print(table)

    def print_thresholds(self, sensitivity: decision_analysis.Sensitivity) -> None:
        """Print the numbers at which the best options change."""
        out = console()
        bounds = f"from {self._text(sensitivity.low)} to {self._text(sensitivity.high)}"
        out.print()
        out.print(headed(f"Thresholds of {' and '.join(sensitivity.names)} {bounds}"))
        if not sensitivity.thresholds:
            out.print("The optimal policy stays the same.")
            return
        table = empty_table(">threshold", "decision", "known", "below", "above")
        for item in sensitivity.thresholds:
            table.add_row(
                self._text(item.number if item.is_exact else float(item.number)),
                item.decision,
                _known(item.known),
                " or ".join(item.below),
                " or ".join(item.above),
            )
        out.print(table)

    def _number(self, value: Number) -> float | str:
        """Return a number for JSON: a fraction as a string with ``--exact``."""
        return str(value) if self.exact else float(value)

    def _text(self, value: Number) -> str:
        return str(value) if self.exact else f"{float(value):.7g}"

    def _print_left_out(self, number: int, what: str) -> None:
        if number > MAX_ROWS:
            console().print(f"{number - MAX_ROWS:,} more {what} are in the output of --json.")


def _known(known: Mapping[str, str]) -> str:
    """Return what is known in words; a state of a stage needs no name."""
    return ", ".join(
        state if name == decision_model.STATE else f"{name} {state}"
        for name, state in known.items()
    )


def save_plot(
    title: str, unit: str, sensitivity: decision_analysis.Sensitivity, path: Path
) -> None:
    """Plot the value of each option of the first decision against the number."""
    curves: dict[str, dict[Fraction, float]] = {}
    decisions = set[str]()
    for number, solution in sensitivity.solutions.items():
        for choice, _ in solution.first_choices:
            decisions.add(choice.decision)
            known = _known(choice.known)
            for option, value in solution.certainty_equivalents(choice).items():
                name = f"{known}: {option}" if known else option
                curves.setdefault(name, {})[number] = float(value)
    plots.save_option_values(
        list(map(float, sensitivity.solutions)),
        {
            name: [curve.get(x, nan) for x in sensitivity.solutions]
            for name, curve in curves.items()
        },
        [float(item.number) for item in sensitivity.thresholds if item.decision in decisions],
        path,
        (title, " and ".join(sensitivity.names), f"Value ({unit})" if unit else "Value"),
    )
