"""Numbers in M. Mince's paper, computed by one function per table.

The first part computes the Markov chains of the paper with exact fractions. The second part
computes its payoffs, turns, and games. The payoffs follow the method of the paper. The paper says
that its probabilities assume optimal play for one category, so they are compared with the exact
probabilities of this play.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from rollwise.decision_analysis import Multisets, Turn, target_turn
from rollwise.game.dice_notation import format_keep, parse_dice
from rollwise.game.notation import parse_card
from rollwise.game.scorecard import Dice, Scorecard, legal_moves
from rollwise.game.scoring import natural_points
from rollwise.rules import FaceDice, Groups, Rules, load_rules
from rollwise.strategies.payoff_line import (
    PayoffChain,
    PayoffModel,
    Point,
    payoff_chain,
    payoff_model,
)
from rollwise.studies.published.figures import IMPOSSIBLE, ComputedValue, printed_move
from rollwise.studies.published.toml_tables import (
    Compute,
    Rows,
    SourceTable,
    formula,
    read_source,
    register,
)

ROLLS = 6**5
"""The number of ordered rolls of five dice."""

PLAYERS = {"You": "transcript_you", "Computer": "transcript_computer"}
"""The key of the table of each player's turns, by the player's column in ``score_board``."""


class SecondTable(PayoffModel):
    """The payoffs of the second table of section 7, which count the dice that the roll shows."""

    def points(self, k: int, roll: Dice | None = None) -> float:
        """Return the points of a success."""
        category = self.rules.categories[k]
        match category.pattern:
            case FaceDice(face=own) if roll:
                return own * roll.count(own)
            case Groups(sizes=(_,)) if roll and isinstance(category.points, str):
                return sum(roll)
        return super().points(k, roll)


class Transcript(SecondTable):
    """The payoffs that match the transcript of section 9 best.

    An unfinished full house has the probability of a whole turn.
    """

    def point(self, k: int, roll: Dice, left: int) -> Point:
        """Return the payoff and probability of a category."""
        point = super().point(k, roll, left)
        if point.state is not None or point.probability == 1:
            return point
        probability = self.published_turn(k)
        distance = self.line.distance(point.payoff, probability)
        return replace(point, probability=probability, distance=distance)


@cache
def models(rules: Rules) -> list[PayoffModel]:
    """Return the models that reproduce the paper, in the order of its sections."""
    return [kind(rules, "published") for kind in (PayoffModel, SecondTable, Transcript)]


@cache
def _chains() -> dict[str, PayoffChain]:
    return {
        "of-a-kind": payoff_chain("of-a-kind"),
        "small-straight": payoff_chain(4),
        "large-straight": payoff_chain(5),
    }


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
    percent = [100 * probability for probability in after_1]
    return {
        "Tx": after_1,
        "Tx as used": after_1,
        "Tx in percent": percent,
        "T²x": after_2,
        "T²x in percent": [100 * probability for probability in after_2],
        "T²x from state 4": chain.after("4", 2),
        "T²x from state 4 in percent": [100 * p for p in chain.after("4", 2)],
        "P(A) + P(B) − P(A)P(B)": [0, 0, 0, 0, 1 - (1 - Fraction(1, 6)) ** 2],
    }


def rerolls(table: SourceTable) -> Rows:
    """Return the number of ordered rolls of each number of dice."""
    return {f"{dice} dice": [6**dice] for dice in (5, 4, 3, 2)}


def a_misprinted_entry(table: SourceTable) -> Rows:
    """Return the transition probability from one of a kind to two of a kind."""
    return {"entry (2, 1)": [_chains()["of-a-kind"].matrix()[1][0]]}


def column_of_state_2(table: SourceTable) -> Rows:
    """Return the number of rolls of three dice with each pattern, if 3 and 4 are wanted."""
    ways = _ways({3, 4}, dice=3)
    return {row: [_factors(row, 2, ways[row]), ways[row]] for row in table.rows}


def large_straight_from_12566(table: SourceTable) -> Rows:
    """Return the probability of the straight 2 3 4 5 6 in percent, two rolls after 1 2 5 6 6.

    For the first number, the player keeps 2 5 6, as in the chain. For the second number, the player
    keeps the best dice.
    """
    wanted = {2, 3, 4, 5, 6}
    turn = Turn(Multisets(), lambda dice: int(wanted <= set(dice)))
    best, *_ = turn.moves(2)["12566"]
    return {
        "in the chain": [100 * _chains()["large-straight"].after("3", 2)[-1]],
        "with the best dice to keep": [100 * turn.keep_value(best, 2)],
    }


def first_roll_by_shape(table: SourceTable) -> Rows:
    """Return the number of first rolls with each pattern of letters, as a product of two factors.

    The first factor is the number of choices of faces for the letters in order. The second is the
    number of different arrangements of the dice if letters that occur equally often count as the
    same letter.
    """
    patterns = Counter(map(_pattern, product(range(1, 7), repeat=5)))
    rows: dict[str, list[ComputedValue]] = {}
    for row in table.rows:
        shape = row.split()[0]
        letters = sorted(set(shape))
        factors = [6 - letters.index(a) if a not in shape[:i] else 1 for i, a in enumerate(shape)]
        rolls, choices = patterns[_pattern(shape)], prod(factors)
        rows[row] = ["·".join(map(str, factors)), choices, rolls // choices, rolls]
    return rows


def first_roll_of_a_kind(table: SourceTable) -> Rows:
    """Return the number and the probability of first rolls in each state."""
    return _first_rolls("of-a-kind", table)


def first_roll_small_straight(table: SourceTable) -> Rows:
    """Return the number of ordered first rolls with each pattern, if 1 to 4 are wanted."""
    ways = _ways({1, 2, 3, 4}, dice=5)
    patterns = {row: row.split()[0] for row in table.rows}
    return {
        row: [_factors(pattern, 4, ways[pattern]), ways[pattern]]
        for row, pattern in patterns.items()
    }


def first_roll_small_straight_states(table: SourceTable) -> Rows:
    """Return the number and the probability of first rolls in each state."""
    return _first_rolls("small-straight", table)


def first_roll_large_straight(table: SourceTable) -> Rows:
    """Return the number and the probability of first rolls in each state."""
    return _first_rolls("large-straight", table)


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


def lengths_of_vectors(table: SourceTable) -> Rows:
    """Return the number of states of the chain in each matrix product that the paper displays."""
    states = {
        "T": len(_chains()["of-a-kind"].states),
        "P": len(_chains()["small-straight"].states) - 1,  # the paper has no state 0
        "L": len(_chains()["large-straight"].states) - 1,
    }
    return {row: [states[row[0]]] for row in table.rows}


def _matrix(key: str, table: SourceTable) -> Rows:
    chain = _chains()[key]
    rows = dict(zip(chain.states, chain.matrix(), strict=True))
    return {state: rows[state][-len(table.columns) :] for state in table.rows}


def _first_rolls(key: str, table: SourceTable) -> dict[str, list[ComputedValue]]:
    """Return the rolls, fraction, probability, and percentage of each state after a first roll.

    The row "all" has the number of first rolls in all states of the paper. It has no state 0.
    """
    start = _chains()[key].start
    rows: dict[str, list[ComputedValue]] = {}
    for state in table.rows:
        if state in start:
            probability = start[state]
            share = f"{probability * ROLLS}/{ROLLS}"
            rows[state] = [probability * ROLLS, share, probability, 100 * probability]
    in_paper = sum(probability for state, probability in start.items() if state != "0")
    if "all" in table.rows:
        rows["all"] = [in_paper * ROLLS, "-", "-", "-"]
    return rows


def _whole_turn(key: str, table: SourceTable) -> Rows:
    chain = _chains()[key]
    distribution = dict(zip(chain.states, chain.after(chain.start, 2), strict=True))
    rows: dict[str, list[ComputedValue]] = {
        state: [distribution[state]] for state in table.rows if state in distribution
    }
    if "target in percent" in table.rows:
        rows["target in percent"] = [100 * distribution[chain.states[-1]]]
    return rows


def _factors(pattern: str, wanted: int, rolls: int) -> str:
    """Return the product that counts the rolls of a pattern, die by die.

    A die D shows one of the faces that are still wanted, and X any other face.
    """
    factors = []
    for letter in pattern:
        factors.append(wanted if letter == "D" else 6 - wanted)
        wanted -= letter == "D"
    return formula("·".join(map(str, factors)), prod(factors), rolls)


def _pattern(dice: Iterable[object]) -> tuple[int, ...]:
    """Return how often the different entries of a sequence occur, in increasing order."""
    return tuple(sorted(Counter(dice).values()))


def _ways(wanted: set[int], dice: int) -> Counter[str]:
    """Return the number of ordered rolls with each pattern.

    A pattern has a letter for each die. The letter is D if the die shows a wanted face that no
    earlier die shows, and X otherwise.
    """
    patterns = Counter[str]()
    for roll in product(range(1, 7), repeat=dice):
        new = (die in wanted and die not in roll[:i] for i, die in enumerate(roll))
        patterns["".join("D" if is_new else "X" for is_new in new)] += 1
    return patterns


def rules_of_the_game(table: SourceTable) -> Rows:
    """Return the numbers in the description of the game."""
    rules = load_rules(table.rules)
    upper, extra = rules.upper_bonus, rules.extra_bonus
    assert upper is not None
    assert extra is not None
    examples = {
        "full house": ("full-house", (2, 2, 2, 3, 3)),
        "small straight": ("small-straight", (1, 2, 3, 4, 6)),
        "large straight": ("large-straight", (1, 2, 3, 4, 5)),
        "yahtzee": ("yahtzee", (6,) * 5),
        "three twos in the twos": ("twos", (1, 2, 2, 2, 5)),
    }
    return {
        "dice": [rules.dice],
        "rounds": [len(rules.categories)],
        "rolls": [rules.rolls],
        "least total for the bonus, on the scorecard": [upper.threshold],
        "least total for the bonus, in the text": [upper.threshold],
        "three of each face": [3 * sum(range(1, rules.faces + 1))],
        "upper bonus": [upper.points],
        "section of the bonus, on the final board": ["Upper" if rules.upper_bonus else "Lower"],
        "additional yahtzee": [extra.points],
        **{
            row: [natural_points(rules, rules.category_index(key), dice)]
            for row, (key, dice) in examples.items()
        },
    }


def whole_turns(table: SourceTable) -> Rows:
    """Return the payoff, success probability, points, raw payoff, and weight of each category.

    The probabilities are for a whole turn with the optimal policy for the category.
    """
    rules = load_rules(table.rules)
    points = payoff_model(rules, "published")
    rows: dict[str, list[ComputedValue]] = {}
    for point in points.whole_turns():
        raw = point.points / points.best_total
        key = rules.keys[point.category]
        rows[key] = [point.payoff, point.exact, int(point.points), raw, point.payoff - raw]
    return rows


def line(table: SourceTable) -> Rows:
    """Return the least-squares line through the payoffs and probabilities of whole turns."""
    points = payoff_model(load_rules(table.rules), "published")
    return {
        "slope": [points.line.slope],
        "intercept": [points.line.intercept],
        "best total": [points.best_total],
    }


def first_turn(table: SourceTable) -> Rows:
    """Return the payoff and the probability of each target for the roll 1 6 2 2 6.

    The payoffs of upper categories assume that the player ends with three dice of that face.
    """
    return _points(models(load_rules(table.rules))[0], "16226", 2)


def second_turn(table: SourceTable) -> Rows:
    """Return the payoff and the probability of each target for the roll 6 6 4 5 3.

    The payoffs of upper categories count the dice that show the face.
    """
    return _points(models(load_rules(table.rules))[1], "66453", 1)


def first_turn_choice(table: SourceTable) -> Rows:
    """Return the target and the dice to keep after the first roll."""
    return _choice(table, 2)


def second_turn_choice(table: SourceTable) -> Rows:
    """Return the target and the dice to keep after the second roll."""
    return _choice(table, 1)


def first_turn_payoffs(table: SourceTable) -> Rows:
    """Return the points of each target for 1 6 2 2 6, divided by the highest possible total."""
    rules = load_rules(table.rules)
    best, bonus = payoff_model(rules, "published").best_total, rules.upper_bonus
    assert bonus is not None
    rows: dict[str, list[ComputedValue]] = {}
    for point in _aims(models(rules)[0], "16226", 2):
        key, points = rules.keys[point.category], int(point.points)
        if rules.categories[point.category].section == "upper":
            total = Fraction(points, best) + Fraction(points * bonus.points, bonus.threshold * best)
            assert abs(float(total) - point.payoff) < 1e-12
            rows[key] = [
                f"({points}/{best})+(({points}/{bonus.threshold})*({bonus.points}/{best}))"
            ]
        else:
            rows[key.replace("-", " ")] = [Fraction(points, best)]
    return {row: rows[row] for row in table.rows}


def first_turn_full_house(table: SourceTable) -> Rows:
    """Return the probability of a full house one roll after keeping 2 2 6 6."""
    turn = target_turn("full-house")
    return {row: [turn.keep_value("2266", 1)] for row in table.rows}


def final_states(table: SourceTable) -> Rows:
    """Return the dice, the rolls left, and the points of both players after the last turn."""
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for name in table.rows:
        *_, (_, rolls, _) = _turns(rules, read_source("mince").tables[PLAYERS[name]])
        card = _final_card(rules, name)
        rows[name] = [rolls[2], 0, card.points if card else IMPOSSIBLE]
    return rows


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

    A target is correct if any variant of the strategy that reproduces the paper chooses it.
    """
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {row: [IMPOSSIBLE] * 3 for row in table.rows}
    for row, rolls, card in _turns(rules, table):
        targets: list[ComputedValue] = []
        for left, dice in ((2, rolls[0]), (1, rolls[1])):
            roll = parse_dice(rules, dice)
            open_categories = [k for k in range(len(rules.keys)) if not card.filled >> k & 1]
            aims = [model.aims(open_categories, roll, left) for model in models(rules)]
            keys = [rules.keys[found[0].category] for found in aims if found]
            targets.append(tuple(dict.fromkeys(_code(rules, key) for key in keys)))
        rows[row] = [*targets, tuple(_code(rules, key) for key in _scored(card, rolls[2]))]
    return rows


def score_board(table: SourceTable) -> Rows:
    """Return the final scorecards of both players, computed from their turns."""
    rules = load_rules(table.rules)
    columns = [_board(_final_card(rules, name)) for name in table.columns]
    return {row: [column.get(row, IMPOSSIBLE) for column in columns] for row in table.rows}


def _board(card: Scorecard | None) -> dict[str, int]:
    """Return the points of the categories and bonuses, and the total, of a scorecard."""
    if card is None:
        return {}
    points = {key: card.boxes[k] or 0 for k, key in enumerate(card.rules.keys)}
    return points | {
        "upper bonus": card.upper_bonus,
        "extra bonus": card.extra_bonus,
        "total": card.points,
    }


def _final_card(rules: Rules, player: str) -> Scorecard | None:
    """Return a player's scorecard after the printed game, or None if it cannot be played."""
    table = read_source("mince").tables[PLAYERS[player]]
    *_, (row, rolls, card) = _turns(rules, table)
    move = printed_move(card, rolls[2], table.rows[row][2])
    is_last = row == [*table.rows][-1]
    return card.fill(move) if move is not None and is_last else None


def _turns(rules: Rules, table: SourceTable) -> Iterator[tuple[str, list[str], Scorecard]]:
    """Yield each turn of a printed game: its row, its three rolls, and the scorecard before it.

    Stop after a score that the rules do not allow.
    """
    card = Scorecard.empty(rules)
    for row, cells in table.rows.items():
        rolls = row.partition(": ")[2].split()
        yield row, rolls, card
        move = printed_move(card, rolls[2], cells[2])
        if move is None:
            return
        card = card.fill(move)


def _scored(card: Scorecard, dice: str) -> tuple[str, ...]:
    """Return the categories in which a final roll scores the most points (the paper's rule)."""
    moves = legal_moves(card.rules, card.state, parse_dice(card.rules, dice))
    most = max(move.points for move in moves)
    return tuple(card.rules.keys[move.category] for move in moves if move.points == most)


def _code(rules: Rules, key: str) -> str:
    return rules.categories[rules.category_index(key)].code or key


def _aims(model: PayoffModel, dice: str, left: int) -> list[Point]:
    rules = model.rules
    return model.aims(range(len(rules.keys)), parse_dice(rules, dice), left)


def _points(model: PayoffModel, dice: str, left: int) -> Rows:
    return {
        model.rules.keys[point.category]: [point.payoff, point.exact]
        for point in _aims(model, dice, left)
    }


def _choice(table: SourceTable, left: int) -> Rows:
    rules = load_rules(table.rules)
    rows: dict[str, list[ComputedValue]] = {}
    for dice in table.rows:
        chosen, *_ = _aims(models(rules)[0], dice, left)
        rows[dice] = [rules.keys[chosen.category], format_keep(rules, chosen.keep)]
    return rows


TABLES: Mapping[str, Compute] = {
    "rules": rules_of_the_game,
    "matrix_t": matrix_t,
    "two_rolls": two_rolls,
    "a_misprinted_entry": a_misprinted_entry,
    "rerolls": rerolls,
    "matrix_p": matrix_p,
    "column_of_state_2": column_of_state_2,
    "matrix_l": matrix_l,
    "large_straight_from_12566": large_straight_from_12566,
    "lengths_of_vectors": lengths_of_vectors,
    "first_roll_by_shape": first_roll_by_shape,
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
    "first_turn_full_house": first_turn_full_house,
    "second_turn": second_turn,
    "second_turn_choice": second_turn_choice,
    "final_roll": final_roll,
    "transcript_you": transcript,
    "transcript_computer": transcript,
    "final_states": final_states,
    "score_board": score_board,
    "weakness": weakness,
}
"""The function for each table of ``mince.toml``."""

register("mince", TABLES)
