"""Output of the Markov chains of ``rollwise payoff-line``: tables, JSON data, and a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rollwise import decision_analysis
from rollwise.cli.common import console, empty_table, headed
from rollwise.cli.lazy_imports import lazy_imports
from rollwise.errors import InputError
from rollwise.rules import Rules

with lazy_imports():
    from rollwise.strategies import payoff_chains, payoff_paper, payoff_regression


MOST_ROLLS = 100
"""The maximum number of rolls after the state that ``--state`` names."""

From = tuple[str, int] | None
"""A state and the number of rolls after it, for the probabilities from this state."""


def chains_of(rules: Rules, key: str | None) -> list[payoff_chains.StartedChain]:
    """Return the chain with a key, or all chains, for the dice of a game."""
    chains = payoff_chains.all_chains(rules.dice, rules.faces)
    return [chain for chain in chains if key in (None, chain.key)]


def checked_state(state: int, rolls: int | None, rules: Rules, key: str | None) -> tuple[str, int]:
    """Check the state of ``--state``, and return it with the number of rolls after it."""
    rolls = rules.rolls - 1 if rolls is None else rolls
    if not 0 <= rolls <= MOST_ROLLS:
        raise InputError(f"With --state, --rolls-left must be from 0 to {MOST_ROLLS}, not {rolls}.")
    if not any(str(state) in chain.states for chain in chains_of(rules, key)):
        owner = "No chain" if key is None else f"The chain {key} does not have"
        verb = " has the state" if key is None else " the state"
        raise InputError(f"{owner}{verb} {state}. Run 'rollwise payoff-line' to see all states.")
    return str(state), rolls


def save_picture(chain: payoff_chains.StartedChain, path: Path) -> None:
    """Draw a chain as a state diagram, and save it as .svg, .png, or .dot."""
    title = f"{chain.title}: the number of dice to keep"
    decision_analysis.chain_picture(chain.chain, chain.start, title).save(path)


def print_chain(
    points: payoff_regression.Payoffs, chain: payoff_chains.StartedChain, start: From
) -> None:
    """Print a chain with its distributions."""
    out = console()
    out.print(headed(chain.title, ": from the column's state to the row's state"))
    out.print(_chain_table(points, chain, start))
    out.print()


def print_expected_rolls(chain: payoff_chains.StartedChain) -> None:
    """Print the expected number of rolls until each state, and the absorption probabilities."""
    out = console()
    out.print(headed(chain.title, ": expected further rolls until the row's state or a higher one"))
    columns = [f">from {state}" for state in chain.states]
    table = empty_table("", *columns, ">from the start", ">exactly")
    for target in chain.states:
        rolls = chain.expected_rolls(target)
        cells = [f"{float(rolls[state]):.4f}" for state in chain.states]
        table.add_row(target, *cells, f"{float(rolls['start']):.4f}", str(rolls["start"]))
    out.print(table)
    for state, probability in _absorption(chain).items():
        out.print(f"\nThe chain ends in state {state} with probability {probability}.")


def _absorption(chain: payoff_chains.StartedChain) -> dict[str, Fraction]:
    """Return the probability of ending in each absorbing state, from the first roll on."""
    ends = chain.chain.absorption()
    return {
        target: sum(
            (p * ends[state].get(target, Fraction(0)) for state, p in chain.start.items()),
            Fraction(0),
        )
        for target in chain.chain.absorbing
    }


def chain_as_dict(
    points: payoff_regression.Payoffs, chain: payoff_chains.StartedChain, start: From
) -> dict[str, Any]:
    """Return a chain as JSON data."""
    paper = payoff_paper.paper_chain(chain.key) if points.has_errors else None
    steps = points.rules.rolls - 1
    data: dict[str, Any] = {
        "chain": chain.key,
        "states": [int(state) for state in chain.states],
        "matrix": [_floats(row) for row in chain.matrix()],
        "first_roll": _floats(chain.after(chain.start, 0)),
        "after_all_rolls": _floats(chain.after(chain.start, steps)),
        "expected_rolls": [_expected_as_dict(chain, target) for target in chain.states],
        "absorption": {state: float(p) for state, p in _absorption(chain).items()},
        "paper": None,
        "from_state": None,
    }
    if paper is not None:
        shown = slice(*_shown(chain))
        data["paper"] = {
            "matrix": paper.matrix.T[shown, shown].tolist(),
            "first_roll": paper.start[shown].tolist(),
            "after_all_rolls": paper.after(steps)[shown].tolist(),
        }
    if start is not None and start[0] in chain.states:
        state, rolls = start
        probabilities = _floats(chain.after(state, rolls))
        data["from_state"] = {"state": int(state), "rolls": rolls, "probabilities": probabilities}
    return data


def _shown(chain: payoff_chains.StartedChain) -> tuple[int, int]:
    """Return the first state of a chain, and 1 more than the last state."""
    return int(chain.states[0]), int(chain.states[-1]) + 1


def _floats(row: Sequence[Fraction]) -> list[float]:
    return [float(number) for number in row]


def _expected_as_dict(chain: payoff_chains.StartedChain, target: str) -> dict[str, Any]:
    rolls = chain.expected_rolls(target)
    return {
        "state": int(target),
        "from_states": _floats([rolls[state] for state in chain.states]),
        "from_start": float(rolls["start"]),
        "exactly": str(rolls["start"]),
    }


def _chain_table(
    points: payoff_regression.Payoffs, chain: payoff_chains.StartedChain, start: From
) -> Any:
    """Return the matrix of a chain, and its distributions after the first and the last roll."""
    paper = payoff_paper.paper_chain(chain.key) if points.has_errors else None
    steps = points.rules.rolls - 1
    matrix: list[list[str]] = [[str(entry) for entry in row] for row in chain.matrix()]
    columns = {
        "first roll": [f"{float(p):.7f}" for p in chain.after(chain.start, 0)],
        f"after {steps + 1} rolls": [f"{float(p):.7f}" for p in chain.after(chain.start, steps)],
    }
    if paper is not None:
        _mark_errors(matrix, chain, paper)
        both = zip(columns, (paper.start, paper.after(steps)), strict=True)
        for heading, distribution in list(both):
            columns[heading] = _beside(columns[heading], distribution[slice(*_shown(chain))])
    if start is not None and start[0] in chain.states:
        state, rolls = start
        heading = f"from {state} after {rolls}"
        columns[heading] = [f"{float(p):.7f}" for p in chain.after(state, rolls)]
    table = empty_table("", *(f">{name}" for name in (*chain.states, *columns)))
    for state, entries, *cells in zip(chain.states, matrix, *columns.values(), strict=True):
        table.add_row(state, *entries, *cells)
    return table


def _mark_errors(
    matrix: list[list[str]], chain: payoff_chains.StartedChain, paper: payoff_paper.PaperChain
) -> None:
    """Append the paper's entry, in parentheses, where it differs from the correct entry."""
    first, _ = _shown(chain)
    for i, row in enumerate(chain.matrix()):
        for j, right in enumerate(row):
            published = float(paper.matrix[first + j, first + i])
            if published != float(right):
                matrix[i][j] += f" ({round(published * 1296)}/1296)"


def _beside(right: list[str], theirs: Iterable[float]) -> list[str]:
    """Return formatted numbers, with the paper's number in parentheses if it differs."""
    pairs = zip(right, (f"{number:.7f}" for number in theirs), strict=True)
    return [
        number_text if number_text == published else f"{number_text} ({published})"
        for number_text, published in pairs
    ]
