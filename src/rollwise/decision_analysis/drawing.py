"""Pictures in the DOT language, which Graphviz lays out.

The DOT text needs nothing but this module; SVG and PNG need the ``graph`` extra and Graphviz.

The picture of one decision: states, options and outcomes, from left to right.

A thin arrow from a state says that an option is available, a heavy one that it is a best option.
An arrow from an option is the heavier, the more probable its outcome, and carries the probability
unless it is one. Below each name stands its value, so that the picture adds up: an option has the
mean of its outcomes less its cost, a state the largest value of its options.

Source of the form: W. Huber's answer on stats.stackexchange.com (2015). He calls it an influence
diagram; in the words of the field it is a decision tree whose equal branches are merged.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.decision_problem import Decision, DecisionProblem, decide
from rollwise.decision_analysis.induction import TurnAnalysis
from rollwise.errors import InputError, MissingExtraError
from rollwise.files import write_atomically

MAX_NODES = 200
"""Larger pictures are refused: nobody can read them, and laying them out takes minutes."""


@dataclass(frozen=True)
class Picture:
    """A picture; a notebook shows it as it is.

    Attributes
    ----------
    dot
        What to draw, in the DOT language.
    """

    dot: str = field(repr=False)

    def svg(self) -> str:
        """Return the picture as SVG.

        Raises
        ------
        MissingExtraError
            When the ``graph`` extra or Graphviz is not installed.
        """
        return self._render("svg").decode()

    def png(self) -> bytes:
        """Return the picture as PNG; raises as `svg` does."""
        return self._render("png")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, as its ending says: ``.dot``, ``.svg`` or ``.png``.

        Raises
        ------
        ValueError
            When the ending is another.
        MissingExtraError
            When the picture needs something that is not installed.
        OSError
            When the file cannot be written.
        """
        path = Path(path)
        match path.suffix:
            case ".dot":
                write_atomically(path, self.dot.encode())
            case ".svg":
                write_atomically(path, self.svg().encode())
            case ".png":
                write_atomically(path, self.png())
            case _:
                raise InputError(
                    f"{path.name!r} is no picture file; expected an ending .svg, .png or .dot"
                )

    def _repr_svg_(self) -> str:
        return self.svg()

    def _render(self, form: str) -> bytes:
        try:
            import graphviz
        except ImportError as error:
            raise MissingExtraError(
                'pictures of graphs need graphviz: expected pip install "rollwise[graph]" before'
            ) from error
        try:
            picture: bytes = graphviz.Source(self.dot).pipe(format=form)
        except graphviz.ExecutableNotFound as error:
            raise MissingExtraError(
                "pictures need the program dot; install Graphviz, https://graphviz.org/download"
            ) from error
        return picture


def check_size(nodes: int) -> None:
    """Raise ValueError when a picture has more than `MAX_NODES` nodes."""
    if nodes > MAX_NODES:
        raise InputError(f"a picture of {nodes:,} nodes; expected at most {MAX_NODES}")


def short(number: Number) -> str:
    """Return a number for a label: a fraction as long as it is short, else four digits."""
    if isinstance(number, Fraction) and abs(number) < 1_000 and number.denominator < 10_000:
        return str(number)
    return f"{float(number):.4g}"


def dot_string(*lines: str) -> str:
    """Return lines as one DOT string."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


_HEADER = """\
digraph decision {
  rankdir=LR; nodesep=0.3; ranksep=2; splines=true; outputorder=edgesfirst;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, shape=box, margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""

_COLOURS = {"state": "#dce9f5", "option": "#f8d9a8", "outcome": "#dce9f5"}


def prospect_picture(
    prospect: DecisionProblem, utility: Callable[[Number], Number] | None = None, title: str = ""
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


def _arrows(prospect: DecisionProblem, solved: Decision) -> list[str]:
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


def _payoffs(prospect: DecisionProblem) -> Mapping[str, Number]:
    """Return the payoffs of outcomes that can be, in their order."""
    payoff = prospect.payoff or {}
    return {outcome: payoff[outcome] for outcome in prospect.outcomes}


def _node(column: str, name: str) -> str:
    return dot_string(f"{column} {name}")
