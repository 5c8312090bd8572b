"""Graphviz pictures of decisions, as decision trees in the DOT language.

DOT needs no other library. SVG and PNG need the ``graph`` extra and Graphviz.

The picture of a decision shows states, options, and outcomes from left to right. Thin arrows lead
from a state to its options, and thick arrows to its best options. The width of an arrow from an
option to an outcome grows with the probability. Its label is the probability unless it is one.
Each node shows its value below its name. The value of an option is the mean of its outcomes minus
its cost. The value of a state is the largest value of its options.

Source of the layout: W. Huber's answer on stats.stackexchange.com (2015), which calls it an
influence diagram. The usual name is a decision tree; here, equal branches are merged.
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
"""The maximum number of nodes. Larger pictures are unreadable and take minutes to lay out."""


@dataclass(frozen=True)
class Picture:
    """A picture, which notebooks display inline.

    Attributes
    ----------
    dot
        The picture in the DOT language.
    """

    dot: str = field(repr=False)

    def svg(self) -> str:
        """Return the picture as SVG.

        Raises
        ------
        MissingExtraError
            If the ``graph`` extra or Graphviz is not installed.
        """
        return self._render("svg").decode()

    def png(self) -> bytes:
        """Return the picture as PNG, with the same requirements as `svg`."""
        return self._render("png")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file in the format of its suffix: ``.dot``, ``.svg``, or ``.png``.

        Raises
        ------
        ValueError
            If the file has a different suffix.
        MissingExtraError
            If the format is SVG or PNG and the ``graph`` extra or Graphviz is not installed.
        OSError
            If the file cannot be written.
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
    """Raise InputError if a picture has more than `MAX_NODES` nodes."""
    if nodes > MAX_NODES:
        raise InputError(f"a picture of {nodes:,} nodes; expected at most {MAX_NODES}")


def short(number: Number) -> str:
    """Format a number for a label: a short Fraction exactly, other numbers to four digits."""
    if isinstance(number, Fraction) and abs(number) < 1_000 and number.denominator < 10_000:
        return str(number)
    return f"{float(number):.4g}"


def dot_string(*lines: str) -> str:
    """Return the given lines as one quoted DOT string."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


_HEADER = """\
digraph decision {
  rankdir=LR; nodesep=0.3; ranksep=2; splines=true; outputorder=edgesfirst;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, shape=box, margin="0.12,0.06"];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""

_COLORS = {"state": "#dce9f5", "option": "#f8d9a8", "outcome": "#dce9f5"}


def decision_picture(
    problem: DecisionProblem, utility: Callable[[Number], Number] | None = None, title: str = ""
) -> Picture:
    """Draw a decision problem and its solution.

    Parameters
    ----------
    problem
        The decision problem, with its payoff. If another decision follows, use
        ``dataclasses.replace`` to set the payoff to the values of the next decision.
    utility
        The decision maker's utility of a payoff. Outcomes then show payoff and utility; the other
        nodes show expected utilities.
    title
        A line above the picture.

    Raises
    ------
    ValueError
        If the problem is too large for a picture, an outcome has no finite payoff, or there are
        both costs and a utility.
    """
    check_size(len(problem.states) + len(problem.options) + len(problem.outcomes))
    decision = decide(problem, utility)
    columns = {
        "state": {state: [short(value)] for state, value in decision.values.items()},
        "option": {
            option: [short(value)]
            + ([f"after cost {short(problem.cost[option])}"] if option in problem.cost else [])
            for option, value in decision.option_values.items()
        },
        "outcome": {
            outcome: [short(x)] + ([f"utility {short(utility(x))}"] if utility else [])
            for outcome, x in _payoffs(problem).items()
        },
    }
    lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
    for column, nodes in columns.items():
        lines.append(f'  {{ rank=same; node [fillcolor="{_COLORS[column]}"];')
        lines += [
            f"    {_node(column, name)} [label={dot_string(name, *below)}];"
            for name, below in nodes.items()
        ]
        lines.append("  }")
    return Picture("\n".join([*lines, *_arrows(problem, decision), "}", ""]))


def turn_picture(analysis: TurnAnalysis, rolls_left: int = 1, title: str = "") -> Picture:
    """Draw the decision of a turn with ``rolls_left`` rolls left.

    Raises
    ------
    ValueError
        If the turn is too large for a picture, or the number of rolls left is out of range.
    """
    turn = analysis.turn
    check_size(2 * len(turn.states) + len(turn.options))
    if rolls_left < 1:
        raise InputError(f"rolls left: got {rolls_left}, expected 1 or more")
    return decision_picture(turn.decision_problem(analysis.payoffs(rolls_left - 1)), title=title)


def _arrows(problem: DecisionProblem, decision: Decision) -> list[str]:
    lines: list[str] = []
    for state, options in problem.available.items():
        for option in options:
            best = option in decision.best[state]
            style = "penwidth=3.5" if best else 'penwidth=0.8, color="#888888"'
            lines.append(f"  {_node('state', state)} -> {_node('option', option)} [{style}];")
    for option, outcomes in problem.options.items():
        for outcome, p in outcomes.items():
            label = "" if p == 1 else f", label={dot_string(short(p))}"
            lines.append(
                f"  {_node('option', option)} -> {_node('outcome', outcome)} "
                f"[penwidth={0.5 + 3 * float(p):.2f}{label}];"
            )
    return lines


def _payoffs(problem: DecisionProblem) -> Mapping[str, Number]:
    """Return the payoff of each possible outcome."""
    payoff = problem.payoff or {}
    return {outcome: payoff[outcome] for outcome in problem.outcomes}


def _node(column: str, name: str) -> str:
    return dot_string(f"{column} {name}")
