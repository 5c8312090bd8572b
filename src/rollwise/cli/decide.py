"""``rollwise decide``: the best policy for consecutive decisions in a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from rollwise.cli import flags
from rollwise.cli.common import (
    check_folder,
    console,
    empty_table,
    headed,
    print_written,
    write_json,
)
from rollwise.cli.lazy_imports import lazy_imports

with lazy_imports():
    from rollwise import decision_analysis
    from rollwise.decision_analysis import decision_file


MAX_ROWS = 40
"""The maximum number of rows in a table."""


def decide(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="A TOML file with consecutive decisions.")
    ],
    diagram: Annotated[
        Path | None,
        typer.Option(
            "--diagram", metavar="FILE", help="Also draw the decisions as .svg, .png, or .dot."
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print fractions.")] = False,
    as_json: flags.Json = False,
    quiet: flags.Quiet = False,
) -> None:
    """Find the best policy for decisions in a file.

    [bold]Examples[/bold]

      rollwise decide plant.toml

      rollwise decide plant.toml --diagram plant.svg

      rollwise decide five-of-a-kind.toml --exact --json

    The result is the best option in every state, and the distribution of the payoff. With a
    utility, values are certainty equivalents: the certain payoffs that are equally good.
    """
    check_folder(diagram)
    decision = decision_analysis.load_decision(file)
    plan = decision.solve()
    if diagram is not None:
        names = decision.names if len(decision.names) > 1 else ()
        decision_analysis.decision_picture(
            decision.problems, decision.utility, decision.title, names
        ).save(diagram)
    if as_json:

        def number(value: Fraction) -> float | str:
            return str(value) if exact else float(value)

        write_json(
            {
                "file": str(file),
                "title": decision.title,
                "unit": decision.unit,
                "expected_payoff": number(plan.expected_payoff),
                "expected_utility": number(plan.expected_utility),
                "certainty_equivalent": number(plan.certainty_equivalent),
                "choices": [
                    {
                        "stage": choice.stage,
                        "state": choice.state,
                        "probability": number(choice.probability),
                        "values": {d: number(value) for d, value in choice.values.items()},
                        "best": choice.best,
                    }
                    for choice in plan.choices
                ],
                "risk_profile": [
                    {"payoff": number(payoff), "probability": number(p)}
                    for payoff, p in plan.risk_profile.items()
                ],
            }
        )
    else:
        _print_plan(decision.title or str(file), decision, plan, exact)
    print_written([diagram] if diagram is not None else [], quiet)


def _print_plan(
    title: str, decision: decision_file.StagedDecision, plan: decision_file.Plan, exact: bool
) -> None:
    """Print the expected payoff, the optimal policy, and the risk profile."""

    def text(value: Fraction) -> str:
        return str(value) if exact else f"{float(value):.7g}"

    out = console()
    unit = f" {decision.unit}" if decision.unit else ""
    out.print(headed(title))
    out.print(f"expected payoff       {text(plan.expected_payoff)}{unit}")
    if decision.utility:
        out.print(f"certainty equivalent  {text(plan.certainty_equivalent)}{unit}")
        out.print(f"expected utility      {text(plan.expected_utility)}")
    table = empty_table("stage", "state", ">probability", "best", ">value", "next best")
    reached = [choice for choice in plan.choices if choice.probability]
    for choice in reached[:MAX_ROWS]:
        others = [option for option in choice.values if option not in choice.best]
        second = max(others, key=lambda option: choice.values[option], default="")
        table.add_row(
            choice.stage,
            choice.state,
            text(choice.probability),
            " or ".join(choice.best),
            text(choice.values[choice.best[0]]),
            f"{second}: {text(choice.values[second])}" if others else "",
        )
    out.print()
    out.print(headed("Optimal policy"))
    out.print(table)
    _print_left_out(len(reached), "states")
    table = empty_table(">payoff", ">probability", ">this or more")
    tail = Fraction(1)
    for payoff, p in list(plan.risk_profile.items())[:MAX_ROWS]:
        table.add_row(text(payoff), text(p), text(tail))
        tail -= p
    out.print()
    out.print(headed("Payoff under the optimal policy"))
    out.print(table)
    _print_left_out(len(plan.risk_profile), "payoffs")


def _print_left_out(number: int, what: str) -> None:
    if number > MAX_ROWS:
        console().print(f"{number - MAX_ROWS:,} more {what} are in the output of --json.")
