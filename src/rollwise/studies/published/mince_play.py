"""M. Mince's payoffs, turns and games from scratch.

Payoffs are those of the paper's method; probabilities are held against the chance of best play for
the box alone, for that is what they are said to be.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rollwise.game.dice_notation import format_keep, parse_dice
from rollwise.game.notation import parse_card
from rollwise.game.scorecard import Scorecard, legal_moves
from rollwise.rules import Rules, load_rules
from rollwise.strategies import PayoffLine
from rollwise.strategies.payoff_points import OF_THE_PAPER, Point, Variant, payoffs
from rollwise.studies.published.figures import Compute, Ours, Rows, SourceTable, read_source

PLAYERS = {"You": "transcript_you", "Computer": "transcript_computer"}
"""The columns of the score board, and the tables of their turns."""


def whole_turns(table: SourceTable) -> Rows:
    """Return payoff and chance of each box before a turn."""
    rules = load_rules(table.rules)
    points = payoffs(rules, "published")
    rows: dict[str, list[Ours]] = {}
    for point in points.whole_turns():
        raw = point.points / points.best_total
        key = rules.keys[point.category]
        rows[key] = [point.payoff, point.exact, int(point.points), raw, point.payoff - raw]
    return rows


def line(table: SourceTable) -> Rows:
    """Return the line of least squares through the printed points."""
    points = payoffs(load_rules(table.rules), "published")
    return {
        "slope": [points.line.slope],
        "intercept": [points.line.intercept],
        "best total": [points.best_total],
    }


def first_turn(table: SourceTable) -> Rows:
    """Return boxes that 1 6 2 2 6 may go for: payoffs with three of each face."""
    return _points(table, "published", "16226", 2)


def second_turn(table: SourceTable) -> Rows:
    """Return boxes that 6 6 4 5 3 may go for: payoffs of the dice shown."""
    return _points(table, "second-table", "66453", 1)


def first_turn_choice(table: SourceTable) -> Rows:
    """Return the goal and the keep of the first roll."""
    return _choice(table, 2)


def second_turn_choice(table: SourceTable) -> Rows:
    """Return the goal and the keep of the second roll."""
    return _choice(table, 1)


def first_turn_payoffs(table: SourceTable) -> Rows:
    """Return what a box of 1 6 2 2 6 counts on, over the best total."""
    rules = load_rules(table.rules)
    best = payoffs(rules, "published").best_total
    counted = {
        rules.keys[point.category].replace("-", " "): Fraction(int(point.points), best)
        for point in _aims(rules, "published", "16226", 2)
    }
    return {row: [counted[row]] for row in table.rows}


def final_roll(table: SourceTable) -> Rows:
    """Return where the last roll is scored."""
    card = Scorecard.empty(load_rules(table.rules))
    return {dice: [_scored(card, dice)] for dice in table.rows}


def weakness(table: SourceTable) -> Rows:
    """Return where a large straight that failed is scored once only upper boxes are open."""
    rules = load_rules(table.rules)
    lower = [box.key for box in rules.categories if box.section != "upper" and box.key != "chance"]
    card = parse_card(rules, ",".join([*(f"{key}=0" for key in lower), "chance=20"]))
    return {row: [_scored(card, row.split()[0])] for row in table.rows}


def transcript(table: SourceTable) -> Rows:
    """Return goals of two rolls a turn, by any reading of the paper, and the box of most points."""
    rules = load_rules(table.rules)
    rows: dict[str, list[Ours]] = {}
    for row, rolls, card in _turns(rules, table):
        goals: list[Ours] = []
        for left, dice in ((2, rolls[0]), (1, rolls[1])):
            roll = parse_dice(rules, dice)
            found = [PayoffLine(v).aim(rules, card.filled, roll, left) for v in OF_THE_PAPER]
            goals.append(tuple(dict.fromkeys(_code(rules, key) for key in found if key)))
        rows[row] = [*goals, tuple(_code(rules, key) for key in _scored(card, rolls[2]))]
    return rows


def score_board(table: SourceTable) -> Rows:
    """Return the cards of both players, from their last rolls and the boxes that they took."""
    rules, players = load_rules(table.rules), read_source("mince").tables
    cards = []
    for name in table.columns:
        *_, (row, rolls, card) = _turns(rules, players[PLAYERS[name]])
        cards.append(_filled(card, rolls[2], players[PLAYERS[name]].rows[row][2]))
    rows: dict[str, list[Ours]] = {
        key: [card.boxes[k] or 0 for card in cards] for k, key in enumerate(rules.keys)
    }
    return rows | {
        "upper bonus": [card.upper_bonus for card in cards],
        "extra bonus": [card.extra_bonus for card in cards],
        "total": [card.points for card in cards],
    }


def _turns(rules: Rules, table: SourceTable) -> Iterator[tuple[str, list[str], Scorecard]]:
    """Yield the turns of a printed game: row, its three rolls, the card before it."""
    card = Scorecard.empty(rules)
    for row, cells in table.rows.items():
        rolls = row.partition(": ")[2].split()
        yield row, rolls, card
        card = _filled(card, rolls[2], cells[2])


def _filled(card: Scorecard, dice: str, box: str) -> Scorecard:
    k = card.rules.category_index(box)
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    return card.fill(next(move for move in moves if move.category == k))


def _scored(card: Scorecard, dice: str) -> tuple[str, ...]:
    """Return the boxes in which a last roll has the most points, as the paper's player wants."""
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
    rows: dict[str, list[Ours]] = {}
    for dice in table.rows:
        chosen, *_ = _aims(rules, "published", dice, left)
        rows[dice] = [rules.keys[chosen.category], format_keep(rules, chosen.keep)]
    return rows


TABLES: Mapping[str, Compute] = {
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
"""What computes each table of ``mince.toml`` beyond the chains."""
