"""Numbers in W. Huber's answer on Stack Exchange, as printed, beside exact fractions."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

from rollwise.decision_analysis import Profiles, Turn, decide
from rollwise.studies.published.figures import ComputedValue, Row, table

YAHTZEE = Turn(Profiles(), {"00001": 1})
COINS = Turn(Profiles(2), {"11": 1}, dice=3)

STATES = ("5", "31", "12", "201", "011", "1001", "00001")
COIN_STATES = ("11", "001")


@table("the figure: three coins, options and their values", columns=("value", "to 11", "to 001"))
def figure() -> Iterator[Row]:
    yield "0", "3/4 3/4 1/4", _coin_option("0")
    yield "1", "3/4 3/4 1/4", _coin_option("1")
    yield "01", "1/2 - -", _coin_option("01")
    yield "001", "0 0 1", _coin_option("001")
    yield "2", "1 1 0", _coin_option("2")
    yield "11", "1 1 0", _coin_option("11")


@table(
    "the figure: best options and payoffs before the roll",
    columns=("payoff", "before", "a best option", "another best option", "options"),
)
def figure_states() -> Iterator[Row]:
    yield "11", "1 1 - - -", _coin_state("11")
    yield "001", "0 3/4 0 1 4", _coin_state("001")


@table("the figure: whether option 2 is available")
def available() -> Iterator[Row]:
    states = COINS.decision_problem().available
    yield "option 2 11", "yes", "yes" if "2" in states["11"] else "no"
    yield "option 2 001", "no", "yes" if "2" in states["001"] else "no"


@table("states and options in the notation of profiles")
def states_and_options() -> Iterator[Row]:
    yield "states", "7", len(YAHTZEE.states)
    yield "options", "19", len(YAHTZEE.options)


@table("a single die rolled", columns=COIN_STATES)
def one_die() -> Iterator[Row]:
    ways = dict(Profiles().roll_one((0, 1)))
    yield "ways from 01", "5 1", [ways[1, 1], ways[0, 0, 1]]


@table("d₀: what is subtracted from the number of faces")
def faces_not_showing() -> Iterator[Row]:
    rules = {"nonzero": lambda d: sum(n != 0 for n in d), "sum": sum}
    kept = (dice for n in range(6) for dice in combinations_with_replacement(range(1, 7), n))
    shown = {Profiles().of_dice(dice): len(set(dice)) for dice in kept}
    right = tuple(name for name, rule in rules.items() if all(rule(d) == shown[d] for d in shown))
    reason = "the sum of the entries is the number of faces that show"
    two = "the profile 2 has the sum 2, but only one nonzero entry"
    yield "in the text", "nonzero", right, f"{reason}; {two}"
    yield "in the function outcomes", "sum", right
    accepts = "the program accepts 5 for dice with fewer than five faces"
    yield "in the check of the target", "nonzero", right, f"{reason}; {accepts}"


@table("payoffs after each roll", columns=STATES)
def payoffs() -> Iterator[Row]:
    yield (
        "after 1",
        "0.0126314586 0.02906379 0.02906379 0.09336420 0.09336420 0.3055556 1",
        _payoffs(YAHTZEE, 2),
    )
    yield (
        "after 2",
        "0.0007716049 0.00462963 0.00462963 0.02777778 0.02777778 0.1666667 1",
        _payoffs(YAHTZEE, 1),
    )
    yield (
        "after 3",
        "0.0000000000 0.00000000 0.00000000 0.00000000 0.00000000 0.0000000 1",
        _payoffs(YAHTZEE, 0),
    )


@table("moves after each roll", columns=STATES)
def moves() -> Iterator[Row]:
    yield "after 1", "0 01 01 001 001 0001 00001", _moves(YAHTZEE, 2)
    yield "after 2", "0 01 01 001 001 0001 00001", _moves(YAHTZEE, 1)


@table("the probability distribution of option 0", columns=STATES)
def first_roll() -> Iterator[Row]:
    outcomes = YAHTZEE.outcomes("0")
    yield (
        "0",
        "0.09259259 0.4629630 0.2314815 0.15432099 0.03858025 0.019290123 0.0007716049",
        [outcomes[state] for state in STATES],
    )


@table("the probability of a yahtzee")
def chance() -> Iterator[Row]:
    yield "fraction", "2783176/60466176", YAHTZEE.value
    yield "decimal", "0.04602864", YAHTZEE.value
    yield "from 31 after the first roll", "0.029", YAHTZEE.payoffs(2)["31"]


@table("the best options for a full house")
def full_house() -> Iterator[Row]:
    turn = Turn(Profiles(), {"011": 1})
    change = "no" if turn.moves(2) == turn.moves(1) else "yes"
    reason = (
        "the best options are the same after both rolls; with four rolls, they change for four of "
        "the seven profiles"
    )
    yield "they change between the first and the second roll", "yes", change, reason


@table('yahtzee("11", 2, 3, 3): payoffs', columns=COIN_STATES)
def coins_payoffs() -> Iterator[Row]:
    yield "after 1", "1 0.9375", _payoffs(COINS, 2)
    yield "after 2", "1 0.7500", _payoffs(COINS, 1)
    yield "after 3", "1 0.0000", _payoffs(COINS, 0)


@table('yahtzee("11", 2, 3, 3): moves', columns=COIN_STATES)
def coins_moves() -> Iterator[Row]:
    yield "after 1", "2 1", _moves(COINS, 2)
    yield "after 2", "2 0", _moves(COINS, 1)


def _coin_option(option: str) -> list[ComputedValue]:
    """Return the value of an option with one roll left, and its probability of each state."""
    outcomes = COINS.outcomes(option)
    return [COINS.keep_value(option, 1), outcomes.get("11", 0), outcomes.get("001", 0)]


def _coin_state(state: str) -> list[ComputedValue]:
    """Return the payoff, the value before the last roll, the best options, and their number."""
    problem = COINS.decision_problem()
    decision = decide(problem)
    best = decision.best[state]
    available = len(problem.available[state])
    return [COINS.payoffs(0)[state], decision.values[state], best, best, available]


def _payoffs(turn: Turn, rolls_left: int) -> list[Fraction]:
    """Return the probability of the target from each state."""
    payoffs = turn.payoffs(rolls_left)
    return [payoffs[state] for state in (STATES if turn is YAHTZEE else COIN_STATES)]


def _moves(turn: Turn, rolls_left: int) -> list[tuple[str, ...]]:
    """Return all best options of each state."""
    moves = turn.moves(rolls_left)
    return [moves[state] for state in (STATES if turn is YAHTZEE else COIN_STATES)]
