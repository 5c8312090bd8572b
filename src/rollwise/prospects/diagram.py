"""Influence diagrams: a decision drawn as states, options and outcomes, from left to right.

A thin arrow from a state says that an option is available, a heavy one that it is a best option.
An arrow from an option is the heavier, the more probable its outcome, and carries the probability
unless it is one. Beside each name stands its value.

The DOT text needs nothing but this module; SVG and PNG need the ``graph`` extra and Graphviz.

Source of the form: W. Huber's answer on stats.stackexchange.com (2015).
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rollwise.errors import InputError, MissingExtraError
from rollwise.files import write_atomically
from rollwise.prospects.arrows import Number
from rollwise.prospects.induction import TurnAnalysis
from rollwise.prospects.prospect import Decision, Prospect, check_payoff, decide

MAX_NODES = 200
"""Larger diagrams are refused: nobody can read them, and laying them out takes minutes."""

_HEADER = """\
digraph decision {
  rankdir=LR; nodesep=0.3; ranksep=2; splines=true; outputorder=edgesfirst;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, shape=box, margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""


@dataclass(frozen=True)
class InfluenceDiagram:
    """The picture of a prospect and its solution; a notebook shows it as it is.

    Attributes
    ----------
    prospect
        What to draw, with its payoff; ``dataclasses.replace`` gives one to a decision that others
        follow: the values of the next.
    decision
        Its solution; that of `decide` unless given, for instance one with a utility.
    title
        A line above the picture.

    Raises
    ------
    ValueError
        When the prospect is too large for a picture, or an outcome has no payoff.
    """

    prospect: Prospect
    decision: Decision | None = None
    title: str = ""

    def __post_init__(self) -> None:
        p = self.prospect
        _check_size(len(p.states) + len(p.options) + len(p.outcomes))
        check_payoff(p.outcomes, p.payoff or {})

    def dot(self) -> str:
        """Return the diagram in the DOT language."""
        prospect = self.prospect
        solved = self.decision or decide(prospect)
        payoff = prospect.payoff or {}
        lines = [_HEADER]
        if self.title:
            lines.append(f"  label={_quoted(self.title)};")
        columns = (
            ("state", "#dce9f5", solved.values),
            ("option", "#f8d9a8", solved.option_values),
            ("outcome", "#dce9f5", {outcome: payoff[outcome] for outcome in prospect.outcomes}),
        )
        for column, colour, values in columns:
            lines.append(f'  {{ rank=same; node [fillcolor="{colour}"];')
            lines += [
                f"    {_node(column, name)} [label={_quoted(name, short(value))}];"
                for name, value in values.items()
            ]
            lines.append("  }")
        for state, offered in prospect.available.items():
            for option in offered:
                look = (
                    "penwidth=3.5"
                    if option in solved.best[state]
                    else 'penwidth=0.8, color="#888888"'
                )
                lines.append(f"  {_node('state', state)} -> {_node('option', option)} [{look}];")
        for option, outcomes in prospect.options.items():
            for outcome, p in outcomes.items():
                label = "" if p == 1 else f", label={_quoted(short(p))}"
                lines.append(
                    f"  {_node('option', option)} -> {_node('outcome', outcome)} "
                    f"[penwidth={0.5 + 3 * float(p):.2f}{label}];"
                )
        return "\n".join([*lines, "}", ""])

    def svg(self) -> str:
        """Return the diagram as SVG.

        Raises
        ------
        MissingExtraError
            When the ``graph`` extra or Graphviz is not installed.
        """
        return self._render("svg").decode()

    def png(self) -> bytes:
        """Return the diagram as PNG; raises as `svg` does."""
        return self._render("png")

    def save(self, path: str | Path) -> None:
        """Write the diagram to a file, as its ending says: ``.dot``, ``.svg`` or ``.png``.

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
                write_atomically(path, self.dot().encode())
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
                'pictures need the graph extra; install it with: pip install "rollwise[graph]"'
            ) from error
        try:
            picture: bytes = graphviz.Source(self.dot()).pipe(format=form)
        except graphviz.ExecutableNotFound as error:
            raise MissingExtraError(
                "pictures need the program dot; install Graphviz, https://graphviz.org/download"
            ) from error
        return picture


def turn_diagram(analysis: TurnAnalysis, rolls_left: int = 1, title: str = "") -> InfluenceDiagram:
    """Return the diagram of one decision of a turn: before the last roll, or an earlier one.

    Raises
    ------
    ValueError
        When the turn is too large for a picture, or the number of rolls left is not 1 or more.
    """
    turn = analysis.turn
    _check_size(2 * len(turn.states) + len(turn.options))
    if rolls_left < 1:
        raise InputError(f"rolls left: got {rolls_left}, expected 1 or more")
    return InfluenceDiagram(turn.prospect(analysis.payoffs(rolls_left - 1)), title=title)


def short(number: Number) -> str:
    """Return a number for a label: a fraction as long as it is short, else four digits."""
    if isinstance(number, Fraction) and abs(number) < 1_000 and number.denominator < 10_000:
        return str(number)
    return f"{float(number):.4g}"


def _check_size(nodes: int) -> None:
    if nodes > MAX_NODES:
        raise InputError(f"a diagram of {nodes:,} states and options; expected at most {MAX_NODES}")


def _node(column: str, name: str) -> str:
    return _quoted(f"{column} {name}")


def _quoted(*lines: str) -> str:
    """Return lines as one DOT string."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
