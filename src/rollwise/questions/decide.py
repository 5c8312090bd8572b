"""The best policy for consecutive decisions, which a file or a text describes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, ClassVar

from cyclopts import Parameter

from rollwise.decision_analysis import decision_picture, load_decision
from rollwise.decision_analysis.decision_file import parse_decision
from rollwise.errors import InputError, check_type
from rollwise.files import check_folder
from rollwise.questions import checks_arguments
from rollwise.questions.answer import (
    Answer,
    Block,
    Data,
    Hidden,
    Number,
    format_number,
    table,
    title,
)
from rollwise.questions.progress import note_written

MAX_ROWS = 40
"""The maximum number of rows in a table."""


class Choice(Data):
    """The options of a state of a stage."""

    stage: str
    state: str
    probability: Number
    """The probability that the optimal policy reaches this state."""
    values: dict[str, Number]
    """The certainty equivalent of each option, which is its expected payoff without a utility."""
    best: list[str]


class PayoffProbability(Data):
    """A possible payoff."""

    payoff: Number
    probability: Number


class Decision(Answer):
    """An optimal policy for consecutive decisions."""

    has_fractions: ClassVar[bool] = True

    file: str
    """The path of the file; empty for a text."""
    title: str
    unit: str
    expected_payoff: Number
    expected_utility: Number
    certainty_equivalent: Number
    choices: list[Choice]
    risk_profile: list[PayoffProbability]
    """The distribution of the payoff under the optimal policy."""
    has_utility: Hidden[bool]

    def __repr__(self) -> str:
        value = f"{format_number(self.certainty_equivalent)} {self.unit}".strip()
        return f"<Decision {self.title or self.file!r}: {value}>"

    def show(self) -> Iterator[Block]:
        """Yield the expected payoff, the optimal policy, and the risk profile."""
        unit = f" {self.unit}" if self.unit else ""
        yield title(self.title or self.file or "Decision")
        yield f"expected payoff       {format_number(self.expected_payoff)}{unit}"
        if self.has_utility:
            yield f"certainty equivalent  {format_number(self.certainty_equivalent)}{unit}"
            yield f"expected utility      {format_number(self.expected_utility)}"
        rows = table("stage", "state", ">probability", "best", ">value", "next best")
        reached = [choice for choice in self.choices if choice.probability]
        for choice in reached[:MAX_ROWS]:
            others = [option for option in choice.values if option not in choice.best]
            second = max(others, key=lambda option: choice.values[option], default="")
            rows.add_row(
                choice.stage,
                choice.state,
                format_number(choice.probability),
                " or ".join(choice.best),
                format_number(choice.values[choice.best[0]]),
                f"{second}: {format_number(choice.values[second])}" if others else "",
            )
        yield ""
        yield title("Optimal policy")
        yield rows
        yield from _left_out(len(reached), "states")
        rows = table(">payoff", ">probability", ">this or more")
        tail: Fraction | float = Fraction(1)
        for row in self.risk_profile[:MAX_ROWS]:
            rows.add_row(*map(format_number, (row.payoff, row.probability, tail)))
            tail -= row.probability
        yield ""
        yield title("Payoff under the optimal policy")
        yield rows
        yield from _left_out(len(self.risk_profile), "payoffs")


def _left_out(number: int, what: str) -> Iterator[Block]:
    if number > MAX_ROWS:
        yield f"{number - MAX_ROWS:,} more {what} are in the output of --json."


@checks_arguments
def decide(
    file: Path | str,
    *,
    diagram: Annotated[Path | None, Parameter(metavar="FILE")] = None,
) -> Decision:
    """Find the best policy for decisions in a file.

    The result is the best option in every state, and the distribution of the payoff. With a
    utility, values are certainty equivalents: the certain payoffs that are equally good.

    Parameters
    ----------
    file
        Consecutive decisions in the TOML format.
    diagram
        Also draw the decisions as .svg, .png, or .dot.

    Examples
    --------
    A path is a file, and a string is the content of a file:

    >>> bet = decide('''
    ... stages.bet.states.table = ["play", "leave"]
    ... stages.bet.options = { play = { win = "1/2", lose = "1/2" }, leave = { even = 1 } }
    ... payoffs = { win = 5, lose = -4, even = 0 }
    ... ''')
    >>> bet.choices[0].best, bet.expected_payoff
    (['play'], Fraction(1, 2))

    rollwise decide plant.toml
    rollwise decide plant.toml --diagram plant.svg
    rollwise decide five-of-a-kind.toml --exact --json
    """
    check_folder(diagram)
    check_type(file, (Path, str), "the Path of a decision file, or its text")
    if isinstance(file, Path):
        source, decision = str(file), load_decision(file)
    else:
        if file.endswith(".toml"):
            raise InputError(
                f"A string is the content of a file. To read the file, pass Path({file!r})."
            )
        source, decision = "", parse_decision(file)
    plan = decision.solve()
    if diagram is not None:
        names = decision.names if len(decision.names) > 1 else ()
        decision_picture(decision.problems, decision.utility, decision.title, names).save(diagram)
        note_written(diagram)
    return Decision(
        file=source,
        title=decision.title,
        unit=decision.unit,
        expected_payoff=plan.expected_payoff,
        expected_utility=plan.expected_utility,
        certainty_equivalent=plan.certainty_equivalent,
        choices=[Choice(**choice._asdict()) for choice in plan.choices],
        risk_profile=[
            PayoffProbability(payoff=payoff, probability=p)
            for payoff, p in plan.risk_profile.items()
        ],
        has_utility=decision.utility is not None,
    )
