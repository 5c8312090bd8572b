"""Pictures of Markov chains, as state diagrams in the DOT language."""

from collections.abc import Mapping
from fractions import Fraction

from rollwise.decision_analysis.chains import MarkovChain
from rollwise.decision_analysis.picture import Picture, check_size, dot_string, short

_HEADER = """\
digraph chain {
  rankdir=LR; nodesep=0.4; ranksep=0.8; outputorder=edgesfirst;
  graph [fontname="Helvetica", labelloc=t];
  node [fontname="Helvetica", fontsize=13, style=filled, fillcolor="#dce9f5", shape=circle];
  edge [fontname="Helvetica", fontsize=10, arrowsize=0.7];"""


def chain_picture(
    chain: MarkovChain, start: Mapping[str, Fraction] | None = None, title: str = ""
) -> Picture:
    """Draw a Markov chain as a state diagram.

    Each arrow shows a transition probability, and its width grows with the probability. An
    absorbing state has a double border and no arrows.

    Parameters
    ----------
    chain
        The chain.
    start
        The initial distribution, shown below the name of each state.
    title
        A line above the picture.

    Raises
    ------
    ValueError
        If the chain is too large for a picture.
    """
    check_size(len(chain.states))
    lines = [_HEADER, f"  label={dot_string(title)};"] if title else [_HEADER]
    for state in chain.states:
        names = (
            [state] if start is None else [state, f"start {short(start.get(state, Fraction(0)))}"]
        )
        border = "peripheries=2, " if state in chain.absorbing else ""
        lines.append(f"  {dot_string(state)} [{border}label={dot_string(*names)}];")
    for state, row in chain.rows.items():
        for target, p in row.items():
            if p and state not in chain.absorbing:
                lines.append(
                    f"  {dot_string(state)} -> {dot_string(target)} "
                    f"[penwidth={0.5 + 3 * float(p):.2f}, label={dot_string(short(p))}];"
                )
    return Picture("\n".join([*lines, "}", ""]))
