"""The picture of one decision: states, options and outcomes, from left to right.

A thin arrow from a state says that an option is available, a heavy one that it is a best option.
An arrow from an option is the heavier, the more probable its outcome, and carries the probability
unless it is one. Below each name stands its value, so that the picture adds up: an option has the
mean of its outcomes less its cost, a state the largest value of its options.

Source of the form: W. Huber's answer on stats.stackexchange.com (2015). He calls it an influence
diagram; in the words of the field it is a decision tree whose equal branches are merged.
"""

from collections.abc import Callable, Mapping

from rollwise.errors import InputError
from rollwise.prospects.arrows import Number
from rollwise.prospects.induction import TurnAnalysis
from rollwise.prospects.picture import Picture, check_size, dot_string, short
from rollwise.prospects.prospect import Decision, Prospect, decide

_HEADER = """\
digraph decision {
  rankdir=LR; nodesep=0.3; ranksep=2; splines=true; outputorder=edgesfirst;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, shape=box, margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""

_COLOURS = {"state": "#dce9f5", "option": "#f8d9a8", "outcome": "#dce9f5"}


def prospect_picture(
    prospect: Prospect, utility: Callable[[Number], Number] | None = None, title: str = ""
) -> Picture:
    """Draw a prospect and its solution.

    Parameters
    ----------
    prospect
        What to draw, with its payoff; ``dataclasses.replace`` gives one to a decision that others
        follow: the values of the next.
    utility
        As in `decide`; outcomes then show payoff and utility, all others expected utilities.
    title
        A line above the picture.

    Raises
    ------
    ValueError
        When the prospect is too large for a picture, an outcome has no finite payoff, or there are
        costs and a utility.
    """
    check_size(len(prospect.states) + len(prospect.options) + len(prospect.outcomes))
    solved = decide(prospect, utility)
    columns = {
        "state": {state: [short(value)] for state, value in solved.values.items()},
        "option": {
            option: [short(value)]
            + ([f"after cost {short(prospect.cost[option])}"] if option in prospect.cost else [])
            for option, value in solved.option_values.items()
        },
        "outcome": {
            outcome: [short(x)] + ([f"utility {short(utility(x))}"] if utility else [])
            for outcome, x in _payoffs(prospect).items()
        },
    }
    lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
    for column, boxes in columns.items():
        lines.append(f'  {{ rank=same; node [fillcolor="{_COLOURS[column]}"];')
        lines += [
            f"    {_node(column, name)} [label={dot_string(name, *below)}];"
            for name, below in boxes.items()
        ]
        lines.append("  }")
    return Picture("\n".join([*lines, *_arrows(prospect, solved), "}", ""]))


def turn_picture(analysis: TurnAnalysis, rolls_left: int = 1, title: str = "") -> Picture:
    """Draw one decision of a turn: before the last roll, or an earlier one.

    Raises
    ------
    ValueError
        When the turn is too large for a picture, or the number of rolls left is not 1 or more.
    """
    turn = analysis.turn
    check_size(2 * len(turn.states) + len(turn.options))
    if rolls_left < 1:
        raise InputError(f"rolls left: got {rolls_left}, expected 1 or more")
    return prospect_picture(turn.prospect(analysis.payoffs(rolls_left - 1)), title=title)


def _arrows(prospect: Prospect, solved: Decision) -> list[str]:
    lines: list[str] = []
    for state, offered in prospect.available.items():
        for option in offered:
            best = option in solved.best[state]
            look = "penwidth=3.5" if best else 'penwidth=0.8, color="#888888"'
            lines.append(f"  {_node('state', state)} -> {_node('option', option)} [{look}];")
    for option, outcomes in prospect.options.items():
        for outcome, p in outcomes.items():
            label = "" if p == 1 else f", label={dot_string(short(p))}"
            lines.append(
                f"  {_node('option', option)} -> {_node('outcome', outcome)} "
                f"[penwidth={0.5 + 3 * float(p):.2f}{label}];"
            )
    return lines


def _payoffs(prospect: Prospect) -> Mapping[str, Number]:
    """Return the payoffs of outcomes that can be, in their order."""
    payoff = prospect.payoff or {}
    return {outcome: payoff[outcome] for outcome in prospect.outcomes}


def _node(column: str, name: str) -> str:
    return dot_string(f"{column} {name}")
