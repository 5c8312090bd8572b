"""Pictures of decisions as decision trees, in the DOT language, as SVG, or as PNG.

The picture of a decision shows states, options, and outcomes from left to right. Thin arrows lead
from a state to its options, and thick arrows to its best options. The width of an arrow from an
option to an outcome grows with the probability. The label of the arrow is this probability; an
arrow whose probability is one has no label. Each node shows its value below its name. The value of
an option is the mean of its outcomes minus its cost. The value of a state is the largest value of
its options.

Source of the layout: W. Huber's answer on stats.stackexchange.com (2015), which calls it an
influence diagram. The usual name is a decision tree; here, equal branches are merged.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from rollwise.decision_analysis.decision_problem import DecisionProblem, Number, analyze
from rollwise.decision_analysis.turn import Turn
from rollwise.errors import InputError, check_extra
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
        """Return the picture as SVG, with light and dark colors (extra ``plot``).

        Raises
        ------
        ValueError
            If pygraphviz is not installed.
        RuntimeError
            If Graphviz cannot lay out the picture.
        """
        return re.sub(r"<svg [^>]*>", rf"\g<0>\n{_STYLE}", self._render("svg").decode(), count=1)

    def png(self) -> bytes:
        """Return the picture as PNG, with light colors (extra ``plot``)."""
        return self._render("png")

    def save(self, path: str | Path) -> None:
        """Write the picture to a file in the format of its suffix: ``.dot``, ``.svg``, or ``.png``.

        Raises
        ------
        ValueError
            If the file has a different suffix, or pygraphviz is not installed and the suffix is not
            ``.dot``.
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
                    f"cannot draw to {path.name!r}; use a name that ends in .svg, .png, or .dot"
                )

    def _repr_svg_(self) -> str:
        return self.svg()

    def _render(self, form: str) -> bytes:
        check_extra("plot", "drawing .svg or .png, unlike .dot,", "pygraphviz")
        # Graphviz is not thread-safe, and writes warnings about fonts to stderr.
        command = [sys.executable, "-c", _RENDERER, form]
        process = subprocess.run(command, input=self.dot.encode(), capture_output=True, check=False)
        if process.returncode:
            raise RuntimeError(f"Graphviz cannot lay out the picture: {process.stderr.decode()}")
        return process.stdout


_RENDERER = """\
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog="dot"))
"""

_DARK = {
    "white": "#14191f", "black": "#d5dde6", "#888888": "#7c8896", "#999999": "#7c8896",
    "#dce9f5": "#21405c", "#f8d9a8": "#6b4a17", "#e8eef7": "#2a3644", "#1a7f37": "#4cc26d",
}  # fmt: skip
"""The color in dark mode of each color in DOT."""

_STYLE = "".join(
    [
        "<style>svg{max-width:100%;height:auto}@media(prefers-color-scheme:dark){text{fill:#e6edf5}",
        *(
            f'[{part}="{light}"]{{{part}:{dark}}}'
            for light, dark in _DARK.items()
            for part in ("fill", "stroke")
        ),
        "}</style>",
    ]
)


def check_size(nodes: int) -> None:
    """Raise InputError if a picture has more than `MAX_NODES` nodes."""
    if nodes > MAX_NODES:
        raise InputError(
            f"the picture would have {nodes:,} nodes; it can have at most {MAX_NODES}; "
            "draw a smaller problem, or a turn with fewer dice or faces"
        )


def short(number: Number) -> str:
    """Return a number as a label: a short one exactly, other numbers to four digits."""
    number = Fraction(number)
    if abs(number) < 1_000 and number.denominator < 10_000:
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
    problems: DecisionProblem | Sequence[DecisionProblem],
    utility: Callable[[Number], Number] | None = None,
    title: str = "",
    names: Sequence[str] = (),
) -> Picture:
    """Draw the solution of a decision problem, or of several consecutive problems.

    Parameters
    ----------
    problems
        The decision problem, or several in chronological order: see `analyze`.
    utility
        The decision maker's utility of a payoff. If it is given, outcomes show their payoffs and
        utilities, and the other nodes show expected utilities.
    title
        A line above the picture.
    names
        The names of the problems, if the states should show them.

    Raises
    ------
    ValueError
        If the problems are too large for a picture, or `analyze` cannot solve them.
    """
    row = [problems] if isinstance(problems, DecisionProblem) else list(problems)
    columns: dict[str, dict[str, list[str]]] = {}
    ends: dict[str, list[str]] = {}
    arrows: list[str] = []
    for i, (problem, decision) in enumerate(zip(row, analyze(row, utility), strict=True)):
        states, options = _column(i, "state"), _column(i, "option")
        columns[states] = {
            state: [*names[i : i + 1], state, short(value)]
            for state, value in decision.values.items()
        }
        columns[options] = {
            option: [option, short(value)]
            + ([f"after cost {short(problem.cost[option])}"] if option in problem.cost else [])
            for option, value in decision.option_values.items()
        }
        for state, available in problem.available.items():
            for option in available:
                is_best = option in decision.best[state]
                style = "penwidth=3.5" if is_best else 'penwidth=0.8, color="#888888"'
                arrows.append(_arrow(states, state, options, option, style))
        for option, outcomes in problem.options.items():
            for outcome, p in outcomes.items():
                later = (k for k in range(i + 1, len(row)) if outcome in row[k].available)
                head = next((_column(k, "state") for k in later), "outcome")
                if head == "outcome":
                    payoff = (row[-1].payoff or {})[outcome]
                    ends[outcome] = [outcome, short(payoff)]
                    if utility:
                        ends[outcome].append(f"utility {short(utility(payoff))}")
                label = "" if p == 1 else f", label={dot_string(short(p))}"
                style = f"penwidth={0.5 + 3 * float(p):.2f}{label}"
                arrows.append(_arrow(options, option, head, outcome, style))
    columns["outcome"] = ends
    check_size(sum(map(len, columns.values())))
    return Picture("\n".join([*_nodes(columns, title), *arrows, "}", ""]))


def turn_picture(turn: Turn, rolls_left: int = 1, title: str = "") -> Picture:
    """Draw the decision of a turn with ``rolls_left`` rolls left.

    Raises
    ------
    ValueError
        If the turn is too large for a picture, or the number of rolls left is out of range.
    """
    check_size(2 * len(turn.states) + len(turn.options))
    if rolls_left < 1:
        raise InputError(f"the number of rolls left must be 1 or more, not {rolls_left}")
    return decision_picture(turn.decision_problem(turn.payoffs(rolls_left - 1)), title=title)


def _nodes(columns: Mapping[str, Mapping[str, Sequence[str]]], title: str) -> list[str]:
    lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
    for column, nodes in columns.items():
        lines.append(f'  {{ rank=same; node [fillcolor="{_COLORS[column.split()[-1]]}"];')
        lines += [
            f"    {_node(column, name)} [label={dot_string(*label)}];"
            for name, label in nodes.items()
        ]
        lines.append("  }")
    return lines


def _column(stage: int, kind: str) -> str:
    return f"stage {stage + 1} {kind}" if stage else kind


def _arrow(tail_column: str, tail: str, head_column: str, head: str, style: str) -> str:
    return f"  {_node(tail_column, tail)} -> {_node(head_column, head)} [{style}];"


def _node(column: str, name: str) -> str:
    return dot_string(f"{column} {name}")
