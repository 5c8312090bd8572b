"""M. Mince's chains from scratch, in fractions; what is done with them is in ``mince_play``."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from rollwise.decision_analysis import analyse_turn, profile_turn, target_turn
from rollwise.strategies.payoff_chains import StartedChain, all_chains
from rollwise.studies.published import mince_play
from rollwise.studies.published.figures import Compute, Ours, Rows, SourceTable

ROLLS = 6**5
"""Ordered rolls of five dice."""


@cache
def _chains() -> dict[str, StartedChain]:
    return {chain.key: chain for chain in all_chains()}


def matrix_t(table: SourceTable) -> Rows:
    """Return dice alike, one roll."""
    return _matrix("of-a-kind", table)


def matrix_p(table: SourceTable) -> Rows:
    """Return small straight, one roll."""
    return _matrix("small-straight", table)


def matrix_l(table: SourceTable) -> Rows:
    """Return large straight, one roll."""
    return _matrix("large-straight", table)


def two_rolls(table: SourceTable) -> Rows:
    """Return from state 2 after one and two rolls, and from state 4 after two."""
    chain = _chains()["of-a-kind"]
    one, two = chain.after("2", 1), chain.after("2", 2)
    return {
        "Tx": one,
        "Tx as used": one,
        "T²x": two,
        "T²x in percent": [100 * share for share in two],
        "T²x from state 4": chain.after("4", 2),
    }


def a_misprinted_entry(table: SourceTable) -> Rows:
    """Return from one of a kind to two."""
    return {"entry (2, 1)": [_chains()["of-a-kind"].matrix()[1][0]]}


def column_of_state_2(table: SourceTable) -> Rows:
    """Return three dice rolled for the two faces that a small straight of 1 and 2 still wants."""
    ways = _ways({3, 4}, dice=3)
    return {row: [ways[row]] for row in table.rows}


def large_straight_from_12566(table: SourceTable) -> Rows:
    """Return the chance that the chain has, and that of the best play, in percent."""
    analysis = analyse_turn(target_turn("large-straight"))
    best, *_ = analysis.best_keeps("12566", 2)
    return {
        "keeping 2 5 6": [100 * analysis.keep_value("256", 2)],
        "the chance of reaching it": [100 * analysis.keep_value(best, 2)],
    }


def first_roll_of_a_kind(table: SourceTable) -> Rows:
    """Return rolls of each state, and of some of its shapes."""
    shares = profile_turn("00001").outcomes("0")
    shapes = {"AABCC": "12", "AABCD": "31", "AAABB": "011", "AAABC": "201"}
    rows: dict[str, list[Ours]] = {
        state: [share * ROLLS, share] for state, share in _chains()["of-a-kind"].start.items()
    }
    return rows | {shape: [Fraction(shares[p]) * ROLLS, "-"] for shape, p in shapes.items()}


def first_roll_small_straight(table: SourceTable) -> Rows:
    """Return ordered rolls by where they first show each of the faces 1 to 4 (D)."""
    ways = _ways({1, 2, 3, 4}, dice=5)
    return {row: [ways[row.split()[0]]] for row in table.rows}


def first_roll_small_straight_states(table: SourceTable) -> Rows:
    """Return rolls of each state, and of all that show one of the faces at least."""
    rows = _start("small-straight", table)
    return rows | {"all": [(1 - _chains()["small-straight"].start["0"]) * ROLLS, "-"]}


def first_roll_large_straight(table: SourceTable) -> Rows:
    """Return rolls of each state."""
    return _start("large-straight", table)


def whole_turn_of_a_kind(table: SourceTable) -> Rows:
    """Return states after three rolls, going for dice alike."""
    return _whole_turn("of-a-kind", table)


def whole_turn_small_straight(table: SourceTable) -> Rows:
    """Return states after three rolls, going for a small straight."""
    return _whole_turn("small-straight", table)


def whole_turn_large_straight(table: SourceTable) -> Rows:
    """Return states after three rolls, going for a large straight."""
    return _whole_turn("large-straight", table)


def first_turn_vectors(table: SourceTable) -> Rows:
    """Return states after two more rolls from 1 6 2 2 6."""
    small, large = _chains()["small-straight"], _chains()["large-straight"]
    return {
        "ones": _chains()["of-a-kind"].after("1", 2),
        "twos": _chains()["of-a-kind"].after("2", 2),
        "small straight": [*small.after("2", 2)[1:], "-"],
        "large straight": large.after("2", 2)[1:],
    }


def _matrix(key: str, table: SourceTable) -> Rows:
    chain = _chains()[key]
    rows = dict(zip(chain.states, chain.matrix(), strict=True))
    return {state: rows[state][-len(table.columns) :] for state in table.rows}


def _start(key: str, table: SourceTable) -> dict[str, list[Ours]]:
    start = _chains()[key].start
    return {state: [start[state] * ROLLS, start[state]] for state in table.rows if state in start}


def _whole_turn(key: str, table: SourceTable) -> Rows:
    chain = _chains()[key]
    distribution = dict(zip(chain.states, chain.after(chain.start, 2), strict=True))
    return {state: [distribution[state]] for state in table.rows}


def _ways(wanted: set[int], dice: int) -> Counter[str]:
    """Return how many ordered rolls have each pattern: D for a face wanted and not shown before."""
    patterns = Counter[str]()
    for roll in product(range(1, 7), repeat=dice):
        new = (die in wanted and die not in roll[:i] for i, die in enumerate(roll))
        patterns["".join("D" if is_new else "X" for is_new in new)] += 1
    return patterns


TABLES: Mapping[str, Compute] = {
    "matrix_t": matrix_t,
    "two_rolls": two_rolls,
    "a_misprinted_entry": a_misprinted_entry,
    "matrix_p": matrix_p,
    "column_of_state_2": column_of_state_2,
    "matrix_l": matrix_l,
    "large_straight_from_12566": large_straight_from_12566,
    "first_roll_of_a_kind": first_roll_of_a_kind,
    "whole_turn_of_a_kind": whole_turn_of_a_kind,
    "first_roll_small_straight": first_roll_small_straight,
    "first_roll_small_straight_states": first_roll_small_straight_states,
    "whole_turn_small_straight": whole_turn_small_straight,
    "first_roll_large_straight": first_roll_large_straight,
    "whole_turn_large_straight": whole_turn_large_straight,
    "first_turn_vectors": first_turn_vectors,
    **mince_play.TABLES,
}
"""What computes each table of ``mince.toml``."""
