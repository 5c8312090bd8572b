"""Numbers in M. Mince's paper, computed by one function per table.

The first part computes the Markov chains of the paper in fractions. The second part computes its
payoffs, turns, and games. Payoffs follow the method of the paper. According to the paper, its
probabilities assume optimal play for one category. They are compared with the exact probabilities.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from rollwise.decision_analysis import analyze_turn, profile_turn, target_turn
from rollwise.game.dice_notation import format_keep, parse_dice
from rollwise.game.notation import parse_card
from rollwise.game.scorecard import Scorecard, legal_moves
from rollwise.rules import Rules, load_rules
from rollwise.strategies import PayoffLine
from rollwise.strategies.payoff_chains import StartedChain, all_chains
from rollwise.strategies.payoff_regression import OF_THE_PAPER, Point, Variant, payoffs
from rollwise.studies.published.figures import (
    Compute,
    ComputedValue,
    Rows,
    SourceTable,
    read_source,
)

ROLLS = 6**5
"""Number of ordered rolls of five dice."""

PLAYERS = {"You": "transcript_you", "Computer": "transcript_computer"}
"""The key of the table with each player's turns, by the player's column in `score_board`."""


@cache
def _chains() -> dict[str, StartedChain]:
    return {chain.key: chain for chain in all_chains()}


def matrix_t(table: SourceTable) -> Rows:
    """Return the transition matrix of n of a kind for one roll."""
    return _matrix("of-a-kind", table)


def matrix_p(table: SourceTable) -> Rows:
    """Return the transition matrix of the small straight for one roll."""
    return _matrix("small-straight", table)


def matrix_l(table: SourceTable) -> Rows:
    """Return the transition matrix of the large straight for one roll."""
    return _matrix("large-straight", table)


def two_rolls(table: SourceTable) -> Rows:
    """Return the distributions one and two rolls after state 2, and two rolls after state 4."""
    chain = _chains()["of-a-kind"]
    after_1, after_2 = chain.after("2", 1), chain.after("2", 2)
    return {
        "Tx": after_1,
        "Tx as used": after_1,
        "T²x": after_2,
        "T²x in percent": [100 * probability for probability in after_2],
        "T²x from state 4": chain.after("4", 2),
    }


def a_misprinted_entry(table: SourceTable) -> Rows:
    """Return the transition probability from one of a kind to two of a kind."""
    return {"entry (2, 1)": [_chains()["of-a-kind"].matrix()[1][0]]}


def column_of_state_2(table: SourceTable) -> Rows:
    """Return the number of rolls of three dice with each pattern, if 3 and 4 are wanted faces."""
    ways = _ways({3, 4}, dice=3)
    return {row: [ways[row]] for row in table.rows}


def large_straight_from_12566(table: SourceTable) -> Rows:
    """Return the percentages of large straights after the chain's option and the best option."""
    analysis = analyze_turn(target_turn("large-straight"))
    best, *_ = analysis.best_keeps("12566", 2)
    return {
        "keeping 2 5 6": [100 * analysis.keep_value("256", 2)],
        "the chance of reaching it": [100 * analysis.keep_value(best, 2)],
    }


def first_roll_of_a_kind(table: SourceTable) -> Rows:
    """Return the number and probability of first rolls by state, and the number by pattern."""
    probabilities = profile_turn("00001").outcomes("0")
    patterns = {"AABCC": "12", "AABCD": "31", "AAABB": "011", "AAABC": "201"}
    rows: dict[str, list[ComputedValue]] = {
        state: [probability * ROLLS, probability]
        for state, probability in _chains()["of-a-kind"].start.items()
    }
    return rows | {
        pattern: [Fraction(probabilities[profile]) * ROLLS, "-"]
        for pattern, profile in patterns.items()
    }


def first_roll_small_straight(table: SourceTable) -> Rows:
    """Return the number of ordered first rolls with each pattern, if 1 to 4 are wanted faces."""
    ways = _ways({1, 2, 3, 4}, dice=5)
    return {row: [ways[row.split()[0]]] for row in table.rows}


def first_roll_small_straight_states(table: SourceTable) -> Rows:
    """Return the number of first rolls in each state, and the total over all states except 0."""
    rows = _start("small-straight", table)
    return rows | {"all": [(1 - _chains()["small-straight"].start["0"]) * ROLLS, "-"]}


def first_roll_large_straight(table: SourceTable) -> Rows:
    """Return the number of first rolls in each state of the large-straight chain."""
    return _start("large-straight", table)


def whole_turn_of_a_kind(table: SourceTable) -> Rows:
    """Return the distribution of states after three rolls if the target is n of a kind."""
    return _whole_turn("of-a-kind", table)


def whole_turn_small_straight(table: SourceTable) -> Rows:
    """Return the distribution of states after three rolls if the target is a small straight."""
    return _whole_turn("small-straight", table)


def whole_turn_large_straight(table: SourceTable) -> Rows:
    """Return the distribution of states after three rolls if the target is a large straight."""
    return _whole_turn("large-straight", table)


def first_turn_vectors(table: SourceTable) -> Rows:
    """Return the distributions of states two rolls after the roll 1 6 2 2 6."""
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


def _start(key: str, table: SourceTable) -> dict[str, list[ComputedValue]]:
    start = _chains()[key].start
    return {state: [start[state] * ROLLS, start[state]] for state in table.rows if state in start}


def _whole_turn(key: str, table: SourceTable) -> Rows:
    chain = _chains()[key]
    distribution = dict(zip(chain.states, chain.after(chain.start, 2), strict=True))
    return {state: [distribution[state]] for state in table.rows}


def _ways(wanted: set[int], dice: int) -> Counter[str]:
    """Return the number of ordered rolls with each pattern.

    A pattern has a letter for each die. D is the first die that shows one of the wanted faces, and
    X is any other die.
    """
    patterns = Counter[str]()
    for roll in product(range(1, 7), repeat=dice):
        new = (die in wanted and die not in roll[:i] for i, die in enumerate(roll))
        patterns["".join("D" if is_new else "X" for is_new in new)] += 1
    return patterns


def whole_turns(table: SourceTable) -> Rows:
    """Return the payoff, its parts, and the probability of each category before a turn."""
    rules = load_rules(table.rules)
    points = payoffs(rules, "published")
    rows: dict[str, list[ComputedValue]] = {}
    for point in points.whole_turns():
        raw = point.points / points.best_total
        key = rules.keys[point.category]
        rows[key] = [point.payoff, point.exact, int(point.points), raw, point.payoff - raw]
    return rows


def line(table: SourceTable) -> Rows:
    """Return the least-squares line through the payoffs and probabilities of whole turns."""
    points = payoffs(load_rules(table.rules), "published")
    return {
        "slope": [points.line.slope],
        "intercept": [points.line.intercept],
        "best total": [points.best_total],
    }


def first_turn(table: SourceTable) -> Rows:
    """Return the payoff and the probability of each target for the roll 1 6 2 2 6.

    The payoffs of upper categories assume that the player ends with three dice of that face.
    """
    return _points(table, "published", "16226", 2)


def second_turn(table: SourceTable) -> Rows:
    """Return the payoff and the probability of each target for the roll 6 6 4 5 3.

    The payoffs of upper categories count the dice that show the face.
    """
    return _points(table, "second-table", "66453", 1)


def first_turn_choice(table: SourceTable) -> Rows:
    """Return the target and the dice to keep after the first roll."""
    return _choice(table, 2)


def second_turn_choice(table: SourceTable) -> Rows:
    """Return the target and the dice to keep after the second roll."""
    return _choice(table, 1)


def first_turn_payoffs(table: SourceTable) -> Rows:
    """Return the points of each target for the roll 1 6 2 2 6, divided by the best total."""
    rules = load_rules(table.rules)
    best = payoffs(rules, "published").best_total
    payoff_by_category = {
        rules.keys[point.category].replace("-", " "): Fraction(int(point.points), best)
        for point in _aims(rules, "published", "16226", 2)
    }
    return {row: [payoff_by_category[row]] for row in table.rows}


def final_roll(table: SourceTable) -> Rows:
    """Return the category in which the player scores each final roll."""
    card = Scorecard.empty(load_rules(table.rules))
    return {dice: [_scored(card, dice)] for dice in table.rows}


def weakness(table: SourceTable) -> Rows:
    """Return the category for a failed large straight if only the upper section is open."""
    rules = load_rules(table.rules)
    lower = [
        category.key
        for category in rules.categories
        if category.section != "upper" and category.key != "chance"
    ]
    card = parse_card(rules, ",".join([*(f"{key}=0" for key in lower), "chance=20"]))
    return {row: [_scored(card, row.split()[0])] for row in table.rows}


def transcript(table: SourceTable) -> Rows:
    """Return the targets after rolls 1 and 2, and the category in which roll 3 is scored.

    There is a target for each variant of the strategy that reproduces the paper.
    """
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for row, rolls, card in _turns(rules, table):
        targets: list[ComputedValue] = []
        for left, dice in ((2, rolls[0]), (1, rolls[1])):
            roll = parse_dice(rules, dice)
            keys = [PayoffLine(v).aim(rules, card.filled, roll, left) for v in OF_THE_PAPER]
            targets.append(tuple(dict.fromkeys(_code(rules, key) for key in keys if key)))
        rows[row] = [*targets, tuple(_code(rules, key) for key in _scored(card, rolls[2]))]
    return rows


def score_board(table: SourceTable) -> Rows:
    """Return the final scorecards of both players, computed from their turns."""
    rules, players = load_rules(table.rules), read_source("mince").tables
    cards = []
    for name in table.columns:
        *_, (row, rolls, card) = _turns(rules, players[PLAYERS[name]])
        cards.append(_filled(card, rolls[2], players[PLAYERS[name]].rows[row][2]))
    rows: dict[str, list[ComputedValue]] = {
        key: [card.boxes[k] or 0 for card in cards] for k, key in enumerate(rules.keys)
    }
    return rows | {
        "upper bonus": [card.upper_bonus for card in cards],
        "extra bonus": [card.extra_bonus for card in cards],
        "total": [card.points for card in cards],
    }


def _turns(rules: Rules, table: SourceTable) -> Iterator[tuple[str, list[str], Scorecard]]:
    """Yield each turn of a printed game: its row, its three rolls, and the scorecard before it."""
    card = Scorecard.empty(rules)
    for row, cells in table.rows.items():
        rolls = row.partition(": ")[2].split()
        yield row, rolls, card
        card = _filled(card, rolls[2], cells[2])


def _filled(card: Scorecard, dice: str, category: str) -> Scorecard:
    k = card.rules.category_index(category)
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    return card.fill(next(move for move in moves if move.category == k))


def _scored(card: Scorecard, dice: str) -> tuple[str, ...]:
    """Return the categories with the most points for a final roll, by the paper's rule."""
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    most = max(move.points for move in moves)
    return tuple(card.rules.keys[move.category] for move in moves if move.points == most)


def _code(rules: Rules, key: str) -> str:
    return rules.categories[rules.category_index(key)].code or key


def _aims(rules: Rules, variant: Variant, dice: str, left: int) -> list[Point]:
    return PayoffLine(variant).aims(rules, range(len(rules.keys)), parse_dice(rules, dice), left)


def _points(table: SourceTable, variant: Variant, dice: str, left: int) -> Rows:
    rules = load_rules(table.rules)
    return {
        rules.keys[point.category]: [point.payoff, point.exact]
        for point in _aims(rules, variant, dice, left)
    }


def _choice(table: SourceTable, left: int) -> Rows:
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for dice in table.rows:
        chosen, *_ = _aims(rules, "published", dice, left)
        rows[dice] = [rules.keys[chosen.category], format_keep(rules, chosen.keep)]
    return rows


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
    "payoffs": whole_turns,
    "line": line,
    "first_turn": first_turn,
    "first_turn_choice": first_turn_choice,
    "first_turn_payoffs": first_turn_payoffs,
    "second_turn": second_turn,
    "second_turn_choice": second_turn_choice,
    "final_roll": final_roll,
    "transcript_you": transcript,
    "transcript_computer": transcript,
    "score_board": score_board,
    "weakness": weakness,
}
"""The function for each table of ``mince.toml``."""
