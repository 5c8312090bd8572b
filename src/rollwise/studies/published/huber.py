"""Numbers in W. Huber's answer on Stack Exchange, computed in fractions."""

from collections.abc import Mapping
from functools import cache

from rollwise.decision_analysis import Profiles, TurnAnalysis, analyze_turn, decide, profile_turn
from rollwise.studies.published.figures import Compute, Rows, SourceTable


@cache
def _yahtzee() -> TurnAnalysis:
    return analyze_turn(profile_turn("00001"))


@cache
def _coins() -> TurnAnalysis:
    return analyze_turn(profile_turn("11", faces=2, dice=3, rolls=3))


def figure(table: SourceTable) -> Rows:
    """Return the value and the outcome probabilities of each option with three coins."""
    problem = _coins().turn.decision_problem()
    values = decide(problem).option_values
    return {
        option: [values[option], *(outcomes.get(state, 0) for state in ("11", "001"))]
        for option, outcomes in problem.options.items()
    }


def figure_states(table: SourceTable) -> Rows:
    """Return the payoff, the value before the last roll, and the best options of two states.

    The last column is the number of options of the state.
    """
    problem = _coins().turn.decision_problem()
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
    """Return the number of states, the number of options, and the notation of some dice."""
    turn = _yahtzee().turn
    dice = {"13456": "5", "44111": "011", "13356": "31", "33": "01", "no dice": "0"}
    codes = {text: turn.text_of([int(digit) for digit in text if digit.isdigit()]) for text in dice}
    return {"states": [len(turn.states)], "options": [len(turn.options)]} | {
        f"code of {text}": [code] for text, code in codes.items()
    }


def one_die(table: SourceTable) -> Rows:
    """Return the numbers of ways in which one more die extends a pair."""
    ways = dict(Profiles(6).roll_one((0, 1)))
    return {"ways from 01": [ways[1, 1], ways[0, 0, 1]]}


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
    """Return all best options of each state with three coins, after each roll."""
    return _moves(_coins(), table)


def first_roll(table: SourceTable) -> Rows:
    """Return the distribution of the first roll."""
    distribution = _yahtzee().turn.outcomes("0")
    return {"0": [distribution[state] for state in table.columns]}


def chance(table: SourceTable) -> Rows:
    """Return the probability of a yahtzee with optimal play."""
    return {row: [_yahtzee().value] for row in table.rows}


def full_house(table: SourceTable) -> Rows:
    """Return whether the best options for a full house depend on the rolls left."""
    analysis = analyze_turn(profile_turn("011"))
    (row,) = table.rows
    return {row: ["no" if analysis.moves(2) == analysis.moves(1) else "yes"]}


def _after(analysis: TurnAnalysis, table: SourceTable) -> Rows:
    left = range(analysis.turn.rolls - 1, -1, -1)
    distributions = [analysis.payoffs(rolls) for rolls in left]
    return {
        row: [distribution[state] for state in table.columns]
        for row, distribution in zip(table.rows, distributions, strict=True)
    }


def _moves(analysis: TurnAnalysis, table: SourceTable) -> Rows:
    best = [analysis.moves(rolls) for rolls in range(analysis.turn.rolls - 1, 0, -1)]
    return {
        row: [options[state] for state in table.columns]
        for row, options in zip(table.rows, best, strict=True)
    }


TABLES: Mapping[str, Compute] = {
    "figure": figure,
    "figure_states": figure_states,
    "states_and_options": states_and_options,
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
