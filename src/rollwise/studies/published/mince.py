"""Numbers in M. Mince's paper, as printed, beside computed numbers.

The chains are compared with exact fractions. The payoffs follow the method of the paper. The paper
says that its probabilities assume optimal play for one category, so they are compared with the
exact probabilities of this play. The paper rounds some numbers and truncates others.
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
from rollwise.game.scorecard import Dice, Scorecard, legal_moves
from rollwise.rules import FaceDice, Groups, load_rules
from rollwise.strategies.payoff_line import Kind, PayoffModel, Point, payoff_chain
from rollwise.studies.published.figures import (
    ComputedValue,
    Reasons,
    Row,
    Unexplained,
    printed_move,
    rows_of,
    split_rows,
    table,
)

RULES = load_rules("yahtzee")

T: Kind = "of-a-kind"
P: Kind = 4
L: Kind = 5
"""The chains of n of a kind, of the small straight, and of the large straight."""

ROLLS = 6**5
"""The number of ordered rolls of five dice."""

STATES = ("1", "2", "3", "4", "5")
FIRST_ROLLS = ("rolls", "fraction", "probability", "percent")
POINT = ("payoff", "probability")

SIGN = "the percent sign is wrong: the probability is"
CHANGE_OF_FACE = "T allows a change of face, and its entry is for exactly three dice"
EXACTLY_THREE = "this is the probability of exactly three dice; four and five also score"
EXACTLY_FOUR = "this is the probability of exactly four dice; five also score"
FIXED = "this is the probability of one fixed straight"
NO_CHANCE = "the printed total omits Chance"


@table("section 2: the game", rules="yahtzee")
def rules() -> Iterator[Row]:
    upper = RULES.upper_bonus
    assert upper is not None
    reason = "the scorecard above the text says 63 or over"
    yield "total for the bonus, in the text", "over 63", f"{upper.threshold} or over", reason
    reason = "the bonus of the lower section is in the row Additional Yahtzees"
    yield "section of the bonus, on the final board", "Lower", "Upper", reason


@table("section 4: the transition matrix T", columns=STATES)
def matrix_t() -> Iterator[Row]:
    printed = """
        1: 120/1296 0 0 0 0
        2: 900/1296 120/216 0 0 0
        3: 250/1296 80/216 25/36 0 0
        4: 25/1296 15/216 10/36 5/6 0
        5: 1/1296 1/216 1/36 1/6 1"""
    yield from rows_of(printed, _matrix(T))


@table("section 4: Tx and T²x", columns=STATES, cut=True)
def two_rolls() -> Iterator[Row]:
    after_1, after_2, from_4 = _after(T, "2", 1), _after(T, "2", 2), _after(T, "4", 2)
    printed = """
        Tx: 0 0.55555 0.37037 0.69444 0.00427
        Tx as used: 0 0.55555 0.37037 0.06944 0.00463
        Tx in percent: 0 55.5 37.0 - -
        T²x: 0 0.30864 0.46296 0.19933 0.02906
        T²x in percent: - 30.8 46.3 19.9 2.9
        T²x from state 4: 0 0 0 0.69444 0.30555
        T²x from state 4 in percent: - - - - 30.55
        P(A) + P(B) − P(A)P(B): - - - - 0.3055555"""
    computed = {
        "Tx": after_1,
        "Tx as used": after_1,
        "Tx in percent": [100 * p for p in after_1],
        "T²x": after_2,
        "T²x in percent": [100 * p for p in after_2],
        "T²x from state 4": from_4,
        "T²x from state 4 in percent": [100 * p for p in from_4],
        "P(A) + P(B) − P(A)P(B)": [*from_4[:4], 1 - (1 - Fraction(1, 6)) ** 2],
    }
    errors = {
        "4": "the number is ten times too large; the next formula gives 0.06944",
        "5": "1/216 is 0.00463, as in the next formula",
    }
    yield from rows_of(printed, computed, {"Tx": errors})


@table("section 4: T in the display of Tx")
def a_misprinted_entry() -> Iterator[Row]:
    yield "entry (2, 1)", "900/1926", _matrix(T)["2"][0], "the denominator must be 1296"


@table("section 5: the transition matrix P", columns=STATES[:4])
def matrix_p() -> Iterator[Row]:
    printed = """
        1: 108/1296 0 0 0
        2: 525/1296 64/216 0 0
        3: 582/1296 122/216 25/36 0
        4: 108/1296 30/216 11/36 1"""
    reason = (
        "the entry is 81/1296: 3⁴ rolls show no wanted face, and with 108, the column sums to "
        "1323/1296"
    )
    yield from rows_of(printed, _matrix(P), {"1": {"1": reason}})


@table("section 5: the second column of P, term by term")
def column_of_state_2() -> Iterator[Row]:
    yield from _terms({3, 4}, "XXX 64 DXX 50 XDX 40 XXD 32 DDX 12 DXD 10 XDD 8")


@table("section 5: the transition matrix L", columns=STATES)
def matrix_l() -> Iterator[Row]:
    printed = """
        1: 16/1296 0 0 0 0
        2: 260/1296 27/216 0 0 0
        3: 660/1296 111/216 16/36 0 0
        4: 336/1296 72/216 18/36 5/6 0
        5: 24/1296 6/216 2/36 1/6 1"""
    yield from rows_of(printed, _matrix(L))


@table("section 5: the straight 2 3 4 5 6 from 1 2 5 6 6, in percent")
def large_straight_from_12566() -> Iterator[Row]:
    turn = Turn(Multisets(), lambda dice: int({2, 3, 4, 5, 6} <= set(dice)))
    best, *_ = turn.moves(2)["12566"]
    yield "in the chain", "16.358", 100 * _after(L, "3", 2)[-1]
    yield "with the best dice to keep", "16.358", 100 * turn.keep_value(best, 2)


@table("sections 4 to 7: the entries of the vectors in products")
def lengths_of_vectors() -> Iterator[Row]:
    for row in ("T: Tx", "L: L²s", "T: ones", "T: sixes", "L: large straight"):
        missing = "second 0.231481" if row == "L: L²s" else "last entry"
        reason = f"a 5x5 matrix multiplies a vector of four entries; the {missing} is missing"
        yield row, "4", len(_after(T if row[0] == "T" else L, "1", 0)), reason


@table(
    "section 6: first rolls of a kind, by shape",
    columns=("factors", "product", "permutations", "rolls"),
)
def first_roll_by_shape() -> Iterator[Row]:
    printed = """
        ABCDE: - 720 - 720
        AABCC: 6·1·5·4·1 120 15 1800
        AABCC in the sum: - 150 15 1800
        AABCD: 6·1·5·4·3 360 10 3600
        AAABB: 6·1·1·5·1 30 10 300
        AAABC: 6·1·1·5·4 120 10 1200
        AAAAB: 6·1·1·15 30 5 150
        AAAAA: - - - 6"""
    computed = {row: _shape(row[:5]) for row, _ in split_rows(printed)}
    factors = "6 · 1 · 1 · 15 is 90; with 6 · 1 · 1 · 1 · 5 the product is the printed 30"
    errors = {
        "AABCC in the sum": {
            "product": "120 is correct, as in the sentence before; 150 · 15 is 2250, not 1800"
        },
        "AAAAB": {"factors": factors},
    }
    yield from rows_of(printed, computed, errors)


@table("section 6: first rolls, of a kind", columns=FIRST_ROLLS, cut=True)
def first_roll_of_a_kind() -> Iterator[Row]:
    printed = """
        1: 720 720/7776 0.09259 0.09259
        2: 5400 5400/7776 0.69444 0.69444
        3: 1500 1500/7776 0.19290 0.19290
        4: 150 150/7776 0.01929 0.01929
        5: 6 6/7776 0.0007716 -"""
    percentages = {"1": "9.259%", "2": "69.444%", "3": "19.290%", "4": "1.929%"}
    errors = {state: {"percent": f"{SIGN} {p}"} for state, p in percentages.items()}
    yield from rows_of(printed, _first_rolls(T), errors)


@table("section 6: T²s", cut=True)
def whole_turn_of_a_kind() -> Iterator[Row]:
    reason = (
        "the number follows if entry (1, 1) of T is 129/1296, which we infer from this vector; the "
        "paper prints 120/1296"
    )
    errors = dict.fromkeys(STATES[:4], reason) | {"1": f"{reason}; the vector sums to 1.0007"}
    printed = "1: 0.000917; 2: 0.25646; 3: 0.45252; 4: 0.24478; 5: 0.04603"
    yield from rows_of(printed, _whole_turn(T), errors)


@table("section 6: first rolls of the small straight, term by term")
def first_roll_small_straight() -> Iterator[Row]:
    wanted = {1, 2, 3, 4}
    yield from _terms(wanted, "DXXXX 324 XDXXX 216 XXDXX 144 XXXDX 96 XXXXD 64")
    yield from _terms(wanted, "DDXXX 768 DXDXX 576 DXXDX 432 DXXXD 324 XDDXX 384 XDXDX 288")
    yield from _terms(wanted, "XDXXD 216 XXDDX 192 XXDXD 144 XXXDD 96")
    reason = "the number is 432, as in the list above; with 432, the total is correct"
    yield "DXXDX in the sum", "462", _ways(frozenset(wanted), 5)["DXXDX"], reason
    errors = {"XDDDX": "2 · 4 · 3 · 2 · 5 is 240"}
    yield from _terms(wanted, "XXDDD 96 XDXDD 144 XDDXD 192 XDDDX 262 DXXDD 216", errors)
    yield from _terms(wanted, "DXDXD 288 DXDDX 360 DDXXD 384 DDXDX 480 DDDXX 600")
    yield from _terms(wanted, "DDDDX 144 DDDXD 120 DDXDD 96 DXDDD 72 XDDDD 48")


@table("section 6: first rolls of the small straight, by state", columns=FIRST_ROLLS, cut=True)
def first_roll_small_straight_states() -> Iterator[Row]:
    printed = """
        1: 844 844/7776 0.108539 0.108539
        2: 3420 844/7776 0.439814 0.439814
        3: 3022 844/7776 0.388631 0.388631
        4: 480 844/7776 0.061728 0.061728
        all: 7776 - - -"""
    fraction = "844 is the numerator of state 1"
    sum_error = "the sum contains 262 instead of 240"
    errors = {
        "1": {"percent": f"{SIGN} 10.8539%"},
        "2": {"fraction": fraction, "percent": f"{SIGN} 43.9814%"},
        "3": {
            "rolls": sum_error,
            "fraction": fraction,
            "probability": sum_error,
            "percent": f"{SIGN} 38.5802%, and {sum_error}",
        },
        "4": {"fraction": fraction, "percent": f"{SIGN} 6.1728%"},
        "all": {"rolls": "32 rolls show none of the four faces; the printed numbers sum to 7766"},
    }
    yield from rows_of(printed, _first_rolls(P), errors)


@table("section 6: P²s", cut=True)
def whole_turn_small_straight() -> Iterator[Row]:
    entry = "the paper uses 108 instead of 81 in entry (1, 1) of P"
    both = f"{entry}, and 3022 rolls instead of 3000"
    errors = {"1": entry, "2": entry, "3": both, "4": both, "target in percent": both}
    printed = "1: 0.000753; 2: 0.055304; 3: 0.496277; 4: 0.448829; target in percent: 44.8829"
    yield from rows_of(printed, _whole_turn(P), errors)


@table("section 6: first rolls of the large straight", columns=FIRST_ROLLS, cut=True)
def first_roll_large_straight() -> Iterator[Row]:
    printed = """
        1: 156 - 0.020062 -
        2: 1800 - 0.231481 -
        3: 3900 - 0.501543 -
        4: 1800 - 0.231481 -
        5: 120 - 0.015423 -
        all: 7776 - - -"""
    errors = {
        "1": {
            "rolls": "the number is 155: one of the 156 rolls shows none of the five faces",
            "probability": "the number follows from 156 rolls instead of 155",
        },
        "5": {"probability": "120/7776 is 0.015432; two digits are exchanged"},
        "all": {"rolls": "7,775 rolls show at least one of the five faces"},
    }
    yield from rows_of(printed, _first_rolls(L), errors)


@table("section 6: L²s", cut=True)
def whole_turn_large_straight() -> Iterator[Row]:
    printed = """
        1: 0.00003057; 2: 0.0041696; 3: 0.1735440; 4: 0.6254531; 5: 0.1968299
        target in percent: 19.68299"""
    reason = (
        "the number follows from 156 rolls in state 1 instead of 155, and from none in state 0 "
        "instead of one"
    )
    errors = dict.fromkeys((*STATES, "target in percent"), reason)
    errors["1"] = "ten times too large, and computed with 156 rolls instead of 155"
    yield from rows_of(printed, _whole_turn(L), errors)


@table(
    "section 6: payoffs and probabilities of whole turns",
    rules="yahtzee",
    columns=("payoff", "probability", "raw value", "raw payoff", "weight"),
    cut=True,
)
def payoffs() -> Iterator[Row]:
    printed = """
        ones: 0.01244444 0.250423 3 0.008 0.0044444
        twos: 0.02488889 0.250423 6 0.016 0.0088888
        threes: 0.03733333 0.250423 9 0.024 0.0133333
        fours: 0.04977778 0.250423 12 0.032 0.0177777
        fives: 0.06222222 0.250423 15 0.04 0.022222
        sixes: 0.07466667 0.250423 18 0.048 0.0266666
        three-of-a-kind: 0.04 0.45252 - - -
        four-of-a-kind: 0.04 0.24478 - - -
        full-house: 0.06666667 0.07542 - - -
        small-straight: 0.08 0.448829 - - -
        large-straight: 0.10666667 0.196829 - - -
        yahtzee: 0.13333333 0.04603 - - -"""
    computed: dict[str, list[ComputedValue]] = {}
    for point in _model().whole_turns():
        raw = point.points / _model().best_total
        numbers: list[ComputedValue] = [
            point.payoff,
            point.exact,
            int(point.points),
            raw,
            point.payoff - raw,
        ]
        computed[RULES.keys[point.category]] = numbers
    face = "this is the probability of exactly three dice of the face; four and five also score"
    also = "T²s also contains an error"
    reasons = dict.fromkeys(RULES.keys[:6], face) | {
        "three-of-a-kind": f"{EXACTLY_THREE}; {also}",
        "four-of-a-kind": f"{EXACTLY_FOUR}; {also}",
        "full-house": "this is one sixth of the probability of three of a kind",
        "small-straight": f"{FIXED} of four faces; the other two also score",
        "large-straight": f"{FIXED}; the others also score",
    }
    yield from rows_of(printed, computed, _of_probabilities(reasons))


@table("section 6: the best fit line", rules="yahtzee")
def line() -> Iterator[Row]:
    yield "slope", "-1.4163", _model().line.slope
    yield "intercept", "0.3332", _model().line.intercept
    yield "best total", "375", _model().best_total


@table("section 7: 1 6 2 2 6 with two rolls left, vectors", columns=STATES, cut=True)
def first_turn_vectors() -> Iterator[Row]:
    printed = """
        ones: 0.00857338 0.45010288 0.40902206 0.11967021 0.01263145
        twos: 0 0.3086419 0.4629629 0.1993312 0.0290637
        small straight: 0 0.0877914 0.5595850 0.3526234 -
        large straight: 0 0.015625 0.292631 0.576388 0.115354"""
    computed = {
        "ones": _after(T, "1", 2),
        "twos": _after(T, "2", 2),
        "small straight": [*_after(P, "2", 2), Fraction(0)],
        "large straight": _after(L, "2", 2),
    }
    yield from rows_of(printed, computed)


@table(
    "section 7: 1 6 2 2 6 with two rolls left, payoffs and probabilities",
    rules="yahtzee",
    columns=POINT,
    cut=True,
)
def first_turn() -> Iterator[Row]:
    printed = """
        ones: 0.0124444 0.4090220
        twos: 0.0248888 0.4629629
        sixes: 0.0746667 0.4629629
        three-of-a-kind: 0.048 0.4629629
        four-of-a-kind: 0.064 0.1993312
        full-house: 0.06666 0.3333
        small-straight: 0.08 0.3526234
        large-straight: 0.10666 0.115354
        yahtzee: 0.133333 0.0290637"""
    reasons = dict.fromkeys(("ones", "twos", "sixes"), CHANGE_OF_FACE) | {
        "three-of-a-kind": EXACTLY_THREE,
        "four-of-a-kind": EXACTLY_FOUR,
        "full-house": "this is the probability with one roll left; two are left",
        "small-straight": f"{FIXED}; the others also score",
        "large-straight": f"{FIXED}; the others also score",
    }
    yield from rows_of(printed, _points(_model(), "16226", 2), _of_probabilities(reasons))


@table(
    "section 7: 1 6 2 2 6 with two rolls left, what is done",
    rules="yahtzee",
    columns=("goal", "keep"),
)
def first_turn_choice() -> Iterator[Row]:
    yield "16226", "sixes 66", _choice("16226", 2)


@table("section 7: 1 6 2 2 6, payoffs as sums", rules="yahtzee")
def first_turn_payoffs() -> Iterator[Row]:
    reason = "the denominator must be 375: the printed value 0.10666 is 40/375"
    yield "large straight", "40/275", Fraction(40, _model().best_total), reason


@table("section 7: 1 6 2 2 6, a full house with one roll of one die")
def first_turn_full_house() -> Iterator[Row]:
    yield "keeping 2 2 6 6", "1/3", target_turn("full-house").keep_value("2266", 1)


@table(
    "section 7: 6 6 4 5 3 with one roll left, payoffs and probabilities",
    rules="yahtzee",
    columns=POINT,
    cut=True,
)
def second_turn() -> Iterator[Row]:
    printed = """
        threes: 0.0124429 0.192901
        fours: 0.0165905 0.192901
        fives: 0.0207481 0.192901
        sixes: 0.0497714 0.37037
        three-of-a-kind: 0.064 -
        four-of-a-kind: 0.064 -
        full-house: 0.066667 -
        small-straight: 0.08 1
        large-straight: 0.106667 -
        yahtzee: 0.1333333 -"""
    sums = {
        "threes": "3/375 + 3/63 · 35/375 is 0.0124444",
        "fours": "4/375 + 4/63 · 35/375 is 0.0165926",
        "fives": "5/375 + 5/63 · 35/375 is 0.0207407",
        "sixes": "12/375 + 12/63 · 35/375 is 0.0497778",
    }
    sixes = "the entry of T is for exactly three dice of the face"
    reasons = dict.fromkeys(sums, CHANGE_OF_FACE) | {"sixes": sixes}
    errors = {key: {"payoff": sums[key], "probability": reasons[key]} for key in sums}
    yield from rows_of(printed, _points(variants()[1], "66453", 1), errors)


@table(
    "section 7: 6 6 4 5 3 with one roll left, what is done",
    rules="yahtzee",
    columns=("goal", "keep"),
)
def second_turn_choice() -> Iterator[Row]:
    yield "66453", "small-straight 3456", _choice("66453", 1)


@table("section 7: 3 4 5 6 4, the final roll", rules="yahtzee")
def final_roll() -> Iterator[Row]:
    yield "34564", "small-straight", _scored(Scorecard.empty(RULES), "34564")


GAMES = {
    "You": """
        23263 23543 23542: 3k ss ss; 33415 33212 33562: 3k 3k ch; 66554 66354 66514: 3k 3k 6
        64525 43565 56525: 3k 3k 3k; 24462 64422 44463: 4 4 4; 44133 36433 33333: 3 3 y
        25545 15545 65555: 5 5 5; 42352 42351 42351: ls ls ls; 21644 25162 25122: 2 2 2
        61643 31363 32323: 3 3 fh; 31624 33564 33543: y y 3; 32333 33333 33333: y y y
        43561 46526 56416: y y 1""",
    "Computer": """
        24422 24422 24422: fh fh fh; 66144 66412 66251: 3k 3k ch; 44446 44446 44445: 4 4 4
        13564 13564 63564: ss ss ss; 25565 55555 55555: 3k y y; 66534 66354 66524: 3k 3k 6
        45254 65256 66616: 3k 3k 4k; 42631 42131 13111: ls 3k 3k; 44412 41412 31214: ls 1 3
        11613 11616 11116: 1 1 1; 15352 15352 25356: ls 5 5; 11632 13232 63222: ls 2 2
        13253 13253 13254: ls ls ls""",
}
"""The printed game: the rolls of each turn, the goals after the first two, and the category."""

GOALS = ("goal 1", "goal 2", "category")
NO_VARIANT = Unexplained("none of the three variants of sections 6 and 7 chooses this goal")
STAYS_OPEN = (
    "Yahtzee was filled in turn 6, but section 2 gives 100 points for a further Yahtzee; if "
    "Yahtzee stays a goal, the strategy {} it here"
)
NOT_CHOSEN, CHOSEN = (
    Unexplained(STAYS_OPEN.format(verb)) for verb in ("does not choose", "chooses")
)
MOST_POINTS = (
    "contradicts section 9, which says that a roll is scored where it gets the most points: {}. "
    "We do not know whether the text or the transcript is wrong: if points of the upper section "
    "count 1.4 times, all printed categories have the most points"
)
REASONS: Mapping[tuple[str, int], Mapping[str, str]] = {
    ("You", 7): {"category": MOST_POINTS.format("Four of a Kind scores 26")},
    ("You", 8): {"goal 1": NO_VARIANT},
    ("You", 11): {"goal 1": NOT_CHOSEN, "goal 2": NOT_CHOSEN},
    ("You", 12): {
        "goal 1": NOT_CHOSEN,
        "goal 2": CHOSEN,
        "category": (
            "the final board shows 15 points in Four of a Kind, and 100 for this second Yahtzee"
        ),
    },
    ("You", 13): {"goal 1": NOT_CHOSEN, "goal 2": CHOSEN},
    ("Computer", 3): {"category": MOST_POINTS.format("three and four of a kind score 21")},
    **{("Computer", turn): {"goal 1": NO_VARIANT} for turn in (5, 8, 9, 11, 12)},
}
"""Why a goal or category of the printed game differs, by player and turn."""


@table("section 9: goals of the first player", rules="yahtzee", columns=GOALS)
def transcript_you() -> Iterator[Row]:
    yield from _transcript("You")


@table("section 9: goals of the second player", rules="yahtzee", columns=GOALS)
def transcript_computer() -> Iterator[Row]:
    yield from _transcript("Computer")


@table("section 9: the final states", rules="yahtzee")
def final_states() -> Iterator[Row]:
    for player, printed in (("You", "343"), ("Computer", "228")):
        points = _board(player)["total"]
        yield f"{player} points", printed, points, NO_CHANCE


@table("section 9: the score board", rules="yahtzee", columns=tuple(GAMES))
def score_board() -> Iterator[Row]:
    printed = """
        ones: 1 4; twos: 6 6; threes: 9 3; fours: 12 16; fives: 20 10; sixes: 12 12
        upper bonus: 0 0; three-of-a-kind: 23 7; four-of-a-kind: 15 25; full-house: 25 25
        small-straight: 30 30; large-straight: 40 40; yahtzee: 50 50; extra bonus: 100 0
        chance: 19 20; total: 343 228"""
    boards = [_board(player) for player in GAMES]
    computed = {row: [board[row] for board in boards] for row in boards[0]}
    yield from rows_of(printed, computed, {"total": dict.fromkeys(GAMES, NO_CHANCE)})


@table("section 9: where 1 2 3 5 6 is scored", rules="yahtzee")
def weakness() -> Iterator[Row]:
    lower = (key for key in RULES.keys[6:] if key != "chance")
    card = Scorecard(RULES, ",".join([*(f"{key}=0" for key in lower), "chance=20"]))
    yield "12356 for a large straight", "sixes", _scored(card, "12356")


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
def variants() -> tuple[PayoffModel, PayoffModel, PayoffModel]:
    """Return the payoffs of section 6, of the second table of section 7, and of section 9."""
    return (
        PayoffModel(RULES, "published"),
        SecondTable(RULES, "published"),
        Transcript(RULES, "published"),
    )


def _model() -> PayoffModel:
    return variants()[0]


def _of_probabilities(reasons: Mapping[str, str]) -> Mapping[str, Reasons]:
    return {row: {"probability": reason} for row, reason in reasons.items()}


def _matrix(kind: Kind) -> dict[str, list[Fraction]]:
    """Return the rows of a matrix as in the paper, which has no state 0."""
    chain = payoff_chain(kind)
    first = chain.states.index("1")
    return {state: row[first:] for state, row in zip(chain.states, chain.matrix(), strict=True)}


def _after(kind: Kind, state: str, rolls: int) -> list[Fraction]:
    """Return the distribution of the states from 1 some rolls after a state."""
    chain = payoff_chain(kind)
    return chain.after(state, rolls)[chain.states.index("1") :]


def _first_rolls(kind: Kind) -> dict[str, list[ComputedValue]]:
    """Return the numbers of first rolls in each state, and in all states of the paper."""
    start = payoff_chain(kind).start
    rows: dict[str, list[ComputedValue]] = {
        state: [p * ROLLS, f"{p * ROLLS}/{ROLLS}", p, 100 * p] for state, p in start.items()
    }
    return rows | {"all": [(1 - start.get("0", 0)) * ROLLS, "", "", ""]}


def _whole_turn(kind: Kind) -> dict[str, Fraction]:
    """Return the distribution of states after three rolls."""
    chain = payoff_chain(kind)
    after = dict(zip(chain.states, chain.after(chain.start, 2), strict=True))
    return after | {"target in percent": 100 * after[chain.states[-1]]}


def _shape(shape: str) -> list[ComputedValue]:
    """Return the number of first rolls with a pattern of letters, as a product of two factors.

    The first factor is the number of choices of faces for the letters in order. The second is the
    number of different arrangements of the dice if letters that occur equally often count as the
    same letter.
    """
    letters = sorted(set(shape))
    factors = [6 - letters.index(a) if a not in shape[:i] else 1 for i, a in enumerate(shape)]
    rolls, choices = _patterns()[_pattern(shape)], prod(factors)
    return ["·".join(map(str, factors)), choices, rolls // choices, rolls]


def _pattern(dice: Iterable[object]) -> tuple[int, ...]:
    """Return how often the different entries of a sequence occur, in increasing order."""
    return tuple(sorted(Counter(dice).values()))


@cache
def _patterns() -> Counter[tuple[int, ...]]:
    return Counter(map(_pattern, product(range(1, 7), repeat=5)))


def _terms(
    wanted: set[int], printed: str, errors: Mapping[str, str] | None = None
) -> Iterator[Row]:
    """Yield the printed numbers of ordered rolls, each after its pattern."""
    words = printed.split()
    for pattern, number in zip(words[::2], words[1::2], strict=True):
        rolls = _ways(frozenset(wanted), len(pattern))[pattern]
        yield pattern, number, rolls, (errors or {}).get(pattern, {})


@cache
def _ways(wanted: frozenset[int], dice: int) -> Counter[str]:
    """Return the number of ordered rolls with each pattern.

    A pattern has a letter for each die. The letter is D if the die shows a wanted face that no
    earlier die shows, and X otherwise.
    """
    patterns = Counter[str]()
    for roll in product(range(1, 7), repeat=dice):
        new = (die in wanted and die not in roll[:i] for i, die in enumerate(roll))
        patterns["".join("D" if is_new else "X" for is_new in new)] += 1
    return patterns


def _aims(model: PayoffModel, dice: str, left: int) -> list[Point]:
    return model.aims(range(len(RULES.keys)), parse_dice(RULES, dice), left)


def _points(model: PayoffModel, dice: str, left: int) -> dict[str, list[ComputedValue]]:
    """Return the payoff and the exact probability of each category."""
    points = _aims(model, dice, left)
    return {RULES.keys[point.category]: [point.payoff, point.exact] for point in points}


def _choice(dice: str, left: int) -> list[ComputedValue]:
    """Return the goal and the dice to keep."""
    chosen, *_ = _aims(_model(), dice, left)
    return [RULES.keys[chosen.category], format_keep(RULES, chosen.keep)]


def turns(player: str) -> Iterator[tuple[Scorecard, str, str, Scorecard]]:
    """Yield each printed turn: the card before it, its rolls, its choices, and the card after it.

    If the rules do not allow the printed box, the turn is scored where it has the most points.
    """
    card = Scorecard.empty(RULES)
    for rolls, choices in split_rows(GAMES[player]):
        final, box = rolls.split()[2], choices.split()[2]
        move = printed_move(card, final, box) or printed_move(card, final, _scored(card, final)[0])
        assert move is not None
        after = card.after(move)
        yield card, rolls, choices, after
        card = after


def _transcript(player: str) -> Iterator[Row]:
    """Yield the goals after rolls 1 and 2, and the category in which roll 3 is scored.

    A goal is correct if any variant of the strategy that reproduces the paper chooses it.
    """
    for turn, (card, rolls, choices, _) in enumerate(turns(player), start=1):
        is_open = [k for k in range(len(RULES.keys)) if not card.filled >> k & 1]
        goals: list[ComputedValue] = []
        for left, dice in zip((2, 1), rolls.split(), strict=False):
            roll = parse_dice(RULES, dice)
            aims = (model.aims(is_open, roll, left) for model in variants())
            goals.append(tuple(dict.fromkeys(_code(a[0].category) for a in aims if a)))
        boxes = tuple(map(_code, map(RULES.category_index, _scored(card, rolls.split()[2]))))
        reasons = REASONS.get((player, turn), {})
        yield f"turn {turn}: {rolls}", choices, [*goals, boxes], reasons


def _board(player: str) -> dict[str, int]:
    """Return the points of the categories and bonuses, and the total, after the printed game."""
    *_, (_, _, _, card) = turns(player)
    points = {key: card.boxes[k] or 0 for k, key in enumerate(RULES.keys)}
    extra = {"upper bonus": card.upper_bonus, "extra bonus": card.extra_bonus}
    return points | extra | {"total": card.points}


def _scored(card: Scorecard, dice: str) -> tuple[str, ...]:
    """Return the categories in which a final roll scores the most points (the paper's rule)."""
    moves = legal_moves(RULES, card.state, parse_dice(RULES, dice))
    most = max(move.points for move in moves)
    return tuple(RULES.keys[move.category] for move in moves if move.points == most)


def _code(k: int) -> str:
    return RULES.categories[k].code or RULES.keys[k]
