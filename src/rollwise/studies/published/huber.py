"""Numbers in W. Huber's answer on Stack Exchange, computed with exact fractions."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement

from rollwise.decision_analysis import Profiles, Turn, decide
from rollwise.studies.published.toml_tables import Compute, Rows, SourceTable, register


@cache
def _yahtzee() -> Turn:
    return Turn(Profiles(), {"00001": 1})


@cache
def _coins() -> Turn:
    return Turn(Profiles(2), {"11": 1}, dice=3)


def figure(table: SourceTable) -> Rows:
    """Return the value and the outcome probabilities of each option in the game of three coins."""
    problem = _coins().decision_problem()
    values = decide(problem).option_values
    return {
        option: [values[option], *(outcomes.get(state, 0) for state in ("11", "001"))]
        for option, outcomes in problem.options.items()
    }


def figure_states(table: SourceTable) -> Rows:
    """Return the payoff, the value before the last roll, and the best options of each state.

    The last column is the number of options of the state.
    """
    problem = _coins().decision_problem()
    decision, last = decide(problem), _coins().payoffs(0)
    return {
        state: [
            last[state],
            decision.values[state],
            decision.best[state],
            decision.best[state],
            len(problem.available[state]),
        ]
        for state in table.rows
    }


def states_and_options(table: SourceTable) -> Rows:
    """Return the numbers of states and options, and the notation of some sets of dice."""
    turn = _yahtzee()
    dice = {"13456": "5", "44111": "011", "13356": "31", "33": "01", "no dice": "0"}
    codes = {text: turn.text_of([int(digit) for digit in text if digit.isdigit()]) for text in dice}
    return {"states": [len(turn.states)], "options": [len(turn.options)]} | {
        f"code of {text}": [code] for text, code in codes.items()
    }


def names_of_states(table: SourceTable) -> Rows:
    """Return all states, from the most different faces to the fewest."""
    turn = _yahtzee()
    order = sorted(turn.states, key=lambda state: (-sum(turn.notation.parse(state)), len(state)))
    return {"states": order}


def available(table: SourceTable) -> Rows:
    """Return whether an option with three coins is available from each state."""
    problem = _coins().decision_problem()
    return {
        row: [
            "yes" if row.removeprefix("option ") in problem.available[state] else "no"
            for state in table.columns
        ]
        for row in table.rows
    }


def faces_not_showing(table: SourceTable) -> Rows:
    """Return which rule gives d₀, the number of faces that do not show, for every option."""
    faces, options = 6, _yahtzee().points
    rules: Mapping[str, Callable[[Sequence[int]], int]] = {
        "nonzero": lambda d: sum(n != 0 for n in d),
        "sum": sum,
    }
    rolls = combinations_with_replacement(range(1, faces + 1), 5)
    # Number of faces that show, by profile; counted on dice, without the notation of profiles.
    shown = {
        tuple(sorted(Counter(dice[:kept]).values())): len(set(dice[:kept]))
        for dice in rolls
        for kept in range(6)
    }
    right = [
        name
        for name, rule in rules.items()
        if all(
            rule(option) == shown[tuple(i for i, n in enumerate(option, 1) for _ in range(n))]
            for option in options
        )
    ]
    return {row: [tuple(right)] for row in table.rows}


def one_die(table: SourceTable) -> Rows:
    """Return the numbers of ways in which one more die extends a pair."""
    faces, pair = 6, (0, 1)
    ways = dict(Profiles(faces).roll_one(pair))
    reached = [(1, 1), (0, 0, 1)]
    augmented = ["".join(map(str, (faces - sum(d), *d))) for d in (pair, *reached)]
    return {
        "ways from 01": [ways[state] for state in reached],
        "augmented vectors": augmented[1:],
        "augmented vector of 01": [augmented[0], "-"],
    }


def payoffs(table: SourceTable) -> Rows:
    """Return the probability of a yahtzee from each state, after each roll."""
    return _after(_yahtzee(), table)


def coins_payoffs(table: SourceTable) -> Rows:
    """Return the probability of a pair of coins from each state, after each roll."""
    return _after(_coins(), table)


def moves(table: SourceTable) -> Rows:
    """Return all best options of each state, after each roll."""
    return _moves(_yahtzee(), table)


def coins_moves(table: SourceTable) -> Rows:
    """Return all best options of each state in the game of three coins, after each roll."""
    return _moves(_coins(), table)


def first_roll(table: SourceTable) -> Rows:
    """Return the distribution of the first roll."""
    distribution = _yahtzee().outcomes("0")
    return {"0": [distribution[state] for state in table.columns]}


def chance(table: SourceTable) -> Rows:
    """Return the probability of a yahtzee with optimal play."""
    return {"fraction": [_yahtzee().value], "decimal": [_yahtzee().value]} | {
        "from 31 after the first roll": [_yahtzee().payoffs(2)["31"]]
    }


def full_house(table: SourceTable) -> Rows:
    """Return whether the best options for a full house depend on the rolls left."""
    turn = Turn(Profiles(), {"011": 1})
    (row,) = table.rows
    return {row: ["no" if turn.moves(2) == turn.moves(1) else "yes"]}


def _after(turn: Turn, table: SourceTable) -> Rows:
    left = range(turn.rolls - 1, -1, -1)
    distributions = [turn.payoffs(rolls) for rolls in left]
    return {
        row: [distribution[state] for state in table.columns]
        for row, distribution in zip(table.rows, distributions, strict=True)
    }


def _moves(turn: Turn, table: SourceTable) -> Rows:
    best = [turn.moves(rolls) for rolls in range(turn.rolls - 1, 0, -1)]
    return {
        row: [options[state] for state in table.columns]
        for row, options in zip(table.rows, best, strict=True)
    }


TABLES: Mapping[str, Compute] = {
    "figure": figure,
    "figure_states": figure_states,
    "states_and_options": states_and_options,
    "names_of_states": names_of_states,
    "available": available,
    "faces_not_showing": faces_not_showing,
    "one_die": one_die,
    "payoffs": payoffs,
    "moves": moves,
    "first_roll": first_roll,
    "chance": chance,
    "full_house": full_house,
    "coins_payoffs": coins_payoffs,
    "coins_moves": coins_moves,
}
"""The function for each table of ``huber.toml``."""

register("huber", TABLES)
